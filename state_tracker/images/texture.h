// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture objects. A texture is a set of images (levels of faces). Each is defined separately, with any size,
// and knows the resource, level and layer of its texels. Images that form a mip chain share one resource,
// `chain`. Others have separate resources, and move into a chain when the texture is first sampled as a whole
// (texture_storage.h). ShareGroup::mutex guards all of it.
#pragma once

#include <array>
#include <vector>

#include "state_tracker/buffers/buffer.h"
#include "state_tracker/context.h"
#include "state_tracker/images/formats.h"

namespace terrazzo::st {

inline constexpr uint32_t kMaxTextureLevels = 16;

/// One level of one face, with all layers of an array (`depth` is their number) or all slices of a volume.
struct TextureImage {
    const InternalFormat* format = nullptr;  // null: never defined
    GLenum internal_format = 0;              // the name that the application passed
    uint32_t width = 0, height = 0, depth = 1;
    pipe::Format layout = pipe::Format::None;  // of the texels; same bits as the resource's format
    pipe::Ref<pipe::Resource> resource;        // null: not defined, or no texels (a size of 0)
    uint32_t level = 0, layer = 0;             // the position in `resource`
    /// For a texture view: the format in which the resource's texels are interpreted. None: the resource's
    /// own.
    pipe::Format seen_as = pipe::Format::None;
    // blocks of a compressed image that is stored decoded (encoded_blocks.h), or null
    pipe::Ref<pipe::Resource> blocks;
    bool shared = false;  // an EGLImage has the storage, too: a new definition gets new storage
    std::shared_ptr<const YuvPlanes> yuv;  // for an EGLImage of Y, U and V
    [[nodiscard]] bool defined() const { return format != nullptr; }
    /// The format for samplers and attachments.
    [[nodiscard]] pipe::Format texel_format() const {
        return seen_as == pipe::Format::None ? resource->desc.format : seen_as;
    }
    [[nodiscard]] bool same_shape(const TextureImage& o) const {
        return format == o.format && width == o.width && height == o.height && depth == o.depth;
    }
};

/// Texture parameters that sampler objects (sampler.h) have as well.
struct SamplerParams {
    GLenum min_filter = GL_NEAREST_MIPMAP_LINEAR, mag_filter = GL_LINEAR;
    GLenum wrap_s = GL_REPEAT, wrap_t = GL_REPEAT, wrap_r = GL_REPEAT;
    GLenum compare_mode = GL_NONE, compare_func = GL_LEQUAL;
    GLfloat min_lod = -1000, max_lod = 1000;
    GLfloat max_anisotropy = 1;
    GLenum srgb_decode = GL_DECODE_EXT;
    pipe::BorderColor border;  // floats; integers after TexParameterI
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
    GLenum depth_stencil_mode = GL_DEPTH_COMPONENT;  // the aspect of packed depth and stencil that is sampled
    GLenum tiling = GL_OPTIMAL_TILING_EXT;           // for storage in a memory object
    std::array<GLenum, 4> swizzle{GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA};
    bool min_filter_set = false;  // set by the application: a hint whether it will use a full chain
    bool immutable = false;
    uint32_t immutable_levels = 0;  // number of levels that TexStorage created or that a view has; constant
    /// The position of a texture view (texture_view.cpp) in the texture whose storage it uses.
    struct View {
        uint32_t min_level = 0, min_layer = 0;
        uint32_t layers = 0;          // 0: not a view
        uint32_t storage_levels = 0;  // levels of that texture
    } view;
    [[nodiscard]] uint32_t storage_levels() const {
        return view.layers ? view.storage_levels : immutable_levels;
    }
    /// An object that a room above stores with the texture (api/es1); the state tracker never reads it.
    pipe::Ref<pipe::RefCounted> companion;
    uint32_t samples = 1;  // of the images of a multisampled texture
    bool fixed_sample_locations = true;
    /// Multisampled textures have one level and no sampler state, and are fetched from by texel and sample.
    [[nodiscard]] bool is_multisample() const {
        return target == TextureTarget::Tex2DMS || target == TextureTarget::Tex2DMSArray;
    }
    /// The buffer that TexBuffer attached to a TEXTURE_BUFFER, which has no images. size_B 0: the whole
    /// buffer, whatever its size is.
    struct Texels {
        pipe::Ref<Buffer> buffer;
        const InternalFormat* format = nullptr;
        uint64_t offset_B = 0, size_B = 0;
    } texels;

    [[nodiscard]] unsigned faces() const { return target == TextureTarget::Cube ? 6 : 1; }
    [[nodiscard]] bool is_volume() const { return target == TextureTarget::Tex3D; }
    /// TEXTURE_BASE_LEVEL and _MAX_LEVEL, clamped for immutable textures (section 3.8.10).
    [[nodiscard]] uint32_t first_level() const {
        const uint32_t base = uint32_t(base_level);
        return immutable && base >= immutable_levels ? immutable_levels - 1 : base;
    }
    [[nodiscard]] uint32_t last_level() const {
        if (!immutable) return uint32_t(max_level);
        const uint32_t most = immutable_levels - 1, base = first_level();
        return uint32_t(max_level) > most ? most : uint32_t(max_level) < base ? base : uint32_t(max_level);
    }
    /// The image; null: it was never defined.
    [[nodiscard]] const TextureImage* image(unsigned face, unsigned level) const {
        return face < 6 && level < images_[face].size() && images_[face][level].defined()
                   ? &images_[face][level]
                   : nullptr;
    }
    [[nodiscard]] TextureImage* image(unsigned face, unsigned level) {
        return const_cast<TextureImage*>(const_cast<const Texture*>(this)->image(face, level));
    }
    /// Number of levels of a face that may be defined. Some of them may be undefined.
    [[nodiscard]] unsigned level_count(unsigned face) const { return unsigned(images_[face].size()); }
    /// Allocates memory, so that set_image cannot fail. May throw bad_alloc.
    void reserve_level(unsigned face, unsigned level) {
        if (images_[face].size() <= level) images_[face].resize(level + 1);
    }
    void set_image(unsigned face, unsigned level, TextureImage&& image) {
        images_[face][level] = std::move(image);
        touch();
    }
    /// Makes all images undefined, but keeps their memory.
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
    /// Call after a change of state that a view, a sampler or completeness depends on.
    void touch() { stamp.fetch_add(1, std::memory_order_relaxed); }
    std::atomic<uint64_t> stamp{1};

    /// The resource of new images that fit into it.
    pipe::Ref<pipe::Resource> chain;

    /// Cached state for sampling, valid for its stamp (texture_bind.cpp): one view without mipmaps and one
    /// with them, since sampler objects may use the other one.
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

/// A texture image, by the target of commands (GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP_POSITIVE_X ...).
struct ImageTarget {
    TextureTarget target;
    unsigned face;
};

/// Targets of BindTexture and TexParameter. False: not a target in this context's version.
[[nodiscard]] bool texture_target(const Context& ctx, GLenum target, TextureTarget* out);
/// Targets of TexImage2D and similar commands (2 dimensions), or of TexImage3D and similar ones (3).
[[nodiscard]] bool image_target(const Context& ctx, GLenum target, unsigned dimensions, ImageTarget* out);
[[nodiscard]] inline Texture& bound_texture(Context& ctx, TextureTarget t) {
    return *ctx.textures[ctx.state.active_texture][unsigned(t)];
}
/// The largest width and height of level 0, and for volumes the largest depth.
[[nodiscard]] uint32_t max_size_px(const Context& ctx, TextureTarget t);
/// The largest depth: number of slices or layers.
[[nodiscard]] uint32_t max_depth(const Context& ctx, TextureTarget t, uint32_t level);
/// The rule of cube maps that an image of this size breaks; null: none.
[[nodiscard]] const char* broken_cube_rule(TextureTarget t, GLsizei width, GLsizei height, GLsizei depth);
/// Number of levels of a full chain whose level 0 has this size.
[[nodiscard]] uint32_t full_level_count(uint32_t width, uint32_t height, uint32_t depth = 1);
[[nodiscard]] inline uint32_t minify(uint32_t size_px, uint32_t level) {
    return level < 32 && size_px >> level ? size_px >> level : 1;
}

/// Completeness (OpenGL ES 2.0 section 3.7.10 with OES_texture_npot, ES 3.0 section 3.8.13; float filtering
/// by OES_texture_float_linear): whether the images are complete for the filters.
struct Completeness {
    bool complete = false;
    uint32_t first = 0, levels = 0;  // the levels that sampling uses
    const char* why = nullptr;       // the broken rule, for messages; null if complete
};
[[nodiscard]] Completeness texture_completeness(const Texture& t, bool mipmapped);
/// Whether the stencil is sampled instead of the depth.
[[nodiscard]] bool shows_stencil(const Texture& t, uint32_t level);
/// The rule that forbids these filters for the texture's format; null: none.
[[nodiscard]] const char* broken_filter_rule(const Context& ctx, const Texture& t, const SamplerParams& p);
/// Number of levels from `first` on that all faces have with one format and the sizes of a mip chain; 0: not
/// even `first`.
[[nodiscard]] uint32_t consistent_levels(const Texture& t, uint32_t first = 0);
/// Whether level `first` of all six faces exists with one size and format.
[[nodiscard]] bool cube_complete(const Texture& t, uint32_t first = 0);

}  // namespace terrazzo::st
