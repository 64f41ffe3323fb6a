// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// asahi, the kernel driver of Apple's AGX GPUs, with the interface of Linux 6.16 and later. It is as strict
// as drivers/gpu/drm/asahi and returns the same errno for the same error. winsys/virtual/README.md lists the
// differences. It can have the interface before that one instead (uapi/asahi_downstream.h), whose requests
// are translated to the same functions.
#pragma once

#include <memory>
#include <vector>

#include "winsys/uapi/asahi.h"
#include "winsys/virtual/asahi/queue.h"
#include "winsys/virtual/device/device.h"
#include "winsys/virtual/files/handle_table.h"
#include "winsys/virtual/jobs/scheduler.h"

namespace terrazzo::winsys::virt::asahi {

constexpr uint32_t kMaxCommands = 64;  // of a submit

/// Creates a device of this driver. `gpu` null: submits complete without running. Null: out of memory or
/// descriptors.
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
    bool show_older_interface() override { return downstream_ = true; }

    [[nodiscard]] const GpuInfo& info() const { return info_; }
    [[nodiscard]] Scheduler& scheduler() { return scheduler_; }
    /// The GPU's firmware has crashed: nothing runs any more.
    [[nodiscard]] bool crashed() const { return crashed_; }
    void crash();

    /// Returns 0, -ENOMEM, or -EAGAIN if no thread could be created.
    [[nodiscard]] int add_group(const void* file, std::shared_ptr<Vm> vm, const QueueTraits& traits,
                                std::shared_ptr<Group>* out);
    void remove_group(const Group* group);
    /// A file was closed: its work is cancelled.
    void remove_groups_of(const void* file);

  private:
    const GpuInfo info_;
    const std::unique_ptr<Gpu> gpu_;
    Scheduler scheduler_;
    std::vector<std::shared_ptr<Group>> groups_;  // also those that were closed and still run
    uint64_t created_ = 0;
    bool crashed_ = false, downstream_ = false;
};

/// The VMs, queues and timestamp buffers of an open file.
class AsahiFile final : public DriverFile {
  public:
    explicit AsahiFile(Driver& driver) : driver_(driver) {}
    ~AsahiFile() override { driver_.remove_groups_of(this); }
    void object_closed(const std::shared_ptr<BufferObject>& bo) override;

    [[nodiscard]] Driver& driver() const { return driver_; }
    HandleTable<std::shared_ptr<Vm>> vms;
    HandleTable<std::shared_ptr<Group>> queues;
    HandleTable<std::shared_ptr<TimestampBuffer>> timestamps;

  private:
    Driver& driver_;
};

// What both interfaces' requests do. They return 0 or -errno.
[[nodiscard]] AsahiFile& own(File& file);
[[nodiscard]] int create_vm(File& file, uint64_t kernel_start, uint64_t kernel_end, uint32_t* id);
[[nodiscard]] int destroy_vm(File& file, uint32_t id);
[[nodiscard]] int create_object(File& file, uint64_t size_B, uint32_t flags, uint32_t vm_id,
                                uint32_t* handle);
[[nodiscard]] int find_mmap_offset(File& file, uint32_t handle, uint64_t* offset);
[[nodiscard]] int bind(File& file, uint32_t vm_id, const uapi::drm_asahi_gem_bind_op& op);
[[nodiscard]] int bind_object(File& file, uapi::drm_asahi_gem_bind_object* args);
[[nodiscard]] int create_queue(File& file, uint32_t vm_id, const QueueTraits& traits, uint32_t* id);
[[nodiscard]] int destroy_queue(File& file, uint32_t id);
/// Reads what a submit waits for or signals.
[[nodiscard]] int add_sync(SyncList& syncs, const uapi::drm_asahi_sync& sync, bool signals);
/// Where a timestamp goes.
[[nodiscard]] int find_timestamp(File& file, const uapi::drm_asahi_timestamp& timestamp, TimestampWrite* out);
/// The rules of an attachment; the limit of their number is the caller's.
[[nodiscard]] int add_attachment(uint64_t va, uint64_t size_B, Attachments* to);
/// The rules of a render's sizes that both interfaces have. The first ones are checked before timestamps.
[[nodiscard]] int check_size_px(uint32_t width_px, uint32_t height_px);
[[nodiscard]] int check_sizes(const RenderCommand& render);
/// Whether a command may have this barrier, after `commands` of its submit.
[[nodiscard]] bool is_barrier(uint32_t barrier, Subqueue subqueue, const Commands& commands);

namespace ioctls {
int get_params(File& file, void* data);
int get_time(File& file, void* data);
int vm_create(File& file, void* data);
int vm_destroy(File& file, void* data);
int vm_bind(File& file, void* data);
int gem_create(File& file, void* data);
int gem_mmap_offset(File& file, void* data);
int gem_bind_object(File& file, void* data);
int queue_create(File& file, void* data);
int queue_destroy(File& file, void* data);
int submit(File& file, void* data);
}  // namespace ioctls

/// The requests of the older interface. Null: there is no such request.
[[nodiscard]] const IoctlDesc* find_downstream_ioctl(unsigned nr);

}  // namespace terrazzo::winsys::virt::asahi
