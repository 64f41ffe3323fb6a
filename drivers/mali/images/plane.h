// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture and Plane descriptors of parts of a resource, for views and load shaders.
#pragma once

#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/images/resource.h"

namespace terrazzo::mali {

/// How texels of a resource are read: in the resource's format, or in one with blocks of the same size.
struct TexelFormat {
    uint32_t pixel_format = 0;
    hw::ClumpFormat clump{};
    bool stencil = false;  // reads stencil, or depth of a depth-stencil format: only R is defined
    bool depth = false;
    pipe::Format format = pipe::Format::None;
};
/// False: the hardware cannot read the resource in that format.
[[nodiscard]] bool texel_format(const MaliResource& r, pipe::Format format, bool stencil, TexelFormat* out);

/// Describes one level of a layer, or one level with all slices of a 3D image.
[[nodiscard]] hw::Plane make_plane(const MaliResource& r, const TexelFormat& format, uint32_t level,
                                   uint32_t layer);

/// A Texture descriptor of `levels` levels from `first_level` on, with `layers` layers. The caller sets the
/// address of the planes.
[[nodiscard]] hw::Texture make_texture(const MaliResource& r, const TexelFormat& format,
                                       pipe::ResourceKind kind, const pipe::Swizzle swizzle[4],
                                       uint32_t first_level, uint32_t levels, uint32_t layers);

/// Describes `count` texels at `va`.
[[nodiscard]] hw::Plane make_buffer_plane(uint64_t va, const TexelFormat& format, uint32_t count);
[[nodiscard]] hw::Texture make_buffer_texture(const TexelFormat& format, const pipe::Swizzle swizzle[4],
                                              uint32_t count);

inline constexpr pipe::Swizzle kOwnChannels[4] = {pipe::Swizzle::Channel0, pipe::Swizzle::Channel1,
                                                  pipe::Swizzle::Channel2, pipe::Swizzle::Channel3};

}  // namespace terrazzo::mali
