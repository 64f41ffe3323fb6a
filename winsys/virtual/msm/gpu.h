// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a virtual Adreno GPU implements, and what the virtual kernel gives it.
//
// The ring buffers are the kernel's, and the GPU never sees them: it gets the command buffers that a ring calls, one Submit after the
// other. After them the kernel's ring waits until all work has ended and is in memory, and writes the submit's sequence number: so
// run() must not return Done before that. Registers keep their values from a submit to the next of the same context, unless
// Submit::switched says that other contexts had the GPU meanwhile.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "winsys/virtual/jobs/run.h"
#include "winsys/virtual/memory/address_space.h"

namespace terrazzo::winsys::virt::msm {

/// A GPU as the kernel describes it to its users. One row a chip.
struct GpuInfo {
    const char* name;  // "adreno-630": what stands after "sim:" and "noop:"
    uint32_t gpu_id;   // 630; 0 of those that are known by chip_id alone
    uint64_t chip_id;  // 0x06030001: core, major, minor, patch; bits 32 and up: the speed bin
    uint32_t gmem_size_B;
    uint64_t gmem_base;  // where the GPU sees its tile memory
    uint64_t max_freq_hz, timestamp_hz;
    uint32_t rings;                // each has kPrioritiesPerRing
    uint64_t va_start, va_size_B;  // addresses of a context's own
    uint32_t highest_bank_bit, ubwc_swizzle, macrotile_mode;
    uint64_t uche_trap_base;
    bool raytracing, cached_coherent;
    bool allow_relocs;  // before A6xx: the kernel patches addresses into command buffers
};
constexpr uint32_t kPrioritiesPerRing = 3;

/// Words at an address, which a ring calls as an indirect buffer.
struct CommandBuffer {
    uint64_t iova = 0;
    uint32_t size_dw = 0;
};

/// What one GEM_SUBMIT runs. The kernel has left out what the ring does not call.
struct Submit {
    std::vector<CommandBuffer> commands;
    uint64_t number = 0;  // counts those of its context from 1; the same when run() continues one
    bool switched =
        false;  // another context ran since this one's last, or the GPU was reset: registers hold anything
};

/// RunResult::exception.
enum class Exception : uint32_t {
    None,
    OpcodeError,         // CP_INT: an unknown packet
    HardwareFault,       // CP_INT: a packet that cannot be carried out
    RegisterProtection,  // CP_INT: a register that only the kernel may write
    IllegalInstruction,  // CP_INT
    SmmuFault,           // an address that is not mapped so
    ShaderFault,
    OutOfMemory,  // of the host
};
/// "CP_OPCODE_ERROR". Any number.
[[nodiscard]] const char* to_string(Exception exception);

/// What a context's submits may touch. Lives as long as the group. Thread: that of run(), and threads that run() uses.
class GpuHost {
  public:
    virtual ~GpuHost() = default;
    [[nodiscard]] virtual AddressSpace& memory() = 0;
    /// Ticks of the always-on counter.
    [[nodiscard]] virtual uint64_t timestamp() const = 0;
    /// True when the time of the submit is over, or its context goes. Ask at least every millisecond's work; cheap.
    [[nodiscard]] virtual bool should_stop() const = 0;
    /// A draw, a dispatch or the like has ended: the next has the whole time again, and the submit four times
    /// that. On run()'s thread. Cheap.
    virtual void note_progress() = 0;
};

/// The GPU's state of a context, that is of an open file. Ends when that does, never during run().
class GpuGroup {
  public:
    virtual ~GpuGroup() = default;
    /// Runs a submit, or goes on with one that was blocked. `queue` is its priority, 0 the highest: a blocked submit of one lets those
    /// of others run. One call at a time in a group; those of other groups run at the same time. Fault and Fatal both end the submit
    /// with an error and reset the GPU; later submits run, unless the context manages its addresses itself.
    [[nodiscard]] virtual RunResult run(uint32_t queue, const Submit& submit) = 0;
};

class Gpu {
  public:
    virtual ~Gpu() = default;
    [[nodiscard]] virtual const GpuInfo& info() const = 0;
    /// Null: out of memory. `host` outlives the group. Under the kernel's lock, as is the group's end: only host.memory() may be
    /// called from here.
    [[nodiscard]] virtual std::unique_ptr<GpuGroup> create_group(GpuHost& host) = 0;
};

}  // namespace terrazzo::winsys::virt::msm
