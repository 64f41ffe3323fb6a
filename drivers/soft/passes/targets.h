// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Converts attachments and clear values to the tile kernels' form.
#pragma once

#include "drivers/soft/binning/raster_types.h"
#include "pipe/state.h"

namespace terrazzo::soft {

/// `base` is null if there is no attachment.
[[nodiscard]] ColorTarget color_target(const pipe::Attachment& a);
[[nodiscard]] DepthTarget depth_target(const pipe::Attachment& a);

/// Create a fill; false if it would write no bit.
[[nodiscard]] bool color_fill(const ColorTarget& t, pipe::Format format, const pipe::ClearColor& color,
                              uint8_t write_mask, FillOp* out);
[[nodiscard]] bool depth_fill(const DepthTarget& t, pipe::Format format, bool depth, float depth_value,
                              uint8_t stencil_mask, uint8_t stencil, FillOp* out);
[[nodiscard]] bool is_whole(const FillOp& op);

}  // namespace terrazzo::soft
