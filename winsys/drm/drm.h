// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A driver's view of an open DRM file, of a real kernel or of the virtual one. Requests are ioctl numbers
// with the kernel's structs (winsys/uapi); memory is mapped at the offsets that the kernel returns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace terrazzo::winsys {

namespace virt {
class Device;
}

/// The destructor closes the file; mappings stay until they are unmapped. Thread: any. A forked child cannot
/// use a virtual file: requests fail with -ENODEV, and mappings are replaced by private zeroed memory, so
/// that the child cannot write what the parent's GPU reads.
class Drm {
  public:
    virtual ~Drm() = default;
    /// Returns 0 or -errno; interrupted requests are repeated.
    [[nodiscard]] virtual int ioctl(unsigned long request, void* arg) = 0;
    /// Maps [offset, offset + size_B) shared, as mmap(2) of the file. `prot`: PROT_*. Returns 0 and an
    /// address, or -errno.
    [[nodiscard]] virtual int map(uint64_t offset, size_t size_B, int prot, void** address) = 0;
    virtual void unmap(void* address, size_t size_B) = 0;
    /// ioctl on a dma-buf or sync file that a request of this file returned or another process sent. Returns
    /// 0 or -errno.
    [[nodiscard]] virtual int descriptor_ioctl(int fd, unsigned long request, void* arg) = 0;
};

/// Opens a node of a real kernel ("/dev/dri/renderD128"). Null: `*why` is the reason in one line.
[[nodiscard]] std::unique_ptr<Drm> open_drm_node(const char* path, std::string* why);
/// Opens the render node of a virtual device. Null: out of memory. Pointers in requests are not checked.
[[nodiscard]] std::unique_ptr<Drm> open_virtual_drm(std::shared_ptr<virt::Device> device);

}  // namespace terrazzo::winsys
