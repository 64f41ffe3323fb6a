// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// panthor, the kernel driver of Mali GPUs with a command-stream front end, version 1.3 of its interface. It
// is as strict as Linux' drivers/gpu/drm/panthor and returns the same errno for the same error. It is
// stricter in two cases, which only a broken driver causes: binds into the kernel's part of a VM, and groups
// with more queues than the GPU has slots, are -EINVAL.
#pragma once

#include <memory>

#include "winsys/virtual/device/device.h"
#include "winsys/virtual/files/handle_table.h"
#include "winsys/virtual/jobs/scheduler.h"
#include "winsys/virtual/panthor/group.h"

namespace terrazzo::winsys::virt::panthor {

/// Creates a device of this driver. `gpu` null: submissions complete without running, and `info` describes
/// the GPU. Null: out of memory or descriptors.
[[nodiscard]] std::shared_ptr<Device> create_device(const GpuInfo& info, std::unique_ptr<Gpu> gpu,
                                                    SchedulerOptions options);

class Driver final : public KernelDriver {
  public:
    Driver(Device& device, const GpuInfo& info, std::unique_ptr<Gpu> gpu, SchedulerOptions options);
    ~Driver() override;
    /// Allocates the flush-id page. Returns 0 or -errno.
    [[nodiscard]] int initialize();

    [[nodiscard]] const Version& version() const override;
    [[nodiscard]] std::unique_ptr<DriverFile> open(File& file) override;
    [[nodiscard]] const IoctlDesc* find_ioctl(unsigned nr) const override;
    [[nodiscard]] std::shared_ptr<BufferObject> mmap_object(uint64_t offset, uint64_t size_B,
                                                            int prot) override;
    [[nodiscard]] uint64_t first_special_offset() const override { return uapi::kPanthorFlushIdOffset; }
    void stop() override { scheduler_.stop(); }

    [[nodiscard]] const GpuInfo& info() const { return info_; }
    [[nodiscard]] Gpu* gpu() const { return gpu_.get(); }
    [[nodiscard]] Scheduler& scheduler() { return scheduler_; }
    [[nodiscard]] bool may_raise_priority() const { return may_raise_priority_; }

  private:
    const GpuInfo info_;
    const std::unique_ptr<Gpu> gpu_;
    Scheduler scheduler_;
    std::shared_ptr<BufferObject> flush_page_;
    bool may_raise_priority_ = false;  // CAP_SYS_NICE
};

/// The VMs and groups of an open file.
class PanthorFile final : public DriverFile {
  public:
    explicit PanthorFile(Driver& driver) : driver_(driver) {}
    ~PanthorFile() override;

    [[nodiscard]] Driver& driver() const { return driver_; }
    HandleTable<std::shared_ptr<Vm>> vms{1, 32};
    HandleTable<std::shared_ptr<Group>> groups{1, 128};

  private:
    Driver& driver_;
};

// Requests by topic. Each function implements the kernel's function of that name.
namespace ioctls {
int dev_query(File& file, void* data);
int vm_create(File& file, void* data);
int vm_destroy(File& file, void* data);
int vm_bind(File& file, void* data);
int vm_get_state(File& file, void* data);
int bo_create(File& file, void* data);
int bo_mmap_offset(File& file, void* data);
int group_create(File& file, void* data);
int group_destroy(File& file, void* data);
int group_submit(File& file, void* data);
int group_get_state(File& file, void* data);
int tiler_heap_create(File& file, void* data);
int tiler_heap_destroy(File& file, void* data);
}  // namespace ioctls

}  // namespace terrazzo::winsys::virt::panthor
