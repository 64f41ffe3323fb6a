// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the JIT and the interpreter must agree on: a shader's interface, how texture instructions become
// calls.
#pragma once

#include "drivers/soft/shader_abi.h"
#include "shaders/ir/ir.h"

namespace terrazzo::soft {

/// The row of FragmentArgs::color that a fragment output's slot has; kColorRows and more: none.
inline constexpr unsigned color_row(unsigned slot) {
    if (slot == unsigned(ir::FragSlot::Second)) return kSecondColor;
    return slot <= unsigned(ir::FragSlot::Color7) ? slot : kColorRows;
}
/// Where in FragmentArgs component `c` of a fragment output goes.
inline constexpr size_t output_offset_B(unsigned slot, unsigned c) {
    if (slot == unsigned(ir::FragSlot::Depth)) return offsetof(FragmentArgs, depth);
    if (slot == unsigned(ir::FragSlot::SampleMask)) return offsetof(FragmentArgs, sample_mask);
    return offsetof(FragmentArgs, color) + (color_row(slot) * 4 + c) * sizeof(float[kBatchBlocks * kLanes]);
}
/// The colour buffer that a system value reads, or -1. Its values come in FragmentArgs::color, too: they must
/// be loaded before outputs are stored.
inline constexpr int last_color(unsigned sysval) {
    const int n = int(sysval) - int(ir::Sysval::LastColor0);
    return n >= 0 && n < int(pipe::kMaxColorTargets) ? n : -1;
}

/// Loops of one group of lanes turn at most this often in all; then every loop is left and the watch is
/// stopped. A shader that never ends must not stop the program.
inline constexpr uint32_t kLoopBudget = 1u << 22;

/// Loops look at the clock at least once in so many turns: when what is left of the budget is a multiple.
inline constexpr uint32_t kTurnsPerLook = 1u << 12;
/// The same of a loop whose body (with all in it) has `instructions`: a long body looks more often. A power
/// of two, so that every turn that a long body skips is seen by the short ones.
[[nodiscard]] constexpr uint32_t turns_per_look(uint32_t instructions) {
    uint32_t turns = kTurnsPerLook;
    while (turns > 1 && uint64_t(turns) * instructions > uint64_t(kTurnsPerLook) * 32)
        turns /= 2;
    return turns;
}

/// Fills the public facts of `out` (slots, components, flags) by walking the shader. Null: fine; else what
/// this driver cannot run, in words.
[[nodiscard]] const char* describe_shader(const ir::Shader& shader, CompiledShader* out);

/// Where the load of a uniform block at a constant offset begins.
[[nodiscard]] inline uint32_t block_offset_B(const ir::Instr& load) {
    return (uint32_t(ir::const_bits(load.operand(0))) + load.u.mem->offset_B) & ~3u;
}

/// The mode of a sampling or fetching instruction. Without derivatives (vertex stage) implicit LODs are 0.
[[nodiscard]] TexMode tex_mode(const ir::TexInfo& t, ir::Stage stage);
/// Its TexCall::offset.
[[nodiscard]] int32_t tex_offset(const ir::TexInfo& t, unsigned axis);
/// Which operands are a TexCall's coordinates; -1: absent.
struct TexCoordinates {
    int s = -1, t = -1, r = -1, layer = -1;
};
[[nodiscard]] TexCoordinates tex_coordinates(const ir::TexInfo& t);

/// Samples with a sampler index a lane: units[first + min(index, count - 1)]. call->unit is set.
void sample_indexed(TexCall* call, const TextureUnit* units, const uint32_t index[kLanes], uint32_t first,
                    uint32_t count);

/// textureSize: width, height, depth or layers of level `lod` (0 where there is no such level), integers.
void texture_size(const TextureUnit* unit, const int32_t lod[kLanes], bool arrayed, uint32_t out[3][kLanes]);

/// The rows of texture_size_indexed. In: kLod and kIndex; out: 0 to 2 as texture_size, and kLevels.
struct SizeRows {
    static constexpr uint32_t kLod = 3, kIndex = 4, kLevels = 5, kCount = 6;
    uint32_t row[kCount][kLanes];
};
/// textureSize and textureQueryLevels of an array of samplers with an index a lane: units[min(index, count - 1)].
void texture_size_indexed(const TextureUnit* units, SizeRows* rows, uint32_t count, bool arrayed);

}  // namespace terrazzo::soft
