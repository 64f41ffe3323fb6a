// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A blit after clipping and look-up of the formats. Internal to pipe/blit.
#pragma once

#include "pipe/blit/blit_axis.h"
#include "pipe/context.h"

namespace terrazzo::pipe::detail {

/// The type of the values that are copied for each pixel.
enum class BlitValue : uint8_t { Raw, Float, Uint, Sint, DepthStencil };

struct BlitPlan {
    bool possible = false;
    BlitValue value = BlitValue::Raw;
    bool linear = false;  // filter linearly
    bool depth = false, stencil = false;
    bool whole_pixels = false;  // all bits of written pixels are replaced
    bool src_is_compressed = false;
    bool dst_is_compressed = false;
    BlitAxis x{0, 0, 0, 0, 0, 0, 0}, y{0, 0, 0, 0, 0, 0, 0}, z{0, 0, 0, 0, 0, 0, 0};
    bool empty() const { return x.empty() || y.empty() || z.empty(); }
    /// For compressed source and destination: whether the edges of the region are edges of blocks or of the
    /// levels, on both sides.
    bool copies_whole_blocks(const BlitInfo& info) const;
};

BlitPlan plan_blit(const BlitInfo& info);

/// Size of a level; z counts slices, layers or faces.
Box level_box(const ResourceDesc& desc, uint32_t level);

}  // namespace terrazzo::pipe::detail
