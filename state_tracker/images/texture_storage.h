// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Where a texture's images live. Level 0 gets a resource (with all levels where the application shows that it
// wants them); an image that fits into the chain goes there; one that does not has a resource of its own
// until the texture is consolidated. Nothing here changes a texture before everything that can fail has been
// done.
#pragma once

#include "state_tracker/images/texture.h"

namespace terrazzo::st {

struct MemoryPlace;  // external.h

/// An image about to be defined: its storage is there, the texture does not know it yet.
struct NewImage {
    TextureImage image;
    pipe::Ref<pipe::Resource> chain;  // the texture's chain from now on
};

/// Of an image or a rectangle of one: depth counts slices or array layers.
struct Extent {
    uint32_t width = 0, height = 0, depth = 1;
    [[nodiscard]] bool empty() const { return width == 0 || height == 0 || depth == 0; }
    bool operator==(const Extent&) const = default;
};
[[nodiscard]] inline Extent extent_of(const TextureImage& i) {
    return {i.width, i.height, i.depth};
}
/// Of a level n below one of this size.
[[nodiscard]] inline Extent minify(const Texture& t, const Extent& e, uint32_t n) {
    return {minify(e.width, n), minify(e.height, n), t.is_volume() ? minify(e.depth, n) : e.depth};
}
/// Number of levels of a full chain.
[[nodiscard]] inline uint32_t full_level_count(const Texture& t, const Extent& e) {
    return full_level_count(e.width, e.height, t.is_volume() ? e.depth : 1);
}

/// Of a texture's resource, and of views of it.
[[nodiscard]] pipe::ResourceKind chain_kind(const Texture& t);

/// Finds storage for an image of these dimensions (0: an empty image) in `t`, its own place again where that
/// fits (with its old texels; new storage is zero). False: out of memory, or a format the device cannot
/// store.
[[nodiscard]] bool plan_image(Context& ctx, Texture& t, unsigned face, unsigned level, const Extent& size,
                              const InternalFormat& format, NewImage* out);
void commit_image(Texture& t, unsigned face, unsigned level, NewImage&& image);

/// How immutable textures store a format: so that a texture view (texture_view.cpp) may take those texels as another
/// format's.
[[nodiscard]] Storage immutable_storage(const Context& ctx, const InternalFormat& format,
                                        pipe::ResourceKind kind, uint32_t samples);

/// Gives `t` levels [0, levels) of all faces in one resource, in place of what it had. With `place` it lies there. False: out of
/// memory, or a format the device cannot store; the error is recorded, nothing else changed.
[[nodiscard]] bool define_all(Context& ctx, const char* command, Texture& t, uint32_t levels,
                              const Extent& size, const InternalFormat& format, const MemoryPlace* place);
/// Whether the device has the tiling (OPTIMAL_TILING_EXT, LINEAR_TILING_EXT) for storage in a memory object.
[[nodiscard]] bool has_tiling(const InternalFormat& format, uint32_t samples, GLenum tiling);

/// Brings levels [first, first + levels) of all faces into one resource that has at least `min_levels` levels from
/// there on, moving texels where they are elsewhere. The images must be complete up to there. Ends the open render
/// pass where it moves. False: out of memory; nothing changed.
[[nodiscard]] bool consolidate(Context& ctx, Texture& t, unsigned first, unsigned levels,
                               unsigned min_levels);

/// Copies a rectangle of texels between images (overlapping ones as if aside first), converting between
/// layouts and resolving samples; texels whose source is outside its level stay as they are. False: out of
/// memory.
struct TexelPlace {
    pipe::Resource* resource = nullptr;
    pipe::Format layout = pipe::Format::None;
    uint32_t level = 0, layer = 0;
    int32_t x = 0, y = 0;
    /// Of a source: its rows as GL counts them, where row 0 is the last of them in memory. 0: rows are in order.
    uint32_t turned_rows = 0;
};
[[nodiscard]] bool copy_texels(Context& ctx, const TexelPlace& dst, const TexelPlace& src,
                               const Extent& size);

}  // namespace terrazzo::st
