// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The interface that a virtual GPU of any vendor implements, and the services of the virtual kernel that it
// uses. A kernel driver's own gpu.h says what a submit is there.
//
// The rings belong to the kernel, and the GPU never sees them. It receives the streams that a ring calls, one
// submit after the other. After them, the kernel waits until all work has ended and is in memory, and then
// signals that the submit has ended. So run() must not return Done before that.
#pragma once

#include <cerrno>
#include <cstdint>
#include <memory>
#include <vector>

#include "winsys/virtual/jobs/run.h"
#include "winsys/virtual/memory/address_space.h"

namespace terrazzo::winsys::virt {

/// Commands in the GPU's memory: [va, va + size_B).
struct Stream {
    uint64_t va = 0, size_B = 0;
};

/// The streams that a ring calls for one job, in order.
struct Submit {
    std::vector<Stream> streams;
    /// Counts the submits of its queue or context from 1. run() continues a submit with the same number.
    uint64_t number = 0;
    /// Another context ran since this one's last submit, or the GPU was reset: registers are undefined.
    bool switched = false;
    /// The host is told when it ends, and reads the results.
    bool announced = false;
    /// It was submitted after all submits that have ended. Otherwise it may only rely on its own queue's.
    bool follows = true;
};

/// The result of growing a heap of the GPU.
struct HeapGrowth {
    int error = 0;          // -ENOMEM: no more chunks; -EINVAL: no such heap
    uint64_t chunk_va = 0;  // in the hardware's form; its header is zero
};

/// What a group's submits may use. Lives as long as the group. Threads: run()'s own, and those that run()
/// uses. All methods are mandatory, except grow_heap().
class GpuHost {
  public:
    virtual ~GpuHost() = default;
    [[nodiscard]] virtual AddressSpace& memory() = 0;
    /// Ticks of the GPU's clock that always runs.
    [[nodiscard]] virtual uint64_t timestamp() const = 0;
    /// Whether the submit has used up its time or its context is being destroyed. Must be called at least
    /// every millisecond; cheap.
    [[nodiscard]] virtual bool should_stop() const = 0;
    /// A draw, dispatch or blit has ended: the next one has the full time again. In total a submit has at
    /// most RunClock::kMostLimits times the limit. On run()'s thread. Cheap.
    virtual void note_progress() = 0;
    /// Optional, for kernel drivers with heaps: the one whose context is at `context_va` is out of memory.
    /// `in_flight` render passes have begun tiling and not finished drawing; `pending_fragment` of them have
    /// finished tiling.
    [[nodiscard]] virtual HeapGrowth grow_heap(uint64_t context_va, uint32_t in_flight,
                                               uint32_t pending_fragment) {
        (void)context_va, (void)in_flight, (void)pending_fragment;
        return {-EINVAL, 0};
    }
};

/// Queues that share an address space, and the GPU's state for them. Destroyed with its context, never during
/// run().
class GpuGroup {
  public:
    virtual ~GpuGroup() = default;
    /// Runs a submit or continues one that was blocked. While a submit of one queue is blocked, submits of
    /// other queues run. One call at a time per group; different groups run concurrently. The kernel driver's
    /// gpu.h has the numbers of exceptions, and what is lost after a fault. May throw std::bad_alloc.
    [[nodiscard]] virtual RunResult run(uint32_t queue, const Submit& submit) = 0;
};

class Gpu {
  public:
    virtual ~Gpu() = default;
    /// Null: out of memory. `host` outlives the group. Called under the kernel's lock, as is the group's
    /// destructor: of `host`, only memory() may be called here.
    [[nodiscard]] virtual std::unique_ptr<GpuGroup> create_group(uint32_t queues, GpuHost& host) = 0;
};

}  // namespace terrazzo::winsys::virt
