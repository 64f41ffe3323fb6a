// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// ReadPixels and ReadnPixels (OpenGL ES 2.0 section 4.3.1, ES 3.0 section 4.3.2; EXT_read_format_bgra;
// KHR_robustness). Depth and stencil: read_depth.cpp.
#include "state_tracker/debug/debug.h"
#include "state_tracker/images/pixel_store.h"
#include "state_tracker/images/read.h"
#include "state_tracker/images/render_pass.h"
#include "state_tracker/images/texture_storage.h"

namespace terrazzo::st {

namespace {

/// Pairs of format and type that ReadPixels can return, and their layout in client memory.
struct ReadRow {
    GLenum format, type;
    pipe::Format client;
    int version = 20;  // of contexts that have it
};
constexpr ReadRow kReads[] = {
    {GL_RGBA, GL_UNSIGNED_BYTE, pipe::Format::R8G8B8A8_UNORM},
    {GL_BGRA_EXT, GL_UNSIGNED_BYTE, pipe::Format::B8G8R8A8_UNORM},
    {GL_BGRA_EXT, GL_UNSIGNED_SHORT_4_4_4_4_REV_EXT, pipe::Format::B4G4R4A4_UNORM},
    {GL_BGRA_EXT, GL_UNSIGNED_SHORT_1_5_5_5_REV_EXT, pipe::Format::B5G5R5A1_UNORM},
    {GL_RGB, GL_UNSIGNED_SHORT_5_6_5, pipe::Format::B5G6R5_UNORM},
    {GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, pipe::Format::A4B4G4R4_UNORM},
    {GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, pipe::Format::A1B5G5R5_UNORM},
    {GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV_EXT, pipe::Format::R10G10B10A2_UNORM},
    {GL_RED_EXT, GL_UNSIGNED_BYTE, pipe::Format::R8_UNORM},
    {GL_RG_EXT, GL_UNSIGNED_BYTE, pipe::Format::R8G8_UNORM},
    {GL_RGBA, GL_HALF_FLOAT, pipe::Format::R16G16B16A16_FLOAT, 30},
    {GL_RGBA, GL_HALF_FLOAT_OES, pipe::Format::R16G16B16A16_FLOAT},
    {GL_RGBA, GL_FLOAT, pipe::Format::R32G32B32A32_FLOAT},
    {GL_RED, GL_HALF_FLOAT, pipe::Format::R16_FLOAT, 30},
    {GL_RG, GL_HALF_FLOAT, pipe::Format::R16G16_FLOAT, 30},
    {GL_RED, GL_FLOAT, pipe::Format::R32_FLOAT, 30},
    {GL_RG, GL_FLOAT, pipe::Format::R32G32_FLOAT, 30},
    {GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV, pipe::Format::R11G11B10_FLOAT, 30},
    // EXT_texture_norm16, EXT_render_snorm
    {GL_RGBA, GL_UNSIGNED_SHORT, pipe::Format::R16G16B16A16_UNORM, 31},
    {GL_RG, GL_UNSIGNED_SHORT, pipe::Format::R16G16_UNORM, 31},
    {GL_RED, GL_UNSIGNED_SHORT, pipe::Format::R16_UNORM, 31},
    {GL_RGBA, GL_BYTE, pipe::Format::R8G8B8A8_SNORM, 31},
    {GL_RGBA, GL_SHORT, pipe::Format::R16G16B16A16_SNORM, 31},
    // Integers: first the pairs for all integer planes, then those of single formats.
    {GL_RGBA_INTEGER, GL_UNSIGNED_INT, pipe::Format::R32G32B32A32_UINT, 30},
    {GL_RGBA_INTEGER, GL_INT, pipe::Format::R32G32B32A32_SINT, 30},
    {GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, pipe::Format::R8G8B8A8_UINT, 30},
    {GL_RGBA_INTEGER, GL_BYTE, pipe::Format::R8G8B8A8_SINT, 30},
    {GL_RGBA_INTEGER, GL_UNSIGNED_SHORT, pipe::Format::R16G16B16A16_UINT, 30},
    {GL_RGBA_INTEGER, GL_SHORT, pipe::Format::R16G16B16A16_SINT, 30},
    {GL_RGBA_INTEGER, GL_UNSIGNED_INT_2_10_10_10_REV, pipe::Format::R10G10B10A2_UINT, 30},
    {GL_RG_INTEGER, GL_UNSIGNED_BYTE, pipe::Format::R8G8_UINT, 30},
    {GL_RG_INTEGER, GL_BYTE, pipe::Format::R8G8_SINT, 30},
    {GL_RG_INTEGER, GL_UNSIGNED_SHORT, pipe::Format::R16G16_UINT, 30},
    {GL_RG_INTEGER, GL_SHORT, pipe::Format::R16G16_SINT, 30},
    {GL_RG_INTEGER, GL_UNSIGNED_INT, pipe::Format::R32G32_UINT, 30},
    {GL_RG_INTEGER, GL_INT, pipe::Format::R32G32_SINT, 30},
    {GL_RED_INTEGER, GL_UNSIGNED_BYTE, pipe::Format::R8_UINT, 30},
    {GL_RED_INTEGER, GL_BYTE, pipe::Format::R8_SINT, 30},
    {GL_RED_INTEGER, GL_UNSIGNED_SHORT, pipe::Format::R16_UINT, 30},
    {GL_RED_INTEGER, GL_SHORT, pipe::Format::R16_SINT, 30},
    {GL_RED_INTEGER, GL_UNSIGNED_INT, pipe::Format::R32_UINT, 30},
    {GL_RED_INTEGER, GL_INT, pipe::Format::R32_SINT, 30},
};
constexpr unsigned kAlwaysReads = 4;  // rows for every framebuffer of fixed-point numbers

/// The kinds of numbers that planes hold. There is no conversion between them.
enum class Kind : uint8_t { Fixed, Float, Uint, Sint };
Kind kind_of(pipe::Format f) {
    const pipe::FormatInfo& info = pipe::format_info(f);
    if (info.is_pure_int()) return info.is_pure_uint ? Kind::Uint : Kind::Sint;
    return info.channel[0].type == pipe::ChannelType::Float ? Kind::Float : Kind::Fixed;
}

const ReadRow* find_row(GLenum format, GLenum type) {
    for (const ReadRow& r : kReads)
        if (r.format == format && r.type == type) return &r;
    return nullptr;
}

/// The pair that OpenGL ES 3.0 guarantees for every plane of a kind (section 4.3.2).
const ReadRow& general_read(Kind kind) {
    switch (kind) {
        case Kind::Float:
            return *find_row(GL_RGBA, GL_FLOAT);
        case Kind::Uint:
            return *find_row(GL_RGBA_INTEGER, GL_UNSIGNED_INT);
        case Kind::Sint:
            return *find_row(GL_RGBA_INTEGER, GL_INT);
        case Kind::Fixed:
            break;
    }
    return kReads[0];
}

/// Four channels with the kind of numbers of a fixed-point plane that is signed or has 16 bits; None: it is
/// neither.
pipe::Format wide_read(pipe::Format layout) {
    const pipe::FormatInfo& f = pipe::format_info(layout);
    const bool wide = f.component_bits(0) == 16;
    if (f.channel[0].type == pipe::ChannelType::Snorm)
        return wide ? pipe::Format::R16G16B16A16_SNORM : pipe::Format::R8G8B8A8_SNORM;
    return wide && f.channel[0].type == pipe::ChannelType::Unorm ? pipe::Format::R16G16B16A16_UNORM
                                                                 : pipe::Format::None;
}

/// The row that copies a plane's bits; if there is none, the general one.
const ReadRow& native_read(const Context& ctx, pipe::Format layout) {
    layout = pipe::format_to_linear(layout);
    for (const ReadRow& r : kReads)
        if (ctx.config.version >= r.version && (r.client == layout || opaque_format(r.client) == layout))
            return r;
    if (const pipe::Format wide = wide_read(layout); wide != pipe::Format::None && ctx.config.version >= 31)
        for (const ReadRow& r : kReads)
            if (r.client == wide) return r;
    // 10-bit surfaces of EGL have blue first in memory, GL's type has red first. No bits are lost by the
    // conversion.
    for (const ReadRow& r : kReads)
        if (r.type == GL_UNSIGNED_INT_2_10_10_10_REV_EXT && r.format == GL_RGBA &&
            pipe::format_info(layout).component_bits(0) == 10 && kind_of(layout) == Kind::Fixed)
            return r;
    return ctx.config.version >= 30 ? general_read(kind_of(layout)) : kReads[0];
}

/// The implementation's own choice for a plane (GL_IMPLEMENTATION_COLOR_READ_FORMAT). If GL has a name for
/// the plane's format, it is the pair with which the format is uploaded: ANGLE and programs ported from
/// desktop GL ask for that. Surfaces of EGL have no such name.
ReadRow implementation_read(const Context& ctx, const InternalFormat* named, pipe::Format layout) {
    const Transfer* const own = named ? find_exact_transfer(ctx, *named) : nullptr;
    if (own && pipe::can_convert(pipe::format_to_linear(own->client), pipe::format_to_linear(layout)))
        return {own->format, own->type, own->client};
    return native_read(ctx, layout);
}

/// Whether specifications allow a row for a plane, in addition to the implementation's choice.
bool can_read(const Context& ctx, const ReadRow& r, pipe::Format layout) {
    if (ctx.config.version < r.version) return false;
    const Kind kind = kind_of(layout);
    // EXT_color_buffer_half_float: all float planes can be read as floats.
    if (kind == Kind::Float && r.type == GL_FLOAT && r.format == GL_RGBA) return true;
    if (ctx.config.version < 30) return &r < kReads + kAlwaysReads;
    if (kind == Kind::Fixed) {
        const bool ten = pipe::format_info(layout).component_bits(0) == 10;
        const bool is_signed = pipe::format_info(layout).channel[0].type == pipe::ChannelType::Snorm;
        return (!is_signed && &r < kReads + kAlwaysReads) || r.client == wide_read(layout) ||
               (ten && r.client == pipe::Format::R10G10B10A2_UNORM);  // the third pair of section 4.3.2
    }
    return &r == &general_read(kind);
}

/// The layout in which a plane is read for format and type; None: GL does not allow the pair.
pipe::Format find_read(const Context& ctx, GLenum format, GLenum type, const Surface& source) {
    if (const ReadRow* const r = find_row(format, type); r && can_read(ctx, *r, source.layout))
        return r->client;
    const ReadRow own = implementation_read(ctx, source.named, source.layout);
    return own.format == format && own.type == type ? own.client : pipe::Format::None;
}

bool is_read_format(const Context& ctx, GLenum e) {
    return is_pixel_format(ctx, e) || e == GL_BGRA_EXT || reads_depth_stencil(ctx, e);
}
bool is_read_type(const Context& ctx, GLenum e) {
    return is_pixel_type(ctx, e) || e == GL_UNSIGNED_SHORT_4_4_4_4_REV_EXT ||
           e == GL_UNSIGNED_SHORT_1_5_5_5_REV_EXT || e == GL_UNSIGNED_INT_2_10_10_10_REV_EXT;
}

/// The plane to read, and its layout in client memory. False: the error is recorded.
bool find_source(Context& ctx, const char* command, GLenum format, GLenum type, Surface* source,
                 pipe::Format* client) {
    if (reads_depth_stencil(ctx, format))
        return resolve_depth_stencil_plane(ctx, command, format, type, source, client);
    if (!resolve_read_plane(ctx, command, source)) return false;
    *client = find_read(ctx, format, type, *source);
    if (*client != pipe::Format::None) return true;
    return ctx.error(GL_INVALID_OPERATION, command,
                     "a framebuffer of %s cannot be read as format 0x%04x with type 0x%04x",
                     pipe::format_name(source->layout), format, type),
           false;
}

void read_pixels(Context& ctx, const char* command, GLint x, GLint y, GLsizei width, GLsizei height,
                 GLenum format, GLenum type, const GLsizei* size_B, void* pixels) {
    if (!is_read_format(ctx, format)) return ctx.error(GL_INVALID_ENUM, command, "format 0x%04x", format);
    if (!is_read_type(ctx, type)) return ctx.error(GL_INVALID_ENUM, command, "type 0x%04x", type);
    if (width < 0 || height < 0)
        return ctx.error(GL_INVALID_VALUE, command, "size %d x %d is negative", width, height);
    Surface source;
    pipe::Format client;
    if (!find_source(ctx, command, format, type, &source, &client)) return;
    const unsigned pixel_B = pipe::format_info(client).block_B;
    ClientRect rect;
    if (!client_rect(ctx.state.pack, pixel_B, {uint32_t(width), uint32_t(height)}, false, &rect))
        return ctx.error(GL_INVALID_OPERATION, command, "the packed rectangle exceeds the address space");
    if (size_B && (*size_B < 0 || rect.size_B > uint64_t(*size_B)))
        return ctx.error(GL_INVALID_OPERATION, command,
                         "the buffer of %d bytes is smaller than the %llu needed", *size_B,
                         static_cast<unsigned long long>(rect.size_B));
    PixelMemory memory;
    if (!memory.open(ctx, command, PixelMemory::Direction::Pack, pixels, rect.size_B, datum_B(type))) return;
    if (!memory.data()) return;
    // For pixels outside the framebuffer, client memory is left unchanged.
    const ClippedRect c = clip_rect(x, y, width, height, source.width, source.height);
    if (!c.width || !c.height) return;
    uint8_t* first = memory.data() + rect.offset_B + uint64_t(int64_t(c.y) - y) * rect.stride_B +
                     uint64_t(int64_t(c.x) - x) * pixel_B;
    if (!read_surface(ctx, source, c.x, c.y, c.width, c.height, client, first, ptrdiff_t(rect.stride_B)))
        ctx.out_of_memory(command);
}

/// Reads a multisampled plane: resolves it into a plane with one sample first.
bool read_resolved(Context& ctx, const Surface& s, int32_t x, int32_t y, uint32_t width, uint32_t height,
                   pipe::Format format, void* out, ptrdiff_t stride_B) {
    pipe::ResourceDesc d;
    d.format = s.format();
    d.width = width;
    d.height = height;
    d.bind = pipe::format_info(d.format).is_depth_stencil() ? pipe::bind::kDepthStencil : pipe::bind::kColor;
    d.usage = pipe::Usage::Staging;
    Surface one = s;
    one.resource = ctx.screen.create_resource(d);
    if (!one.resource) return false;
    one.level = one.layer = 0;
    one.top_down = false;
    one.samples = 1;
    return copy_texels(ctx, {one.resource.get(), s.layout, 0, 0, 0, 0},
                       {s.resource.get(), s.layout, s.level, s.layer, x, y, s.top_down ? s.height : 0},
                       {width, height}) &&
           read_surface(ctx, one, 0, 0, width, height, format, out, stride_B);
}

}  // namespace

ClippedRect clip_rect(int64_t x, int64_t y, int64_t width, int64_t height, uint32_t limit_w,
                      uint32_t limit_h) {
    const int64_t x0 = x < 0 ? 0 : x, y0 = y < 0 ? 0 : y;
    const int64_t x1 = x + width < limit_w ? x + width : limit_w,
                  y1 = y + height < limit_h ? y + height : limit_h;
    if (x0 >= x1 || y0 >= y1) return {};
    return {int32_t(x0), int32_t(y0), uint32_t(x1 - x0), uint32_t(y1 - y0)};
}

bool read_surface(Context& ctx, const Surface& s, int32_t x, int32_t y, uint32_t width, uint32_t height,
                  pipe::Format format, void* out, ptrdiff_t stride_B) {
    if (s.resource->desc.samples > 1)
        return read_resolved(ctx, s, x, y, width, height, format, out, stride_B);
    before_cpu_access(ctx, *s.resource);
    if (s.top_down) {
        y = int32_t(s.height - height) - y;
        out = static_cast<uint8_t*>(out) + ptrdiff_t(height - 1) * stride_B;
        stride_B = -stride_B;
    }
    const pipe::Box box{x, y, int32_t(s.layer), int32_t(width), int32_t(height), 1};
    pipe::Mapping m = ctx.pipe->map(*s.resource, s.level, box, pipe::map_flag::kRead);
    after_submission(ctx, "a read of pixels");
    if (!m.data) return false;
    // sRGB values are read without conversion (OpenGL ES 3.0 section 4.3.2).
    const bool ok =
        pipe::convert_rect(pipe::format_to_linear(format), out, stride_B, pipe::format_to_linear(s.layout),
                           m.data, m.row_stride_B, width, height);
    ctx.pipe->unmap(*s.resource, m);
    return ok;
}

bool color_read_format(Context& ctx, GLenum* format, GLenum* type) {
    pipe::Format layout = pipe::Format::None;
    const InternalFormat* named = nullptr;
    if (const Framebuffer* fb = ctx.read_framebuffer.get()) {
        std::lock_guard lock(ctx.share->mutex);
        Planes p;
        const int n = fb->read_buffer;
        if (framebuffer_status(ctx, *fb, &p) != GL_FRAMEBUFFER_COMPLETE || n < 0 ||
            !p.color[size_t(n)].resource)
            return false;
        layout = p.color[size_t(n)].layout;
        named = p.color[size_t(n)].named;
    } else if (ctx.read_drawable && ctx.state.default_read_buffer) {
        layout = ctx.read_drawable->color_format;
    } else {
        return false;
    }
    const ReadRow r = implementation_read(ctx, named, layout);
    *format = r.format;
    *type = r.type;
    return true;
}

void ReadPixels(Context& ctx, GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                void* pixels) {
    read_pixels(ctx, "glReadPixels", x, y, width, height, format, type, nullptr, pixels);
}
void ReadnPixels(Context& ctx, GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                 GLsizei bufSize, void* data) {
    read_pixels(ctx, "glReadnPixels", x, y, width, height, format, type, &bufSize, data);
}

}  // namespace terrazzo::st
