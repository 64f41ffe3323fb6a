// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a device can do with a format, by its table, and which resources that allows.
#pragma once

#include "pipe/format.h"
#include "pipe/resource.h"

namespace terrazzo::images {

struct FormatUses {
    bool texture = false, color = false, depth_stencil = false;
};
/// Whether an image of the format can be used for all of `bind` at once (any of kSampled, kColor,
/// kDepthStencil, kShared, kScanout).
[[nodiscard]] bool image_supports(const FormatUses& uses, pipe::Format f, pipe::ResourceKind kind,
                                  uint32_t bind);

}  // namespace terrazzo::images
