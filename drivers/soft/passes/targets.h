// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Attachments and clear values in the form that the tile kernels use.
#pragma once

#include "drivers/soft/binning/raster_types.h"
#include "pipe/state.h"

namespace terrazzo::soft {

/// base is null without an attachment.
[[nodiscard]] ColorTarget color_target(const pipe::Attachment& a);
[[nodiscard]] DepthTarget depth_target(const pipe::Attachment& a);

/// Make a fill; false where no bit would be written.
[[nodiscard]] bool color_fill(const ColorTarget& t, pipe::Format format, const pipe::ClearColor& color,
                              uint8_t write_mask, FillOp* out);
[[nodiscard]] bool depth_fill(const DepthTarget& t, pipe::Format format, bool depth, float depth_value,
                              uint8_t stencil_mask, uint8_t stencil, FillOp* out);
[[nodiscard]] bool is_whole(const FillOp& op);

}  // namespace terrazzo::soft
