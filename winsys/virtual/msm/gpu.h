// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// An Adreno, as msm's virtual kernel sees it. jobs/gpu.h has the interface that it implements.
//
// A submit has the command buffers that the ring calls as indirect buffers, whole words, without those that
// only other buffers call. A queue is a priority; 0 is the highest. Registers keep their values between
// submits of the same context, unless Submit::switched is set. Fault and Fatal both end the submit with an
// error and reset the GPU. Later submits run, unless the user manages the context's addresses.
#pragma once

#include "winsys/virtual/jobs/gpu.h"

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

}  // namespace terrazzo::winsys::virt::msm
