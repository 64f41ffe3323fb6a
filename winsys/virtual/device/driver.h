// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The interface that a kernel driver implements for the virtual kernel's core.
#pragma once

#include <cstdint>
#include <memory>

namespace terrazzo::winsys::virt {

class BufferObject;
class File;

// The flags of drm_ioctl.h that say which files may send a request.
constexpr uint8_t kRenderAllow = 1, kAuth = 2, kMaster = 4;

/// One request: its number in the kernel's headers, and its handler. `data` is the kernel's copy of the
/// caller's struct: it is copied in before the handler runs and copied back after it, also when the handler
/// fails. If the caller's struct is shorter, the missing bytes are 0. Handlers run under the device's lock.
struct IoctlDesc {
    unsigned long request;
    uint8_t permissions;
    int (*run)(File& file, void* data);
};

/// A driver's part of an open file. Destroyed under the device's lock.
class DriverFile {
  public:
    virtual ~DriverFile() = default;
    /// The file has closed its handle of `bo`. May release the lock while it waits.
    virtual void object_closed(const std::shared_ptr<BufferObject>& bo) { (void)bo; }
};

class KernelDriver {
  public:
    struct Version {
        const char* name;
        const char* description;
        const char* date;
        int major, minor, patch;
    };
    virtual ~KernelDriver() = default;
    [[nodiscard]] virtual const Version& version() const = 0;
    /// Null: out of memory.
    [[nodiscard]] virtual std::unique_ptr<DriverFile> open(File& file) = 0;
    /// `nr` counts from DRM_COMMAND_BASE. Null: there is no such request.
    [[nodiscard]] virtual const IoctlDesc* find_ioctl(unsigned nr) const = 0;
    /// The object that mmap finds at an offset above all buffer objects. Null: -EINVAL.
    [[nodiscard]] virtual std::shared_ptr<BufferObject> mmap_object(uint64_t offset, uint64_t size_B,
                                                                    int prot) = 0;
    /// The first of these offsets.
    [[nodiscard]] virtual uint64_t first_special_offset() const = 0;
    /// From now on the driver has an older interface than its own, if there is one; for programs under the
    /// shim that know only that. Called before the first file is opened. False: there is none.
    virtual bool show_older_interface() { return false; }
    /// Joins the driver's threads. Called without the lock.
    virtual void stop() = 0;
};

}  // namespace terrazzo::winsys::virt
