// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The shared state of a virtual GPU's units for a group of queues, and the jobs that the command-stream front
// end starts. Jobs run and complete before the call returns.
#pragma once

#include <cstdint>
#include <string>

#include "drivers/common/threads/worker_pool.h"
#include "drivers/mali/hw/chips.h"
#include "drivers/mali/hw/cs.h"
#include "drivers/mali/sim/core/core.h"
#include "drivers/mali/sim/core/memory.h"

namespace terrazzo::mali::sim {

/// The kernel, as the GPU sees it.
class Host {
  public:
    virtual ~Host() = default;
    virtual Space& space() = 0;
    /// A new chunk of the tiler heap whose context is at `context_va`: its address
    ///  its size in pages, with a zero 64-byte header; 0 if there is none.
    virtual uint64_t grow_heap(uint64_t context_va, uint32_t in_flight, uint32_t pending_fragment) = 0;
    virtual uint64_t timestamp() const = 0;
    /// True if the running work should end: must be called at least every millisecond.
    virtual bool should_stop() const = 0;
    /// A draw, dispatch or similar work has ended. On the thread that runs the stream.
    virtual void note_progress() {}
};

inline constexpr unsigned kCsRegisters = 96;

/// The command-stream registers of a queue.
struct CsRegisters {
    uint32_t r[kCsRegisters] = {};
    uint64_t pair(unsigned i) const { return i + 1 < kCsRegisters ? uint64_t(r[i + 1]) << 32 | r[i] : 0; }
};

struct Fault {
    hw::ExceptionCode code = hw::ExceptionCode::CS_UNRECOVERABLE;
    std::string report;
};

enum class JobStatus : uint8_t {
    Done,
    Fault,
    OutOfHeap,  // a draw ran out of tiler heap; the next call with the same progress continues it
    Stopped,    // Host::should_stop()
};

/// The status of a job whose shader failed: it may have been told to stop.
inline JobStatus failed(const Host& host) {
    return host.should_stop() ? JobStatus::Stopped : JobStatus::Fault;
}

/// The progress of a draw when it ran out of heap.
struct DrawProgress {
    uint32_t instance = 0, primitive = 0;
};

/// The tiler heap of a queue, from a HEAP_SET to the next one.
struct HeapUse {
    uint64_t context_va = 0;
    uint32_t in_flight = 0,
             pending_fragment =
                 0;  // render passes begun, and of those the ones that wait for their fragment job
};

/// The shared state of a group's units.
struct Machine {
    Machine(const hw::Chip& c, Host& h, unsigned thread_count)
        : chip(c), host(h), memory(h.space()), threads(thread_count) {}
    const hw::Chip& chip;
    Host& host;
    Window memory;                              // of the thread that runs the front end
    ProgramCache programs;                      // of that thread, too
    unsigned threads;                           // the most threads for fragment jobs
    std::shared_ptr<threads::WorkerPool> pool;  // null until a job has work for several threads
    // The most instructions of a warp; beyond it, the warp counts as endless.
    uint64_t turn_limit = 1ull << 24;
    uint64_t draws = 0;  // the number of draws so far, for reports
};

/// The units that do the work; one call per RUN instruction. Registers have the meaning of hw/cs.rows. Fault:
/// see `fault`.
class Jobs {
  public:
    virtual ~Jobs() = default;
    virtual JobStatus idvs(const hw::CsRunIdvs& how, const CsRegisters& registers, HeapUse& heap,
                           DrawProgress* progress, Fault* fault) = 0;
    virtual JobStatus fullscreen(const hw::CsRunFullscreen& how, const CsRegisters& registers, HeapUse& heap,
                                 Fault* fault) = 0;
    virtual JobStatus fragment(const hw::CsRunFragment& how, const CsRegisters& registers, Fault* fault) = 0;
    virtual JobStatus compute(const hw::CsRunCompute& how, const CsRegisters& registers, Fault* fault) = 0;
    virtual JobStatus compute_indirect(const hw::CsRunComputeIndirect& how, const CsRegisters& registers,
                                       Fault* fault) = 0;
    /// Closes the polygon list of the tiler context of the last draws.
    virtual JobStatus finish_tiling(const CsRegisters& registers, HeapUse& heap, Fault* fault) = 0;
    /// Returns chunks [first, last] of a finished pass to the heap.
    virtual JobStatus finish_fragment(uint64_t first_chunk, uint64_t last_chunk, HeapUse& heap,
                                      Fault* fault) = 0;
};

}  // namespace terrazzo::mali::sim
