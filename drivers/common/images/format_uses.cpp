// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/images/format_uses.h"

namespace terrazzo::images {

bool image_supports(const FormatUses& uses, pipe::Format f, pipe::ResourceKind kind, uint32_t bind) {
    namespace b = pipe::bind;
    const pipe::FormatInfo& info = pipe::format_info(f);
    if (info.is_vertex_only || !(uses.texture || uses.color || uses.depth_stencil)) return false;
    if ((bind & b::kSampled) && !uses.texture) return false;
    if ((bind & b::kColor) && !uses.color) return false;
    if ((bind & b::kDepthStencil) && !uses.depth_stencil) return false;
    // The importers of a shared image expect one plane of pixel rows.
    if (bind & (b::kShared | b::kScanout)) return kind == pipe::ResourceKind::Tex2D && !info.is_compressed;
    return true;
}

}  // namespace terrazzo::images
