// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// msm, the kernel driver of Qualcomm's Adreno GPUs, version 1.13 of its interface, without mode setting. It
// is as strict as Linux' drivers/gpu/drm/msm and returns the same errno for the same error.
// winsys/virtual/README.md lists the differences.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "winsys/uapi/msm.h"
#include "winsys/virtual/device/device.h"
#include "winsys/virtual/jobs/scheduler.h"
#include "winsys/virtual/msm/group.h"

namespace terrazzo::winsys::virt::msm {

/// Creates a device of this driver. `gpu` null: submits complete without running, and `info` describes the
/// GPU. Null: out of memory or descriptors.
[[nodiscard]] std::shared_ptr<Device> create_device(const GpuInfo& info, std::unique_ptr<Gpu> gpu,
                                                    SchedulerOptions options);

class Driver final : public KernelDriver {
  public:
    Driver(Device& device, const GpuInfo& info, std::unique_ptr<Gpu> gpu, SchedulerOptions options);
    ~Driver() override;

    [[nodiscard]] const Version& version() const override;
    [[nodiscard]] std::unique_ptr<DriverFile> open(File& file) override;
    [[nodiscard]] const IoctlDesc* find_ioctl(unsigned nr) const override;
    [[nodiscard]] std::shared_ptr<BufferObject> mmap_object(uint64_t, uint64_t, int) override {
        return nullptr;
    }
    [[nodiscard]] uint64_t first_special_offset() const override { return UINT64_MAX; }
    void stop() override { scheduler_.stop(); }

    [[nodiscard]] const GpuInfo& info() const { return info_; }
    [[nodiscard]] Gpu* gpu() const { return gpu_.get(); }
    [[nodiscard]] Scheduler& scheduler() { return scheduler_; }
    std::atomic<uint64_t> current_group{0};  // the group that the GPU ran last; 0: none since its reset
    uint64_t groups = 0;                     // created so far

  private:
    const GpuInfo info_;
    const std::unique_ptr<Gpu> gpu_;
    Scheduler scheduler_;
};

/// An open file is a context: its addresses, its submitqueues and their running submits.
class MsmFile final : public DriverFile {
  public:
    explicit MsmFile(Driver& driver);
    ~MsmFile() override;
    void object_closed(const std::shared_ptr<BufferObject>& bo) override;

    [[nodiscard]] Driver& driver() const { return driver_; }
    /// Created on the first call. Before that, EN_VM_BIND may choose user-managed addresses.
    [[nodiscard]] Vm& vm();
    [[nodiscard]] bool has_vm() const { return vm_ != nullptr; }
    /// Created on the first call. Returns 0, -ENOMEM, or -EAGAIN if no thread could be created.
    [[nodiscard]] int group(std::shared_ptr<Group>* out);
    /// Returns the queue's id.
    [[nodiscard]] uint32_t add_queue(uint32_t flags, uint32_t priority);
    /// Null: there is no such queue.
    [[nodiscard]] std::shared_ptr<SubmitQueue> find_queue(uint32_t id) const;

    bool user_manages_vm = false;                             // VM_BIND
    std::map<uint32_t, std::shared_ptr<SubmitQueue>> queues;  // by id; queue 0 always exists
    std::string comm, cmdline;                                // the names that the program set for itself
    uint32_t sysprof = 0;

  private:
    Driver& driver_;
    std::shared_ptr<Vm> vm_;
    std::shared_ptr<Group> group_;
    std::vector<std::weak_ptr<BindQueue>> binds_;
    uint32_t next_queue_ = 0;
};

// Requests by topic. Each function implements the kernel's function of that name.
namespace ioctls {
[[nodiscard]] MsmFile& own(File& file);
int get_param(File& file, void* data);
int set_param(File& file, void* data);
int gem_new(File& file, void* data);
int gem_info(File& file, void* data);
int gem_cpu_prep(File& file, void* data);
int gem_cpu_fini(File& file, void* data);
int gem_madvise(File& file, void* data);
int gem_submit(File& file, void* data);
int wait_fence(File& file, void* data);
int submitqueue_new(File& file, void* data);
int submitqueue_close(File& file, void* data);
int submitqueue_query(File& file, void* data);
int vm_bind(File& file, void* data);
/// Nanoseconds for wait functions: a time of CLOCK_MONOTONIC, or 0 or less if it has passed.
[[nodiscard]] int64_t timeout_ns(const uapi::drm_msm_timespec& time);
}  // namespace ioctls

}  // namespace terrazzo::winsys::virt::msm
