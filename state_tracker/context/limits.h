// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a context may do: the device's caps, bounded by what the API version and Terrazzo allow; its
// extensions and its strings.
#pragma once

#include <iterator>
#include <string_view>

#include "state_tracker/context.h"
#include "state_tracker/gl_extensions.h"

namespace terrazzo::st {

/// Limits of OpenGL ES 3.0 and 3.1 that are Terrazzo's own.
inline constexpr GLint kMaxVertexBindings = GLint(pipe::kMaxVertexAttribs);
inline constexpr GLint kMaxAttribOffset_B = 2047, kMaxAttribStride_B = 2048;
inline constexpr GLint kMaxDispatchGroups = 65535;  // in each direction
inline constexpr GLint kMaxElements = 1 << 24;      // beyond which DrawRangeElements may be slow
/// Of textures of buffers. Descriptors of Adreno begin at 64 bytes, and go on by whole texels, which may have 12.
inline constexpr GLint kMaxTextureBuffer_el = 1 << 27, kTextureBufferAlignment_B = 64;
inline constexpr GLfloat kViewportBounds[2] = {-32768, 32767};
inline constexpr GLint kMinTexelOffset = -8, kMaxTexelOffset = 7;
inline constexpr GLfloat kMaxLodBias = 16;
inline constexpr double kMaxServerWait_ns = 1e18;

static_assert(std::size(kExtensionNames) <= kMaxExtensions);

/// Row of extensions.txt; does not compile for a name that is none.
consteval unsigned extension_row(std::string_view name) {
    for (unsigned i = 0; i < std::size(kExtensionNames); ++i)
        if (name == kExtensionNames[i]) return i;
    throw "not a row of extensions.txt";
}
[[nodiscard]] inline bool has_extension(const Context& ctx, unsigned row) {
    return ctx.limits.extensions[row];
}

/// Where there are geometry shaders, captured draws may be of strips and with indices, and what has no room is left out.
[[nodiscard]] inline bool has_geometry_shaders(const Context& ctx) {
    return has_extension(ctx, extension_row("GL_EXT_geometry_shader"));
}

/// Program pipelines, by OpenGL ES 3.1 or EXT_separate_shader_objects.
[[nodiscard]] inline bool has_pipelines(const Context& ctx) {
    return has_extension(ctx, extension_row("GL_EXT_separate_shader_objects"));
}

/// Fills ctx.limits and the strings of GetString from the screen's caps and ctx.config.
void init_limits(Context& ctx);

}  // namespace terrazzo::st
