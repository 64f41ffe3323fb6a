// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The storage of a texture's images. Level 0 gets a resource (with all levels if the application's calls
// suggest that it uses them). An image that fits into the chain is stored there. An image that does not gets
// its own resource, until the texture is consolidated. All functions do what can fail first, and change the
// texture after that.
#pragma once

#include "state_tracker/images/texture.h"

namespace terrazzo::st {

struct MemoryPlace;  // external.h

/// An image before its definition: it has storage, but the texture does not have it yet.
struct NewImage {
    TextureImage image;
    pipe::Ref<pipe::Resource> chain;  // the texture's chain afterwards
};

/// The size of an image or a box of one; depth counts slices or array layers.
struct Extent {
    uint32_t width = 0, height = 0, depth = 1;
    [[nodiscard]] bool empty() const { return width == 0 || height == 0 || depth == 0; }
    bool operator==(const Extent&) const = default;
};
[[nodiscard]] inline Extent extent_of(const TextureImage& i) {
    return {i.width, i.height, i.depth};
}
/// The size of the n-th level after one of this size.
[[nodiscard]] inline Extent minify(const Texture& t, const Extent& e, uint32_t n) {
    return {minify(e.width, n), minify(e.height, n), t.is_volume() ? minify(e.depth, n) : e.depth};
}
/// Number of levels of a full chain.
[[nodiscard]] inline uint32_t full_level_count(const Texture& t, const Extent& e) {
    return full_level_count(e.width, e.height, t.is_volume() ? e.depth : 1);
}

/// The kind of a texture's resource, and of views of it.
[[nodiscard]] pipe::ResourceKind chain_kind(const Texture& t);

/// Finds storage in `t` for an image of this size (0: an empty image). Uses the image's present storage if it
/// fits, with the old texels; new storage is zeros. False: out of memory, or the device cannot store the
/// format.
[[nodiscard]] bool plan_image(Context& ctx, Texture& t, unsigned face, unsigned level, const Extent& size,
                              const InternalFormat& format, NewImage* out);
void commit_image(Texture& t, unsigned face, unsigned level, NewImage&& image);

/// How immutable textures store a format, such that a texture view (texture_view.cpp) may interpret the
/// texels in another format.
[[nodiscard]] Storage immutable_storage(const Context& ctx, const InternalFormat& format,
                                        pipe::ResourceKind kind, uint32_t samples);

/// Replaces the images of `t` by levels [0, levels) of all faces in one resource, which lies in `place` if
/// that is not null. False: out of memory, or the device cannot store the format; the error is recorded, and
/// nothing else changed.
[[nodiscard]] bool define_all(Context& ctx, const char* command, Texture& t, uint32_t levels,
                              const Extent& size, const InternalFormat& format, const MemoryPlace* place);
/// Whether the device supports the tiling (OPTIMAL_TILING_EXT, LINEAR_TILING_EXT) for storage in a memory
/// object.
[[nodiscard]] bool has_tiling(const InternalFormat& format, uint32_t samples, GLenum tiling);

/// Moves levels [first, first + levels) of all faces into one resource with at least `min_levels` levels from
/// there on, unless they are in one already. The images must be complete up to there. Ends the open render
/// pass if it moves texels. False: out of memory; nothing changed.
[[nodiscard]] bool consolidate(Context& ctx, Texture& t, unsigned first, unsigned levels,
                               unsigned min_levels);

/// Copies a box of texels between images, converts between layouts, and resolves samples. Overlapping images
/// are copied as if through a temporary. Texels whose source lies outside its level keep their values. False:
/// out of memory.
struct TexelPlace {
    pipe::Resource* resource = nullptr;
    pipe::Format layout = pipe::Format::None;
    uint32_t level = 0, layer = 0;
    int32_t x = 0, y = 0;
    /// For a source: its height, if GL's row 0 is the last row in memory. 0: GL's row 0 is the first one.
    uint32_t turned_rows = 0;
};
[[nodiscard]] bool copy_texels(Context& ctx, const TexelPlace& dst, const TexelPlace& src,
                               const Extent& size);

}  // namespace terrazzo::st
