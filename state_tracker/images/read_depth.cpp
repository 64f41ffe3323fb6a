// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// ReadPixels of depth and stencil (NV_read_depth, NV_read_stencil, NV_read_depth_stencil).
#include "state_tracker/context/limits.h"
#include "state_tracker/images/read.h"
#include "state_tracker/images/render_pass.h"

namespace terrazzo::st {
namespace {

/// The depths that a type can be read from: fixed-point numbers, floats, or none.
enum class Depths : uint8_t { None, Fixed, Float };
struct DepthRow {
    GLenum format, type;
    pipe::Format client;
    Depths depths;
    unsigned extension;
};
constexpr DepthRow kRows[] = {
    {GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, pipe::Format::D16_UNORM, Depths::Fixed,
     extension_row("GL_NV_read_depth")},
    {GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, pipe::Format::D32_UNORM, Depths::Fixed,
     extension_row("GL_NV_read_depth")},
    {GL_DEPTH_COMPONENT, GL_UNSIGNED_INT_24_8_OES, pipe::Format::S8_UINT_D24_UNORM, Depths::Fixed,
     extension_row("GL_NV_read_depth")},  // the low 8 bits are undefined
    {GL_DEPTH_COMPONENT, GL_FLOAT, pipe::Format::D32_FLOAT, Depths::Float, extension_row("GL_NV_read_depth")},
    {GL_STENCIL_INDEX_OES, GL_UNSIGNED_BYTE, pipe::Format::S8_UINT, Depths::None,
     extension_row("GL_NV_read_stencil")},
    {GL_DEPTH_STENCIL_OES, GL_UNSIGNED_INT_24_8_OES, pipe::Format::S8_UINT_D24_UNORM, Depths::Fixed,
     extension_row("GL_NV_read_depth_stencil")},
    {GL_DEPTH_STENCIL_OES, GL_FLOAT_32_UNSIGNED_INT_24_8_REV, pipe::Format::D32_FLOAT_S8X24_UINT,
     Depths::Float, extension_row("GL_NV_read_depth_stencil")},
};

}  // namespace

bool reads_depth_stencil(const Context& ctx, GLenum format) {
    for (const DepthRow& r : kRows)
        if (r.format == format && has_extension(ctx, r.extension)) return true;
    return false;
}

bool resolve_depth_stencil_plane(Context& ctx, const char* command, GLenum format, GLenum type, Surface* out,
                                 pipe::Format* client) {
    Planes p;
    if (!resolve_read_planes(ctx, command, &p)) return false;
    const bool depth = format != GL_STENCIL_INDEX_OES, stencil = format != GL_DEPTH_COMPONENT;
    if ((depth && !p.has_depth) || (stencil && !p.has_stencil))
        return ctx.error(GL_INVALID_OPERATION, command, "the framebuffer has no %s to read",
                         depth && !p.has_depth ? "depth" : "stencil"),
               false;
    Surface& s = p.depth_stencil;
    if (s.samples > 1 && !s.implicit_resolve)
        return ctx.error(GL_INVALID_OPERATION, command, "the framebuffer has more than one sample a pixel"),
               false;
    const bool floats = pipe::format_info(s.layout).channel[0].type == pipe::ChannelType::Float;
    for (const DepthRow& r : kRows) {
        if (r.format != format || r.type != type) continue;
        if (depth && (r.depths == Depths::Float) != floats) break;
        before_cpu_access(ctx, *s.resource);
        *out = std::move(s);
        *client = r.client;
        return true;
    }
    return ctx.error(GL_INVALID_OPERATION, command, "format 0x%04x with type 0x%04x", format, type), false;
}

}  // namespace terrazzo::st
