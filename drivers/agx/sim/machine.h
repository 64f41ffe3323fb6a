// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the units of a virtual AGX share, and how their work fails. A group of queues has one machine.
#pragma once

#include <memory>
#include <string>

#include "drivers/agx/sim/core/core.h"
#include "drivers/common/host/host.h"
#include "drivers/common/units/areas.h"
#include "winsys/virtual/asahi/gpu.h"

namespace terrazzo::agx::sim {

using host::Host;
using window::Window;
using winsys::virt::asahi::ComputeCommand;
using winsys::virt::asahi::Exception;
using winsys::virt::asahi::RenderCommand;

struct Fault {
    Exception exception = Exception::BadCommand;
    std::string report;
    uint64_t address = 0;  // of a refused access
};

struct Machine {
    Machine(Host& h, unsigned thread_count) : host(h), memory(h.space()), threads(thread_count) {}
    units::AreaThreads on_threads(unsigned count) { return {count, threads, &pool}; }

    Host& host;
    Window memory;                              // of the thread that walks streams
    unsigned threads;                           // the most of a command
    std::shared_ptr<threads::WorkerPool> pool;  // null until a command has work for several threads
    uint64_t turn_limit = 1ull << 24;           // instructions of a group of threads
    /// The memory for binned primitives: a render that needs more is drawn in several passes over its tiles.
    uint64_t parameter_buffer_B = 256 << 20;
    uint64_t draws = 0;  // so far, for reports
    host::Counters counters;
};

/// Sets the fault. Returns false.
template <class... Part>
bool fail(Fault* fault, Exception exception, const Part&... part) {
    *fault = {exception, host::text_of(part...), 0};
    return false;
}
/// The last access of `memory` was refused. `what`: what was accessed: "VDM stream".
inline bool fail_access(Fault* fault, const Window& memory, const char* what) {
    const window::AccessFault& f = memory.fault();
    fail(fault,
         !f.mapped                           ? Exception::Unmapped
         : f.access == window::Access::Write ? Exception::ReadOnly
                                             : Exception::WriteOnly,
         what, ": ", f);
    fault->address = f.va;
    return false;
}
/// A shader's fault. `what`: whose shader it is: "fragment program of draw 3".
inline bool fail_core(Fault* fault, const CoreFault& f, uint64_t shader_va, const std::string& what) {
    fail(fault,
         f.memory ? (f.access.mapped ? Exception::ReadOnly : Exception::Unmapped) : Exception::ShaderFault,
         what, ": ", core::to_string(f, shader_va));
    if (f.memory) fault->address = f.access.va;
    return false;
}
inline void fail_without_memory(Fault* fault) {
    fail(fault, Exception::OutOfMemory, "the host has no memory for this work");
}

}  // namespace terrazzo::agx::sim
