// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a device can do with a format, as its table says, and what follows for resources.
#pragma once

#include "pipe/format.h"
#include "pipe/resource.h"

namespace terrazzo::images {

struct FormatUses {
    bool texture = false, color = false, depth_stencil = false;
};
/// Whether an image of the format can be all of `bind` (of kSampled, kColor, kDepthStencil, kShared,
/// kScanout) at once.
[[nodiscard]] bool image_supports(const FormatUses& uses, pipe::Format f, pipe::ResourceKind kind,
                                  uint32_t bind);

}  // namespace terrazzo::images
