// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a virtual GPU with a command-stream front end implements, and what the virtual kernel gives it
// (drivers/mali/sim is one).
//
// No firmware stands between: of the kernel's ring buffer the GPU sees the user's stream alone, one Stream
// after the other, as the ring wrapper calls it. The wrapper itself is the kernel's: before a stream it has
// flushed caches and reset nothing (registers keep their values; the last `unpreserved_cs_reg_count` are the
// wrapper's and hold anything), after it, once every scoreboard slot is free, it adds 1 to the queue's own
// sync object and forgets a recoverable fault (ERROR_BARRIER). So run() must not return Done before all work
// of the stream has ended and is in memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "winsys/uapi/panthor.h"
#include "winsys/virtual/jobs/run.h"
#include "winsys/virtual/memory/address_space.h"

namespace terrazzo::winsys::virt::panthor {

/// A GPU as the kernel describes it to its users. One row a chip.
struct GpuInfo {
    const char* name;  // "mali-g610": what stands after "sim:" and "noop:"
    uapi::drm_panthor_gpu_info gpu;
    uapi::drm_panthor_csif_info csif;
    uint64_t timestamp_hz;
};

/// A user's command stream: instructions in [va, va + size_B).
struct Stream {
    uint64_t va = 0;
    uint32_t size_B = 0;
    uint32_t latest_flush = 0;  // the flush id that was read when it was built, 0: none
    uint64_t number = 0;        // counts the streams of its queue from 1; the same when run() continues one
    bool announced = false;     // the host learns of its end: a sync object is signalled
};

/// How a tiler heap grows.
struct HeapGrowth {
    int error = 0;  // -ENOMEM: no more chunks (the user's exception handler may help); -EINVAL: no such heap
    uint64_t chunk_va = 0;  // as the hardware wants it: address | size in pages; its header (64 B) is zero
};

/// What a group's streams may touch. Lives as long as the group. Thread: that of run(), and threads that
/// run() uses.
class GpuHost {
  public:
    virtual ~GpuHost() = default;
    [[nodiscard]] virtual AddressSpace& memory() = 0;
    /// The heap whose context is at `context_va` is out of memory (panthor_heap_grow): `in_flight` render
    /// passes have begun to tile and not ended to draw, of which `pending_fragment` have tiled.
    [[nodiscard]] virtual HeapGrowth grow_heap(uint64_t context_va, uint32_t in_flight,
                                               uint32_t pending_fragment) = 0;
    /// Ticks of the GPU's clock.
    [[nodiscard]] virtual uint64_t timestamp() const = 0;
    /// True when the time of the stream is over, or its group goes. Ask at least every millisecond's work;
    /// cheap.
    [[nodiscard]] virtual bool should_stop() const = 0;
    /// A draw, a dispatch or the like has ended: the next has the whole time again, and the stream four times
    /// that. On run()'s thread. Cheap.
    virtual void note_progress() = 0;
};

/// How a group was made.
struct GroupDesc {
    std::vector<uint8_t> queue_priorities;  // one a queue, 15 the highest
    uint64_t compute_core_mask = 0, fragment_core_mask = 0, tiler_core_mask = 0;
    uint8_t max_compute_cores = 0, max_fragment_cores = 0, max_tiler_cores = 0, priority = 0;
};

/// Queues that share an address space and the GPU's state of it. Ends when its group does, never during
/// run().
class GpuGroup {
  public:
    virtual ~GpuGroup() = default;
    /// Runs a stream, or goes on with one that was blocked. One call at a time in a group; those of other
    /// groups run at the same time. RunResult's Fault is a CS_FAULT; Fatal a CS_FATAL or a fault of the MMU. Its exception is as in
    /// panthor_device.h; codes of the MMU (0xc0 and above) lose every queue of the group.
    [[nodiscard]] virtual RunResult run(uint32_t queue, const Stream& stream) = 0;
};

class Gpu {
  public:
    virtual ~Gpu() = default;
    [[nodiscard]] virtual const GpuInfo& info() const = 0;
    /// Null: out of memory. `host` outlives the group. Under the kernel's lock, as is the group's end: only
    /// host.memory() may be called from here.
    [[nodiscard]] virtual std::unique_ptr<GpuGroup> create_group(const GroupDesc& desc, GpuHost& host) = 0;
};

}  // namespace terrazzo::winsys::virt::panthor
