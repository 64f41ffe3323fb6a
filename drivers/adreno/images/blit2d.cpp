// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, fd6_blitter.cc (can_do_blit, handle_zs_blit, emit_blit_texture), tu_clear_blit.cc
// (r2d_src: resolves; which bytes of depth with stencil are kept). The engine blits depth and stencil as
// integers, or as bytes if only one of them is blitted.
#include "drivers/adreno/images/blit2d.h"

#include <algorithm>
#include <utility>

#include "drivers/adreno/hw/formats.h"
#include "drivers/adreno/images/resource.h"
#include "drivers/common/images/format_uses.h"
#include "pipe/blit/blit_plan.h"

namespace terrazzo::adreno {
namespace {

using pipe::Format;
using pipe::detail::BlitAxis;
using pipe::detail::BlitPlan;

/// For formats with two encodings of one number: an integer format that keeps the bits. Other formats keep
/// them anyway.
Format as_bits(Format f) {
    using enum pipe::Format;
    static constexpr std::pair<Format, Format> kIntegers[] = {{R8_SNORM, R8_UINT},
                                                              {R8G8_SNORM, R8G8_UINT},
                                                              {R8G8B8A8_SNORM, R8G8B8A8_UINT},
                                                              {R16_SNORM, R16_UINT},
                                                              {R16G16_SNORM, R16G16_UINT},
                                                              {R16G16B16A16_SNORM, R16G16B16A16_UINT},
                                                              {R8G8B8X8_SNORM, R8G8B8A8_UINT}};
    for (const auto& [encoded, bits] : kIntegers)
        if (f == encoded) return bits;
    return f;
}

/// Chooses the engine's formats of both sides, and how samples are combined. False: the engine cannot
/// convert.
bool choose_colors(const pipe::BlitInfo& b, const BlitPlan& plan, Format* from, Format* to, Blit2d* out) {
    const pipe::FormatInfo &src = pipe::format_info(b.src.format), &dst = pipe::format_info(b.dst.format);
    if (src.is_compressed || dst.is_compressed) return false;
    *from = b.src.format, *to = b.dst.format;
    out->filter = plan.linear;
    out->average = out->src.samples > 1 && !src.is_pure_int();
    if (*from == *to) {
        if (!out->filter && !out->average) *from = *to = as_bits(*from);
        return true;
    }
    if (images::is_luminance_or_alpha(src) || images::is_luminance_or_alpha(dst)) return false;
    // The engine reads the channel in alpha's place, which is not 1.
    return src.has_alpha || !dst.has_alpha || src.channel_count < 4;
}

bool choose_depth_stencil(const pipe::BlitInfo& b, const BlitPlan& plan, Plane plane, Format* from,
                          Format* to, Blit2d* out) {
    if (b.src.format != b.dst.format) return false;
    switch (b.dst.format) {
        case Format::S8_UINT:
            *from = *to = Format::R8_UINT;
            return true;
        case Format::D16_UNORM:
            *from = *to = Format::R16_UINT;
            return true;
        case Format::D32_FLOAT:
            *from = *to = Format::R32_UINT;
            return true;
        case Format::D24_UNORM_X8:
        case Format::D24_UNORM_S8_UINT:
            *from = *to = Format::R8G8B8A8_UNORM;
            if (!plan.whole_pixels) out->engine.keep = plan.depth ? kKeepStencil2d : kKeepDepth2d;
            return true;
        case Format::D32_FLOAT_S8X24_UINT:
            *from = *to = plane == Plane::Main ? Format::R32_UINT : Format::R8_UINT;
            return plane == Plane::Main ? plan.depth : plan.stencil;
        default:
            return false;
    }
}

/// False: the engine does not support the formats.
bool set_formats(const pipe::BlitInfo& b, Format from, Format to, Blit2d* out) {
    const hw::FormatRow *src = hw::format_row(from), *dst = hw::format_row(to);
    if (!src || !dst || !src->is_texture() || !dst->is_target() ||
        !hw::blit_format(dst->target, &out->engine.ifmt))
        return false;
    const AdrenoResource &src_image = adreno(*b.src.resource), &dst_image = adreno(*b.dst.resource);
    const pipe::FormatInfo &from_info = pipe::format_info(from), &to_info = pipe::format_info(to);
    out->src.format = src->texture_format(tile_mode_of(src_image.layout.tiling));
    out->src.swap = src->texture_swap(tile_mode_of(src_image.layout.tiling));
    out->src.srgb = from_info.is_srgb;
    out->dst.format = dst->target;
    out->dst.swap = dst->target_swap(tile_mode_of(dst_image.layout.tiling));
    out->dst.srgb = to_info.is_srgb;
    if (to_info.is_srgb) out->engine.ifmt = hw::Ifmt2d::R2D_UNORM8_SRGB;
    // The compression of depth depends on the depth format.
    const auto packed = [](const AdrenoResource& r) {
        return r.is_compressed() && pipe::format_info(r.desc.format).is_depth_stencil();
    };
    constexpr auto kPacked = hw::Format::FMT6_Z24_UNORM_S8_UINT_AS_R8G8B8A8;
    if (packed(src_image)) out->src.format = kPacked;
    if (packed(dst_image)) {
        out->dst.format = kPacked;
        (void)hw::blit_format(kPacked, &out->engine.ifmt);
    }
    out->engine.is_uint = to_info.is_pure_uint;
    out->engine.is_sint = to_info.is_pure_sint;
    return true;
}

hw::Rotation rotation(bool mirror_x, bool mirror_y) {
    if (mirror_x && mirror_y) return hw::Rotation::ROTATE_180;
    return mirror_x   ? hw::Rotation::ROTATE_HFLIP
           : mirror_y ? hw::Rotation::ROTATE_VFLIP
                      : hw::Rotation::ROTATE_0;
}

void span(int32_t at, int32_t size, int32_t* first, int32_t* end) {
    *first = std::min(at, at + size);
    *end = std::max(at, at + size);
}

/// Unscaled blits are clipped here. The engine clips scaled ones, whose source must be inside of the image.
bool set_rects(const pipe::BlitInfo& b, const BlitPlan& plan, Blit2d* out) {
    const BlitAxis &x = plan.x, &y = plan.y;
    out->engine.rotate = rotation(x.is_mirrored(), y.is_mirrored());
    if (!x.is_scaled() && !y.is_scaled()) {
        out->from = {x.src_begin, y.src_begin, x.src_end, y.src_end};
        out->to = {x.begin, y.begin, x.end, y.end};
        return true;
    }
    // The engine cannot scale and resolve at once.
    if (out->src.samples > 1) return false;
    constexpr int32_t kMost_px = 16384;
    span(b.src.box.x, b.src.box.width, &out->from.x0, &out->from.x1);
    span(b.src.box.y, b.src.box.height, &out->from.y0, &out->from.y1);
    span(b.dst.box.x, b.dst.box.width, &out->to.x0, &out->to.x1);
    span(b.dst.box.y, b.dst.box.height, &out->to.y0, &out->to.y1);
    if (out->from.x0 < 0 || out->from.y0 < 0 || out->from.x1 > int32_t(out->src.width) ||
        out->from.y1 > int32_t(out->src.height) || out->to.x0 < 0 || out->to.y0 < 0 ||
        out->to.x1 > kMost_px || out->to.y1 > kMost_px)
        return false;
    out->clip = {x.begin, y.begin, x.end, y.end};
    out->engine.scissored = out->clip.x0 != out->to.x0 || out->clip.y0 != out->to.y0 ||
                            out->clip.x1 != out->to.x1 || out->clip.y1 != out->to.y1;
    return true;
}

}  // namespace

bool plan_blit2d(const pipe::BlitInfo& b, Blit2d* out, Plane plane) {
    if (!b.src.resource || !b.dst.resource) return false;
    const BlitPlan plan = pipe::detail::plan_blit(b);
    if (!plan.possible || plan.empty() || plan.z.is_scaled() || plan.z.is_mirrored()) return false;
    if (b.src.resource == b.dst.resource && b.src.level == b.dst.level) return false;
    const AdrenoResource &src = adreno(*b.src.resource), &dst = adreno(*b.dst.resource);
    if ((src.is_compressed() && !ubwc_compatible(src.desc.format, b.src.format)) ||
        (dst.is_compressed() && !ubwc_compatible(dst.desc.format, b.dst.format)))
        return false;
    // Each sample would have to be copied on its own.
    if (dst.desc.samples > 1) return false;
    out->src = side2d(src, b.src.level, plane);
    out->dst = side2d(dst, b.dst.level, plane);
    if (!is_aligned(out->src) || !is_aligned(out->dst)) return false;
    Format from, to;
    const bool is_depth = pipe::format_info(b.src.format).is_depth_stencil() ||
                          pipe::format_info(b.dst.format).is_depth_stencil();
    const bool chosen = is_depth ? choose_depth_stencil(b, plan, plane, &from, &to, out)
                                 : choose_colors(b, plan, &from, &to, out);
    if (!chosen || !set_formats(b, from, to, out) || !set_rects(b, plan, out)) return false;
    out->src_z = uint32_t(plan.z.src_begin);
    out->dst_z = uint32_t(plan.z.begin);
    out->count = uint32_t(plan.z.end - plan.z.begin);
    return true;
}

bool plan_spread2d(const pipe::BlitInfo& b, Blit2d* out) {
    const AdrenoResource &src = adreno(*b.src.resource), &dst = adreno(*b.dst.resource);
    out->src = side2d(src, b.src.level);
    out->dst = side2d(dst, b.dst.level);
    const uint32_t samples = out->dst.samples;
    out->dst.samples = 1;
    out->dst.width *= samples;
    if (!is_aligned(out->src) || !is_aligned(out->dst) || !set_formats(b, b.src.format, b.dst.format, out))
        return false;
    out->from = {0, 0, int32_t(out->src.width), int32_t(out->src.height)};
    out->to = {0, 0, int32_t(out->dst.width), int32_t(out->dst.height)};
    out->src_z = uint32_t(b.src.box.z);
    out->dst_z = uint32_t(b.dst.box.z);
    return true;
}

void write_blit2d(CsBuilder& cs, const hw::Chip& chip, const Blit2d& b) {
    write_rects(cs, b.from, b.to);
    if (b.engine.scissored)
        cs.write(hw::GRAS_2D_RESOLVE_CNTL_1{{.x = uint32_t(b.clip.x0), .y = uint32_t(b.clip.y0)}},
                 hw::GRAS_2D_RESOLVE_CNTL_2{{.x = uint32_t(b.clip.x1) - 1, .y = uint32_t(b.clip.y1) - 1}});
    write_engine(cs, b.engine, b.dst);
    for (uint32_t i = 0; i < b.count; ++i) {
        write_source(cs, b.src, b.src_z + i, b.filter, b.average);
        write_target(cs, b.dst, b.dst_z + i);
        run_engine(cs, chip);
    }
}

}  // namespace terrazzo::adreno
