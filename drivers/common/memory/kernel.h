// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What memory and timelines need of a vendor's kernel driver (panthor, msm, asahi). Each vendor's driver
// implements it. All methods are mandatory. What is the same in every DRM driver is not here: closing handles,
// dma-bufs, syncobjs.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "winsys/drm/drm.h"

namespace terrazzo::memory {

struct AddressRange {
    uint64_t begin = 0, end = 0;
    [[nodiscard]] bool empty() const { return begin == end; }
};

/// A kernel driver's constants.
struct KernelLimits {
    /// Sizes and GPU addresses are multiples of it. A power of two, at least 4096.
    uint64_t page_B = 4096;
    /// Objects of this size or more are aligned to it, so that the MMU can use its large pages.
    uint64_t large_page_B = 2 << 20;
    /// The GPU addresses that the device hands out; multiples of large_page_B, and 0 is not among them. Both
    /// empty: the kernel chooses all addresses.
    AddressRange data;
    /// Of executable objects. Empty: they lie among the data.
    AddressRange code;
};

/// Guilty: work of the queue itself was at fault. Innocent: it was lost with another's.
enum class QueueState : uint8_t { Usable, Guilty, Innocent };

/// Belongs to one Device, and ends after all its memory. It owns the file, and whatever else its requests need
/// (an address space): its end destroys that. Thread: queue_state() is called from any thread, several at once;
/// the others one at a time. A request that fails changes no output.
class Kernel {
  public:
    virtual ~Kernel() = default;
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

    [[nodiscard]] winsys::Drm& drm() const { return *drm_; }
    /// They do not change.
    [[nodiscard]] const KernelLimits& limits() const { return limits_; }

    /// A new object of `*size_B` bytes (whole pages), zeroed; `flags`: bo_flag::*, without kUndefined. The
    /// caller closes `*handle`. `*size_B` becomes what the kernel made of it. False: refused or out of memory.
    [[nodiscard]] virtual bool create_object(uint32_t flags, uint64_t* size_B, uint32_t* handle) = 0;
    /// Makes the object visible to the GPU at `*va`, or, where the kernel chooses addresses, sets `*va`: never
    /// to 0. All work that is submitted after this sees it. `flags`: as it was created; kShareable of an
    /// imported one. False: refused or out of memory.
    [[nodiscard]] virtual bool bind(uint32_t handle, uint64_t size_B, uint32_t flags, uint64_t* va) = 0;
    /// Undoes bind(), before the handle is closed; no work uses the object any more. False: the addresses stay
    /// taken, and are not handed out again.
    [[nodiscard]] virtual bool unbind(uint32_t handle, uint64_t size_B, uint64_t va) = 0;
    /// Where the object lies in the file, for Drm::map(). False: the CPU may not see it.
    [[nodiscard]] virtual bool mmap_offset(uint32_t handle, uint64_t* offset_B) = 0;
    /// Whether a queue (in panthor's words a group, in msm's a submitqueue) still runs what it is given. The
    /// fences of lost work are signalled like others, after the state says so. What cannot be asked is Guilty.
    [[nodiscard]] virtual QueueState queue_state(uint32_t queue) = 0;

  protected:
    Kernel(std::unique_ptr<winsys::Drm> drm, const KernelLimits& limits)
        : drm_(std::move(drm)), limits_(limits) {}
    /// For those whose addresses are known after a request. Before the Device is created.
    void set_limits(const KernelLimits& limits) { limits_ = limits; }

  private:
    const std::unique_ptr<winsys::Drm> drm_;
    KernelLimits limits_;
};

}  // namespace terrazzo::memory
