// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Maps, copies and blits.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "drivers/soft/context/context.h"
#include "drivers/soft/passes/resolve.h"

namespace terrazzo::soft {

namespace {

bool inside(const SoftResource& r, uint32_t level, const pipe::Box& b) {
    if (level >= r.desc.levels || b.x < 0 || b.y < 0 || b.z < 0 || b.width < 0 || b.height < 0 || b.depth < 0)
        return false;
    const LevelLayout& l = r.level(level);
    return int64_t(b.x) + b.width <= l.width && int64_t(b.y) + b.height <= l.height &&
           int64_t(b.z) + b.depth <= l.slices;
}

/// A map of a multisampled image. In the map, a pixel's samples are adjacent; in the image, each sample has a
/// plane.
struct SampleMap {
    pipe::Box box;
    bool writes = false;
    size_t row_B = 0;
    std::vector<uint8_t> bytes;
};

/// Copies between the map and the image; `out`: from the image.
void copy_samples(SoftResource& r, SampleMap& map, bool out) {
    const LevelLayout& l = r.level(0);
    const uint32_t samples = r.desc.samples;
    const size_t pixel_B = pipe::format_info(r.desc.format).block_B;
    const pipe::Box& b = map.box;
    for (int32_t z = 0; z < b.depth; ++z)
        for (int32_t y = 0; y < b.height; ++y)
            for (uint32_t s = 0; s < samples; ++s) {
                uint8_t* mapped =
                    map.bytes.data() + (size_t(z) * size_t(b.height) + size_t(y)) * map.row_B + s * pixel_B;
                uint8_t* stored = r.slice(0, uint32_t(b.z + z)) + s * l.sample_stride_B +
                                  size_t(b.y + y) * l.row_stride_B + size_t(b.x) * pixel_B;
                for (int32_t x = 0; x < b.width; ++x, mapped += samples * pixel_B, stored += pixel_B)
                    out ? std::memcpy(mapped, stored, pixel_B) : std::memcpy(stored, mapped, pixel_B);
            }
}

/// The first byte of a block.
uint8_t* block_at(const SoftResource& r, uint32_t level, int32_t x, int32_t y, int32_t z) {
    if (r.desc.kind == pipe::ResourceKind::Buffer) return r.data() + x;
    const pipe::FormatInfo& f = pipe::format_info(r.desc.format);
    return r.slice(level, uint32_t(z)) + size_t(y / f.block_h_px) * r.level(level).row_stride_B +
           size_t(x / f.block_w_px) * f.block_B;
}

/// The box that the copied blocks occupy in the destination, whose blocks may have another size in px. The
/// last blocks may extend over the level's edge.
pipe::Box as_blocks_of(const SoftResource& dst, uint32_t level, const SoftResource& src, const pipe::Box& box,
                       int32_t x, int32_t y, int32_t z) {
    pipe::Box to = {x, y, z, box.width, box.height, box.depth};
    const pipe::FormatInfo &from = pipe::format_info(src.desc.format),
                           &into = pipe::format_info(dst.desc.format);
    if (from.is_compressed == into.is_compressed || level >= dst.desc.levels) return to;
    const auto size = [](int32_t px, uint32_t from_px, uint32_t into_px, uint32_t level_px, int32_t at) {
        const int64_t blocks = (int64_t(px) + from_px - 1) / from_px;
        return int32_t(std::min<int64_t>(blocks * into_px, int64_t(level_px) - at));
    };
    to.width = size(box.width, from.block_w_px, into.block_w_px, dst.level(level).width, x);
    to.height = size(box.height, from.block_h_px, into.block_h_px, dst.level(level).height, y);
    return to;
}

}  // namespace

bool SoftContext::may_write(const SoftResource& r) {
    if (!r.not_writable) return true;
    log_(pipe::Severity::Error, std::string("soft: shared memory is not written: ") + r.not_writable);
    return false;
}

pipe::Mapping SoftContext::map(pipe::Resource& resource, uint32_t level, const pipe::Box& box,
                               uint32_t flags) {
    SoftResource& r = soft(resource);
    if (!inside(r, level, box)) {
        log_(pipe::Severity::Error, "soft: map of a region outside the resource");
        return {};
    }
    const bool writes = flags & pipe::map_flag::kWrite;
    if (writes && !may_write(r)) return {};
    if (flags & pipe::map_flag::kUnsynchronized) {
        if (writes) r.forget_bounds();
    } else if (!before_access(r, writes, flags & pipe::map_flag::kDontBlock)) {
        return {};
    }
    if (r.desc.samples > 1) return map_samples(r, box, flags);
    pipe::Mapping m;
    m.data = block_at(r, level, box.x, box.y, box.z);
    m.row_stride_B = r.level(level).row_stride_B;
    m.layer_stride_B = r.level(level).layer_stride_B;
    return m;
}

void SoftContext::unmap(pipe::Resource& resource, const pipe::Mapping& m) {
    if (!m.cookie) return;
    const std::unique_ptr<SampleMap> map(static_cast<SampleMap*>(m.cookie));
    if (map->writes) copy_samples(soft(resource), *map, false);
}

void SoftContext::copy_region(pipe::Resource& dst_resource, uint32_t dst_level, int32_t x, int32_t y,
                              int32_t z, pipe::Resource& src_resource, uint32_t src_level,
                              const pipe::Box& box) {
    SoftResource &dst = soft(dst_resource), &src = soft(src_resource);
    const bool buffers =
        dst.desc.kind == pipe::ResourceKind::Buffer && src.desc.kind == pipe::ResourceKind::Buffer;
    const pipe::Box to = as_blocks_of(dst, dst_level, src, box, x, y, z);
    if (!inside(src, src_level, box) || !inside(dst, dst_level, to)) {
        log_(pipe::Severity::Error, "soft: copy of a region outside a resource");
        return;
    }
    if (!box.width || !box.height || !box.depth || !may_write(dst)) return;
    before_access(src, false);
    before_access(dst, true);
    if (buffers) {
        std::memmove(dst.data() + x, src.data() + box.x, size_t(box.width));
        return;
    }
    if (src.desc.samples != dst.desc.samples) {
        log_(pipe::Severity::Error, "soft: copy between images of different samples");
        return;
    }
    const pipe::FormatInfo& f = pipe::format_info(src.desc.format);
    if (f.block_B != pipe::format_info(dst.desc.format).block_B) {
        log_(pipe::Severity::Error, "soft: copy between formats of different size");
        return;
    }
    const size_t row_B = size_t(pipe::format_row_B(src.desc.format, uint32_t(box.width)));
    const int32_t rows = int32_t(pipe::format_block_rows(src.desc.format, uint32_t(box.height)));
    const ptrdiff_t src_stride = ptrdiff_t(src.level(src_level).row_stride_B);
    const ptrdiff_t dst_stride = ptrdiff_t(dst.level(dst_level).row_stride_B);
    // Within one image, rows may overlap: copy in the direction that does not overwrite rows that are still
    // to be read.
    const bool same = &dst == &src && dst_level == src_level;
    const bool backward = same && (z > box.z || (z == box.z && y > box.y));
    for (int32_t i = 0; i < box.depth; ++i) {
        const int32_t slice = backward ? box.depth - 1 - i : i;
        const uint8_t* s = block_at(src, src_level, box.x, box.y, box.z + slice);
        uint8_t* d = block_at(dst, dst_level, x, y, z + slice);
        for (uint32_t n = 0; n < src.desc.samples; ++n) {
            for (int32_t k = 0; k < rows; ++k) {
                const int32_t row = backward ? rows - 1 - k : k;
                std::memmove(d + row * dst_stride, s + row * src_stride, row_B);
            }
            s += src.level(src_level).sample_stride_B;
            d += dst.level(dst_level).sample_stride_B;
        }
    }
}

pipe::Mapping SoftContext::map_samples(SoftResource& r, const pipe::Box& box, uint32_t flags) {
    auto map = std::make_unique<SampleMap>();
    map->box = box;
    map->writes = flags & pipe::map_flag::kWrite;
    map->row_B = size_t(box.width) * r.desc.samples * pipe::format_info(r.desc.format).block_B;
    map->bytes.resize(map->row_B * size_t(box.height) * size_t(box.depth));
    copy_samples(r, *map, true);
    pipe::Mapping m;
    m.data = map->bytes.data();
    m.row_stride_B = uint32_t(map->row_B);
    m.layer_stride_B = map->row_B * uint64_t(box.height);
    m.cookie = map.release();
    return m;
}

/// Resolves whole rectangles of float-valued colours. pipe/blit resolves integers, depth and stencil.
bool SoftContext::try_resolve(const pipe::BlitInfo& info) {
    const pipe::Box &s = info.src.box, &d = info.dst.box;
    SoftResource &src = soft(*info.src.resource), &dst = soft(*info.dst.resource);
    if (!can_resolve(info.dst.format, info.src.format)) return false;
    before_access(src, false);
    before_access(dst, true);
    const LevelLayout &sl = src.level(0), &dl = dst.level(info.dst.level);
    resolve_samples({block_at(dst, info.dst.level, d.x, d.y, d.z), dl.row_stride_B, info.dst.format},
                    {block_at(src, 0, s.x, s.y, s.z), sl.row_stride_B, info.src.format}, sl.sample_stride_B,
                    src.desc.samples, uint32_t(s.width), uint32_t(s.height));
    return true;
}

/// Converts rows: same size, not mirrored, whole pixels, colour only. pipe/blit does everything else.
bool SoftContext::try_blit(const pipe::BlitInfo& info) {
    const pipe::Box &s = info.src.box, &d = info.dst.box;
    if (!info.src.resource || !info.dst.resource) return false;
    // A scissor that contains the whole rectangle has no effect.
    const pipe::Scissor& cut = info.scissor;
    const bool scissored =
        info.scissored &&
        (cut.x0 > d.x || cut.y0 > d.y || cut.x1 < int64_t(d.x) + d.width || cut.y1 < int64_t(d.y) + d.height);
    const bool of_color = !pipe::format_info(info.src.format).is_depth_stencil();
    if (!info.color || scissored || (!of_color && (info.depth || info.stencil))) return false;
    if (s.width != d.width || s.height != d.height || s.depth != d.depth || s.width <= 0 || s.height <= 0)
        return false;
    SoftResource &src = soft(*info.src.resource), &dst = soft(*info.dst.resource);
    if (&src == &dst || !inside(src, info.src.level, s) || !inside(dst, info.dst.level, d)) return false;
    if (!may_write(dst)) return false;
    const pipe::Format from = info.src.format, to = info.dst.format;
    if (pipe::format_info(from).is_compressed || pipe::format_info(to).is_compressed ||
        pipe::format_info(from).is_depth_stencil() || !pipe::can_convert(to, from))
        return false;
    if (src.desc.samples > 1 && dst.desc.samples == 1) return s.depth == 1 && try_resolve(info);
    if (src.desc.samples > 1 || dst.desc.samples > 1) return false;
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
