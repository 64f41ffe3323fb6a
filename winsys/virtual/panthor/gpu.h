// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The interface that a virtual GPU with a command-stream front end implements (for example drivers/mali/sim),
// and the services of the virtual kernel that it uses.
//
// There is no firmware. The GPU does not see the kernel's ring buffer, only the user's streams that the ring
// wrapper calls, one Stream after the other. The wrapper is the kernel's part. Before a stream it has flushed
// caches and has reset nothing: registers keep their values, except the last `unpreserved_cs_reg_count`,
// which the wrapper uses and which are undefined. After a stream, once every scoreboard slot is free, it adds
// 1 to the queue's own sync object and clears a recoverable fault (ERROR_BARRIER). So run() must not return
// Done before all work of the stream has ended and is in memory.
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

/// A GPU as the kernel describes it to programs. Each chip has one row.
struct GpuInfo {
    const char* name;  // "mali-g610": the name after "sim:" and "noop:"
    uapi::drm_panthor_gpu_info gpu;
    uapi::drm_panthor_csif_info csif;
    uint64_t timestamp_hz;
};

/// A user's command stream: instructions in [va, va + size_B).
struct Stream {
    uint64_t va = 0;
    uint32_t size_B = 0;
    uint32_t latest_flush = 0;  // the flush id when the stream was built; 0: none
    // counts the streams of its queue from 1; unchanged when run() continues the stream
    uint64_t number = 0;
    bool announced = false;  // a sync object tells the host when it ends
};

/// The result of growing a tiler heap.
struct HeapGrowth {
    int error = 0;  // -ENOMEM: no more chunks (the user's exception handler may help); -EINVAL: no such heap
    uint64_t chunk_va = 0;  // in the hardware's form: address | size in pages; its header (64 B) is zero
};

/// What a group's streams may use. Lives as long as the group. Threads: run()'s own, and those that run()
/// uses.
class GpuHost {
  public:
    virtual ~GpuHost() = default;
    [[nodiscard]] virtual AddressSpace& memory() = 0;
    /// The heap whose context is at `context_va` is out of memory (panthor_heap_grow). `in_flight` render
    /// passes have begun tiling and not finished drawing; `pending_fragment` of them have finished tiling.
    [[nodiscard]] virtual HeapGrowth grow_heap(uint64_t context_va, uint32_t in_flight,
                                               uint32_t pending_fragment) = 0;
    /// Ticks of the GPU's clock.
    [[nodiscard]] virtual uint64_t timestamp() const = 0;
    /// Whether the stream has used up its time or its group is being destroyed. Must be called at least every
    /// millisecond; cheap.
    [[nodiscard]] virtual bool should_stop() const = 0;
    /// A draw, dispatch or blit has ended: the next one has the full time again. In total a stream has at
    /// most RunClock::kMostLimits times the limit. On run()'s thread. Cheap.
    virtual void note_progress() = 0;
};

/// The options with which a group was created.
struct GroupDesc {
    std::vector<uint8_t> queue_priorities;  // one per queue; 15 is the highest
    uint64_t compute_core_mask = 0, fragment_core_mask = 0, tiler_core_mask = 0;
    uint8_t max_compute_cores = 0, max_fragment_cores = 0, max_tiler_cores = 0, priority = 0;
};

/// Queues that share an address space and the GPU's state for it. Destroyed with its group, never during
/// run().
class GpuGroup {
  public:
    virtual ~GpuGroup() = default;
    /// Runs a stream or continues one that was blocked. One call at a time per group; different groups run
    /// concurrently. In RunResult, Fault is a CS_FAULT, and Fatal is a CS_FATAL or a fault of the MMU. The
    /// exception is a code of panthor_device.h; codes of the MMU (0xc0 and above) lose every queue of the
    /// group.
    [[nodiscard]] virtual RunResult run(uint32_t queue, const Stream& stream) = 0;
};

class Gpu {
  public:
    virtual ~Gpu() = default;
    [[nodiscard]] virtual const GpuInfo& info() const = 0;
    /// Null: out of memory. `host` outlives the group. Called under the kernel's lock, as is the group's
    /// destructor: of `host`, only memory() may be called here.
    [[nodiscard]] virtual std::unique_ptr<GpuGroup> create_group(const GroupDesc& desc, GpuHost& host) = 0;
};

}  // namespace terrazzo::winsys::virt::panthor
