// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a blend equation does, whatever device computes it. Rules: OpenGL ES 3.2 section 15.1.5.
#pragma once

#include <cstdint>

#include "pipe/format.h"
#include "pipe/state.h"

namespace terrazzo::blend {

/// What blending does to one target, which has (or lacks) an alpha channel. Without one, destination alpha
/// is 1.
struct Equation {
    /// Enabled, simplified: with blending off, and for channels that are not written, the source replaces.
    pipe::BlendTargetDesc desc;
    uint8_t constants = 0;  // bit a channel of the blend colour that it reads
    bool replaces = false;  // the source, whatever the destination
    bool reads_destination = false;
    bool second_source = false;
    bool alpha_zero_keeps = false;    // where source alpha is 0, the destination stays
    bool alpha_one_replaces = false;  // where it is 1, the source replaces
};
[[nodiscard]] Equation simplify(const pipe::BlendTargetDesc& d, bool has_alpha);

/// Which value a factor is, or is one minus of: Zero for Zero and One. In the equation of alpha, a colour's
/// value is its alpha. Saturation and the second source's factors stay what they are.
[[nodiscard]] pipe::BlendFactor factor_value(pipe::BlendFactor f, bool alpha);
/// One, and every "one minus".
[[nodiscard]] bool is_one_minus(pipe::BlendFactor f);
/// Their factors do not count.
[[nodiscard]] constexpr bool is_min_max(pipe::BlendOp op) {
    return op == pipe::BlendOp::Min || op == pipe::BlendOp::Max;
}

/// Bit a channel that the format stores; luminance is red.
[[nodiscard]] uint8_t stored_channels(pipe::Format f);

}  // namespace terrazzo::blend
