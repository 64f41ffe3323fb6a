// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/resources/image_view.h"

#include <algorithm>

#include "pipe/image_formats.h"

namespace terrazzo::soft {

namespace {

/// The whole texels within the buffer.
ir::ImageRange buffer_texels(const pipe::ImageView& view) {
    const SoftResource& r = soft(*view.resource);
    ir::ImageRange out;
    out.format = pipe::image_format(view.format);
    if (out.format == ir::ImageFormat::None || view.buffer_offset_B % 4) return {};
    const uint64_t offset_B = std::min(view.buffer_offset_B, r.size_B());
    const uint64_t size_B = std::min(view.buffer_size_B, r.size_B() - offset_B);
    out.data = r.data() + offset_B;
    out.width = uint32_t(std::min<uint64_t>(size_B / ir::texel_size_B(out.format), kMaxBufferTexels));
    out.height = out.depth = 1;
    return out;
}

}  // namespace

ir::ImageRange image_range(const pipe::ImageView& view) {
    if (!view.resource) return {};
    if (view.resource->desc.kind == pipe::ResourceKind::Buffer) return buffer_texels(view);
    const SoftResource& r = soft(*view.resource);
    ir::ImageRange out;
    out.format = pipe::image_format(view.format);
    // Only passes write depth: they maintain the bounds (kept_bounds.h).
    if (pipe::format_info(r.desc.format).is_depth_stencil()) return {};
    if (out.format == ir::ImageFormat::None || view.level >= r.desc.levels || r.desc.samples > 1) return {};
    const LevelLayout& l = r.level(view.level);
    // Texels are accessed without conversion, so their size must match.
    if (ir::texel_size_B(out.format) != pipe::format_info(r.desc.format).block_B ||
        view.first_layer >= uint32_t(l.slices))
        return {};
    out.data = r.slice(view.level, view.first_layer);
    out.width = uint32_t(l.width);
    out.height = uint32_t(l.height);
    out.depth = std::min(view.layer_count, uint32_t(l.slices) - view.first_layer);
    out.row_stride_B = l.row_stride_B;
    out.slice_stride_B = l.layer_stride_B;
    return out;
}

}  // namespace terrazzo::soft
