// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Uniforms as the hardware loads them (FAU). What to copy from where is worked out once; a draw copies.
#pragma once

#include <span>
#include <vector>

#include "drivers/mali/compiler/abi.h"
#include "pipe/state.h"

namespace terrazzo::mali {

/// Values of compiler::Sysval, in its order.
struct SysvalValues {
    float viewport_scale[3] = {}, viewport_offset[3] = {};
    float framebuffer_height_px = 0;
    uint32_t target_conversion[pipe::kMaxColorTargets] = {};
    uint32_t target_channel[pipe::kMaxColorTargets][4] = {};
    uint32_t buffer[2] = {};  // address, the low half first
};
static_assert(sizeof(SysvalValues) == compiler::kSysvalCount * 4);

/// Words that lie one after another among the uniforms and where they come from.
struct UniformRun {
    compiler::UniformWord::Kind kind = compiler::UniformWord::Kind::Uniform;
    uint32_t from =
        0;  // Uniform: dword of the default block; Constant: of `constants`; Halves: of `halves`; Sysval
    uint32_t count = 0;
    bool operator==(const UniformRun&) const = default;
};

/// The words of a compiled part, an even number.
struct UniformLayout {
    std::vector<UniformRun> runs;
    std::vector<uint32_t> constants;
    // Two dwords of the default block each (compiler::UniformWord::Kind::Halves).
    std::vector<uint32_t> halves;
    uint32_t halves_end_dw = 0;  // behind the last of these
    bool reads_sysvals = false, reads_uniforms = false;
};
[[nodiscard]] UniformLayout lay_out_uniforms(std::span<const compiler::UniformWord> words);

/// Writes all words in order. `uniforms` may be shorter than what the shader reads: the rest is zero.
void write_uniforms(const UniformLayout& layout, std::span<const uint32_t> uniforms,
                    const SysvalValues& sysvals, uint32_t* out);

}  // namespace terrazzo::mali
