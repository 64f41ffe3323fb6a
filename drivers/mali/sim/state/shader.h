// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A shader as a draw or dispatch refers to it: program, resource tables, uniforms.
#pragma once

#include <cstdint>
#include <vector>

#include "drivers/mali/sim/state/read.h"

namespace terrazzo::mali::sim {

/// Resource tables: their address, with their number in the low 6 bits, as in registers and descriptors.
struct ResourceTables {
    uint64_t packed = 0;
    uint64_t va() const { return packed & ~uint64_t(63); }
    unsigned count() const { return unsigned(packed & 63); }
};

struct ShaderState {
    hw::ShaderProgram program;
    ResourceTables resources;
    std::vector<uint32_t> fau;
    uint64_t storage = 0;  // address of its LocalStorage; 0: none
    hw::LocalStorage local;
    bool preloads(unsigned reg) const { return reg >= 48 && (program.preload >> (reg - 48) & 1); }
};

struct ShaderAddresses {
    uint64_t program = 0, resources = 0, fau = 0, storage = 0;
    unsigned fau_count = 0;  // 64-bit words
};
/// Registers have the count in the top 8 bits of the address.
inline void set_fau(ShaderAddresses* a, uint64_t packed) {
    a->fau = packed & ((uint64_t(1) << 56) - 1);
    a->fau_count = unsigned(packed >> 56);
}

bool load_shader(Window& memory, const ShaderAddresses& from, hw::ShaderStage stage, ShaderState* out,
                 Fault* fault);

/// Warps that run at the same time: a queue of vertices, the warps of a workgroup, threads of fragment jobs.
/// Each needs its own thread-local memory. Drivers provide it for all threads that the cores can hold, which
/// are more.
inline constexpr unsigned kVertexWarpSlot = 0, kComputeWarpSlot = 1, kFragmentWarpSlot = 65;

/// Gives a warp the shader's uniforms, special values and memory: once for all its runs. `slot`: its part of
/// the draw's thread-local memory.
void set_shader(const ShaderState& shader, unsigned slot, Warp* warp);
/// Removes what an earlier run left in registers and hazards; a new warp needs it, too. The caller then
/// preloads registers, and starts lanes (Core::start).
void begin_run(Warp* warp);
/// Writes a register if the shader preloads it.
inline void preload(const ShaderState& shader, Warp* warp, unsigned reg, U32 value) {
    if (!shader.preloads(reg)) return;
    warp->r[reg] = value;
    warp->defined |= uint64_t(1) << reg;
}

}  // namespace terrazzo::mali::sim
