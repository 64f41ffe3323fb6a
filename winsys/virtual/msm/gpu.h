// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The interface that a virtual Adreno GPU implements, and the services of the virtual kernel that it uses.
//
// The ring buffers belong to the kernel, and the GPU never sees them. It receives the command buffers that a
// ring calls, one Submit after the other. After them, the kernel's ring waits until all work has ended and is
// in memory, and then writes the submit's sequence number. So run() must not return Done before that.
// Registers keep their values between submits of the same context, unless Submit::switched is set.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "winsys/virtual/jobs/run.h"
#include "winsys/virtual/memory/address_space.h"

namespace terrazzo::winsys::virt::msm {

/// A GPU as the kernel describes it to programs. Each chip has one row.
struct GpuInfo {
    const char* name;  // "adreno-630": the name after "sim:" and "noop:"
    uint32_t gpu_id;   // 630; 0 for GPUs that have a chip_id only
    uint64_t chip_id;  // 0x06030001: core, major, minor, patch; bits 32 and up: the speed bin
    uint32_t gmem_size_B;
    uint64_t gmem_base;  // the address of tile memory in the GPU's view
    uint64_t max_freq_hz, timestamp_hz;
    uint32_t rings;                // each ring has kPrioritiesPerRing
    uint64_t va_start, va_size_B;  // the range of a context's addresses
    uint32_t highest_bank_bit, ubwc_swizzle, macrotile_mode;
    uint64_t uche_trap_base;
    bool raytracing, cached_coherent;
    bool allow_relocs;  // before A6xx: the kernel patches addresses into command buffers
};
constexpr uint32_t kPrioritiesPerRing = 3;

/// Words at an address that a ring calls as an indirect buffer.
struct CommandBuffer {
    uint64_t iova = 0;
    uint32_t size_dw = 0;
};

/// The work of one GEM_SUBMIT, without the buffers that the ring does not call.
struct Submit {
    std::vector<CommandBuffer> commands;
    uint64_t number =
        0;  // counts the submits of its context from 1; run() continues a submit with the same number
    /// Another context ran since this one's last submit, or the GPU was reset: registers are undefined.
    bool switched = false;
};

/// RunResult::exception.
enum class Exception : uint32_t {
    None,
    OpcodeError,         // CP_INT: an unknown packet
    HardwareFault,       // CP_INT: a packet that cannot be carried out
    RegisterProtection,  // CP_INT: a register that only the kernel may write
    IllegalInstruction,  // CP_INT
    SmmuFault,           // an address that is not mapped for this access
    ShaderFault,
    OutOfMemory,  // the host is out of memory
};
/// For example "CP_OPCODE_ERROR". Any number is allowed.
[[nodiscard]] const char* to_string(Exception exception);

/// What a context's submits may use. Lives as long as the group. Threads: run()'s own, and those that run()
/// uses.
class GpuHost {
  public:
    virtual ~GpuHost() = default;
    [[nodiscard]] virtual AddressSpace& memory() = 0;
    /// Ticks of the always-on counter.
    [[nodiscard]] virtual uint64_t timestamp() const = 0;
    /// Whether the submit has used up its time or its context is being destroyed. Must be called at least
    /// every millisecond; cheap.
    [[nodiscard]] virtual bool should_stop() const = 0;
    /// A draw, dispatch or blit has ended: the next one has the full time again. In total a submit has at
    /// most RunClock::kMostLimits times the limit. On run()'s thread. Cheap.
    virtual void note_progress() = 0;
};

/// The GPU's state of a context (an open file). Destroyed with it, never during run().
class GpuGroup {
  public:
    virtual ~GpuGroup() = default;
    /// Runs a submit or continues one that was blocked. `queue` is its priority; 0 is the highest. While a
    /// submit of one queue is blocked, submits of other queues run. One call at a time per group; different
    /// groups run concurrently. Fault and Fatal both end the submit with an error and reset the GPU. Later
    /// submits run, unless the user manages the context's addresses.
    [[nodiscard]] virtual RunResult run(uint32_t queue, const Submit& submit) = 0;
};

class Gpu {
  public:
    virtual ~Gpu() = default;
    [[nodiscard]] virtual const GpuInfo& info() const = 0;
    /// Null: out of memory. `host` outlives the group. Called under the kernel's lock, as is the group's
    /// destructor: of `host`, only memory() may be called here.
    [[nodiscard]] virtual std::unique_ptr<GpuGroup> create_group(GpuHost& host) = 0;
};

}  // namespace terrazzo::winsys::virt::msm
