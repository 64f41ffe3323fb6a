// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// GL's image formats: how an internal format is stored, and the layout of client memory for a pair of format
// and type. Sources: OpenGL ES 2.0.25 tables 3.4 and 4.5, ES 3.2 section 8.5 (effective internal formats),
// and the OES and EXT extensions that internal_formats.inc and transfers.inc name.
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
    kEncoded = 1024,                   // compressed, but TexImage accepts texels for it (stored uncompressed)
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
    pipe::Format second;   // used if the device lacks that one; None: no second choice
    uint32_t flags;
    int version = 20;  // of contexts that know the name
    [[nodiscard]] bool has(uint32_t f) const { return (flags & f) != 0; }
    /// Whether the base format has component c (0 to 3: R, G, B, A). Luminance counts as R, G and B.
    [[nodiscard]] bool has_component(unsigned c) const;
};

/// One combination of arguments that TexImage accepts.
struct Transfer {
    GLenum internal_format, format, type;
    pipe::Format client;  // layout of client memory; element size is that of a component or packed word
    GLenum sized;         // the InternalFormat of the resulting image
    int version = 20;     // of contexts that accept it
};

/// The row of a sized internal format; null: there is none.
[[nodiscard]] const InternalFormat* find_internal_format(GLenum sized);
/// The row of a name that an application passed; null: the name is unknown in the context's version.
[[nodiscard]] const InternalFormat* find_internal_format(const Context& ctx, GLenum sized);
/// The combination; null: GL does not allow it.
[[nodiscard]] const Transfer* find_transfer(const Context& ctx, GLenum internal_format, GLenum format,
                                            GLenum type);
/// The combination of a sized format whose client layout has the same bits. ReadPixels returns it for planes
/// of the format. Null: there is none.
[[nodiscard]] const Transfer* find_exact_transfer(const Context& ctx, const InternalFormat& f);
[[nodiscard]] bool is_internal_format(const Context& ctx, GLenum e);
[[nodiscard]] bool is_pixel_format(const Context& ctx, GLenum e);
[[nodiscard]] bool is_pixel_type(const Context& ctx, GLenum e);
/// The operations that contexts of this version support for a format.
[[nodiscard]] bool color_renderable(const Context& ctx, const InternalFormat& f);
[[nodiscard]] bool texture_filterable(const Context& ctx, const InternalFormat& f);
[[nodiscard]] bool renderbuffer_format(const Context& ctx, const InternalFormat& f);
/// Whether GenerateMipmap works on images that the application defined as `named`.
[[nodiscard]] bool mipmap_format(const Context& ctx, const InternalFormat& f, GLenum named);
/// Whether STENCIL_INDEX8 is a format of textures: by OpenGL ES 3.2, or OES_texture_stencil8, which all
/// contexts of 3.1 have.
[[nodiscard]] inline bool has_stencil_textures(const Context& ctx) {
    return ctx.config.version >= 31;
}
/// The largest number of samples of a renderbuffer of the format; 1: it cannot be multisampled.
[[nodiscard]] uint32_t max_samples(const Context& ctx, const InternalFormat& f);
/// The smallest supported number of samples, above 1 and not below `wanted`; 0: there is none. Devices need
/// not support all powers of two.
[[nodiscard]] uint32_t least_samples(const Context& ctx, const InternalFormat& f, uint32_t wanted);
/// The row that describes an imported image best: by its GL name if that has a row, otherwise by its pipe
/// format.
[[nodiscard]] const InternalFormat* describe_image_format(GLenum internal_format, pipe::Format format);

/// The type of the colours or depths of a format: GL_UNSIGNED_NORMALIZED, GL_FLOAT, GL_INT ...
[[nodiscard]] GLenum component_type(pipe::Format f);

/// The list for GL_COMPRESSED_TEXTURE_FORMATS.
[[nodiscard]] std::span<const GLenum> compressed_formats(const Context& ctx);

/// How a device stores an internal format. `layout` and `resource` have the same bits in memory. They differ
/// if the device lacks a format (A8 is stored as R8, RGBX as RGBA); then `swizzle` corrects the samples.
struct Storage {
    pipe::Format layout = pipe::Format::None;    // the layout of texels for conversions
    pipe::Format resource = pipe::Format::None;  // None: the device cannot store it
    pipe::Swizzle swizzle[4] = {pipe::Swizzle::Channel0, pipe::Swizzle::Channel1, pipe::Swizzle::Channel2,
                                pipe::Swizzle::Channel3};
    uint32_t bind = 0;
};
/// Chooses the storage of a format. `bind`: uses in addition to those in the format's flags (kSampled for
/// textures).
[[nodiscard]] Storage choose_storage(const Context& ctx, const InternalFormat& f, pipe::ResourceKind kind,
                                     uint32_t samples, uint32_t bind);
/// The swizzle of a view of a resource of format `resource`, which shows base format `base` with texels of
/// `layout`.
void view_swizzle(GLenum base, pipe::Format layout, pipe::Format resource, pipe::Swizzle out[4]);

/// Converts the border colour of a texture with texels of `layout` to a resource of format `resource`: a
/// format that is stored as another one may have its alpha in one of the first channels.
[[nodiscard]] pipe::BorderColor stored_border(pipe::Format layout, pipe::Format resource,
                                              const pipe::BorderColor& border);

/// The format with the same bits and alpha as padding; `f` if there is none.
[[nodiscard]] pipe::Format opaque_format(pipe::Format f);

}  // namespace terrazzo::st
