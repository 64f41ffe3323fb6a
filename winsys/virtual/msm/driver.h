// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// msm, the kernel driver of Qualcomm's Adreno GPUs, version 1.13 of its interface: as strict as Linux' drivers/gpu/drm/msm, the same
// errno for the same mistake. Without mode setting. What differs stands in winsys/virtual/README.md.
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

/// A device of this driver. `gpu` null: submits complete without running, and `info` says what the GPU would be. Null: out of
/// memory or descriptors.
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
    std::atomic<uint64_t> current_group{0};  // that the GPU ran last; 0: none since it was reset
    uint64_t groups = 0;                     // made so far

  private:
    const GpuInfo info_;
    const std::unique_ptr<Gpu> gpu_;
    Scheduler scheduler_;
};

/// An open file is a context: its addresses, submitqueues and what runs of them.
class MsmFile final : public DriverFile {
  public:
    explicit MsmFile(Driver& driver);
    ~MsmFile() override;
    void object_closed(const std::shared_ptr<BufferObject>& bo) override;

    [[nodiscard]] Driver& driver() const { return driver_; }
    /// Made on the first call: until then EN_VM_BIND may say who manages it.
    [[nodiscard]] Vm& vm();
    [[nodiscard]] bool has_vm() const { return vm_ != nullptr; }
    /// Made on the first call. 0, -ENOMEM, or -EAGAIN: no thread could be made.
    [[nodiscard]] int group(std::shared_ptr<Group>* out);
    /// The queue's id.
    [[nodiscard]] uint32_t add_queue(uint32_t flags, uint32_t priority);
    /// Null: there is none.
    [[nodiscard]] std::shared_ptr<SubmitQueue> find_queue(uint32_t id) const;

    bool user_manages_vm = false;                             // VM_BIND
    std::map<uint32_t, std::shared_ptr<SubmitQueue>> queues;  // by id; 0 is always there
    std::string comm, cmdline;                                // how the program wants to be called
    uint32_t sysprof = 0;

  private:
    Driver& driver_;
    std::shared_ptr<Vm> vm_;
    std::shared_ptr<Group> group_;
    std::vector<std::weak_ptr<BindQueue>> binds_;
    uint32_t next_queue_ = 0;
};

// Requests, by what they are about. Each of them is as the kernel's function of that name.
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
/// Nanoseconds as waits want them: CLOCK_MONOTONIC, 0 or less where it is past.
[[nodiscard]] int64_t timeout_ns(const uapi::drm_msm_timespec& time);
}  // namespace ioctls

}  // namespace terrazzo::winsys::virt::msm
