// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, fd6_blitter.cc (handle_compressed_blit). Both sides are read as integers of the
// blocks' size, which keeps all bits; a block of a compressed format is then a pixel. If the channels of only
// one side are reordered, both are read in the format itself, and the engine reorders them.
#include "drivers/adreno/images/copy2d.h"

#include <algorithm>

#include "drivers/adreno/hw/formats.h"
#include "drivers/adreno/images/resource.h"

namespace terrazzo::adreno {
namespace {

using pipe::Format;

Format integers_like(const AdrenoResource& r, Plane plane) {
    const pipe::FormatInfo& f = pipe::format_info(r.plane_format(plane));
    const uint32_t joined = joined_samples(f, r.desc.samples);
    return integers_of(f.block_B * joined, joined == 1 && is_two_bytes(f));
}

/// The size of a block in pixels, and the elements of a pixel.
struct Unit {
    uint32_t w_px, h_px, columns;  // block size; elements of a pixel
    [[nodiscard]] uint32_t x(int32_t px) const { return uint32_t(px) / w_px * columns; }
    [[nodiscard]] uint32_t y(int32_t px) const { return uint32_t(px) / h_px; }
    [[nodiscard]] uint32_t across(uint32_t px) const { return (px + w_px - 1) / w_px * columns; }
    [[nodiscard]] uint32_t down(uint32_t px) const { return (px + h_px - 1) / h_px; }
};
Unit unit_of(const AdrenoResource& r, Plane plane) {
    const pipe::FormatInfo& f = pipe::format_info(r.plane_format(plane));
    return {f.block_w_px, f.block_h_px, r.desc.samples / joined_samples(f, r.desc.samples)};
}

/// A side in elements of one sample: as integers, or in the image's own format.
Side2d element_side(const AdrenoResource& r, uint32_t level, Plane plane, Format format, bool is_target) {
    const Unit unit = unit_of(r, plane);
    const hw::FormatRow& row = *hw::format_row(format);
    Side2d s = side2d(r, level, plane);
    s.samples = 1;
    s.width = unit.across(s.width);
    s.height = unit.down(s.height);
    s.format = row.target;
    if (format != r.plane_format(plane)) return s;
    const auto mode = tile_mode_of(r.layout.tiling);
    s.format = is_target ? row.target : row.texture_format(mode);
    s.swap = is_target ? row.target_swap(mode) : row.texture_swap(mode);
    return s;
}

Engine2d engine_for(Format format, const Side2d& dst) {
    const pipe::FormatInfo& f = pipe::format_info(format);
    Engine2d engine;
    (void)hw::blit_format(dst.format, &engine.ifmt);
    engine.is_uint = f.is_pure_uint;
    engine.is_sint = f.is_pure_sint;
    return engine;
}

bool overlap(int32_t a, int32_t b, int32_t size) {
    return a < b + size && b < a + size;
}

/// The format for reading and writing both sides. None: there is none.
Format common_format(const AdrenoResource& dst, const AdrenoResource& src, Plane plane) {
    const Format like = integers_like(dst, plane);
    // Compressed data depends on the format.
    if (dst.is_compressed() || src.is_compressed())
        return dst.desc.format == src.desc.format && dst.desc.samples == src.desc.samples ? dst.desc.format
                                                                                          : Format::None;
    if (like == Format::None || integers_like(src, plane) != like || dst.desc.samples != src.desc.samples)
        return Format::None;
    if (dst.layout.rgba_order == src.layout.rgba_order)
        return dst.layout.rgba_order && dst.desc.format != src.desc.format ? Format::None : like;
    return dst.desc.format == src.desc.format ? dst.desc.format : Format::None;
}

void copy_plane(CsBuilder& cs, const hw::Chip& chip, const ImageCopy& c, Plane plane) {
    const AdrenoResource &to_image = adreno(c.dst), &from_image = adreno(c.src);
    const Format format = common_format(to_image, from_image, plane);
    const Side2d src = element_side(from_image, c.src_level, plane, format, false),
                 dst = element_side(to_image, c.dst_level, plane, format, true);
    const Unit from = unit_of(from_image, plane), to = unit_of(to_image, plane);
    const auto rect = [](uint32_t x, uint32_t y, uint32_t w, uint32_t h) {
        return pipe::Scissor{int32_t(x), int32_t(y), int32_t(x + w), int32_t(y + h)};
    };
    const uint32_t w = from.across(uint32_t(c.from.width)), h = from.down(uint32_t(c.from.height));
    write_rects(cs, rect(from.x(c.from.x), from.y(c.from.y), w, h), rect(to.x(c.to.x), to.y(c.to.y), w, h));
    write_engine(cs, engine_for(format, dst), dst);
    for (uint32_t i = 0; i < uint32_t(c.from.depth); ++i) {
        write_source(cs, src, uint32_t(c.from.z) + i);
        write_target(cs, dst, uint32_t(c.to.z) + i);
        run_engine(cs, chip);
    }
}

}  // namespace

bool can_copy(const ImageCopy& c) {
    const AdrenoResource &dst = adreno(c.dst), &src = adreno(c.src);
    if (dst.desc.kind == pipe::ResourceKind::Buffer || src.desc.kind == pipe::ResourceKind::Buffer)
        return false;
    if (dst.has_stencil_plane() != src.has_stencil_plane()) return false;
    const Format format = common_format(dst, src, Plane::Main);
    hw::Ifmt2d ifmt;
    const hw::FormatRow* row = hw::format_row(format);
    if (!row || !row->is_target() || !hw::blit_format(row->target, &ifmt)) return false;
    if (c.from.width <= 0 || c.from.height <= 0 || c.from.depth <= 0) return false;
    if (!is_aligned(side2d(dst, c.dst_level)) || !is_aligned(side2d(src, c.src_level))) return false;
    return &dst != &src || c.dst_level != c.src_level || !overlap(c.to.x, c.from.x, c.from.width) ||
           !overlap(c.to.y, c.from.y, c.from.height) || !overlap(c.to.z, c.from.z, c.from.depth);
}

Side2d whole_level(const AdrenoResource& r, uint32_t level) {
    return element_side(r, level, Plane::Main, r.desc.format, false);
}

Side2d plain_level(const AdrenoResource& r, uint32_t level, uint64_t va) {
    Side2d s = element_side(r, level, Plane::Main, r.desc.format, true);
    s.va = va + r.plane_offset_B(Plane::Main, level, 0);
    s.flags_va = 0;
    return s;
}

void copy_whole(CsBuilder& cs, const hw::Chip& chip, pipe::Format format, const Side2d& dst,
                const Side2d& src, uint32_t layers) {
    const pipe::Scissor all{0, 0, int32_t(src.width), int32_t(src.height)};
    write_rects(cs, all, all);
    write_engine(cs, engine_for(format, dst), dst);
    for (uint32_t z = 0; z < layers; ++z) {
        write_source(cs, src, z);
        write_target(cs, dst, z);
        run_engine(cs, chip);
    }
}

void copy_images(CsBuilder& cs, const hw::Chip& chip, const ImageCopy& c) {
    copy_plane(cs, chip, c, Plane::Main);
    if (adreno(c.dst).has_stencil_plane()) copy_plane(cs, chip, c, Plane::Stencil);
}

/// Copies rows of bytes. Addresses must be multiples of 64, so x is the offset from the last such multiple.
void copy_bytes(CsBuilder& cs, const hw::Chip& chip, const images::BufferCopy& c) {
    constexpr uint64_t kAlign_B = 64, kMost_B = 0x4000 - kAlign_B;
    Side2d src, dst;
    src.format = dst.format = hw::Format::FMT6_8_UNORM;
    Engine2d engine;
    (void)hw::blit_format(dst.format, &engine.ifmt);
    write_engine(cs, engine, dst);
    const auto place = [&](uint64_t va, int32_t size, Side2d* s) {
        const auto x = int32_t(va % kAlign_B);
        s->va = va - uint64_t(x);
        s->width = uint32_t(x + size);
        s->height = 1;
        s->pitch_B = uint32_t((s->width + kAlign_B - 1) / kAlign_B * kAlign_B);
        return pipe::Scissor{x, 0, x + size, 1};
    };
    for (uint64_t at_B = 0; at_B < c.size_B; at_B += kMost_B) {
        const auto size = int32_t(std::min(kMost_B, c.size_B - at_B));
        const pipe::Scissor from = place(c.src.va() + c.src_B + at_B, size, &src);
        const pipe::Scissor to = place(c.dst.va() + c.dst_B + at_B, size, &dst);
        write_rects(cs, from, to);
        write_source(cs, src, 0);
        write_target(cs, dst, 0);
        run_engine(cs, chip);
    }
}

}  // namespace terrazzo::adreno
