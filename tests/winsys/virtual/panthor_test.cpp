// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// panthor's rules, one test for each request: the same errno for the same error as in Linux'
// drivers/gpu/drm/panthor.
#include <cstring>

#include "tests/winsys/virtual/kernel.h"

using namespace terrazzo::test;

TEST_CASE("DEV_QUERY: sizes, parts of structs, types") {
    Kernel k(false);
    const uint32_t sizes[] = {104, 24, 24, 4};
    for (uint32_t type = 0; type < 4; type++) {
        drm_panthor_dev_query query{type, 0, 0};
        REQUIRE(k.ioctl(kPanthorDevQuery, &query) == 0);
        CHECK(query.size == sizes[type]);
    }
    drm_panthor_dev_query query{4, 0, 0};
    CHECK(k.ioctl(kPanthorDevQuery, &query) == -EINVAL);
    uint8_t data[160];
    memset(data, 0xee, sizeof data);
    query = {kDevQueryGpuInfo, 96,
             reinterpret_cast<uintptr_t>(data)};  // up to tiler_present: the first version of the struct
    REQUIRE(k.ioctl(kPanthorDevQuery, &query) == 0);
    drm_panthor_gpu_info info;
    memcpy(&info, data, sizeof info);
    CHECK(info.gpu_id == 0xa8670005);
    CHECK(info.shader_present == 0x50005);
    CHECK((info.mmu_features & 0xff) == 48);
    CHECK(data[96] == 0xee);
    query.size = 95;
    CHECK(k.ioctl(kPanthorDevQuery, &query) == -EINVAL);
    query.size = 150;  // a newer caller: the rest is zeros
    REQUIRE(k.ioctl(kPanthorDevQuery, &query) == 0);
    CHECK(data[149] == 0);
    CHECK(data[150] == 0xee);
    query.pointer = 8;
    CHECK(k.ioctl(kPanthorDevQuery, &query) == -EFAULT);
    drm_panthor_timestamp_info time{}, later{};
    query = {kDevQueryTimestampInfo, sizeof time, reinterpret_cast<uintptr_t>(&time)};
    REQUIRE(k.ioctl(kPanthorDevQuery, &query) == 0);
    query.pointer = reinterpret_cast<uintptr_t>(&later);
    REQUIRE(k.ioctl(kPanthorDevQuery, &query) == 0);
    CHECK(time.timestamp_frequency == 24'000'000);
    CHECK(later.current_timestamp >= time.current_timestamp);
    drm_panthor_group_priorities_info priorities{};
    query = {kDevQueryGroupPriorities, 4, reinterpret_cast<uintptr_t>(&priorities)};
    REQUIRE(k.ioctl(kPanthorDevQuery, &query) == 0);
    CHECK((priorities.allowed_mask & 3) == 3);
}

TEST_CASE("VM_CREATE: flags, the split of addresses, at most 32 a file") {
    Kernel k(false);
    drm_panthor_vm_create args{1, 0, 0};
    CHECK(k.ioctl(kPanthorVmCreate, &args) == -EINVAL);
    args = {0, 0, 0};
    REQUIRE(k.ioctl(kPanthorVmCreate, &args) == 0);
    CHECK(args.id == 1);
    CHECK(args.user_va_range == 1ull << 47);
    args = {0, 0, (1ull << 48) - (256ull << 20)};
    REQUIRE(k.ioctl(kPanthorVmCreate, &args) == 0);
    CHECK(args.user_va_range == (1ull << 48) - (256ull << 20));
    args = {0, 0, (1ull << 48) - (256ull << 20) + 4096};
    CHECK(k.ioctl(kPanthorVmCreate, &args) == -EINVAL);
    // The kernel's part becomes a power of two. The user's part is larger.
    args = {0, 0, (1ull << 48) - (300ull << 20)};
    REQUIRE(k.ioctl(kPanthorVmCreate, &args) == 0);
    CHECK(args.user_va_range == (1ull << 48) - (256ull << 20));
    for (uint32_t i = 4; i <= 32; i++)
        CHECK(k.vm() == i);
    args = {0, 0, 0};
    CHECK(k.ioctl(kPanthorVmCreate, &args) == -EBUSY);
    drm_panthor_vm_destroy destroy{7, 1};
    CHECK(k.ioctl(kPanthorVmDestroy, &destroy) == -EINVAL);
    destroy = {7, 0};
    CHECK(k.ioctl(kPanthorVmDestroy, &destroy) == 0);
    CHECK(k.ioctl(kPanthorVmDestroy, &destroy) == -EINVAL);
    CHECK(k.vm() == 7);
}

TEST_CASE("BO_CREATE and BO_MMAP_OFFSET") {
    Kernel k(false);
    const auto create = [&](uint64_t size_B, uint32_t flags, uint32_t vm, uint32_t pad) {
        drm_panthor_bo_create args{size_B, flags, vm, 0, pad};
        return k.ioctl(kPanthorBoCreate, &args);
    };
    CHECK(create(0, 0, 0, 0) == -EINVAL);
    CHECK(create(4096, 2, 0, 0) == -EINVAL);
    CHECK(create(4096, 0, 1, 0) == -EINVAL);
    CHECK(create(4096, 0, 0, 1) == -EINVAL);
    CHECK(create(UINT64_MAX - 100, 0, 0, 0) == -EINVAL);
    CHECK(create(1ull << 60, 0, 0, 0) == -ENOMEM);
    drm_panthor_bo_create args{4097, kBoNoMmap, 0, 0, 0};
    REQUIRE(k.ioctl(kPanthorBoCreate, &args) == 0);
    CHECK(args.size == 8192);
    drm_panthor_bo_mmap_offset offset{args.handle, 0, 0};
    CHECK(k.ioctl(kPanthorBoMmapOffset, &offset) == -EPERM);
    offset = {args.handle, 1, 0};
    CHECK(k.ioctl(kPanthorBoMmapOffset, &offset) == -EINVAL);
    offset = {99, 0, 0};
    CHECK(k.ioctl(kPanthorBoMmapOffset, &offset) == -ENOENT);
}

TEST_CASE("VM_BIND, synchronous") {
    Kernel k(false);
    const uint32_t vm = k.vm(), other = k.vm(), bo = k.bo(16384), own = k.bo(4096, 0, other);
    using Bind = drm_panthor_vm_bind_op;
    CHECK(k.bind_error(99, Bind{0, bo, 0, 0, 4096, {}}) == -EINVAL);
    CHECK(k.bind_error(vm, Bind{0, 99, 0, 0, 4096, {}}) == -EINVAL);
    CHECK(k.bind_error(vm, Bind{8, bo, 0, 0, 4096, {}}) == -EINVAL);
    CHECK(k.bind_error(vm, Bind{3u << 28, bo, 0, 0, 4096, {}}) == -EINVAL);
    CHECK(k.bind_error(vm, Bind{0, bo, 0, 8, 4096, {}}) == -EINVAL);
    CHECK(k.bind_error(vm, Bind{0, bo, 0, 0, 100, {}}) == -EINVAL);
    CHECK(k.bind_error(vm, Bind{0, bo, 0, 0, 20480, {}}) == -EINVAL);
    CHECK(k.bind_error(vm, Bind{0, bo, 8192, 0, 12288, {}}) == -EINVAL);
    CHECK(k.bind_error(vm, Bind{0, own, 0, 0, 4096, {}}) == -EINVAL);
    CHECK(k.bind_error(other, Bind{0, own, 0, 0, 4096, {}}) == 0);
    CHECK(k.bind_error(vm, Bind{0, bo, 0, 1ull << 48, 4096, {}}) == -EINVAL);
    CHECK(k.bind_error(vm, Bind{0, bo, 0, 1ull << 47, 4096, {}}) == -EINVAL);  // the kernel's part
    CHECK(k.bind_error(vm, Bind{0, bo, 0, (1ull << 47) - 4096, 8192, {}}) ==
          -EINVAL);  // partly in the kernel's part
    CHECK(k.bind_error(vm, Bind{0, bo, 0, (1ull << 47) - 4096, 4096, {}}) == 0);
    CHECK(k.bind_error(vm, Bind{0, 0, 0, 0, 0, {}}) == 0);  // an empty range
    CHECK(k.bind_error(vm, Bind{kVmBindOpUnmap, bo, 0, 0, 4096, {}}) == -EINVAL);
    CHECK(k.bind_error(vm, Bind{kVmBindOpUnmap, 0, 4096, 0, 4096, {}}) == -EINVAL);
    CHECK(k.bind_error(vm, Bind{kVmBindOpUnmap | 1, 0, 0, 0, 4096, {}}) == -EINVAL);
    CHECK(k.bind_error(vm, Bind{kVmBindOpUnmap, 0, 0, 0, 4096, {}}) == 0);  // there is no mapping: accepted
    drm_panthor_sync_op sync{};
    CHECK(k.bind_error(vm, Bind{0, bo, 0, 0, 4096, {16, 1, reinterpret_cast<uintptr_t>(&sync)}}) == -EINVAL);
    CHECK(
        k.bind_error(vm, Bind{kVmBindOpSyncOnly, 0, 0, 0, 0, {16, 1, reinterpret_cast<uintptr_t>(&sync)}}) ==
        -EINVAL);
}

TEST_CASE("VM_BIND reports which operation failed; earlier ones stay valid") {
    Kernel k(false);
    const uint32_t vm = k.vm(), bo = k.bo(8192);
    drm_panthor_vm_bind_op ops[] = {{0, bo, 0, 0, 4096, {}},
                                    {0, bo, 4096, 4096, 4096, {}},
                                    {0, 99, 0, 8192, 4096, {}},
                                    {0, bo, 0, 16384, 4096, {}}};
    drm_panthor_vm_bind args{vm, 0, {sizeof ops[0], 4, reinterpret_cast<uintptr_t>(ops)}};
    CHECK(k.ioctl(kPanthorVmBind, &args) == -EINVAL);
    CHECK(args.ops.count == 2);
    const auto group = k.group(vm);
    (void)group;
    drm_panthor_vm_get_state state{vm, 9};
    REQUIRE(k.ioctl(kPanthorVmGetState, &state) == 0);
    CHECK(state.state == kVmStateUsable);
    state.vm_id = 9;
    CHECK(k.ioctl(kPanthorVmGetState, &state) == -EINVAL);
}

TEST_CASE("arrays: strides of older and newer callers") {
    Kernel k(false);
    const uint32_t vm = k.vm(), bo = k.bo(4096);
    struct Longer {
        drm_panthor_vm_bind_op op;
        uint64_t more;
    } longer[2] = {{{0, bo, 0, 0, 4096, {}}, 0}, {{0, bo, 0, 4096, 4096, {}}, 0}};
    drm_panthor_vm_bind args{vm, 0, {sizeof(Longer), 2, reinterpret_cast<uintptr_t>(longer)}};
    CHECK(k.ioctl(kPanthorVmBind, &args) == 0);
    longer[1].more = 1;  // a field that this kernel does not know
    CHECK(k.ioctl(kPanthorVmBind, &args) == -E2BIG);
    args.ops.stride = sizeof(drm_panthor_vm_bind_op) - 8;
    CHECK(k.ioctl(kPanthorVmBind, &args) == -EINVAL);
    args.ops = {sizeof(drm_panthor_vm_bind_op), 1, 64};
    CHECK(k.ioctl(kPanthorVmBind, &args) == -EFAULT);
    args.ops.count = UINT32_MAX;
    CHECK(k.ioctl(kPanthorVmBind, &args) == -ENOMEM);
    args.ops = {0, 0, 64};  // no elements
    CHECK(k.ioctl(kPanthorVmBind, &args) == 0);
}

TEST_CASE("VM_BIND, asynchronous: syncs, order, and errors that make a VM unusable") {
    Kernel k(false);
    const uint32_t vm = k.vm(), bo = k.bo(4096), gate = k.syncobj(), done = k.syncobj();
    using Bind = drm_panthor_vm_bind_op;
    std::vector<drm_panthor_sync_op> syncs = {{kSyncOpWait, gate, 0}, {kSyncOpSignal, done, 0}};
    const Bind map{0, bo, 0, 4096, 4096, array_of(syncs)};
    CHECK(k.bind_error(vm, map, kVmBindAsync) == -EINVAL);  // the syncobj has no fence yet
    CHECK(k.wait(done) == -EINVAL);                         // and nothing was executed
    const uint32_t t = k.syncobj();
    uint64_t point = 1;
    drm_syncobj_timeline_array signal{reinterpret_cast<uintptr_t>(&t), reinterpret_cast<uintptr_t>(&point), 1,
                                      0};
    REQUIRE(k.ioctl(kIoctlSyncobjTimelineSignal, &signal) == 0);
    syncs = {{kSyncOpWait | kSyncOpTimeline, t, 1}, {kSyncOpSignal, done, 0}};
    CHECK(k.bind_error(vm, map, kVmBindAsync) == 0);
    CHECK(k.wait(done) == 0);
    CHECK(k.status(done) == 1);
    syncs = {{kSyncOpWait, 99, 0}, {kSyncOpSignal, done, 0}};
    CHECK(k.bind_error(vm, map, kVmBindAsync) == -ENOENT);
    syncs = {{kSyncOpWait, done, 0}, {kSyncOpSignal, 99, 0}};
    CHECK(k.bind_error(vm, map, kVmBindAsync) == -EINVAL);
    syncs = {{kSyncOpWait, done, 5}, {kSyncOpSignal, done, 0}};  // a binary syncobj has no such point
    CHECK(k.bind_error(vm, map, kVmBindAsync) == -EINVAL);
    syncs = {{2, done, 0}, {kSyncOpSignal, done, 0}};
    CHECK(k.bind_error(vm, map, kVmBindAsync) == -EINVAL);
    syncs = {{1u << 20, done, 0}, {kSyncOpSignal, done, 0}};
    CHECK(k.bind_error(vm, map, kVmBindAsync) == -EINVAL);
    CHECK(k.bind_error(vm, Bind{kVmBindOpSyncOnly, 0, 0, 0, 0, {}}, kVmBindAsync) == -EINVAL);
    syncs = {{kSyncOpSignal | kSyncOpTimeline, t, 7}};
    CHECK(k.bind_error(vm, Bind{kVmBindOpSyncOnly, 0, 0, 0, 4096, array_of(syncs)}, kVmBindAsync) == -EINVAL);
    CHECK(k.bind_error(vm, Bind{kVmBindOpSyncOnly, 0, 0, 0, 0, array_of(syncs)}, kVmBindAsync) == 0);

    // A bind that cannot be executed is noticed too late to be refused: the VM is lost.
    const uint32_t big = k.bo(8192);
    syncs = {{kSyncOpSignal, done, 0}};
    CHECK(k.bind_error(vm, Bind{0, big, 100, 4096, 4096, array_of(syncs)}, kVmBindAsync) == 0);
    CHECK(k.status(done) == -EINVAL);
    drm_panthor_vm_get_state state{vm, 0};
    REQUIRE(k.ioctl(kPanthorVmGetState, &state) == 0);
    CHECK(state.state == kVmStateUnusable);
    CHECK(k.bind_error(vm, Bind{0, bo, 0, 0, 4096, {}}) == -EINVAL);
    CHECK(k.bind_error(vm, Bind{kVmBindOpUnmap, 0, 0, 4096, 4096, {}}) == 0);
    CHECK(k.bind_error(vm, Bind{kVmBindOpUnmap, 0, 0, 4096, 4096, {}}, kVmBindAsync) == -EINVAL);
}

TEST_CASE("GROUP_CREATE") {
    Kernel k(false);
    const uint32_t vm = k.vm();
    const std::vector<drm_panthor_queue_create> one(1, {0, {}, 4096});
    auto args = Kernel::group_args(vm);
    CHECK(k.group_error(args, {}) == -EINVAL);
    CHECK(k.group_error(args, std::vector<drm_panthor_queue_create>(9, one[0])) == -EINVAL);
    CHECK(k.group_error(args, one) == 0);
    CHECK(k.last_group == 1);
    for (const uint32_t size_B : {0u, 2048u, 4097u, 12288u, 131072u})
        CHECK(k.group_error(args, {{0, {}, size_B}}) == -EINVAL);
    CHECK(k.group_error(args, {{15, {}, 65536}}) == 0);
    CHECK(k.group_error(args, {{16, {}, 65536}}) == -EINVAL);
    CHECK(k.group_error(args, {{0, {0, 1, 0}, 65536}}) == -EINVAL);
    args.priority = 4;
    CHECK(k.group_error(args, one) == -EINVAL);
    args = Kernel::group_args(vm);
    args.pad = 1;
    CHECK(k.group_error(args, one) == -EINVAL);
    args = Kernel::group_args(vm);
    args.compute_core_mask = 2;  // there is no such core
    CHECK(k.group_error(args, one) == -EINVAL);
    args = Kernel::group_args(vm);
    args.fragment_core_mask = 0x60005;
    CHECK(k.group_error(args, one) == -EINVAL);
    args = Kernel::group_args(vm);
    args.tiler_core_mask = 3;
    CHECK(k.group_error(args, one) == -EINVAL);
    args = Kernel::group_args(vm);
    args.max_compute_cores = 5;
    CHECK(k.group_error(args, one) == -EINVAL);
    args = Kernel::group_args(vm);
    args.max_tiler_cores = 2;
    CHECK(k.group_error(args, one) == -EINVAL);
    args = Kernel::group_args(5);
    CHECK(k.group_error(args, one) == -EINVAL);
    drm_panthor_group_destroy destroy{1, 1};
    CHECK(k.ioctl(kPanthorGroupDestroy, &destroy) == -EINVAL);
    destroy = {1, 0};
    CHECK(k.ioctl(kPanthorGroupDestroy, &destroy) == 0);
    CHECK(k.ioctl(kPanthorGroupDestroy, &destroy) == -EINVAL);
    drm_panthor_group_get_state state{1, 0, 0, 0};
    CHECK(k.ioctl(kPanthorGroupGetState, &state) == -EINVAL);
    state = {2, 0, 0, 1};
    CHECK(k.ioctl(kPanthorGroupGetState, &state) == -EINVAL);
    for (uint32_t i = 1; i <= 128; i++)
        if (i != 2) CHECK(k.group(vm) == i);
    CHECK(k.group_error(Kernel::group_args(vm), one) == -EBUSY);
}

TEST_CASE("errors of GROUP_SUBMIT; an error cancels the whole batch") {
    Kernel k(false);
    const uint32_t vm = k.vm(), group = k.group(vm, 2), done = k.syncobj();
    CHECK(k.submit_error(99, 0, 0x1000, 8) == -EINVAL);
    CHECK(k.submit_error(group, 2, 0x1000, 8) == -EINVAL);
    CHECK(k.submit_error(group, 0, 0x1000, 0) == -EINVAL);
    CHECK(k.submit_error(group, 0, 0, 8) == -EINVAL);
    CHECK(k.submit_error(group, 0, 0x1020, 8) == -EINVAL);
    CHECK(k.submit_error(group, 0, 0x1000, 12) == -EINVAL);
    CHECK(k.submit_error(group, 0, 0, 0) == 0);
    drm_panthor_queue_submit submit{0, 8, 0x1000, 1u << 24, 0, {}};
    drm_panthor_group_submit args{group, 0, {sizeof submit, 1, reinterpret_cast<uintptr_t>(&submit)}};
    CHECK(k.ioctl(kPanthorGroupSubmit, &args) == -EINVAL);
    submit.latest_flush = 0x80ffffff;
    CHECK(k.ioctl(kPanthorGroupSubmit, &args) == 0);
    submit.pad = 1;
    CHECK(k.ioctl(kPanthorGroupSubmit, &args) == -EINVAL);
    submit.pad = 0;
    args.pad = 1;
    CHECK(k.ioctl(kPanthorGroupSubmit, &args) == -EINVAL);
    args = {group, 0, {32, 1, reinterpret_cast<uintptr_t>(&submit)}};
    CHECK(k.ioctl(kPanthorGroupSubmit, &args) == -EINVAL);
    args = {group, 0, {}};
    CHECK(k.ioctl(kPanthorGroupSubmit, &args) == 0);

    std::vector<drm_panthor_sync_op> signal = {{kSyncOpSignal, done, 0}};
    drm_panthor_queue_submit batch[2] = {{0, 8, 0x1000, 0, 0, array_of(signal)}, {1, 8, 0x1001, 0, 0, {}}};
    args = {group, 0, {sizeof submit, 2, reinterpret_cast<uintptr_t>(batch)}};
    CHECK(k.ioctl(kPanthorGroupSubmit, &args) == -EINVAL);
    CHECK(k.wait(done) == -EINVAL);
    // The second one may wait for the syncobj that the first one signals, though it had no fence before.
    std::vector<drm_panthor_sync_op> wait = {{kSyncOpWait, done, 0}};
    batch[1] = {1, 8, 0x1000, 0, 0, array_of(wait)};
    CHECK(k.ioctl(kPanthorGroupSubmit, &args) == 0);
    CHECK(k.wait(done) == 0);
    // In the other order there is nothing to wait for.
    const uint32_t late = k.syncobj();
    wait = {{kSyncOpWait, late, 0}};
    signal = {{kSyncOpSignal, late, 0}};
    batch[0] = {0, 8, 0x1000, 0, 0, array_of(wait)};
    batch[1] = {1, 8, 0x1000, 0, 0, array_of(signal)};
    CHECK(k.ioctl(kPanthorGroupSubmit, &args) == -EINVAL);
    CHECK(k.wait(late) == -EINVAL);
}

TEST_CASE("TILER_HEAP_CREATE and _DESTROY") {
    Kernel k(false);
    const uint32_t vm = k.vm();
    const auto create = [&](drm_panthor_tiler_heap_create args) {
        return k.ioctl(kPanthorTilerHeapCreate, &args);
    };
    constexpr uint32_t kSize = 128 << 10;
    drm_panthor_tiler_heap_destroy destroy{vm << 16, 0};
    CHECK(k.ioctl(kPanthorTilerHeapDestroy, &destroy) == -ENOENT);  // the VM never had a heap
    CHECK(create({9, 1, kSize, 1, 1, 0, 0, 0}) == -EINVAL);
    CHECK(create({vm, 0, kSize, 1, 1, 0, 0, 0}) == -EINVAL);
    CHECK(create({vm, 2, kSize, 1, 1, 0, 0, 0}) == -EINVAL);
    CHECK(create({vm, 1, kSize - 4096, 1, 1, 0, 0, 0}) == -EINVAL);
    CHECK(create({vm, 1, kSize + 100, 1, 1, 0, 0, 0}) == -EINVAL);
    CHECK(create({vm, 1, (8u << 20) + 4096, 1, 1, 0, 0, 0}) == -EINVAL);
    drm_panthor_tiler_heap_create args{vm, 3, kSize, 4, 65535, 0, 0, 0};
    REQUIRE(k.ioctl(kPanthorTilerHeapCreate, &args) == 0);
    CHECK(args.handle == vm << 16);
    CHECK(args.tiler_heap_ctx_gpu_va == 1ull << 47);
    CHECK(args.first_heap_chunk_gpu_va % 4096 == 0);
    drm_panthor_tiler_heap_create second{vm, 1, kSize, 4, 65535, 0, 0, 0};
    REQUIRE(k.ioctl(kPanthorTilerHeapCreate, &second) == 0);
    CHECK(second.handle == (vm << 16 | 1));
    CHECK(second.tiler_heap_ctx_gpu_va == args.tiler_heap_ctx_gpu_va + 64);  // each has its own cache line
    destroy = {args.handle, 1};
    CHECK(k.ioctl(kPanthorTilerHeapDestroy, &destroy) == -EINVAL);
    destroy = {args.handle, 0};
    CHECK(k.ioctl(kPanthorTilerHeapDestroy, &destroy) == 0);
    CHECK(k.ioctl(kPanthorTilerHeapDestroy, &destroy) == -EINVAL);
    destroy = {9 << 16, 0};
    CHECK(k.ioctl(kPanthorTilerHeapDestroy, &destroy) == -EINVAL);
    for (uint32_t i = 0; i < 127; i++)
        REQUIRE(create({vm, 1, kSize, 1, 1, 0, 0, 0}) == 0);
    CHECK(create({vm, 1, kSize, 1, 1, 0, 0, 0}) == -EBUSY);
}

TEST_CASE("TILER_HEAP_CREATE: no more chunks than fit into memory, however many are requested") {
    Kernel k(false);
    const uint32_t vm = k.vm();
    drm_panthor_tiler_heap_create args{vm, UINT32_MAX, 8u << 20, UINT32_MAX, 1, 0, 0, 0};
    CHECK(k.ioctl(kPanthorTilerHeapCreate, &args) == -ENOMEM);
    // A refused request leaves nothing allocated, and addresses are reused.
    uint64_t first = 0;
    for (int i = 0; i < 3; i++) {
        args = {vm, 2000, 128 << 10, 2000, 1, 0, 0, 0};
        REQUIRE(k.ioctl(kPanthorTilerHeapCreate, &args) == 0);
        if (i == 0) first = args.first_heap_chunk_gpu_va;
        CHECK(args.first_heap_chunk_gpu_va == first);
        drm_panthor_tiler_heap_destroy destroy{args.handle, 0};
        REQUIRE(k.ioctl(kPanthorTilerHeapDestroy, &destroy) == 0);
    }
}

TEST_CASE("handles: always the lowest free number") {
    terrazzo::winsys::virt::HandleTable<std::shared_ptr<int>> t(5, 8);
    uint32_t h = 0;
    for (uint32_t want = 5; want <= 8; want++) {
        REQUIRE(t.reserve(&h));
        REQUIRE(t.reserve(&h));  // the same number until it is added
        CHECK(h == want);
        t.add(h, std::make_shared<int>(int(h)));
    }
    CHECK_FALSE(t.reserve(&h));
    CHECK(*t.remove(7) == 7);
    CHECK_FALSE(t.remove(7));
    CHECK(*t.remove(6) == 6);
    CHECK_FALSE(t.find(6));
    REQUIRE(t.reserve(&h));
    CHECK(h == 6);
    t.add(h, std::make_shared<int>(60));
    CHECK(*t.find(6) == 60);
    REQUIRE(t.reserve(&h));
    CHECK(h == 7);
    CHECK_FALSE(t.find(4));
    CHECK_FALSE(t.find(9));
    CHECK_FALSE(t.remove(9));
}

TEST_CASE("the flush-id page can only be read") {
    Kernel k(false);
    void* p = nullptr;
    const auto map = [&](uint64_t at, uint64_t size_B, int prot, int flags) {
        return k.file->mmap(nullptr, size_B, prot, flags, at, &p);
    };
    CHECK(map(kPanthorFlushIdOffset, 8192, PROT_READ, MAP_SHARED) == -EINVAL);
    CHECK(map(kPanthorFlushIdOffset, 4096, PROT_READ | PROT_WRITE, MAP_SHARED) == -EINVAL);
    CHECK(map(kPanthorFlushIdOffset, 4096, PROT_READ, MAP_PRIVATE) == -EINVAL);
    CHECK(map(kPanthorFlushIdOffset + 4096, 4096, PROT_READ, MAP_SHARED) == -EINVAL);
    REQUIRE(map(kPanthorFlushIdOffset, 4096, PROT_READ, MAP_SHARED) == 0);
    CHECK(*static_cast<uint32_t*>(p) == 1);
    munmap(p, 4096);
}
