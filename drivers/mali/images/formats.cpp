// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The uses of formats: hw/formats.h has a row for each supported format.
#include "drivers/mali/hw/formats.h"

#include <bit>

#include "drivers/common/images/format_uses.h"
#include "drivers/mali/images/resource.h"
#include "pipe/image_formats.h"

namespace terrazzo::mali {

bool format_supported(const hw::Chip& chip, pipe::Format f, pipe::ResourceKind kind, uint32_t samples,
                      uint32_t bind) {
    namespace b = pipe::bind;
    if ((bind & b::kImage) && !pipe::is_image_format(f)) return false;
    if (kind == pipe::ResourceKind::Buffer && f == pipe::Format::None) return true;
    if (bind & (b::kStorage | b::kStreamOut)) return false;
    const hw::FormatRow* row = hw::format_row(f);
    if (!row || (row->feature && !chip.has_texture_feature(row->feature))) return false;
    if (samples > 1) {
        const bool flat = kind == pipe::ResourceKind::Tex2D || kind == pipe::ResourceKind::Tex2DArray;
        if (samples_of(samples) != samples || !flat || !(row->is_render_target || row->is_depth_stencil) ||
            !std::has_single_bit(pipe::format_info(f).block_B) ||
            (bind & ~(b::kColor | b::kDepthStencil | b::kSampled)))
            return false;
    }
    if (kind == pipe::ResourceKind::Buffer)
        return !(bind & ~(b::kVertex | b::kIndirect | b::kSampled | b::kImage)) &&
               (!(bind & b::kVertex) || row->is_vertex) &&
               (!(bind & (b::kSampled | b::kImage)) || row->is_texture);
    // Importers of shared images expect one plane.
    if ((bind & (b::kShared | b::kScanout)) && f == pipe::Format::D32_FLOAT_S8X24_UINT) return false;
    return images::image_supports(
        {.texture = row->is_texture, .color = row->is_render_target, .depth_stencil = row->is_depth_stencil},
        f, kind, bind);
}

}  // namespace terrazzo::mali
