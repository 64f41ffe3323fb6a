// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The shared state of a virtual GPU's units for a group of queues, and the jobs that the command-stream front
// end starts. Jobs run and complete before the call returns.
#pragma once

#include <cstdint>
#include <string>

#include "drivers/common/host/host.h"
#include "drivers/common/units/areas.h"
#include "drivers/mali/hw/chips.h"
#include "drivers/mali/hw/cs.h"
#include "drivers/mali/sim/core/core.h"
#include "drivers/mali/sim/core/memory.h"

namespace terrazzo::mali::sim {

using host::Host;
using host::RunStatus;

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

/// The progress of a draw when it ran out of heap.
struct DrawProgress {
    uint32_t instance = 0, primitive = 0;
};

/// The tiler heap of a queue, from a HEAP_SET to the next one.
struct HeapUse {
    uint64_t context_va = 0;
    // Render passes that have begun, and those of them that wait for their fragment job.
    uint32_t in_flight = 0, pending_fragment = 0;
};

/// Checks the order of loads by shaders, which takes too long for ordinary runs.
class LoadOrder {
  public:
    virtual ~LoadOrder() = default;
    /// Shaders load from this range. Returns why they must not; null: they may. Thread: any.
    virtual const char* loaded(uint64_t va, uint64_t size_B) = 0;
};

/// The shared state of a group's units.
struct Machine {
    Machine(const hw::Chip& c, Host& h, unsigned thread_count)
        : chip(c), host(h), memory(h.space()), threads(thread_count) {}
    units::AreaThreads on_threads(unsigned count) { return {count, threads, &pool}; }
    const hw::Chip& chip;
    Host& host;
    Window memory;                              // of the thread that runs the front end
    ProgramCache programs;                      // of that thread, too
    unsigned threads;                           // the most threads of a job
    std::shared_ptr<threads::WorkerPool> pool;  // null until a job has work for several threads
    // The most instructions of a warp; beyond it, the warp counts as endless.
    uint64_t turn_limit = 1ull << 24;
    uint64_t draws = 0;  // the number of draws so far, for reports
    host::Counters counters;
    /// Not null: loads by shaders, and accesses of a thread to memory that its messages still access, are
    /// checked.
    LoadOrder* loads = nullptr;
};

/// The units that do the work; one call per RUN instruction. Registers have the meaning of hw/cs.rows. Fault:
/// see `fault`. Jobs itself does nothing, for replays that only follow streams.
class Jobs {
  public:
    virtual ~Jobs() = default;
    /// Fills in what cores and units have counted.
    virtual void count(host::Counters*) const {}
    virtual JobStatus idvs(const hw::CsRunIdvs&, const CsRegisters&, HeapUse&, DrawProgress*, Fault*) {
        return JobStatus::Done;
    }
    virtual JobStatus fullscreen(const hw::CsRunFullscreen&, const CsRegisters&, HeapUse&, Fault*) {
        return JobStatus::Done;
    }
    virtual JobStatus fragment(const hw::CsRunFragment&, const CsRegisters&, Fault*) {
        return JobStatus::Done;
    }
    virtual JobStatus compute(const hw::CsRunCompute&, const CsRegisters&, Fault*) { return JobStatus::Done; }
    virtual JobStatus compute_indirect(const hw::CsRunComputeIndirect&, const CsRegisters&, Fault*) {
        return JobStatus::Done;
    }
    /// Closes the polygon list of the tiler context of the last draws.
    virtual JobStatus finish_tiling(const CsRegisters&, HeapUse&, Fault*) { return JobStatus::Done; }
    /// Returns chunks [first, last] of a finished pass to the heap.
    virtual JobStatus finish_fragment(uint64_t /*first*/, uint64_t /*last*/, HeapUse&, Fault*) {
        return JobStatus::Done;
    }
};

}  // namespace terrazzo::mali::sim
