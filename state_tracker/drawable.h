// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What EGL lends to the state tracker: surfaces to draw on and images to share.
#pragma once

#include <cstdint>

#include "pipe/resource.h"

namespace terrazzo::st {

/// The default framebuffer's storage. Owned by EGL's surface; a context that has it current holds a reference.
/// Buffers may change between frames (resize, a fresh back buffer): `stamp` then changes, and the context asks anew.
class Drawable : public pipe::RefCounted {
  public:
    pipe::Format color_format = pipe::Format::None;
    pipe::Format depth_stencil_format = pipe::Format::None;  // None: neither
    uint8_t red_bits = 8, green_bits = 8, blue_bits = 8, alpha_bits = 8, depth_bits = 0, stencil_bits = 0;
    uint32_t samples = 1;
    bool double_buffered = true;
    /// The first row in memory is GL's top row, as window systems want it that show the memory itself. Else it is the bottom
    /// row, as in every other image. Changes with `stamp`.
    bool top_down = false;
    uint32_t stamp = 1;
    /// Called by a context before it draws to or reads from the surface: gives the current buffers and their size.
    /// False: out of memory or the surface is lost; the outputs are unchanged then.
    struct Buffers {
        pipe::Ref<pipe::Resource> color, depth_stencil;
        uint32_t width_px = 0, height_px = 0;
    };
    [[nodiscard]] virtual bool acquire(Buffers* out) = 0;
};

/// An EGLImage: one 2D slice of a resource. `external_only` (YUV) images may be bound to TEXTURE_EXTERNAL_OES alone.
class Image : public pipe::RefCounted {
  public:
    pipe::Ref<pipe::Resource> resource;
    pipe::Format format = pipe::Format::None;
    uint32_t level = 0, layer = 0;
    uint32_t width_px = 0, height_px = 0;
    uint32_t gl_internal_format = 0;  // sized or unsized GL name that a texture made from it reports
    bool external_only = false;
};

}  // namespace terrazzo::st
