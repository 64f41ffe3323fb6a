// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture and Plane descriptors of parts of a resource: what views and load shaders are made of.
#pragma once

#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/images/resource.h"

namespace terrazzo::mali {

/// How texels of a resource are read: in the resource's format or one of the same block size.
struct TexelFormat {
    uint32_t pixel_format = 0;
    hw::ClumpFormat clump{};
    bool stencil = false;  // or depth of a depth-stencil format: only R has a meaning
    bool depth = false;
    pipe::Format format = pipe::Format::None;
};
/// False: the hardware cannot read it so.
[[nodiscard]] bool texel_format(const MaliResource& r, pipe::Format format, bool stencil, TexelFormat* out);

/// One level of a layer (of all slices of a 3D image).
[[nodiscard]] hw::Plane make_plane(const MaliResource& r, const TexelFormat& format, uint32_t level,
                                   uint32_t layer);

/// A Texture but for the address of its planes: levels [first_level, first_level + levels) of `layers`
/// layers.
[[nodiscard]] hw::Texture make_texture(const MaliResource& r, const TexelFormat& format,
                                       pipe::ResourceKind kind, const pipe::Swizzle swizzle[4],
                                       uint32_t first_level, uint32_t levels, uint32_t layers);

}  // namespace terrazzo::mali
