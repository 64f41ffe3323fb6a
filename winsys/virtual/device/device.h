// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A device of the virtual kernel: the state that its open files share. A process may create several devices;
// the kernel has no global state.
#pragma once

#include <atomic>
#include <map>
#include <memory>

#include "winsys/virtual/device/driver.h"
#include "winsys/virtual/fences/fence.h"
#include "winsys/virtual/fences/foreign_fences.h"
#include "winsys/virtual/fences/pollable.h"
#include "winsys/virtual/memory/buffer_object.h"

namespace terrazzo::winsys::virt {

/// The node that was opened: /dev/dri/renderD* or /dev/dri/card*.
enum class Node : uint8_t { Render, Card };

/// Thread: any. The device does not survive a fork: in the child process alive() is false and files fail with
/// -ENODEV.
class Device : public std::enable_shared_from_this<Device> {
  public:
    /// Null: out of memory.
    [[nodiscard]] static std::shared_ptr<Device> create();
    /// Stops the driver's threads.
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    /// Called before the first file is opened. The device owns `driver`.
    void set_driver(std::unique_ptr<KernelDriver> driver) { driver_ = std::move(driver); }
    [[nodiscard]] KernelDriver& driver() const { return *driver_; }
    /// False in a forked child of the process that created the device.
    [[nodiscard]] bool alive() const { return alive_->load(std::memory_order_relaxed); }

    /// Does what ioctl(2) does to a sync file or dma-buf of this device. `*ours` is false if the device did
    /// not create the file.
    [[nodiscard]] int descriptor_ioctl(int fd, unsigned long request, void* arg, bool* ours);

    SyncDomain domain;  // guards all members below
    ForeignFences foreign;
    Pollables pollables;  // sync files and exported syncobjs
    bool has_master = false;

    /// The object of a dma-buf; a dma-buf of another process is imported. Null: `*error`.
    [[nodiscard]] std::shared_ptr<BufferObject> object_of(int dmabuf, int* error);
    /// Remembers an exported object, so that object_of() finds it when its descriptor is imported again.
    void remember(const std::shared_ptr<BufferObject>& bo);
    /// The object's offset for mmap, chosen on the first call.
    [[nodiscard]] uint64_t mmap_offset(const std::shared_ptr<BufferObject>& bo);
    /// The object at exactly `offset`, or null.
    [[nodiscard]] std::shared_ptr<BufferObject> object_at(uint64_t offset);

  private:
    Device();
    [[nodiscard]] int sync_merge(int fd, void* arg);
    [[nodiscard]] int sync_file_info(int fd, void* arg);
    [[nodiscard]] int dma_buf_sync(int fd, void* arg);
    [[nodiscard]] int dma_buf_ioctl(int fd, unsigned long request, void* arg);

    struct LessInode {
        bool operator()(const Inode& a, const Inode& b) const {
            return a.device != b.device ? a.device < b.device : a.number < b.number;
        }
    };
    std::unique_ptr<KernelDriver> driver_;
    std::map<Inode, std::weak_ptr<BufferObject>, LessInode> exported_;
    std::map<uint64_t, std::weak_ptr<BufferObject>> at_offset_;
    size_t clean_at_ = 64;
    uint64_t next_offset_;
    std::atomic<uint8_t>* alive_ = nullptr;  // a page that fork wipes
};

}  // namespace terrazzo::winsys::virt
