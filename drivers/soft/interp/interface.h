// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the JIT and the interpreter must agree on: a shader's interface, and how texture instructions become
// calls.
#pragma once

#include "drivers/soft/shader_abi.h"
#include "shaders/ir/ir.h"

namespace terrazzo::soft {

/// The row of FragmentArgs::color for a fragment output's slot; kColorRows or more: none.
inline constexpr unsigned color_row(unsigned slot) {
    if (slot == unsigned(ir::FragSlot::Second)) return kSecondColor;
    return slot <= unsigned(ir::FragSlot::Color7) ? slot : kColorRows;
}
/// The offset in FragmentArgs of component `c` of a fragment output.
inline constexpr size_t output_offset_B(unsigned slot, unsigned c) {
    if (slot == unsigned(ir::FragSlot::Depth)) return offsetof(FragmentArgs, depth);
    if (slot == unsigned(ir::FragSlot::SampleMask)) return offsetof(FragmentArgs, sample_mask);
    return offsetof(FragmentArgs, color) + (color_row(slot) * 4 + c) * sizeof(float[kBatchBlocks * kLanes]);
}
/// The colour buffer that a system value reads, or -1. Its values arrive in FragmentArgs::color, too, so they
/// must be loaded before outputs are stored.
inline constexpr int last_color(unsigned sysval) {
    const int n = int(sysval) - int(ir::Sysval::LastColor0);
    return n >= 0 && n < int(pipe::kMaxColorTargets) ? n : -1;
}

/// The most iterations of all loops of one group of lanes. Then every loop ends and the watch is stopped: a
/// shader that never ends must not stop the program.
inline constexpr uint32_t kLoopBudget = 1u << 22;

/// Loops check the time limit at least once in this many iterations: whenever the rest of the budget is a
/// multiple of it.
inline constexpr uint32_t kTurnsPerLook = 1u << 12;
/// The same for a loop whose body contains `instructions`: long bodies check more often. A power of two, so
/// that short bodies check at multiples at which long ones do, too.
[[nodiscard]] constexpr uint32_t turns_per_look(uint32_t instructions) {
    uint32_t turns = kTurnsPerLook;
    while (turns > 1 && uint64_t(turns) * instructions > uint64_t(kTurnsPerLook) * 32)
        turns /= 2;
    return turns;
}

/// Fills the public facts of `out` (slots, components, flags) by walking the shader. Null: success; otherwise
/// why this driver cannot run it.
[[nodiscard]] const char* describe_shader(const ir::Shader& shader, CompiledShader* out);

/// The byte offset of a load from a uniform block at a constant offset.
[[nodiscard]] inline uint32_t block_offset_B(const ir::Instr& load) {
    return (uint32_t(ir::const_bits(load.operand(0))) + load.u.mem->offset_B) & ~3u;
}

/// The mode of a sampling or fetching instruction. Without derivatives (vertex stage), implicit LODs are 0.
[[nodiscard]] TexMode tex_mode(const ir::TexInfo& t, ir::Stage stage);
/// The TexCall::offset of an instruction.
[[nodiscard]] int32_t tex_offset(const ir::TexInfo& t, unsigned axis);
/// The operands that are a TexCall's coordinates; -1: absent.
struct TexCoordinates {
    int s = -1, t = -1, r = -1, layer = -1;
};
[[nodiscard]] TexCoordinates tex_coordinates(const ir::TexInfo& t);

/// Samples with a sampler index per lane: units[first + min(index, count - 1)]. call->unit is set by the
/// callee.
void sample_indexed(TexCall* call, const TextureUnit* units, const uint32_t index[kLanes], uint32_t first,
                    uint32_t count);

/// textureSize: width, height, depth or layers of level `lod` (0 if there is no such level), as integers.
void texture_size(const TextureUnit* unit, const int32_t lod[kLanes], bool arrayed, uint32_t out[3][kLanes]);

/// The rows of texture_size_indexed. In: kLod and kIndex; out: rows 0 to 2 as texture_size, and kLevels.
struct SizeRows {
    static constexpr uint32_t kLod = 3, kIndex = 4, kLevels = 5, kCount = 6;
    uint32_t row[kCount][kLanes];
};
/// textureSize and textureQueryLevels of an array of samplers with an index per lane: units[min(index, count
/// - 1)].
void texture_size_indexed(const TextureUnit* units, SizeRows* rows, uint32_t count, bool arrayed);

}  // namespace terrazzo::soft
