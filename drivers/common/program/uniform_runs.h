// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The words that a draw writes for a shader: uniforms, constants and system values in the order that the
// compiler chose. The copies are planned once per program; a draw executes them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace terrazzo::programs {

/// One 32-bit word of a shader's constant registers.
struct UniformWord {
    /// What `value` is: the number of a dword of the default block; a constant; the number of a system value
    /// of the vendor; the numbers (low | high << 16) of two dwords of the default block, which are rounded to
    /// 16-bit floats, to nearest.
    enum class Kind : uint8_t { Uniform, Constant, Sysval, Halves };
    Kind kind = Kind::Uniform;
    uint32_t value = 0;
    bool operator==(const UniformWord&) const = default;
};

/// Words that are contiguous both in the registers and in their source.
struct UniformRun {
    UniformWord::Kind kind = UniformWord::Kind::Uniform;
    /// The first word in the kind's source: a dword of the default block (Uniform), a system value (Sysval),
    /// or an index of `constants` or `halves`.
    uint32_t from = 0;
    uint32_t count = 0;
    bool operator==(const UniformRun&) const = default;
};

/// The layout of a compiled shader's words. Their number is even.
struct UniformLayout {
    std::vector<UniformRun> runs;
    std::vector<uint32_t> constants;
    // The two dwords of the default block that each entry packs (UniformWord::Kind::Halves).
    std::vector<uint32_t> halves;
    uint32_t halves_end_dw = 0;    // after the last dword that `halves` read
    uint32_t uniforms_end_dw = 0;  // after the last dword of the default block that any word reads
    bool reads_sysvals = false;
    [[nodiscard]] bool reads_uniforms() const { return uniforms_end_dw != 0; }
};
[[nodiscard]] UniformLayout lay_out_uniforms(std::span<const UniformWord> words);

/// Writes all words in order. If `uniforms` is shorter than the part that the shader reads, the rest is zero.
/// `sysvals`: the vendor's system values, a dword each.
void write_uniforms(const UniformLayout& layout, std::span<const uint32_t> uniforms, const void* sysvals,
                    uint32_t* out);

/// Writes `count` dwords to `out`: those of `words`, then zeros. Returns the address after the last one.
inline uint32_t* put_padded(uint32_t* out, std::span<const uint32_t> words, size_t count) {
    const size_t have = std::min(words.size(), count);
    return std::fill_n(std::copy_n(words.begin(), have, out), count - have, 0u);
}

}  // namespace terrazzo::programs
