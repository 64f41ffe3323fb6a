// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Colour writes of whole quads to a blendable tile buffer. The state is decided once for a draw's target; a
// quad is one vector of four lanes. The results are those of blend_pixel(), to the bit.
#pragma once

#include "drivers/common/wave/lanes.h"
#include "drivers/mali/sim/fragment/color.h"

namespace terrazzo::mali::sim {

struct QuadColor {
    struct Channel {
        uint8_t bits = 0, shift = 0;
        bool rounds_source = false;    // to the channel's bits, before the equation
        float high = 0, constant = 0;  // the largest integer; the blend constant
    };
    Channel channel[4];
    hw::BlendFunction rgb, alpha;
    uint32_t kept = 0;  // bits of the stored word that stay
    bool halves = false, blends = false, alpha_to_one = false;
};

/// Decides how colours in registers are written, with the arguments of blend_pixel(). False: blend_pixel()
/// must do it, because colours are converted from or to sRGB.
[[nodiscard]] bool quad_color(const TileFormat& format, const hw::Blend* blend, bool fixed_function,
                              bool srgb, bool halves, QuadColor* out);

/// Writes the lanes of quads in order. `in`: `in_count` staging registers; components without one are 0. Quad
/// q has the lanes 4q to 4q + 3. Its first pixel is number first_pixel[q] of `color`, which has words and
/// rows of `row_px` pixels. Quads without a lane are not touched.
void write_quads(const QuadColor& state, const wave::U32* in, unsigned in_count, uint32_t lanes,
                 const uint32_t* first_pixel, unsigned row_px, uint8_t* color);
/// The same on a CPU without fused multiply-add; for tests.
void write_quads_portable(const QuadColor& state, const wave::U32* in, unsigned in_count, uint32_t lanes,
                          const uint32_t* first_pixel, unsigned row_px, uint8_t* color);

}  // namespace terrazzo::mali::sim
