// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The effect of a blend equation, independent of the device. Rules: OpenGL ES 3.2 section 15.1.5.
#pragma once

#include <cstdint>

#include "pipe/format.h"
#include "pipe/state.h"

namespace terrazzo::blend {

/// Blending of one target, with or without an alpha channel. Without one, destination alpha is 1.
struct Equation {
    /// Enabled and simplified: with blending off, and for channels that are not written, the source replaces.
    /// An advanced equation is kept; factors and operations then have no meaning.
    pipe::BlendTargetDesc desc;
    uint8_t constants = 0;  // a bit for each channel of the blend colour that it reads
    bool replaces = false;  // the source replaces every destination
    bool reads_destination = false;
    bool second_source = false;
    bool alpha_zero_keeps = false;    // if source alpha is 0, the destination does not change
    bool alpha_one_replaces = false;  // if source alpha is 1, the source replaces
};
[[nodiscard]] Equation simplify(const pipe::BlendTargetDesc& d, bool has_alpha);

/// The value that a factor is, or is one minus of: Zero for Zero and One. In the alpha equation, a colour's
/// value is its alpha. Saturation and the second source's factors are unchanged.
[[nodiscard]] pipe::BlendFactor factor_value(pipe::BlendFactor f, bool alpha);
/// True for One and every "one minus".
[[nodiscard]] bool is_one_minus(pipe::BlendFactor f);
/// These operations ignore the factors.
[[nodiscard]] constexpr bool is_min_max(pipe::BlendOp op) {
    return op == pipe::BlendOp::Min || op == pipe::BlendOp::Max;
}

/// A bit for each channel that the format stores; luminance is red.
[[nodiscard]] uint8_t stored_channels(pipe::Format f);

}  // namespace terrazzo::blend
