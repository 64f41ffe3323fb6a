// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The interface to a vendor's kernel driver (panthor, msm, asahi) that memory and timelines need. Each
// vendor's driver implements it. All methods are mandatory. Requests that all DRM drivers share are not here:
// closing handles, dma-bufs, syncobjs.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "winsys/drm/drm.h"

namespace terrazzo::memory {

/// A message about a request that failed. `error`: a negative errno.
[[nodiscard]] inline std::string reason(const char* what, int error) {
    return std::string(what) + ": " + strerror(-error);
}

struct AddressRange {
    uint64_t begin = 0, end = 0;
    [[nodiscard]] bool empty() const { return begin == end; }
};

/// A kernel driver's constants.
struct KernelLimits {
    /// Sizes and GPU addresses are multiples of it. A power of two, at least 4096.
    uint64_t page_B = 4096;
    /// Objects of at least this size are aligned to it, so that the MMU can use large pages.
    uint64_t large_page_B = 2 << 20;
    /// The GPU addresses that the device allocates: multiples of large_page_B, without 0. If this and `code`
    /// are empty, the kernel chooses all addresses.
    AddressRange data;
    /// For executable objects. Empty: they use `data`.
    AddressRange code;
    /// There are faults after which queue_state() is Usable, since the queue goes on. Only the fence of the
    /// faulty work has an error.
    bool faults_in_fences = false;
};

/// Guilty: work of this queue was at fault. Innocent: it was lost because of another queue.
enum class QueueState : uint8_t { Usable, Guilty, Innocent };

/// Belongs to one Device and is destroyed after all its memory. Owns the file and whatever else the requests
/// need (an address space). Thread: queue_state() may be called by several threads at once, the other methods
/// one at a time. A request that fails changes no output.
class Kernel {
  public:
    virtual ~Kernel() = default;
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

    [[nodiscard]] winsys::Drm& drm() const { return *drm_; }
    /// They do not change.
    [[nodiscard]] const KernelLimits& limits() const { return limits_; }

    /// A new object of `*size_B` bytes (whole pages), zeroed; `flags`: bo_flag::*, without kUndefined. The
    /// caller closes `*handle`. `*size_B` becomes what the kernel made of it. False: refused or out of
    /// memory.
    [[nodiscard]] virtual bool create_object(uint32_t flags, uint64_t* size_B, uint32_t* handle) = 0;
    /// Makes the object visible to the GPU at `*va`, or, where the kernel chooses addresses, sets `*va`:
    /// never to 0. All work that is submitted after this sees it. `flags`: as it was created; kShareable of
    /// an imported one. False: refused or out of memory.
    [[nodiscard]] virtual bool bind(uint32_t handle, uint64_t size_B, uint32_t flags, uint64_t* va) = 0;
    /// Undoes bind() before the handle is closed; no work uses the object any more. False: the addresses stay
    /// allocated and are not reused.
    [[nodiscard]] virtual bool unbind(uint32_t handle, uint64_t size_B, uint64_t va) = 0;
    /// The object's offset in the file, for Drm::map(). False: the CPU may not access it.
    [[nodiscard]] virtual bool mmap_offset(uint32_t handle, uint64_t* offset_B) = 0;
    /// Whether a queue (panthor: a group, msm: a submitqueue) still runs its work. The fences of lost work
    /// are signalled like others, after the state has changed. If the state cannot be queried, it is Guilty.
    [[nodiscard]] virtual QueueState queue_state(uint32_t queue) = 0;

  protected:
    Kernel(std::unique_ptr<winsys::Drm> drm, const KernelLimits& limits)
        : drm_(std::move(drm)), limits_(limits) {}
    /// For drivers whose addresses are only known after a request. Called before the Device is created.
    void set_limits(const KernelLimits& limits) { limits_ = limits; }

  private:
    const std::unique_ptr<winsys::Drm> drm_;
    KernelLimits limits_;
};

}  // namespace terrazzo::memory
