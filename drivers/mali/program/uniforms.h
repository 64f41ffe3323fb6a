// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Uniforms in the form that the hardware loads (FAU). The copies are planned once per program; a draw
// executes them.
#pragma once

#include <span>
#include <vector>

#include "drivers/mali/compiler/abi.h"
#include "pipe/state.h"

namespace terrazzo::mali {

/// The values of compiler::Sysval, in its order.
struct SysvalValues {
    float viewport_scale[3] = {}, viewport_offset[3] = {};
    float framebuffer_height_px = 0;
    uint32_t target_conversion[pipe::kMaxColorTargets] = {};
    uint32_t target_channel[pipe::kMaxColorTargets][4] = {};
    uint32_t buffer[2] = {};  // an address, the low half first
};
static_assert(sizeof(SysvalValues) == compiler::kSysvalCount * 4);

/// Words that are contiguous both in the FAU and in their source.
struct UniformRun {
    compiler::UniformWord::Kind kind = compiler::UniformWord::Kind::Uniform;
    /// The first word in the kind's source: a dword of the default block (Uniform), of SysvalValues (Sysval),
    /// or an index of `constants` or `halves`.
    uint32_t from = 0;
    uint32_t count = 0;
    bool operator==(const UniformRun&) const = default;
};

/// The layout of a compiled part's words, whose number is even.
struct UniformLayout {
    std::vector<UniformRun> runs;
    std::vector<uint32_t> constants;
    // The two dwords of the default block that each entry packs (compiler::UniformWord::Kind::Halves).
    std::vector<uint32_t> halves;
    uint32_t halves_end_dw = 0;  // after the last dword that these read
    bool reads_sysvals = false, reads_uniforms = false;
};
[[nodiscard]] UniformLayout lay_out_uniforms(std::span<const compiler::UniformWord> words);

/// Writes all words in order. `uniforms` may be shorter than what the shader reads: the rest reads as zero.
void write_uniforms(const UniformLayout& layout, std::span<const uint32_t> uniforms,
                    const SysvalValues& sysvals, uint32_t* out);

}  // namespace terrazzo::mali
