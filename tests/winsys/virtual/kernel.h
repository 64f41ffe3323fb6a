// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A virtual kernel for tests, and the requests that every test needs.
#pragma once

#include <doctest/doctest.h>
#include <sys/mman.h>

#include <cerrno>
#include <vector>

#include "tests/winsys/virtual/test_gpu.h"
#include "winsys/clock.h"
#include "winsys/uapi/panthor.h"
#include "winsys/virtual/files/file.h"
#include "winsys/virtual/panthor/driver.h"

namespace terrazzo::test {

using namespace uapi;
using winsys::virt::Device;
using winsys::virt::File;
using winsys::virt::Node;

template <typename T>
drm_panthor_obj_array array_of(const std::vector<T>& v) {
    return {sizeof(T), static_cast<uint32_t>(v.size()), reinterpret_cast<uintptr_t>(v.data())};
}

/// An open render node of a device: with the test GPU, or without a GPU.
struct Kernel {
    explicit Kernel(bool gpu, winsys::virt::SchedulerOptions options = {}) {
        options.report = [this](const std::string& line) { reports.push_back(line); };
        device =
            winsys::virt::panthor::create_device(test_info(), gpu ? create_test_gpu(&log) : nullptr, options);
        file = open();
    }
    std::unique_ptr<File> open(Node node = Node::Render) {
        return std::make_unique<File>(device, node, false);
    }

    int ioctl(unsigned long request, void* arg) { return file->ioctl(request, arg); }

    uint32_t vm(uint64_t user_va_range = 0) {
        drm_panthor_vm_create args{0, 0, user_va_range};
        REQUIRE(ioctl(kPanthorVmCreate, &args) == 0);
        return args.id;
    }
    uint32_t bo(uint64_t size_B, uint32_t flags = 0, uint32_t exclusive_vm = 0) {
        drm_panthor_bo_create args{size_B, flags, exclusive_vm, 0, 0};
        REQUIRE(ioctl(kPanthorBoCreate, &args) == 0);
        return args.handle;
    }
    int bind_error(uint32_t vm, drm_panthor_vm_bind_op op, uint32_t flags = 0) {
        drm_panthor_vm_bind args{vm, flags, {sizeof op, 1, reinterpret_cast<uintptr_t>(&op)}};
        return ioctl(kPanthorVmBind, &args);
    }
    void bind(uint32_t vm, uint32_t bo, uint64_t va, uint64_t size_B, uint32_t flags = 0) {
        REQUIRE(bind_error(vm, {flags, bo, 0, va, size_B, {}}) == 0);
    }
    /// Maps a whole object for the CPU.
    template <typename T>
    T* map(uint32_t bo, uint64_t size_B) {
        drm_panthor_bo_mmap_offset args{bo, 0, 0};
        REQUIRE(ioctl(kPanthorBoMmapOffset, &args) == 0);
        void* p = nullptr;
        REQUIRE(file->mmap(nullptr, size_B, PROT_READ | PROT_WRITE, MAP_SHARED, args.offset, &p) == 0);
        return static_cast<T*>(p);
    }
    int group_error(drm_panthor_group_create args, std::vector<drm_panthor_queue_create> queues) {
        args.queues = array_of(queues);
        const int error = ioctl(kPanthorGroupCreate, &args);
        last_group = args.group_handle;
        return error;
    }
    static drm_panthor_group_create group_args(uint32_t vm) {
        drm_panthor_group_create args{};
        args.max_compute_cores = args.max_fragment_cores = 4;
        args.max_tiler_cores = 1;
        args.compute_core_mask = args.fragment_core_mask = 0x50005;
        args.tiler_core_mask = 1;
        args.priority = kGroupPriorityMedium;
        args.vm_id = vm;
        return args;
    }
    uint32_t group(uint32_t vm, uint32_t queues = 1, uint8_t priority = kGroupPriorityMedium) {
        auto args = group_args(vm);
        args.priority = priority;
        REQUIRE(group_error(args, std::vector<drm_panthor_queue_create>(queues, {0, {}, 4096})) == 0);
        return last_group;
    }
    uint32_t syncobj(uint32_t flags = 0) {
        drm_syncobj_create args{0, flags};
        REQUIRE(ioctl(kIoctlSyncobjCreate, &args) == 0);
        return args.handle;
    }
    int submit_error(uint32_t group, uint32_t queue, uint64_t va, uint32_t size_B,
                     const std::vector<drm_panthor_sync_op>& syncs = {}) {
        drm_panthor_queue_submit submit{queue, size_B, va, 0, 0, array_of(syncs)};
        drm_panthor_group_submit args{group, 0, {sizeof submit, 1, reinterpret_cast<uintptr_t>(&submit)}};
        return ioctl(kPanthorGroupSubmit, &args);
    }
    /// Returns 0 or -ETIME; `timeout_ms` is relative to now.
    int wait(uint32_t syncobj, uint64_t timeout_ms = 10000, uint32_t flags = 0) {
        drm_syncobj_wait args{reinterpret_cast<uintptr_t>(&syncobj), 0, 1, flags, 0, 0, 0};
        args.timeout_nsec =
            timeout_ms ? static_cast<int64_t>(winsys::monotonic_ns() + timeout_ms * 1'000'000) : 0;
        return ioctl(kIoctlSyncobjWait, &args);
    }
    drm_panthor_group_get_state state(uint32_t group) {
        drm_panthor_group_get_state args{group, 0, 0, 0};
        REQUIRE(ioctl(kPanthorGroupGetState, &args) == 0);
        return args;
    }
    /// The error of a binary syncobj's fence, as a sync file reports it: 0 active, 1 done, or negative.
    int status(uint32_t syncobj);

    std::vector<std::string> reports;
    GpuLog log;
    uint32_t last_group = 0;
    std::shared_ptr<Device> device;
    std::unique_ptr<File> file;
};

}  // namespace terrazzo::test
