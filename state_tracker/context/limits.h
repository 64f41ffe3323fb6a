// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The limits of a context: the device's caps, bounded by what the API version and Terrazzo allow; its
// extensions and its strings.
#pragma once

#include <iterator>
#include <string_view>

#include "state_tracker/context.h"
#include "state_tracker/gl_extensions.h"

namespace terrazzo::st {

/// Limits of OpenGL ES 3.0 and 3.1 that do not depend on the device.
inline constexpr GLint kMaxVertexBindings = GLint(pipe::kMaxVertexAttribs);
inline constexpr GLint kMaxAttribOffset_B = 2047, kMaxAttribStride_B = 2048;
inline constexpr GLint kMaxDispatchGroups = 65535;  // in each direction
inline constexpr GLint kMaxElements = 1 << 24;      // DrawRangeElements may be slow with more
/// The alignment of buffer textures. On Adreno a descriptor's address is a multiple of 64 bytes, and the rest
/// of the offset is counted in whole texels, which may have 12 bytes.
inline constexpr GLint kTextureBufferAlignment_B = 64;
inline constexpr GLfloat kViewportBounds[2] = {-32768, 32767};
inline constexpr GLint kMinTexelOffset = -8, kMaxTexelOffset = 7;
inline constexpr GLfloat kMaxLodBias = 16;
inline constexpr double kMaxServerWait_ns = 1e18;

static_assert(std::size(kExtensionNames) <= kMaxExtensions);

/// The row in extensions.txt. Does not compile for an unknown name.
consteval unsigned extension_row(std::string_view name) {
    for (unsigned i = 0; i < std::size(kExtensionNames); ++i)
        if (name == kExtensionNames[i]) return i;
    throw "not a row of extensions.txt";
}
[[nodiscard]] inline bool has_extension(const Context& ctx, unsigned row) {
    return ctx.limits.extensions[row];
}

/// With geometry shaders, captured draws may use strips and indices, and primitives that do not fit into the
/// buffers are dropped.
[[nodiscard]] inline bool has_geometry_shaders(const Context& ctx) {
    return has_extension(ctx, extension_row("GL_EXT_geometry_shader"));
}

/// Whether there are program pipelines: by OpenGL ES 3.1 or EXT_separate_shader_objects.
[[nodiscard]] inline bool has_pipelines(const Context& ctx) {
    return has_extension(ctx, extension_row("GL_EXT_separate_shader_objects"));
}

/// Sets ctx.limits and the strings of GetString from the screen's caps and ctx.config.
void init_limits(Context& ctx);

}  // namespace terrazzo::st
