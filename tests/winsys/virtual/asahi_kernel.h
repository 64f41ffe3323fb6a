// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A virtual kernel with the asahi driver for tests, and the requests that every test needs.
#pragma once

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "tests/winsys/virtual/address_of.h"
#include "tests/winsys/virtual/asahi_test_gpu.h"
#include "winsys/clock.h"
#include "winsys/uapi/asahi.h"
#include "winsys/virtual/asahi/driver.h"
#include "winsys/virtual/files/file.h"

namespace terrazzo::test {

using namespace uapi;

constexpr uint64_t kAgxPage = 16384;
/// Where the tests put the kernel's part of a VM, and objects.
constexpr uint64_t kKernelStart = uint64_t(1) << 36, kKernelEnd = kKernelStart + (uint64_t(1) << 30);
constexpr uint64_t kObjectVa = uint64_t(1) << 32;

/// A flat command buffer.
struct CommandBuffer {
    template <typename T>
    CommandBuffer& add(uint16_t type, const T& payload, uint16_t vdm = kAsahiBarrierNone,
                       uint16_t cdm = kAsahiBarrierNone, size_t size_B = sizeof(T)) {
        header(type, static_cast<uint16_t>(size_B), vdm, cdm);
        const size_t at = bytes.size();
        bytes.resize(at + size_B);
        memcpy(bytes.data() + at, &payload, std::min(size_B, sizeof payload));
        return *this;
    }
    void header(uint16_t type, uint16_t size_B, uint16_t vdm = kAsahiBarrierNone,
                uint16_t cdm = kAsahiBarrierNone) {
        const drm_asahi_cmd_header h{type, size_B, vdm, cdm};
        const auto* const p = reinterpret_cast<const uint8_t*>(&h);
        bytes.insert(bytes.end(), p, p + sizeof h);
    }
    std::vector<uint8_t> bytes;
};

/// An open render node of a device: with the test GPU, without a GPU, or another one.
struct AsahiKernel {
    explicit AsahiKernel(std::shared_ptr<winsys::virt::Device> other)
        : device(std::move(other)), file(open()) {}
    explicit AsahiKernel(bool gpu, winsys::virt::SchedulerOptions options = {}, bool older = false) {
        options.report = [this](const std::string& line) { reports.push_back(line); };
        device = winsys::virt::asahi::create_device(agx_info(), gpu ? create_asahi_test_gpu(&log) : nullptr,
                                                    options);
        if (older) CHECK(device->driver().show_older_interface());
        file = open();
    }
    std::unique_ptr<winsys::virt::File> open() {
        return std::make_unique<winsys::virt::File>(device, winsys::virt::Node::Render, false);
    }
    int ioctl(unsigned long request, void* arg) { return file->ioctl(request, arg); }

    uint32_t vm() {
        drm_asahi_vm_create args{kKernelStart, kKernelEnd, 0, 0};
        REQUIRE(ioctl(kAsahiVmCreate, &args) == 0);
        return args.vm_id;
    }
    uint32_t bo(uint64_t size_B, uint32_t flags = 0, uint32_t vm = 0) {
        drm_asahi_gem_create args{size_B, flags, vm, 0, 0};
        REQUIRE(ioctl(kAsahiGemCreate, &args) == 0);
        return args.handle;
    }
    int bind_error(uint32_t vm, drm_asahi_gem_bind_op op) {
        drm_asahi_vm_bind args{vm, 1, sizeof op, 0, address_of(&op)};
        return ioctl(kAsahiVmBind, &args);
    }
    void bind(uint32_t vm, uint32_t bo, uint64_t va, uint64_t size_B,
              uint32_t flags = kAsahiBindRead | kAsahiBindWrite) {
        REQUIRE(bind_error(vm, {flags, bo, 0, size_B, va}) == 0);
    }
    template <typename T>
    T* map(uint32_t handle, uint64_t size_B) {
        drm_asahi_gem_mmap_offset args{handle, 0, 0};
        REQUIRE(ioctl(kAsahiGemMmapOffset, &args) == 0);
        void* p = nullptr;
        REQUIRE(file->mmap(nullptr, size_B, PROT_READ | PROT_WRITE, MAP_SHARED, args.offset, &p) == 0);
        return static_cast<T*>(p);
    }
    uint32_t queue(uint32_t vm, uint32_t priority = kAsahiPriorityMedium, uint64_t usc = kObjectVa) {
        drm_asahi_queue_create args{0, vm, priority, 0, usc};
        REQUIRE(ioctl(kAsahiQueueCreate, &args) == 0);
        return args.queue_id;
    }
    int destroy_queue(uint32_t id) {
        drm_asahi_queue_destroy args{id, 0};
        return ioctl(kAsahiQueueDestroy, &args);
    }
    uint32_t timestamps(uint32_t bo, uint64_t offset_B, uint64_t size_B) {
        drm_asahi_gem_bind_object args{
            kAsahiBindObjectOpBind, kAsahiBindObjectUsageTimestamps, bo, 0, offset_B, size_B, 0, 0};
        REQUIRE(ioctl(kAsahiGemBindObject, &args) == 0);
        return args.object_handle;
    }
    int submit_error(uint32_t queue, const CommandBuffer& commands,
                     const std::vector<drm_asahi_sync>& in = {},
                     const std::vector<drm_asahi_sync>& out = {}) {
        std::vector<drm_asahi_sync> syncs = in;
        syncs.insert(syncs.end(), out.begin(), out.end());
        drm_asahi_submit args{address_of(syncs.data()),
                              address_of(commands.bytes.data()),
                              0,
                              queue,
                              static_cast<uint32_t>(in.size()),
                              static_cast<uint32_t>(out.size()),
                              static_cast<uint32_t>(commands.bytes.size()),
                              0};
        return ioctl(kAsahiSubmit, &args);
    }
    uint32_t syncobj(uint32_t flags = 0) {
        drm_syncobj_create args{0, flags};
        REQUIRE(ioctl(kIoctlSyncobjCreate, &args) == 0);
        return args.handle;
    }
    int signal(uint32_t syncobj) {
        drm_syncobj_array args{address_of(&syncobj), 1, 0};
        return ioctl(kIoctlSyncobjSignal, &args);
    }
    /// Returns 0 or -ETIME.
    int wait(uint32_t syncobj, uint64_t timeout_ms = 10000) {
        drm_syncobj_wait args{address_of(&syncobj), 0, 1, 0, 0, 0, 0};
        args.timeout_nsec =
            timeout_ms ? static_cast<int64_t>(winsys::monotonic_ns() + timeout_ms * 1'000'000) : 0;
        return ioctl(kIoctlSyncobjWait, &args);
    }
    /// The status of a binary syncobj's fence: 0 active, 1 done, or the error.
    int status(uint32_t syncobj) {
        drm_syncobj_handle args{syncobj, kSyncobjFdSyncFile, -1, 0};
        REQUIRE(ioctl(kIoctlSyncobjHandleToFd, &args) == 0);
        sync_file_info info{};
        bool ours = false;
        REQUIRE(device->descriptor_ioctl(args.fd, kIoctlSyncFileInfo, &info, &ours) == 0);
        ::close(args.fd);
        return info.status;
    }
    int close(uint32_t handle) {
        drm_gem_close args{handle, 0};
        return ioctl(kIoctlGemClose, &args);
    }
    /// A render that the kernel accepts.
    static drm_asahi_cmd_render render(uint64_t vertex_va = 0, uint64_t fragment_va = 0) {
        drm_asahi_cmd_render r{};
        r.width_px = r.height_px = 64;
        r.layers = r.samples = 1;
        r.utile_width_px = r.utile_height_px = 32;
        r.vdm_ctrl_stream_base = vertex_va;
        r.isp_dbias_base = fragment_va;
        return r;
    }
    static drm_asahi_cmd_compute compute(uint64_t va = 0) {
        drm_asahi_cmd_compute c{};
        c.cdm_ctrl_stream_base = va;
        return c;
    }

    std::vector<std::string> reports;
    AsahiLog log;
    std::shared_ptr<winsys::virt::Device> device;
    std::unique_ptr<winsys::virt::File> file;
};

/// A VM with a queue and an object for the GPU's programs and their data.
struct AsahiProgram {
    explicit AsahiProgram(AsahiKernel& kernel)
        : k(kernel), vm(k.vm()), queue(k.queue(vm)), bo(k.bo(kSize_B)) {
        k.bind(vm, bo, kObjectVa, kSize_B);
        words = k.map<uint64_t>(bo, kSize_B);
        done = k.syncobj();
    }
    ~AsahiProgram() { munmap(words, kSize_B); }
    /// Stores a program and returns its address.
    uint64_t program(const std::vector<Instr>& instrs) {
        const uint64_t va = kObjectVa + next_;
        for (const Instr& i : instrs) {
            memcpy(reinterpret_cast<uint8_t*>(words) + next_, &i, sizeof i);
            next_ += sizeof i;
        }
        next_ += sizeof(Instr);  // Nop
        REQUIRE(next_ <= kSize_B);
        return va;
    }
    uint64_t logs(uint64_t value) { return program({{Op::Log, value, 0}}); }
    /// Blocks until open_gate(n).
    [[nodiscard]] static Instr gate(uint64_t n) { return {Op::WaitGe, kObjectVa + n * 8, 1}; }
    void open_gate(uint64_t n) const { __atomic_store_n(&words[n], 1, __ATOMIC_RELEASE); }
    [[nodiscard]] int submit(const CommandBuffer& commands, const std::vector<drm_asahi_sync>& in = {}) {
        return k.submit_error(queue, commands, in, {{kAsahiSyncSyncobj, done, 0}});
    }
    [[nodiscard]] int finish(const CommandBuffer& commands) {
        if (const int error = submit(commands)) return error;
        REQUIRE(k.wait(done) == 0);
        return k.status(done);
    }

    static constexpr uint64_t kSize_B = 2 * kAgxPage;
    AsahiKernel& k;
    const uint32_t vm, queue, bo;
    uint32_t done = 0;
    uint64_t* words;

  private:
    uint64_t next_ = 4096;  // the first words are for gates and results
};

}  // namespace terrazzo::test
