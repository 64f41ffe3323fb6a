// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// asahi's parameters, VMs, objects, binds and queues: each rule, with the kernel's errno.
#include <sys/wait.h>

#include <thread>

#include "drivers/agx/sim/chips.h"
#include "tests/winsys/virtual/asahi_kernel.h"

using namespace terrazzo::test;
namespace agx = terrazzo::agx;
namespace asahi = terrazzo::winsys::virt::asahi;

TEST_CASE("asahi: a VM's private objects are not those of a later VM") {
    AsahiKernel k(false);
    const uint32_t first = k.vm(), mine = k.bo(kAgxPage, kAsahiGemVmPrivate, first);
    drm_asahi_vm_destroy destroy{first, 0};
    REQUIRE(k.ioctl(kAsahiVmDestroy, &destroy) == 0);
    for (unsigned i = 0; i < 8; ++i)
        CHECK(k.bind_error(k.vm(), {kAsahiBindRead, mine, 0, kAgxPage, kObjectVa}) == -EINVAL);
}

TEST_CASE("asahi: parameters of the GPU") {
    AsahiKernel k(false);
    drm_asahi_params_global p{};
    drm_asahi_get_params args{0, 0, address_of(&p), sizeof p};
    REQUIRE(k.ioctl(kAsahiGetParams, &args) == 0);
    CHECK(p.gpu_generation == 13);
    CHECK(p.gpu_variant == 'G');
    CHECK(p.gpu_revision == 0x11);
    CHECK(p.chip_id == 0x8103);
    CHECK(p.num_dies == 1);
    CHECK(p.num_clusters_total == 1);
    CHECK(p.num_cores_per_cluster == 8);
    CHECK(p.core_masks[0] == 0xff);
    CHECK(p.core_masks[1] == 0);
    CHECK(p.vm_start == kAgxPage);
    CHECK(p.vm_end == 0x7fffff8000);
    CHECK(p.vm_kernel_min_size == 0x20000000);
    CHECK(p.max_commands_per_submission == 64);
    CHECK(p.max_attachments == 16);
    CHECK(p.command_timestamp_frequency_hz == 1'000'000'000);
    CHECK(p.features == 0);

    // An older program knows less of it, a newer one more.
    uint8_t bytes[sizeof p + 8];
    memset(bytes, 0xee, sizeof bytes);
    args = {0, 0, address_of(bytes), 20};
    REQUIRE(k.ioctl(kAsahiGetParams, &args) == 0);
    CHECK(memcmp(bytes, &p, 20) == 0);
    CHECK(bytes[20] == 0xee);
    args.size = sizeof bytes;
    REQUIRE(k.ioctl(kAsahiGetParams, &args) == 0);
    CHECK(memcmp(bytes, &p, sizeof p) == 0);
    CHECK(bytes[sizeof p] == 0xee);
    args.size = 0;
    CHECK(k.ioctl(kAsahiGetParams, &args) == 0);
    args = {1, 0, address_of(bytes), sizeof p};
    CHECK(k.ioctl(kAsahiGetParams, &args) == -EINVAL);
    args = {0, 1, address_of(bytes), sizeof p};
    CHECK(k.ioctl(kAsahiGetParams, &args) == -EINVAL);
    args = {0, 0, 16, sizeof p};
    CHECK(k.ioctl(kAsahiGetParams, &args) == -EFAULT);

    drm_version version{};
    char name[8] = {};
    version.name = name;
    version.name_len = sizeof name;
    REQUIRE(k.ioctl(kIoctlVersion, &version) == 0);
    CHECK(std::string(name) == "asahi");
    CHECK(k.ioctl(terrazzo::uapi::drm_iowr<drm_asahi_submit>(kDrmCommandBase + 11), &args) == -EINVAL);
}

TEST_CASE("asahi: each chip's device says what the chip's row has") {
    for (const agx::hw::Chip& row : agx::hw::chips()) {
        const auto* const chip = agx::sim::host_vendor().find(row.name);
        REQUIRE(chip);
        CHECK(chip->kernel_driver() == "asahi");
        CHECK(row.clusters * row.cores_per_cluster >= 8);
        CHECK((row.core_mask >> row.cores_per_cluster) == 0);
        const auto device = chip->create_device(false, 0);
        REQUIRE(device);
        terrazzo::winsys::virt::File file(device, terrazzo::winsys::virt::Node::Render, false);
        drm_asahi_params_global p{};
        drm_asahi_get_params args{0, 0, address_of(&p), sizeof p};
        REQUIRE(file.ioctl(kAsahiGetParams, &args) == 0);
        CHECK(p.chip_id == row.chip_id);
        CHECK(p.core_masks[row.clusters - 1] == row.core_mask);
        CHECK(p.core_masks[row.clusters] == 0);
    }
}

TEST_CASE("asahi: the time is in nanoseconds and grows") {
    AsahiKernel k(false);
    drm_asahi_get_time args{0, 0};
    const uint64_t before = terrazzo::winsys::monotonic_ns();
    REQUIRE(k.ioctl(kAsahiGetTime, &args) == 0);
    CHECK(args.gpu_timestamp >= before);
    CHECK(args.gpu_timestamp <= terrazzo::winsys::monotonic_ns());
    args.flags = 1;
    CHECK(k.ioctl(kAsahiGetTime, &args) == -EINVAL);
}

TEST_CASE("asahi: a VM needs a part for the kernel") {
    AsahiKernel k(false);
    const auto create = [&](uint64_t start, uint64_t end) {
        drm_asahi_vm_create args{start, end, 0, 0};
        return k.ioctl(kAsahiVmCreate, &args);
    };
    constexpr uint64_t kSize = 0x20000000, kEnd = 0x7fffff8000;
    CHECK(create(kAgxPage, kAgxPage + kSize) == 0);
    CHECK(create(kEnd - kSize, kEnd) == 0);
    CHECK(create(kAgxPage, kAgxPage + kSize - kAgxPage) == -EINVAL);
    CHECK(create(0, kSize) == -EINVAL);
    CHECK(create(kEnd - kSize, kEnd + kAgxPage) == -EINVAL);
    CHECK(create(kEnd, kAgxPage) == -EINVAL);
    CHECK(create(kAgxPage + 4096, kAgxPage + 4096 + kSize) == -EINVAL);
    CHECK(create(kAgxPage, kAgxPage + kSize + 4096) == -EINVAL);
    CHECK(create(UINT64_MAX - kAgxPage + 1, 0) == -EINVAL);
    drm_asahi_vm_destroy args{2, 0};
    CHECK(k.ioctl(kAsahiVmDestroy, &args) == 0);
    CHECK(k.ioctl(kAsahiVmDestroy, &args) == -ENOENT);
    CHECK(k.vm() == 2);
}

TEST_CASE("asahi: objects") {
    AsahiKernel k(false);
    const uint32_t vm = k.vm();
    const auto create = [&](uint64_t size_B, uint32_t flags, uint32_t vm_id) {
        drm_asahi_gem_create args{size_B, flags, vm_id, 0, 0};
        return k.ioctl(kAsahiGemCreate, &args);
    };
    CHECK(create(1, kAsahiGemWriteback, 0) == 0);
    CHECK(create(0, 0, 0) == -EINVAL);
    CHECK(create(UINT64_MAX, 0, 0) == -EINVAL);
    CHECK(create(1, 4, 0) == -EINVAL);
    CHECK(create(1, 0, vm) == -EINVAL);
    CHECK(create(1, kAsahiGemVmPrivate, vm + 1) == -ENOENT);
    CHECK(create(1, kAsahiGemVmPrivate, 0) == -ENOENT);
    CHECK(create(1, kAsahiGemVmPrivate, vm) == 0);

    const uint32_t bo = k.bo(20000);
    auto* p = k.map<uint8_t>(bo, 2 * kAgxPage);  // the size was rounded to the GPU's pages
    p[2 * kAgxPage - 1] = 1;
    munmap(p, 2 * kAgxPage);
    drm_asahi_gem_mmap_offset args{bo, 1, 0};
    CHECK(k.ioctl(kAsahiGemMmapOffset, &args) == -EINVAL);
    args = {99, 0, 0};
    CHECK(k.ioctl(kAsahiGemMmapOffset, &args) == -ENOENT);
}

TEST_CASE("asahi: dma-bufs") {
    AsahiKernel k(false), other(false);
    const uint32_t vm = k.vm(), bo = k.bo(kAgxPage), mine = k.bo(kAgxPage, kAsahiGemVmPrivate, vm);
    drm_prime_handle args{mine, 0, -1};
    CHECK(k.ioctl(kIoctlPrimeHandleToFd, &args) == -EINVAL);  // a private object
    args = {bo, 0, -1};
    REQUIRE(k.ioctl(kIoctlPrimeHandleToFd, &args) == 0);
    drm_prime_handle import{0, 0, args.fd};
    REQUIRE(other.ioctl(kIoctlPrimeFdToHandle, &import) == 0);
    auto* a = k.map<uint32_t>(bo, kAgxPage);
    auto* b = other.map<uint32_t>(import.handle, kAgxPage);
    a[5] = 42;
    CHECK(b[5] == 42);
    other.bind(other.vm(), import.handle, kObjectVa, kAgxPage);
    munmap(a, kAgxPage);
    munmap(b, kAgxPage);
    ::close(args.fd);
}

TEST_CASE("asahi: rules of binds") {
    AsahiKernel k(false);
    const uint32_t vm = k.vm(), bo = k.bo(4 * kAgxPage), other_vm = k.vm();
    constexpr uint32_t kRw = kAsahiBindRead | kAsahiBindWrite;
    const auto map = [&](uint32_t flags, uint64_t offset, uint64_t range, uint64_t addr) {
        return k.bind_error(vm, {flags, bo, offset, range, addr});
    };
    CHECK(map(kRw, 0, 4 * kAgxPage, kObjectVa) == 0);
    CHECK(map(kAsahiBindRead, 0, kAgxPage, kObjectVa) == 0);
    CHECK(map(kAsahiBindWrite, 3 * kAgxPage, kAgxPage, kObjectVa) == 0);
    CHECK(map(kRw, 0, 0, kObjectVa) == 0);
    CHECK(map(kRw, 4096, kAgxPage, kObjectVa) == -EINVAL);
    CHECK(map(kRw, 0, 4096, kObjectVa) == -EINVAL);
    CHECK(map(kRw, 0, kAgxPage, kObjectVa + 4096) == -EINVAL);
    CHECK(map(kRw | 16, 0, kAgxPage, kObjectVa) == -EINVAL);
    CHECK(map(0, 0, kAgxPage, kObjectVa) == -EINVAL);
    CHECK(map(kRw, 0, 5 * kAgxPage, kObjectVa) == -EINVAL);
    CHECK(map(kRw, 4 * kAgxPage, kAgxPage, kObjectVa) == -EINVAL);
    CHECK(map(kRw, UINT64_MAX - kAgxPage + 1, kAgxPage, kObjectVa) == -EINVAL);
    CHECK(map(kRw, 0, kAgxPage, UINT64_MAX - kAgxPage + 1) == -EINVAL);
    CHECK(map(kRw, 0, kAgxPage, 0) == -EINVAL);
    CHECK(map(kRw, 0, kAgxPage, 0x7fffff8000) == -EINVAL);
    CHECK(map(kRw, 0, kAgxPage, 0x7fffff8000 - kAgxPage) == 0);
    CHECK(map(kRw, 0, kAgxPage, kKernelStart) == -EINVAL);
    CHECK(map(kRw, 0, 2 * kAgxPage, kKernelStart - kAgxPage) == -EINVAL);
    CHECK(map(kRw, 0, kAgxPage, kKernelEnd - kAgxPage) == -EINVAL);
    CHECK(map(kRw, 0, kAgxPage, kKernelStart - kAgxPage) == 0);
    CHECK(map(kRw, 0, kAgxPage, kKernelEnd) == 0);
    CHECK(k.bind_error(vm, {kRw, 99, 0, kAgxPage, kObjectVa}) == -ENOENT);
    CHECK(k.bind_error(99, {kRw, bo, 0, kAgxPage, kObjectVa}) == -ENOENT);
    // Flags are checked before the handle, the handle before the VM.
    CHECK(k.bind_error(99, {16, 99, 0, kAgxPage, kObjectVa}) == -EINVAL);
    CHECK(k.bind_error(99, {0, bo, 0, kAgxPage, kObjectVa}) == -EINVAL);
    // One page, everywhere in a range that is larger than the object.
    constexpr uint32_t kPage = kRw | kAsahiBindSinglePage;
    CHECK(map(kPage, 3 * kAgxPage, 1ull << 34, kObjectVa) == 0);
    CHECK(map(kPage, 4 * kAgxPage, kAgxPage, kObjectVa) == -EINVAL);
    CHECK(map(kPage, 0, 1ull << 36, kObjectVa) == -EINVAL);

    const auto unmap = [&](drm_asahi_gem_bind_op op) {
        op.flags |= kAsahiBindUnbind;
        return k.bind_error(vm, op);
    };
    CHECK(unmap({0, 0, 0, 64 * kAgxPage, kObjectVa}) == 0);
    CHECK(unmap({0, bo, 0, kAgxPage, kObjectVa}) == -EINVAL);
    CHECK(unmap({0, 0, kAgxPage, kAgxPage, kObjectVa}) == -EINVAL);
    CHECK(unmap({kAsahiBindRead, 0, 0, kAgxPage, kObjectVa}) == -EINVAL);
    CHECK(unmap({0, 0, 0, kAgxPage, kKernelStart}) == -EINVAL);
    CHECK(unmap({0, 0, 0, kAgxPage, 0}) == -EINVAL);
    CHECK(k.bind_error(99, {kAsahiBindUnbind, 0, 0, kAgxPage, kObjectVa}) == -ENOENT);

    const uint32_t mine = k.bo(kAgxPage, kAsahiGemVmPrivate, vm);
    CHECK(k.bind_error(vm, {kRw, mine, 0, kAgxPage, kObjectVa}) == 0);
    CHECK(k.bind_error(other_vm, {kRw, mine, 0, kAgxPage, kObjectVa}) == -EINVAL);
}

TEST_CASE("asahi: an array of binds stops at the first error") {
    AsahiKernel k(true);
    AsahiProgram p(k);
    const uint32_t data = k.bo(kAgxPage);
    constexpr uint64_t kVa = kObjectVa + (1 << 20);
    struct {
        drm_asahi_gem_bind_op op;
        uint64_t newer;  // a field of a later version
    } ops[3] = {{{kAsahiBindRead | kAsahiBindWrite, data, 0, kAgxPage, kVa}, 0},
                {{kAsahiBindRead, data, 0, kAgxPage, 0}, 0},
                {{kAsahiBindRead | kAsahiBindWrite, data, 0, kAgxPage, kVa + kAgxPage}, 0}};
    drm_asahi_vm_bind args{p.vm, 3, sizeof ops[0], 0, address_of(ops)};
    CHECK(k.ioctl(kAsahiVmBind, &args) == -EINVAL);
    CHECK(p.finish(CommandBuffer().add(kAsahiCmdCompute, k.compute(p.program({{Op::Store, kVa, 7}})))) == 1);
    CHECK(p.finish(CommandBuffer().add(kAsahiCmdCompute,
                                       k.compute(p.program({{Op::Store, kVa + kAgxPage, 7}})))) == -EIO);
    auto* word = k.map<uint64_t>(data, kAgxPage);
    CHECK(*word == 7);
    munmap(word, kAgxPage);
    args = {p.vm, 0, sizeof ops[0], 0, 0};
    CHECK(k.ioctl(kAsahiVmBind, &args) == 0);
    args = {p.vm, 1, 0, 0, address_of(ops)};
    CHECK(k.ioctl(kAsahiVmBind, &args) == -EINVAL);
    args = {p.vm, 1, sizeof ops[0], 1, address_of(ops)};
    CHECK(k.ioctl(kAsahiVmBind, &args) == -EINVAL);
    args = {p.vm, 1, sizeof ops[0], 0, 16};
    CHECK(k.ioctl(kAsahiVmBind, &args) == -EFAULT);
    args = {p.vm, UINT32_MAX, sizeof ops[0], 0, address_of(ops)};
    CHECK(k.ioctl(kAsahiVmBind, &args) == -ENOMEM);
    // A short struct has zeros in the other fields: no address.
    args = {p.vm, 1, 24, 0, address_of(ops)};
    CHECK(k.ioctl(kAsahiVmBind, &args) == -EINVAL);
}

TEST_CASE("asahi: closing an object unbinds it, and destroying a VM everything") {
    AsahiKernel k(true);
    AsahiProgram p(k);
    const uint32_t data = k.bo(kAgxPage);
    constexpr uint64_t kVa = kObjectVa + (1 << 20);
    k.bind(p.vm, data, kVa, kAgxPage);
    const CommandBuffer store =
        CommandBuffer().add(kAsahiCmdCompute, k.compute(p.program({{Op::Store, kVa, 7}})));
    CHECK(p.finish(store) == 1);
    CHECK(k.close(data) == 0);
    CHECK(p.finish(store) == -EIO);
    drm_asahi_vm_destroy args{p.vm, 0};
    CHECK(k.ioctl(kAsahiVmDestroy, &args) == 0);
    CHECK(p.finish(store) == -EIO);  // not even its program is mapped
    REQUIRE(k.reports.size() == 2);
    CHECK(k.reports[0] ==
          "terrazzo: asahi: queue 1 compute: fault, exception 0x01 (unmapped): write to 0x100100000: nothing "
          "is "
          "mapped there");
}

TEST_CASE("asahi: what a bind allows") {
    AsahiKernel k(true);
    AsahiProgram p(k);
    const uint32_t data = k.bo(kAgxPage);
    constexpr uint64_t kVa = kObjectVa + (1 << 20);
    k.bind(p.vm, data, kVa, kAgxPage, kAsahiBindRead);
    k.bind(p.vm, data, kVa + kAgxPage, kAgxPage, kAsahiBindWrite);
    const auto run = [&](const Instr& i) {
        return p.finish(CommandBuffer().add(kAsahiCmdCompute, k.compute(p.program({i}))));
    };
    CHECK(run({Op::WaitGe, kVa, 0}) == 1);
    CHECK(run({Op::Store, kVa, 1}) == -EIO);
    CHECK(run({Op::Store, kVa + kAgxPage, 1}) == 1);
    CHECK(run({Op::WaitGe, kVa + kAgxPage, 0}) == -EIO);
    CHECK(run({Op::WaitGe, kVa, 1}) == 1);
    REQUIRE(k.reports.size() == 2);
    CHECK(k.reports[1].find("(write-only)") != std::string::npos);
}

TEST_CASE("asahi: timestamp buffers") {
    AsahiKernel k(false);
    const uint32_t vm = k.vm(), bo = k.bo(2 * kAgxPage), mine = k.bo(kAgxPage, kAsahiGemVmPrivate, vm);
    drm_asahi_gem_bind_object args{};
    const auto good = [&] {
        args = {kAsahiBindObjectOpBind, kAsahiBindObjectUsageTimestamps, bo, 0, kAgxPage, kAgxPage, 0, 0};
    };
    const auto call = [&] {
        const int error = k.ioctl(kAsahiGemBindObject, &args);
        const uint32_t handle = args.object_handle;
        good();
        return error ? error : static_cast<int>(handle);
    };
    good();
    CHECK(call() == 1);
    args.pad = 1;
    CHECK(call() == -EINVAL);
    args.vm_id = vm;
    CHECK(call() == -EINVAL);
    args.op = 2;
    CHECK(call() == -EINVAL);
    args.flags = 0;
    CHECK(call() == -EINVAL);
    args.offset = 4096;
    CHECK(call() == -EINVAL);
    args.range = 2 * kAgxPage;
    CHECK(call() == -EINVAL);
    args.offset = UINT64_MAX - kAgxPage + 1;
    CHECK(call() == -EINVAL);
    args.handle = 99;
    CHECK(call() == -ENOENT);
    args.handle = mine;
    args.offset = 0;
    CHECK(call() == -EINVAL);
    args.range = 0;
    CHECK(call() == -ENOSPC);
    const auto unbind = [&](uint32_t handle) { args = {kAsahiBindObjectOpUnbind, 0, 0, 0, 0, 0, handle, 0}; };
    unbind(1);
    args.handle = bo;
    CHECK(call() == -EINVAL);
    unbind(1);
    args.flags = kAsahiBindObjectUsageTimestamps;
    CHECK(call() == -EINVAL);
    unbind(1);
    args.range = kAgxPage;
    CHECK(call() == -EINVAL);
    unbind(1);
    CHECK(call() == 1);
    unbind(1);
    CHECK(call() == -ENOENT);
}

TEST_CASE("asahi: queues") {
    AsahiKernel k(false);
    const uint32_t vm = k.vm();
    const auto create = [&](uint32_t flags, uint32_t vm_id, uint32_t priority) {
        drm_asahi_queue_create args{flags, vm_id, priority, 0, 0};
        return k.ioctl(kAsahiQueueCreate, &args);
    };
    CHECK(create(0, vm, kAsahiPriorityLow) == 0);
    CHECK(create(0, vm, kAsahiPriorityMedium) == 0);
    CHECK(create(0, vm, kAsahiPriorityHigh) == -EINVAL);
    CHECK(create(0, vm, kAsahiPriorityRealtime) == -EINVAL);
    CHECK(create(1, vm, kAsahiPriorityLow) == -EINVAL);
    CHECK(create(0, 99, kAsahiPriorityLow) == -ENOENT);
    CHECK(k.destroy_queue(1) == 0);
    CHECK(k.destroy_queue(1) == -ENOENT);
    CHECK(k.queue(vm) == 1);
}

TEST_CASE("asahi: a forked child has lost the device") {
    AsahiKernel k(true);
    AsahiProgram p(k);
    REQUIRE(p.submit(CommandBuffer().add(kAsahiCmdCompute, k.compute(p.program({p.gate(0)})))) == 0);
    const pid_t child = fork();
    if (child == 0) {
        drm_asahi_get_time args{0, 0};
        const bool lost = k.ioctl(kAsahiGetTime, &args) == -ENODEV;
        k.file = nullptr;  // must not hang
        const auto again = asahi::create_device(agx_info(), nullptr, {});
        terrazzo::winsys::virt::File file(again, terrazzo::winsys::virt::Node::Render, false);
        _exit(lost && file.ioctl(kAsahiGetTime, &args) == 0 ? 0 : 1);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    p.open_gate(0);
    CHECK(k.wait(p.done) == 0);
}

TEST_CASE("asahi: threads with files of their own") {
    AsahiKernel k(true);
    std::vector<std::thread> threads;
    std::atomic<int> good{0};
    for (int t = 0; t < 4; t++)
        threads.emplace_back([&] {
            const auto file = k.open();
            for (int round = 0; round < 25; round++) {
                drm_asahi_vm_create vm{kKernelStart, kKernelEnd, 0, 0};
                drm_asahi_gem_create bo{kAgxPage, 0, 0, 0, 0};
                drm_syncobj_create syncobj{0, 0};
                if (file->ioctl(kAsahiVmCreate, &vm) || file->ioctl(kAsahiGemCreate, &bo) ||
                    file->ioctl(kIoctlSyncobjCreate, &syncobj))
                    return;
                drm_asahi_gem_bind_op op{kAsahiBindRead, bo.handle, 0, kAgxPage, kObjectVa};
                drm_asahi_vm_bind bind{vm.vm_id, 1, sizeof op, 0, address_of(&op)};
                drm_asahi_queue_create queue{0, vm.vm_id, kAsahiPriorityLow, 0, 0};
                if (file->ioctl(kAsahiVmBind, &bind) || file->ioctl(kAsahiQueueCreate, &queue)) return;
                const CommandBuffer commands =
                    CommandBuffer()
                        .add(kAsahiCmdCompute, AsahiKernel::compute(kObjectVa))
                        .add(kAsahiCmdRender, AsahiKernel::render(kObjectVa), kAsahiBarrierNone, 1);
                drm_asahi_sync out{kAsahiSyncSyncobj, syncobj.handle, 0};
                drm_asahi_submit submit{address_of(&out),
                                        address_of(commands.bytes.data()),
                                        0,
                                        queue.queue_id,
                                        0,
                                        1,
                                        static_cast<uint32_t>(commands.bytes.size()),
                                        0};
                if (file->ioctl(kAsahiSubmit, &submit)) return;
                drm_asahi_queue_destroy destroy{queue.queue_id, 0};
                if (file->ioctl(kAsahiQueueDestroy, &destroy)) return;
                drm_syncobj_wait wait{address_of(&syncobj.handle), INT64_MAX, 1, 0, 0, 0, 0};
                if (file->ioctl(kIoctlSyncobjWait, &wait)) return;
                drm_asahi_vm_destroy vm_destroy{vm.vm_id, 0};
                if (file->ioctl(kAsahiVmDestroy, &vm_destroy)) return;
                good++;
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    CHECK(good == 100);
    CHECK(k.log.groups == 0);
    CHECK(k.log.fragment.size() == 100);
}
