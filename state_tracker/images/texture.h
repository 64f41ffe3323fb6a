// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture objects. A texture is a set of images (levels of faces), each defined on its own and of any size;
// each knows the resource, level and layer where its texels lie. Where images fit together as a mip chain
// they share one resource, `chain`; others have a resource of their own, and move into a chain when the
// texture is first sampled as a whole (texture_storage.h). All of it is guarded by ShareGroup::mutex.
#pragma once

#include <array>
#include <vector>

#include "state_tracker/buffers/buffer.h"
#include "state_tracker/context.h"
#include "state_tracker/images/formats.h"

namespace terrazzo::st {

inline constexpr uint32_t kMaxTextureLevels = 16;

/// One level of one face, with all layers of an array (`depth` of them) and all slices of a volume.
struct TextureImage {
    const InternalFormat* format = nullptr;  // null: never defined
    GLenum internal_format = 0;              // as the application named it
    uint32_t width = 0, height = 0, depth = 1;
    pipe::Format layout = pipe::Format::None;  // of the texels; same bits as the resource's format
    pipe::Ref<pipe::Resource> resource;        // null: not defined, or no texels (a size of 0)
    uint32_t level = 0, layer = 0;             // its place in `resource`
    /// Of a texture view: the format that the resource's texels are taken as. None: the resource's own.
    pipe::Format seen_as = pipe::Format::None;
    pipe::Ref<pipe::Resource> blocks;  // of a compressed image stored decoded (encoded_blocks.h); or null
    bool shared = false;               // an EGLImage has the storage too: a new definition takes new storage
    std::shared_ptr<const YuvPlanes> yuv;  // of an EGLImage of Y, U and V
    [[nodiscard]] bool defined() const { return format != nullptr; }
    /// As samplers and attachments see it.
    [[nodiscard]] pipe::Format texel_format() const {
        return seen_as == pipe::Format::None ? resource->desc.format : seen_as;
    }
    [[nodiscard]] bool same_shape(const TextureImage& o) const {
        return format == o.format && width == o.width && height == o.height && depth == o.depth;
    }
};

/// Texture parameters that sampler objects (sampler.h) have, too.
struct SamplerParams {
    GLenum min_filter = GL_NEAREST_MIPMAP_LINEAR, mag_filter = GL_LINEAR;
    GLenum wrap_s = GL_REPEAT, wrap_t = GL_REPEAT, wrap_r = GL_REPEAT;
    GLenum compare_mode = GL_NONE, compare_func = GL_LEQUAL;
    GLfloat min_lod = -1000, max_lod = 1000;
    GLfloat max_anisotropy = 1;
    GLenum srgb_decode = GL_DECODE_EXT;
    pipe::BorderColor border;  // floats, or integers where TexParameterI set them
    [[nodiscard]] bool mipmapped() const { return min_filter != GL_NEAREST && min_filter != GL_LINEAR; }
    [[nodiscard]] bool linear() const {
        return mag_filter != GL_NEAREST ||
               (min_filter != GL_NEAREST && min_filter != GL_NEAREST_MIPMAP_NEAREST);
    }
};

class Texture : public Object {
  public:
    Texture(uint32_t name, TextureTarget t);
    const TextureTarget target;
    SamplerParams params;
    GLint base_level = 0, max_level = 1000;
    GLenum depth_stencil_mode = GL_DEPTH_COMPONENT;  // what of packed depth and stencil is sampled
    GLenum tiling = GL_OPTIMAL_TILING_EXT;           // of storage in a memory object
    std::array<GLenum, 4> swizzle{GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA};
    bool min_filter_set = false;  // by the application: a hint whether a full chain will be wanted
    bool immutable = false;
    uint32_t immutable_levels = 0;  // that TexStorage made, or that a view has; all there will be
    /// Where a texture view (texture_view.cpp) lies in the texture whose storage it has.
    struct View {
        uint32_t min_level = 0, min_layer = 0;
        uint32_t layers = 0;          // 0: it is no view
        uint32_t storage_levels = 0;  // of that texture
    } view;
    [[nodiscard]] uint32_t storage_levels() const {
        return view.layers ? view.storage_levels : immutable_levels;
    }
    /// What a room above keeps with the texture (api/es1); nothing here looks at it.
    pipe::Ref<pipe::RefCounted> companion;
    uint32_t samples = 1;  // of a multisampled texture's images
    bool fixed_sample_locations = true;
    /// Multisampled textures have one level, are fetched from by texel and sample, and have no sampler state.
    [[nodiscard]] bool is_multisample() const {
        return target == TextureTarget::Tex2DMS || target == TextureTarget::Tex2DMSArray;
    }
    /// Of a TEXTURE_BUFFER, which has no images: what TexBuffer attached. size_B 0: the whole buffer, however large it is.
    struct Texels {
        pipe::Ref<Buffer> buffer;
        const InternalFormat* format = nullptr;
        uint64_t offset_B = 0, size_B = 0;
    } texels;

    [[nodiscard]] unsigned faces() const { return target == TextureTarget::Cube ? 6 : 1; }
    [[nodiscard]] bool is_volume() const { return target == TextureTarget::Tex3D; }
    /// TEXTURE_BASE_LEVEL and _MAX_LEVEL as sampling takes them (section 3.8.10: immutable textures clamp).
    [[nodiscard]] uint32_t first_level() const {
        const uint32_t base = uint32_t(base_level);
        return immutable && base >= immutable_levels ? immutable_levels - 1 : base;
    }
    [[nodiscard]] uint32_t last_level() const {
        if (!immutable) return uint32_t(max_level);
        const uint32_t most = immutable_levels - 1, base = first_level();
        return uint32_t(max_level) > most ? most : uint32_t(max_level) < base ? base : uint32_t(max_level);
    }
    /// The image, or null where it was never defined.
    [[nodiscard]] const TextureImage* image(unsigned face, unsigned level) const {
        return face < 6 && level < images_[face].size() && images_[face][level].defined()
                   ? &images_[face][level]
                   : nullptr;
    }
    [[nodiscard]] TextureImage* image(unsigned face, unsigned level) {
        return const_cast<TextureImage*>(const_cast<const Texture*>(this)->image(face, level));
    }
    /// Number of levels of a face that may be defined (some in between may not be).
    [[nodiscard]] unsigned level_count(unsigned face) const { return unsigned(images_[face].size()); }
    /// Makes room, so that set_image cannot fail. May throw bad_alloc.
    void reserve_level(unsigned face, unsigned level) {
        if (images_[face].size() <= level) images_[face].resize(level + 1);
    }
    void set_image(unsigned face, unsigned level, TextureImage&& image) {
        images_[face][level] = std::move(image);
        touch();
    }
    /// None is defined any more; the room for them stays.
    void forget_images() {
        for (auto& face : images_)
            for (TextureImage& i : face)
                i = TextureImage();
        touch();
    }
    void drop_images() {
        for (auto& f : images_)
            f.clear();
        touch();
    }
    /// Something a view, a sampler or completeness depends on has changed.
    void touch() { stamp.fetch_add(1, std::memory_order_relaxed); }
    std::atomic<uint64_t> stamp{1};

    /// The resource that new images go to where they fit.
    pipe::Ref<pipe::Resource> chain;

    /// What sampling needs, made for the stamp that stands with it (texture_bind.cpp): a view without and one with
    /// mipmaps, since sampler objects may want the other one.
    struct Sampled {
        uint64_t stamp = 0;
        pipe::Ref<pipe::SamplerView> view;  // null: incomplete
    };
    std::array<Sampled, 2> sampled;
    uint64_t sampler_stamp = 0;
    pipe::Ref<pipe::SamplerState> sampler;
    pipe::SamplerDesc sampler_desc;

  private:
    std::array<std::vector<TextureImage>, 6> images_;
};

/// A texture image as commands name it (GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP_POSITIVE_X ...).
struct ImageTarget {
    TextureTarget target;
    unsigned face;
};

/// Targets of BindTexture and TexParameter. False: not one of this context's version.
[[nodiscard]] bool texture_target(const Context& ctx, GLenum target, TextureTarget* out);
/// Targets of TexImage2D and its kin (2 dimensions) or of TexImage3D and its (3).
[[nodiscard]] bool image_target(const Context& ctx, GLenum target, unsigned dimensions, ImageTarget* out);
[[nodiscard]] inline Texture& bound_texture(Context& ctx, TextureTarget t) {
    return *ctx.textures[ctx.state.active_texture][unsigned(t)];
}
/// The largest width and height of level 0; of volumes the depth, too.
[[nodiscard]] uint32_t max_size_px(const Context& ctx, TextureTarget t);
/// The largest depth: slices or layers.
[[nodiscard]] uint32_t max_depth(const Context& ctx, TextureTarget t, uint32_t level);
/// The rule of cube maps that such an image breaks; null: none.
[[nodiscard]] const char* broken_cube_rule(TextureTarget t, GLsizei width, GLsizei height, GLsizei depth);
/// Number of levels of a full chain on level 0 of this size.
[[nodiscard]] uint32_t full_level_count(uint32_t width, uint32_t height, uint32_t depth = 1);
[[nodiscard]] inline uint32_t minify(uint32_t size_px, uint32_t level) {
    return level < 32 && size_px >> level ? size_px >> level : 1;
}

/// Completeness (OpenGL ES 2.0 section 3.7.10 with OES_texture_npot, ES 3.0 section 3.8.13; float filtering by
/// OES_texture_float_linear): of the images, and of what filters they stand.
struct Completeness {
    bool complete = false;
    uint32_t first = 0, levels = 0;  // that sampling uses
    const char* why = nullptr;       // the broken rule, for messages; null where complete
};
[[nodiscard]] Completeness texture_completeness(const Texture& t, bool mipmapped);
/// Its stencil is sampled, not its depth.
[[nodiscard]] bool shows_stencil(const Texture& t, uint32_t level);
/// The rule that keeps the texture's format from being filtered so; null: none.
[[nodiscard]] const char* broken_filter_rule(const Context& ctx, const Texture& t, const SamplerParams& p);
/// Levels from `first` on that all faces have, of one format and the sizes of a mip chain; 0: not even that one.
[[nodiscard]] uint32_t consistent_levels(const Texture& t, uint32_t first = 0);
/// That level (the first of a chain) of all six faces is there, of one size and format.
[[nodiscard]] bool cube_complete(const Texture& t, uint32_t first = 0);

}  // namespace terrazzo::st
