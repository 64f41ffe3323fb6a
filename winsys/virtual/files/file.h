// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// An open DRM file of the virtual kernel: its handles and its requests. The core's requests (drm_ioctl.c,
// drm_gem.c, drm_prime.c, drm_syncobj.c) are here; a driver adds its own (driver.h).
#pragma once

#include <memory>
#include <unordered_map>

#include "winsys/virtual/device/device.h"
#include "winsys/virtual/device/driver.h"
#include "winsys/virtual/files/handle_table.h"
#include "winsys/virtual/memory/user_memory.h"

namespace terrazzo::winsys::virt {

/// Thread: any. Requests to one device exclude each other, except while they wait.
class File {
  public:
    /// `trusted`: pointers in requests are not checked (user_memory.h).
    File(std::shared_ptr<Device> device, Node node, bool trusted);
    ~File();
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    /// As ioctl(2) on this file: returns 0 or -errno. `arg` need not be valid: a bad pointer is -EFAULT.
    [[nodiscard]] int ioctl(unsigned long request, void* arg);
    /// As mmap(2) on this file: returns 0 and an address, or -errno.
    [[nodiscard]] int mmap(void* address, uint64_t size_B, int prot, int flags, uint64_t offset, void** out);

    [[nodiscard]] Device& device() const { return *device_; }
    [[nodiscard]] Node node() const { return node_; }

    // For the handlers of requests, under the device's lock.

    /// Returns the handle that `bo` has in this file, or adds one. 0 or -errno.
    [[nodiscard]] int add_object(std::shared_ptr<BufferObject> bo, uint32_t* handle);
    HandleTable<std::shared_ptr<BufferObject>> objects;
    HandleTable<std::shared_ptr<Syncobj>> syncobjs;
    std::unordered_map<const BufferObject*, uint32_t> handle_of;
    std::unique_ptr<DriverFile> driver_file;
    const UserMemory user;
    bool master = false;  // the first to open the card node

  private:
    [[nodiscard]] int find_mapped(uint64_t size_B, int prot, uint64_t offset,
                                  std::shared_ptr<BufferObject>* out);
    [[nodiscard]] int permitted(const IoctlDesc& desc) const;
    [[nodiscard]] const IoctlDesc* find_ioctl(unsigned nr) const;

    std::shared_ptr<Device> device_;
    const Node node_;
};

/// The core's request `nr`, or null.
[[nodiscard]] const IoctlDesc* find_core_ioctl(unsigned nr);
[[nodiscard]] const IoctlDesc* find_syncobj_ioctl(unsigned nr);

}  // namespace terrazzo::winsys::virt
