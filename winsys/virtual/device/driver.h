// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a kernel driver adds to the virtual kernel's core.
#pragma once

#include <cstdint>
#include <memory>

namespace terrazzo::winsys::virt {

class BufferObject;
class File;

// Who may ask (drm_ioctl.h).
constexpr uint8_t kRenderAllow = 1, kAuth = 2, kMaster = 4;

/// One request: its number as the kernel knows it, and what does it. `data` is the kernel's copy of the
/// struct, read before and written back after, failed or not; what a caller's shorter struct lacks is 0. Runs
/// under the device's lock.
struct IoctlDesc {
    unsigned long request;
    uint8_t permissions;
    int (*run)(File& file, void* data);
};

/// A driver's part of an open file. Ends under the device's lock.
class DriverFile {
  public:
    virtual ~DriverFile() = default;
    /// The file has closed its handle of `bo`. May let others have the lock while it waits.
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
    /// `nr` counts from DRM_COMMAND_BASE. Null: there is none.
    [[nodiscard]] virtual const IoctlDesc* find_ioctl(unsigned nr) const = 0;
    /// What lies at an offset above all buffer objects. Null: -EINVAL.
    [[nodiscard]] virtual std::shared_ptr<BufferObject> mmap_object(uint64_t offset, uint64_t size_B,
                                                                    int prot) = 0;
    /// Where that begins.
    [[nodiscard]] virtual uint64_t first_special_offset() const = 0;
    /// Ends its threads. Without the lock.
    virtual void stop() = 0;
};

}  // namespace terrazzo::winsys::virt
