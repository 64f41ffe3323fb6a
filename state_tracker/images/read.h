// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Reading of framebuffer planes, shared by ReadPixels and CopyTexImage.
#pragma once

#include "state_tracker/images/framebuffer.h"

namespace terrazzo::st {

struct ClippedRect {
    int32_t x = 0, y = 0;
    uint32_t width = 0, height = 0;  // 0: nothing is inside
};
[[nodiscard]] ClippedRect clip_rect(int64_t x, int64_t y, int64_t width, int64_t height, uint32_t limit_w,
                                    uint32_t limit_h);

/// Whether ReadPixels of the format reads depth, stencil or both (NV_read_depth and related extensions).
[[nodiscard]] bool reads_depth_stencil(const Context& ctx, GLenum format);
/// The depth-stencil plane to read, after the end of rendering to it, and the layout of the type. False: the
/// error is recorded.
[[nodiscard]] bool resolve_depth_stencil_plane(Context& ctx, const char* command, GLenum format, GLenum type,
                                               Surface* out, pipe::Format* client);

/// Reads a rectangle inside the plane as rows of `format`. False: out of memory.
[[nodiscard]] bool read_surface(Context& ctx, const Surface& s, int32_t x, int32_t y, uint32_t width,
                                uint32_t height, pipe::Format format, void* out, ptrdiff_t stride_B);

}  // namespace terrazzo::st
