// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A virtual kernel with the msm driver for tests, and the requests that every test needs.
#pragma once

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

#include "tests/winsys/virtual/address_of.h"
#include "tests/winsys/virtual/msm_test_gpu.h"
#include "winsys/clock.h"
#include "winsys/uapi/msm.h"
#include "winsys/virtual/files/file.h"
#include "winsys/virtual/msm/driver.h"

namespace terrazzo::test {

using namespace uapi;

/// An open render node of a device: with the test GPU, or without a GPU.
struct MsmKernel {
    explicit MsmKernel(bool gpu, winsys::virt::SchedulerOptions options = {}, bool allow_relocs = false) {
        options.report = [this](const std::string& line) { reports.push_back(line); };
        device = winsys::virt::msm::create_device(msm_test_info(allow_relocs),
                                                  gpu ? create_msm_test_gpu(&log) : nullptr, options);
        file = open();
    }
    std::unique_ptr<winsys::virt::File> open() {
        return std::make_unique<winsys::virt::File>(device, winsys::virt::Node::Render, false);
    }
    int ioctl(unsigned long request, void* arg) { return file->ioctl(request, arg); }

    int set_param(uint32_t param, uint64_t value, uint32_t len = 0) {
        drm_msm_param args{kMsmPipe3d0, param, value, len, 0};
        return ioctl(kMsmSetParam, &args);
    }
    uint64_t get_param(uint32_t param) {
        drm_msm_param args{kMsmPipe3d0, param, 0, 0, 0};
        REQUIRE(ioctl(kMsmGetParam, &args) == 0);
        return args.value;
    }
    uint32_t bo(uint64_t size_B, uint32_t flags = kMsmBoWc) {
        drm_msm_gem_new args{size_B, flags, 0};
        REQUIRE(ioctl(kMsmGemNew, &args) == 0);
        return args.handle;
    }
    int info_error(uint32_t handle, uint32_t info, uint64_t value = 0, uint32_t len = 0) {
        drm_msm_gem_info args{handle, info, value, len, 0};
        const int error = ioctl(kMsmGemInfo, &args);
        info_value = args.value;
        info_len = args.len;
        return error;
    }
    uint64_t iova(uint32_t handle) {
        REQUIRE(info_error(handle, kMsmInfoGetIova) == 0);
        return info_value;
    }
    template <typename T>
    T* map(uint32_t handle, uint64_t size_B) {
        REQUIRE(info_error(handle, kMsmInfoGetOffset) == 0);
        void* p = nullptr;
        REQUIRE(file->mmap(nullptr, size_B, PROT_READ | PROT_WRITE, MAP_SHARED, info_value, &p) == 0);
        return static_cast<T*>(p);
    }
    uint32_t queue(uint32_t prio = 1, uint32_t flags = 0) {
        drm_msm_submitqueue args{flags, prio, 0};
        REQUIRE(ioctl(kMsmSubmitqueueNew, &args) == 0);
        return args.id;
    }
    uint32_t faults(uint32_t queue) {
        uint32_t faults = 0;
        drm_msm_submitqueue_query args{address_of(&faults), queue, kMsmSubmitqueueParamFaults, 4, 0};
        REQUIRE(ioctl(kMsmSubmitqueueQuery, &args) == 0);
        return faults;
    }
    /// The first page of each object is executed.
    static drm_msm_gem_submit submit_args(uint32_t queue, const std::vector<drm_msm_gem_submit_bo>& bos,
                                          const std::vector<drm_msm_gem_submit_cmd>& cmds) {
        drm_msm_gem_submit args{};
        args.flags = kMsmPipe3d0;
        args.nr_bos = static_cast<uint32_t>(bos.size());
        args.nr_cmds = static_cast<uint32_t>(cmds.size());
        args.bos = address_of(bos.data());
        args.cmds = address_of(cmds.data());
        args.fence_fd = -1;
        args.queueid = queue;
        args.syncobj_stride = sizeof(drm_msm_syncobj);
        return args;
    }
    static drm_msm_gem_submit_cmd command(uint32_t idx, uint32_t instrs, uint32_t type = kMsmSubmitCmdBuf) {
        return {type, idx, 0, instrs * static_cast<uint32_t>(sizeof(Instr)), 0, 0, 0};
    }
    /// Runs the instructions at the beginning of an object. Returns the sequence number.
    uint32_t submit(uint32_t queue, uint32_t bo, uint32_t instrs,
                    std::vector<drm_msm_gem_submit_bo> others = {}) {
        others.insert(others.begin(), {kMsmSubmitBoRead, bo, 0});
        const std::vector<drm_msm_gem_submit_cmd> cmds{command(0, instrs)};
        auto args = submit_args(queue, others, cmds);
        REQUIRE(ioctl(kMsmGemSubmit, &args) == 0);
        return args.fence;
    }
    static drm_msm_timespec from_now(uint64_t ms) {
        const uint64_t ns = winsys::monotonic_ns() + ms * 1'000'000;
        return {static_cast<int64_t>(ns / 1'000'000'000), static_cast<int64_t>(ns % 1'000'000'000)};
    }
    int wait(uint32_t queue, uint32_t fence, uint64_t timeout_ms = 10000) {
        drm_msm_wait_fence args{fence, 0, timeout_ms ? from_now(timeout_ms) : drm_msm_timespec{0, 0}, queue};
        return ioctl(kMsmWaitFence, &args);
    }
    int prep(uint32_t handle, uint32_t op, uint64_t timeout_ms = 10000) {
        drm_msm_gem_cpu_prep args{handle, op, timeout_ms ? from_now(timeout_ms) : drm_msm_timespec{0, 0}};
        return ioctl(kMsmGemCpuPrep, &args);
    }
    int close(uint32_t handle) {
        drm_gem_close args{handle, 0};
        return ioctl(kIoctlGemClose, &args);
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
    /// The status of a sync file: 0 active, 1 done, or negative.
    int status(int fd) {
        sync_file_info info{};
        bool ours = false;
        REQUIRE(device->descriptor_ioctl(fd, kIoctlSyncFileInfo, &info, &ours) == 0);
        return info.status;
    }

    std::vector<std::string> reports;
    GpuLog log;
    uint64_t info_value = 0;
    uint32_t info_len = 0;
    std::shared_ptr<winsys::virt::Device> device;
    std::unique_ptr<winsys::virt::File> file;
};

}  // namespace terrazzo::test
