// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the hardware makes of pipe's formats. The rows, with their source, are in format_rows.inc.
#pragma once

#include <cstdint>

#include "drivers/adreno/hw/chips.h"
#include "drivers/adreno/hw/enums.h"
#include "pipe/format.h"

namespace terrazzo::adreno::hw {

/// Where a format can be compressed (UBWC).
enum class Ubwc : uint8_t { NO, YES, R8, Z24UINT, ONE_SAMPLE };

struct FormatRow {
    Format vertex = Format::FMT6_NONE;   // of VFD_DECODE_INSTR
    Format texture = Format::FMT6_NONE;  // of TexConst
    Format target = Format::FMT6_NONE;   // of RB_MRT_BUF_INFO, RB_BLIT_DST_INFO and the 2D engine
    ColorSwap swap{};                    // of linear images and vertices; tiled ones have WZYX
    DepthFormat depth = DepthFormat::DEPTH6_NONE;
    Ubwc ubwc = Ubwc::NO;
    Format linear_texture = Format::FMT6_NONE;  // of textures that are not tiled, with linear_texture_swap
    ColorSwap linear_texture_swap{};

    bool is_vertex() const { return vertex != Format::FMT6_NONE; }
    bool is_texture() const { return texture != Format::FMT6_NONE; }
    bool is_target() const { return target != Format::FMT6_NONE; }
    bool is_depth() const { return depth != DepthFormat::DEPTH6_NONE; }

    Format texture_format(TileMode mode) const {
        return mode == TileMode::TILE6_LINEAR ? linear_texture : texture;
    }
    /// The CCU does not swap channels of tiled images, so textures must not either.
    ColorSwap texture_swap(TileMode mode) const {
        return mode == TileMode::TILE6_LINEAR ? linear_texture_swap : ColorSwap::WZYX;
    }
    ColorSwap target_swap(TileMode mode) const {
        return mode == TileMode::TILE6_LINEAR ? swap : ColorSwap::WZYX;
    }
    /// Whether images of the format can be compressed on the chip, by the format alone.
    bool has_ubwc(const Generation& generation, unsigned samples) const;
};

/// nullptr: the hardware has no such format.
const FormatRow* format_row(pipe::Format format);

/// What the 2D engine computes in for a target; sRGB targets of R2D_UNORM8 take R2D_UNORM8_SRGB. False: the
/// engine cannot write it.
bool blit_format(Format target, Ifmt2d* out);

}  // namespace terrazzo::adreno::hw
