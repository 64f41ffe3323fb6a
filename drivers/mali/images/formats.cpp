// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Which formats serve for what: what hw/formats.h has rows for.
#include "drivers/mali/hw/formats.h"

#include "drivers/mali/images/resource.h"

namespace terrazzo::mali {

bool format_supported(const hw::Chip& chip, pipe::Format f, pipe::ResourceKind kind, uint32_t samples,
                      uint32_t bind) {
    namespace b = pipe::bind;
    if (samples > 1 || (bind & (b::kImage | b::kStorage | b::kStreamOut))) return false;
    if (kind == pipe::ResourceKind::Buffer && f == pipe::Format::None) return true;
    const hw::FormatRow* row = hw::format_row(f);
    if (!row || (row->feature && !chip.has_texture_feature(row->feature))) return false;
    if (kind == pipe::ResourceKind::Buffer) return !(bind & ~(b::kVertex | b::kIndirect)) && row->is_vertex;
    if (pipe::format_info(f).is_vertex_only) return false;
    if (!row->is_texture && !row->is_render_target && !row->is_depth_stencil) return false;
    if ((bind & b::kSampled) && !row->is_texture) return false;
    if ((bind & b::kColor) && !row->is_render_target) return false;
    if ((bind & b::kDepthStencil) && !row->is_depth_stencil) return false;
    // Others are told of rows of pixels in one plane.
    if (bind & (b::kShared | b::kScanout))
        return kind == pipe::ResourceKind::Tex2D && !pipe::format_info(f).is_compressed;
    return true;
}

}  // namespace terrazzo::mali
