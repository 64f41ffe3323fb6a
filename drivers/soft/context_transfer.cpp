// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Maps, copies and blits.
#include <algorithm>
#include <cstring>
#include <string>

#include "drivers/soft/context.h"

namespace terrazzo::soft {

namespace {

bool inside(const SoftResource& r, uint32_t level, const pipe::Box& b) {
    if (level >= r.desc.levels || b.x < 0 || b.y < 0 || b.z < 0 || b.width < 0 || b.height < 0 || b.depth < 0)
        return false;
    const LevelLayout& l = r.level(level);
    return int64_t(b.x) + b.width <= l.width && int64_t(b.y) + b.height <= l.height &&
           int64_t(b.z) + b.depth <= l.slices;
}

/// The first byte of a block.
uint8_t* block_at(const SoftResource& r, uint32_t level, int32_t x, int32_t y, int32_t z) {
    if (r.desc.kind == pipe::ResourceKind::Buffer) return r.data() + x;
    const pipe::FormatInfo& f = pipe::format_info(r.desc.format);
    return r.slice(level, uint32_t(z)) + size_t(y / f.block_h_px) * r.level(level).row_stride_B +
           size_t(x / f.block_w_px) * f.block_B;
}

}  // namespace

pipe::Mapping SoftContext::map(pipe::Resource& resource, uint32_t level, const pipe::Box& box,
                               uint32_t flags) {
    SoftResource& r = soft(resource);
    const bool is_buffer = r.desc.kind == pipe::ResourceKind::Buffer;
    if (!inside(r, level, box)) {
        log_(pipe::Severity::Error, "soft: map of a region outside the resource");
        return {};
    }
    // Recorded work never refers to buffers.
    if (!is_buffer && !(flags & pipe::map_flag::kUnsynchronized) &&
        !before_access(r, flags & pipe::map_flag::kWrite, flags & pipe::map_flag::kDontBlock))
        return {};
    pipe::Mapping m;
    m.data = block_at(r, level, box.x, box.y, box.z);
    m.row_stride_B = r.level(level).row_stride_B;
    m.layer_stride_B = r.level(level).layer_stride_B;
    return m;
}

void SoftContext::unmap(pipe::Resource&, const pipe::Mapping&) {}

void SoftContext::copy_region(pipe::Resource& dst_resource, uint32_t dst_level, int32_t x, int32_t y,
                              int32_t z, pipe::Resource& src_resource, uint32_t src_level,
                              const pipe::Box& box) {
    SoftResource &dst = soft(dst_resource), &src = soft(src_resource);
    const bool buffers =
        dst.desc.kind == pipe::ResourceKind::Buffer && src.desc.kind == pipe::ResourceKind::Buffer;
    const pipe::Box to = {x, y, z, box.width, box.height, box.depth};
    if (!inside(src, src_level, box) || !inside(dst, dst_level, to)) {
        log_(pipe::Severity::Error, "soft: copy of a region outside a resource");
        return;
    }
    if (!box.width || !box.height || !box.depth) return;
    if (buffers) {
        std::memmove(dst.data() + x, src.data() + box.x, size_t(box.width));
        return;
    }
    before_access(src, false);
    before_access(dst, true);
    const pipe::FormatInfo& f = pipe::format_info(src.desc.format);
    if (f.block_B != pipe::format_info(dst.desc.format).block_B) {
        log_(pipe::Severity::Error, "soft: copy between formats of different size");
        return;
    }
    const size_t row_B = size_t(pipe::format_row_B(src.desc.format, uint32_t(box.width)));
    const int32_t rows = int32_t(pipe::format_block_rows(src.desc.format, uint32_t(box.height)));
    const ptrdiff_t src_stride = ptrdiff_t(src.level(src_level).row_stride_B);
    const ptrdiff_t dst_stride = ptrdiff_t(dst.level(dst_level).row_stride_B);
    // Within one image rows may overlap: go away from what is still to be read.
    const bool same = &dst == &src && dst_level == src_level;
    const bool backward = same && (z > box.z || (z == box.z && y > box.y));
    for (int32_t i = 0; i < box.depth; ++i) {
        const int32_t slice = backward ? box.depth - 1 - i : i;
        const uint8_t* s = block_at(src, src_level, box.x, box.y, box.z + slice);
        uint8_t* d = block_at(dst, dst_level, x, y, z + slice);
        for (int32_t k = 0; k < rows; ++k) {
            const int32_t row = backward ? rows - 1 - k : k;
            std::memmove(d + row * dst_stride, s + row * src_stride, row_B);
        }
    }
}

/// Same size, not mirrored, whole pixels, colour only: rows are converted. Everything else is pipe/blit's.
bool SoftContext::try_blit(const pipe::BlitInfo& info) {
    const pipe::Box &s = info.src.box, &d = info.dst.box;
    if (!info.color || info.depth || info.stencil || info.scissored || !info.src.resource ||
        !info.dst.resource)
        return false;
    if (s.width != d.width || s.height != d.height || s.depth != d.depth || s.width <= 0 || s.height <= 0)
        return false;
    SoftResource &src = soft(*info.src.resource), &dst = soft(*info.dst.resource);
    if (&src == &dst || !inside(src, info.src.level, s) || !inside(dst, info.dst.level, d)) return false;
    const pipe::Format from = info.src.format, to = info.dst.format;
    if (pipe::format_info(from).is_compressed || pipe::format_info(to).is_compressed ||
        pipe::format_info(from).is_depth_stencil() || !pipe::can_convert(to, from))
        return false;
    before_access(src, false);
    before_access(dst, true);
    for (int32_t z = 0; z < s.depth; ++z)
        if (!pipe::convert_rect(to, block_at(dst, info.dst.level, d.x, d.y, d.z + z),
                                ptrdiff_t(dst.level(info.dst.level).row_stride_B), from,
                                block_at(src, info.src.level, s.x, s.y, s.z + z),
                                ptrdiff_t(src.level(info.src.level).row_stride_B), uint32_t(s.width),
                                uint32_t(s.height)))
            return false;
    return true;
}

}  // namespace terrazzo::soft
