// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The hardware's formats for pipe's formats. format_rows.inc has the rows and their source.
#pragma once

#include <cstdint>

#include "drivers/adreno/hw/chips.h"
#include "drivers/adreno/hw/enums.h"
#include "drivers/common/tables/formats.h"

namespace terrazzo::adreno::hw {

/// Where a format supports compression (UBWC).
enum class Ubwc : uint8_t { NO, YES, R8, Z24UINT, ONE_SAMPLE };

struct FormatRow {
    Format vertex = Format::FMT6_NONE;   // in VFD_DECODE_INSTR
    Format texture = Format::FMT6_NONE;  // in TexConst
    Format target = Format::FMT6_NONE;   // in RB_MRT_BUF_INFO, RB_BLIT_DST_INFO and the 2D engine
    ColorSwap swap{};                    // for linear images and vertices; tiled images use WZYX
    DepthFormat depth = DepthFormat::DEPTH6_NONE;
    Ubwc ubwc = Ubwc::NO;
    Format linear_texture = Format::FMT6_NONE;  // for untiled textures, with linear_texture_swap
    ColorSwap linear_texture_swap{};

    bool is_vertex() const { return vertex != Format::FMT6_NONE; }
    bool is_texture() const { return texture != Format::FMT6_NONE; }
    bool is_target() const { return target != Format::FMT6_NONE; }
    bool is_depth() const { return depth != DepthFormat::DEPTH6_NONE; }

    Format texture_format(TileMode mode) const {
        return mode == TileMode::TILE6_LINEAR ? linear_texture : texture;
    }
    /// The CCU does not swap channels of tiled images, so textures must not, either.
    ColorSwap texture_swap(TileMode mode) const {
        return mode == TileMode::TILE6_LINEAR ? linear_texture_swap : ColorSwap::WZYX;
    }
    ColorSwap target_swap(TileMode mode) const {
        return mode == TileMode::TILE6_LINEAR ? swap : ColorSwap::WZYX;
    }
    /// Whether images of the format can be compressed on the chip, as far as the format matters.
    bool has_ubwc(const Generation& generation, unsigned samples) const;
};

extern const tables::FormatTable<FormatRow> format_row;

/// The format in which the 2D engine computes for a target; sRGB targets of R2D_UNORM8 use R2D_UNORM8_SRGB.
/// False: the engine cannot write it.
bool blit_format(Format target, Ifmt2d* out);

}  // namespace terrazzo::adreno::hw
