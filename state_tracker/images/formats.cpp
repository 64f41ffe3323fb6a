// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The tables of formats.h: internal_formats.inc has a row per sized internal format, transfers.inc a row per
// combination that TexImage accepts, and this file a row per format that can be stored as another one.
#include "state_tracker/images/formats.h"

#include <array>
#include <utility>

#include "state_tracker/context/limits.h"

namespace terrazzo::st {

namespace {

using pipe::Format;
using pipe::Swizzle;
using namespace format_flag;

constexpr uint32_t kTexel = kFilter | kMipmap;  // an ordinary colour format
constexpr uint32_t kTarget = kTexel | kColor | kRenderbuffer;
constexpr uint32_t kBlocks = kFilter | kCompressed | kSubImage;

#include "state_tracker/images/internal_formats.inc"

#include "state_tracker/images/transfers.inc"

// clang-format off
/// A pair of formats with the same bits. A device without `layout` stores its texels as `resource`. The
/// swizzle converts the RGBA values decoded from `resource`.
struct StandIn {
    Format layout, resource;
    Swizzle swizzle[4];
};
constexpr Swizzle c0 = Swizzle::Channel0, c1 = Swizzle::Channel1, c2 = Swizzle::Channel2, one = Swizzle::One,
                  zero = Swizzle::Zero;
constexpr StandIn kStandIns[] = {
    {Format::A8_UNORM,           Format::R8_UNORM,           {zero, zero, zero, c0}},
    {Format::L8_UNORM,           Format::R8_UNORM,           {c0, c0, c0, one}},
    {Format::L8A8_UNORM,         Format::R8G8_UNORM,         {c0, c0, c0, c1}},
    {Format::A16_FLOAT,          Format::R16_FLOAT,          {zero, zero, zero, c0}},
    {Format::L16_FLOAT,          Format::R16_FLOAT,          {c0, c0, c0, one}},
    {Format::L16A16_FLOAT,       Format::R16G16_FLOAT,       {c0, c0, c0, c1}},
    {Format::A32_FLOAT,          Format::R32_FLOAT,          {zero, zero, zero, c0}},
    {Format::L32_FLOAT,          Format::R32_FLOAT,          {c0, c0, c0, one}},
    {Format::L32A32_FLOAT,       Format::R32G32_FLOAT,       {c0, c0, c0, c1}},
    {Format::R8G8B8X8_UNORM,     Format::R8G8B8A8_UNORM,     {c0, c1, c2, one}},
    {Format::R8G8B8X8_SRGB,      Format::R8G8B8A8_SRGB,      {c0, c1, c2, one}},
    {Format::R8G8B8X8_SNORM,     Format::R8G8B8A8_SNORM,     {c0, c1, c2, one}},
    {Format::R8G8B8X8_UINT,      Format::R8G8B8A8_UINT,      {c0, c1, c2, one}},
    {Format::R8G8B8X8_SINT,      Format::R8G8B8A8_SINT,      {c0, c1, c2, one}},
    {Format::B8G8R8X8_UNORM,     Format::B8G8R8A8_UNORM,     {c0, c1, c2, one}},
    {Format::R10G10B10X2_UNORM,  Format::R10G10B10A2_UNORM,  {c0, c1, c2, one}},
    {Format::R16G16B16X16_FLOAT, Format::R16G16B16A16_FLOAT, {c0, c1, c2, one}},
};
// clang-format on

bool try_storage(const pipe::Screen& screen, Format layout, pipe::ResourceKind kind, uint32_t samples,
                 uint32_t bind, GLenum base, Storage* out) {
    auto take = [&](Format resource) {
        if (!screen.format_supported(resource, kind, samples, bind)) return false;
        out->layout = layout;
        out->resource = resource;
        out->bind = bind;
        view_swizzle(base, layout, resource, out->swizzle);
        return true;
    };
    if (layout == Format::None) return false;
    if (take(layout)) return true;
    for (const StandIn& s : kStandIns)
        if (s.layout == layout && take(s.resource)) return true;
    return false;
}

}  // namespace

bool InternalFormat::has_component(unsigned c) const {
    switch (base) {
        case GL_RGBA:
        case GL_RGBA_INTEGER:
        case GL_BGRA_EXT:
        case GL_LUMINANCE_ALPHA:
            return true;
        case GL_RGB:
        case GL_RGB_INTEGER:
        case GL_LUMINANCE:
            return c < 3;
        case GL_ALPHA:
            return c == 3;
        case GL_RED:
        case GL_RED_INTEGER:
            return c == 0;
        case GL_RG:
        case GL_RG_INTEGER:
            return c < 2;
        default:
            return false;
    }
}

const InternalFormat* find_internal_format(GLenum sized) {
    for (const InternalFormat& f : kInternalFormats)
        if (f.sized == sized) return &f;
    return nullptr;
}

const InternalFormat* find_internal_format(const Context& ctx, GLenum sized) {
    const InternalFormat* const f = find_internal_format(sized);
    return f && ctx.config.version >= f->version ? f : nullptr;
}

const Transfer* find_transfer(const Context& ctx, GLenum internal_format, GLenum format, GLenum type) {
    for (const Transfer& t : kTransfers)
        if (t.internal_format == internal_format && t.format == format && t.type == type &&
            ctx.config.version >= t.version)
            return &t;
    return nullptr;
}

namespace {

/// Whether two formats have the same channels, ignoring padding.
bool same_channels(pipe::Format a, pipe::Format b) {
    const pipe::FormatInfo &f = pipe::format_info(a), &g = pipe::format_info(b);
    if (f.layout != g.layout || f.is_srgb != g.is_srgb) return false;
    const auto channels = [](const pipe::FormatInfo& i) {
        unsigned n = 0;
        while (n < i.channel_count && i.channel[n].letter != 'X')
            ++n;
        return n;
    };
    const unsigned n = channels(f);
    if (n != channels(g)) return false;
    for (unsigned c = 0; c < n; ++c)
        if (f.channel[c].letter != g.channel[c].letter || f.channel[c].bits != g.channel[c].bits ||
            f.channel[c].type != g.channel[c].type)
            return false;
    return true;
}

}  // namespace

const Transfer* find_exact_transfer(const Context& ctx, const InternalFormat& f) {
    for (const Transfer& t : kTransfers) {
        // OpenGL ES 3.0 has a different enum for half floats than the extension of 2.0.
        if (t.type == GL_HALF_FLOAT_OES && ctx.config.version >= 30) continue;
        if (t.internal_format == f.sized && ctx.config.version >= t.version &&
            same_channels(t.client, f.storage))
            return &t;
    }
    return nullptr;
}

namespace {

template <class Is>
bool any_transfer(const Context& ctx, Is&& is) {
    for (const Transfer& t : kTransfers)
        if (ctx.config.version >= t.version && is(t)) return true;
    return false;
}

}  // namespace

bool is_internal_format(const Context& ctx, GLenum e) {
    return find_internal_format(ctx, e) ||
           any_transfer(ctx, [e](const Transfer& t) { return t.internal_format == e; });
}
bool is_pixel_format(const Context& ctx, GLenum e) {
    return any_transfer(ctx, [e](const Transfer& t) { return t.format == e; });
}
bool is_pixel_type(const Context& ctx, GLenum e) {
    return any_transfer(ctx, [e](const Transfer& t) { return t.type == e; });
}

bool color_renderable(const Context& ctx, const InternalFormat& f) {
    uint32_t flags = kColor;
    if (ctx.config.version >= 30) flags |= kColor30;
    if (has_extension(ctx, extension_row("GL_EXT_render_snorm"))) flags |= kColor31;
    if (has_extension(ctx, extension_row("GL_EXT_color_buffer_float"))) flags |= kColorFloat;
    if (has_extension(ctx, extension_row("GL_EXT_color_buffer_half_float"))) flags |= kColorHalf;
    return f.has(flags);
}

bool texture_filterable(const Context& ctx, const InternalFormat& f) {
    return f.has(kFilter) || (f.has(kFilterFloat) && ctx.screen.caps().float_textures_linear);
}

bool renderbuffer_format(const Context& ctx, const InternalFormat& f) {
    return f.has(kRenderbuffer) || (ctx.config.version >= 30 && color_renderable(ctx, f));
}

bool mipmap_format(const Context& ctx, const InternalFormat& f, GLenum named) {
    if (ctx.config.version < 30 || named == f.base) return f.has(kMipmap);
    return color_renderable(ctx, f) && texture_filterable(ctx, f);
}

const InternalFormat* describe_image_format(GLenum internal_format, pipe::Format format) {
    if (const InternalFormat* f = find_internal_format(internal_format)) return f;
    const bool opaque = internal_format == GL_RGB;
    if (!opaque)
        for (const InternalFormat& f : kInternalFormats)
            if (f.storage == format && (f.base == internal_format || !internal_format)) return &f;
    const pipe::FormatInfo& info = pipe::format_info(format);
    if (info.has_depth)
        return find_internal_format(info.has_stencil ? GL_DEPTH24_STENCIL8_OES : GL_DEPTH_COMPONENT16);
    if (!info.is_color) return nullptr;
    if (format == Format::B5G6R5_UNORM) return find_internal_format(GL_RGB565);
    return find_internal_format(opaque || info.component_bits(3) == 0 ? GL_RGB8_OES : GL_RGBA8_OES);
}

pipe::Format opaque_format(pipe::Format f) {
    for (const StandIn& s : kStandIns)
        if (s.resource == f && s.swizzle[0] == c0 && s.swizzle[1] == c1 && s.swizzle[3] == one)
            return s.layout;
    return f;
}

pipe::BorderColor stored_border(pipe::Format layout, pipe::Format resource, const pipe::BorderColor& border) {
    pipe::BorderColor out = border;
    for (const StandIn& s : kStandIns)
        if (s.layout == layout && s.resource == resource && s.swizzle[3] < Swizzle::Channel3)
            out.bits[size_t(s.swizzle[3])] = border.bits[3];
    return out;
}

std::span<const GLenum> compressed_formats(const Context& ctx) {
    // The formats of OpenGL ES 3.0 come last.
    struct Names {
        std::array<GLenum, std::size(kInternalFormats)> all{};
        size_t es2 = 0, count = 0;
    };
    static constexpr Names kNames = [] {
        Names n;
        for (int version : {20, 30}) {
            for (const InternalFormat& f : kInternalFormats)
                if ((f.flags & kCompressed) && f.version == version) n.all[n.count++] = f.sized;
            if (version == 20) n.es2 = n.count;
        }
        return n;
    }();
    return {kNames.all.data(), ctx.config.version >= 30 ? kNames.count : kNames.es2};
}

Storage choose_storage(const Context& ctx, const InternalFormat& f, pipe::ResourceKind kind, uint32_t samples,
                       uint32_t bind) {
    uint32_t render = 0;
    if (color_renderable(ctx, f)) render = pipe::bind::kColor;
    if (f.has(kDepth | kStencil)) render = pipe::bind::kDepthStencil;
    Storage s;
    for (uint32_t wanted : {bind | render, bind})
        // There is no encoder, so formats that TexImage may fill are stored decoded.
        if (wanted &&
            ((!f.has(kEncoded) && try_storage(ctx.screen, f.storage, kind, samples, wanted, f.base, &s)) ||
             try_storage(ctx.screen, f.second, kind, samples, wanted, f.base, &s)))
            return s;
    return s;
}

static bool has_samples(const Context& ctx, const InternalFormat& f, uint32_t n) {
    return choose_storage(ctx, f, pipe::ResourceKind::Tex2D, n, 0).resource != Format::None;
}

uint32_t max_samples(const Context& ctx, const InternalFormat& f) {
    for (uint32_t n = uint32_t(ctx.limits.max_samples); n > 1; n /= 2)
        if (has_samples(ctx, f, n)) return n;
    return 1;
}

uint32_t least_samples(const Context& ctx, const InternalFormat& f, uint32_t wanted) {
    for (uint32_t n = 2; n <= uint32_t(ctx.limits.max_samples); n *= 2)
        if (n >= wanted && has_samples(ctx, f, n)) return n;
    return 0;
}

void view_swizzle(GLenum base, pipe::Format layout, pipe::Format resource, pipe::Swizzle out[4]) {
    static constexpr Swizzle kIdentity[4] = {c0, c1, c2, Swizzle::Channel3};
    static constexpr Swizzle kDepthAsLuminance[4] = {c0, c0, c0, one};  // OES_depth_texture, issue 2
    static constexpr Swizzle kOpaque[4] = {c0, c1, c2, one};
    static constexpr Swizzle kRed[4] = {c0, zero, zero, one}, kRedGreen[4] = {c0, c1, zero, one};
    const Swizzle* from = kIdentity;
    if (base == GL_DEPTH_COMPONENT || base == GL_DEPTH_STENCIL_OES)
        from = kDepthAsLuminance;
    else if (base == GL_RED || base == GL_RED_INTEGER)
        from = kRed;
    else if (base == GL_RG || base == GL_RG_INTEGER)
        from = kRedGreen;
    else if ((base == GL_RGB || base == GL_RGB_INTEGER) && pipe::format_info(resource).component_bits(3))
        from = kOpaque;
    for (const StandIn& s : kStandIns)
        if (s.layout == layout && s.resource == resource) from = s.swizzle;
    for (unsigned i = 0; i < 4; ++i)
        out[i] = from[i];
}

}  // namespace terrazzo::st
