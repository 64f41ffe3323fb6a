// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// GL's image formats: what an internal format is stored as, and how client memory of a (format, type) pair
// lies. Sources: OpenGL ES 2.0.25 tables 3.4 and 4.5, ES 3.2 section 8.5 (effective internal formats), the
// OES and EXT extensions named beside the rows of formats.cpp.
#pragma once

#include <cstdint>
#include <span>

#include "pipe/screen.h"
#include "state_tracker/context.h"
#include "state_tracker/gl_commands.h"

namespace terrazzo::st {

namespace format_flag {
inline constexpr uint32_t kColor = 1,  // colour-renderable in OpenGL ES 2.0
    kDepth = 2, kStencil = 4,          // depth- and stencil-renderable
    kFilter = 8,                       // may be filtered linearly
    kFilterFloat = 16,                 // ... where the device filters 32-bit floats
    kRenderbuffer = 32,                // accepted by RenderbufferStorage in OpenGL ES 2.0
    kCompressed = 64,                  //
    kSubImage = 128,                   // compressed, and CompressedTexSubImage works on it
    kOnly2D = 256,                     // in OpenGL ES 2.0 only TEXTURE_2D may hold it (OES_depth_texture)
    kMipmap = 512,                     // GenerateMipmap works on it in OpenGL ES 2.0
    kEncoded = 1024,                   // compressed, and TexImage takes texels for it (stored as they are)
    kColor30 = 2048,                   // colour-renderable from OpenGL ES 3.0 on
    kColorFloat = 4096,                // ... with EXT_color_buffer_float
    kColorHalf = 8192,                 // ... with EXT_color_buffer_half_float
    kColor31 = 16384;                  // ... with EXT_texture_norm16, EXT_render_snorm: from OpenGL ES 3.1 on
}

/// One sized internal format. Unsized ones resolve to one of these by their type.
struct InternalFormat {
    GLenum sized;          // the GL name
    GLenum base;           // unsized: GL_RGBA ...
    pipe::Format storage;  // preferred layout of its texels
    pipe::Format second;   // where the device lacks that one; None: no second choice
    uint32_t flags;
    int version = 20;  // of contexts that know the name
    [[nodiscard]] bool has(uint32_t f) const { return (flags & f) != 0; }
    /// Whether component c (0 to 3: R, G, B, A) exists in the base format; luminance counts as R, G and B.
    [[nodiscard]] bool has_component(unsigned c) const;
};

/// One combination that TexImage accepts.
struct Transfer {
    GLenum internal_format, format, type;
    pipe::Format client;  // layout of client memory; element size is that of a component or packed word
    GLenum sized;         // the InternalFormat it makes
    int version = 20;     // of contexts that take it
};

/// The row of a sized internal format, or null.
[[nodiscard]] const InternalFormat* find_internal_format(GLenum sized);
/// The same of a name that an application gives; null, too, where the context's version lacks it.
[[nodiscard]] const InternalFormat* find_internal_format(const Context& ctx, GLenum sized);
/// The combination, or null where GL does not allow it.
[[nodiscard]] const Transfer* find_transfer(const Context& ctx, GLenum internal_format, GLenum format,
                                            GLenum type);
/// The combination of a sized format that has just its bits: it is what ReadPixels gives of planes of the format. Null: there is none.
[[nodiscard]] const Transfer* find_exact_transfer(const Context& ctx, const InternalFormat& f);
[[nodiscard]] bool is_internal_format(const Context& ctx, GLenum e);
[[nodiscard]] bool is_pixel_format(const Context& ctx, GLenum e);
[[nodiscard]] bool is_pixel_type(const Context& ctx, GLenum e);
/// What contexts of this version can do with a format.
[[nodiscard]] bool color_renderable(const Context& ctx, const InternalFormat& f);
[[nodiscard]] bool texture_filterable(const Context& ctx, const InternalFormat& f);
[[nodiscard]] bool renderbuffer_format(const Context& ctx, const InternalFormat& f);
/// GenerateMipmap works on images that the application defined as `named`.
[[nodiscard]] bool mipmap_format(const Context& ctx, const InternalFormat& f, GLenum named);
/// STENCIL_INDEX8 is a format of textures: OpenGL ES 3.2, and OES_texture_stencil8, which contexts of 3.1 have.
[[nodiscard]] inline bool has_stencil_textures(const Context& ctx) {
    return ctx.config.version >= 31;
}
/// The most samples that a renderbuffer of the format may have; 1: none but one. Powers of two below work, too.
[[nodiscard]] uint32_t max_samples(const Context& ctx, const InternalFormat& f);
/// The row that best describes an imported image: of its GL name if that has one, else by its pipe format.
[[nodiscard]] const InternalFormat* describe_image_format(GLenum internal_format, pipe::Format format);

/// What colours, or depths, of a format are: GL_UNSIGNED_NORMALIZED, GL_FLOAT, GL_INT ...
[[nodiscard]] GLenum component_type(pipe::Format f);

/// GL_COMPRESSED_TEXTURE_FORMATS.
[[nodiscard]] std::span<const GLenum> compressed_formats(const Context& ctx);

/// How a device stores an internal format. `layout` and `resource` have the same bits in memory; they differ
/// where the device lacks a format (A8 in R8, RGBX in RGBA), and `swizzle` then puts a sample right.
struct Storage {
    pipe::Format layout = pipe::Format::None;    // converts texels
    pipe::Format resource = pipe::Format::None;  // None: the device cannot store it
    pipe::Swizzle swizzle[4] = {pipe::Swizzle::Channel0, pipe::Swizzle::Channel1, pipe::Swizzle::Channel2,
                                pipe::Swizzle::Channel3};
    uint32_t bind = 0;
};
/// `bind`: uses wanted beside those that the format's flags bring (kSampled for textures).
[[nodiscard]] Storage choose_storage(const Context& ctx, const InternalFormat& f, pipe::ResourceKind kind,
                                     uint32_t samples, uint32_t bind);
/// The swizzle of a view that shows a resource of format `resource` as base format `base` with texels of
/// `layout`.
void view_swizzle(GLenum base, pipe::Format layout, pipe::Format resource, pipe::Swizzle out[4]);

/// The border of a texture with texels of `layout` as a resource of format `resource` has it: the alpha of formats that another one
/// stands in for lies in one of its first channels.
[[nodiscard]] pipe::BorderColor stored_border(pipe::Format layout, pipe::Format resource,
                                              const pipe::BorderColor& border);

/// The same bits with alpha as padding, where there is such a format; else `f`.
[[nodiscard]] pipe::Format opaque_format(pipe::Format f);

}  // namespace terrazzo::st
