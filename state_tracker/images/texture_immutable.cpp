// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// TexStorage2D and related commands (EXT_texture_storage, OpenGL ES 3.0 section 3.8.4): they define all
// levels at once, permanently.
#include <algorithm>

#include "state_tracker/images/texture_upload.h"
#include "state_tracker/sync/external.h"

namespace terrazzo::st {

namespace {

/// The texture with this name, for TextureStorage*; null: the error is recorded.
Texture* named_texture(Context& ctx, const char* command, GLuint name, TextureTarget target) {
    if (name == 0) {
        ctx.error(GL_INVALID_VALUE, command, "texture 0 is no texture object");
        return nullptr;
    }
    Texture* const t = ctx.share->textures.find(name);
    if (!t || t->target != target) {
        ctx.error(GL_INVALID_OPERATION, command, "texture %u is none of this target", name);
        return nullptr;
    }
    return t;
}

/// The arguments of a TexStorage* command.
struct StorageCall {
    const char* command;
    unsigned dimensions;
    const GLuint* name;  // of TextureStorage*; null: the bound texture
    GLenum target;
    GLsizei levels;
    GLenum internal_format;
    GLsizei width, height, depth;
    GLsizei samples = 1;  // of TexStorage2DMultisample
    bool fixed_sample_locations = true;
    struct Memory {  // of TexStorageMem*
        GLuint name;
        GLuint64 offset_B;
    };
    const Memory* memory = nullptr;
};

/// Values of `dimensions` for TexStorage2DMultisample and TexStorage3DMultisample.
constexpr unsigned kMultisample = 0, kMultisampleArray = 1;
/// Targets of TexStorage2D, TexStorage3D and their multisampled variants.
bool storage_target(const Context& ctx, const StorageCall& c, TextureTarget* out) {
    if (!texture_target(ctx, c.target, out)) return false;
    if (c.dimensions == kMultisample) return *out == TextureTarget::Tex2DMS;
    if (c.dimensions == kMultisampleArray) return *out == TextureTarget::Tex2DMSArray;
    if (c.dimensions == 2) return *out == TextureTarget::Tex2D || *out == TextureTarget::Cube;
    return *out == TextureTarget::Tex3D || *out == TextureTarget::Tex2DArray ||
           *out == TextureTarget::CubeArray;
}

/// Checks the sizes. False: GL_INVALID_VALUE is recorded.
bool check_sizes(Context& ctx, const StorageCall& c, TextureTarget tt) {
    const GLsizei max = GLsizei(max_size_px(ctx, tt)), max_layers = GLsizei(max_depth(ctx, tt, 0));
    if (c.levels < 1 || c.width < 1 || c.height < 1 || c.depth < 1 || c.width > max || c.height > max ||
        c.depth > max_layers) {
        ctx.error(GL_INVALID_VALUE, c.command, "%d levels of %d x %d x %d; sizes are 1 to %d, depths to %d",
                  c.levels, c.width, c.height, c.depth, max, max_layers);
        return false;
    }
    if (const char* rule = broken_cube_rule(tt, c.width, c.height, c.depth)) {
        ctx.error(GL_INVALID_VALUE, c.command, "%d x %d x %d: %s", c.width, c.height, c.depth, rule);
        return false;
    }
    return true;
}

/// The smallest supported number of samples that is not below the requested one. False: the error is
/// recorded.
bool choose_samples(Context& ctx, const StorageCall& c, const InternalFormat& f, uint32_t* out) {
    if (!renderbuffer_format(ctx, f))
        return ctx.error(GL_INVALID_ENUM, c.command, "internal format 0x%04x is not renderable",
                         c.internal_format),
               false;
    const uint32_t most = max_samples(ctx, f);
    if (uint32_t(c.samples) > most)
        return ctx.error(GL_INVALID_OPERATION, c.command, "%d samples: internal format 0x%04x has %u at most",
                         c.samples, c.internal_format, most),
               false;
    // A multisampled texture with one sample is stored with several: passes and fetches detect multisampling
    // by the number.
    *out = std::max(1u, least_samples(ctx, f, uint32_t(c.samples)));
    return true;
}

void tex_storage(Context& ctx, const StorageCall& c) {
    TextureTarget tt;
    if (!storage_target(ctx, c, &tt)) return ctx.error(GL_INVALID_ENUM, c.command, "target 0x%04x", c.target);
    std::lock_guard lock(ctx.share->mutex);
    Texture* const t = c.name ? named_texture(ctx, c.command, *c.name, tt) : &bound_texture(ctx, tt);
    if (!t) return;
    if (t->name == 0) return ctx.error(GL_INVALID_OPERATION, c.command, "the default texture is bound");
    if (c.samples < 1) return ctx.error(GL_INVALID_VALUE, c.command, "%d samples", c.samples);
    if (!check_sizes(ctx, c, tt)) return;
    const InternalFormat* const f = find_internal_format(ctx, c.internal_format);
    if (!f || (f->sized == GL_STENCIL_INDEX8 && !has_stencil_textures(ctx)))
        return ctx.error(GL_INVALID_ENUM, c.command, "internal format 0x%04x is no sized one of textures",
                         c.internal_format);
    if (!check_format_target(ctx, c.command, *f, tt)) return;
    const Extent size{uint32_t(c.width), uint32_t(c.height), uint32_t(c.depth)};
    if (uint32_t(c.levels) > full_level_count(*t, size))
        return ctx.error(GL_INVALID_OPERATION, c.command, "%d levels are more than %d x %d x %d has",
                         c.levels, c.width, c.height, c.depth);
    if (t->immutable)
        return ctx.error(GL_INVALID_OPERATION, c.command, "texture %u has immutable storage", t->name);
    uint32_t samples = 1;
    if (t->is_multisample() && !choose_samples(ctx, c, *f, &samples)) return;
    MemoryPlace place;
    if (c.memory) {
        if (!find_place(ctx, c.command, c.memory->name, c.memory->offset_B, &place)) return;
        if (!has_tiling(*f, samples, t->tiling))
            return ctx.error(GL_INVALID_OPERATION, c.command,
                             "internal format 0x%04x has no linear tiling, which texture %u asks for",
                             c.internal_format, t->name);
    }
    before_redefinition(ctx, *t);
    t->samples = samples;
    t->fixed_sample_locations = c.fixed_sample_locations;
    if (!define_all(ctx, c.command, *t, uint32_t(c.levels), size, *f, c.memory ? &place : nullptr)) return;
    t->immutable = true;
    t->immutable_levels = uint32_t(c.levels);
    texture_changed(ctx, *t);
}

void no_such_target(Context& ctx, const char* command, GLenum target) {
    ctx.error(GL_INVALID_ENUM, command, "target 0x%04x is none of OpenGL ES", target);
}

}  // namespace

void TexStorage1D(Context& ctx, GLenum target, GLsizei, GLenum, GLsizei) {
    no_such_target(ctx, "glTexStorage1DEXT", target);
}
void TexStorage2D(Context& ctx, GLenum target, GLsizei levels, GLenum internalformat, GLsizei width,
                  GLsizei height) {
    tex_storage(ctx, {"glTexStorage2D", 2, nullptr, target, levels, internalformat, width, height, 1});
}
void TexStorage3D(Context& ctx, GLenum target, GLsizei levels, GLenum internalformat, GLsizei width,
                  GLsizei height, GLsizei depth) {
    tex_storage(ctx, {"glTexStorage3D", 3, nullptr, target, levels, internalformat, width, height, depth});
}
void TexStorage2DMultisample(Context& ctx, GLenum target, GLsizei samples, GLenum internalformat,
                             GLsizei width, GLsizei height, GLboolean fixedsamplelocations) {
    tex_storage(ctx, {"glTexStorage2DMultisample", kMultisample, nullptr, target, 1, internalformat, width,
                      height, 1, samples, fixedsamplelocations != 0});
}
void TexStorage3DMultisample(Context& ctx, GLenum target, GLsizei samples, GLenum internalformat,
                             GLsizei width, GLsizei height, GLsizei depth, GLboolean fixedsamplelocations) {
    tex_storage(ctx, {"glTexStorage3DMultisample", kMultisampleArray, nullptr, target, 1, internalformat,
                      width, height, depth, samples, fixedsamplelocations != 0});
}
void TextureStorage1D(Context& ctx, GLuint, GLenum target, GLsizei, GLenum, GLsizei) {
    no_such_target(ctx, "glTextureStorage1DEXT", target);
}
void TextureStorage2D(Context& ctx, GLuint texture, GLenum target, GLsizei levels, GLenum internalformat,
                      GLsizei width, GLsizei height) {
    tex_storage(ctx,
                {"glTextureStorage2DEXT", 2, &texture, target, levels, internalformat, width, height, 1});
}
void TextureStorage3D(Context& ctx, GLuint texture, GLenum target, GLsizei levels, GLenum internalformat,
                      GLsizei width, GLsizei height, GLsizei depth) {
    tex_storage(ctx,
                {"glTextureStorage3DEXT", 3, &texture, target, levels, internalformat, width, height, depth});
}

// --- EXT_memory_object

void TexStorageMem2D(Context& ctx, GLenum target, GLsizei levels, GLenum internalFormat, GLsizei width,
                     GLsizei height, GLuint memory, GLuint64 offset) {
    const StorageCall::Memory m{memory, offset};
    tex_storage(ctx, {"glTexStorageMem2DEXT", 2, nullptr, target, levels, internalFormat, width, height, 1, 1,
                      true, &m});
}
void TexStorageMem3D(Context& ctx, GLenum target, GLsizei levels, GLenum internalFormat, GLsizei width,
                     GLsizei height, GLsizei depth, GLuint memory, GLuint64 offset) {
    const StorageCall::Memory m{memory, offset};
    tex_storage(ctx, {"glTexStorageMem3DEXT", 3, nullptr, target, levels, internalFormat, width, height,
                      depth, 1, true, &m});
}
void TexStorageMem2DMultisample(Context& ctx, GLenum target, GLsizei samples, GLenum internalFormat,
                                GLsizei width, GLsizei height, GLboolean fixedSampleLocations, GLuint memory,
                                GLuint64 offset) {
    const StorageCall::Memory m{memory, offset};
    tex_storage(ctx, {"glTexStorageMem2DMultisampleEXT", kMultisample, nullptr, target, 1, internalFormat,
                      width, height, 1, samples, fixedSampleLocations != 0, &m});
}
void TexStorageMem3DMultisample(Context& ctx, GLenum target, GLsizei samples, GLenum internalFormat,
                                GLsizei width, GLsizei height, GLsizei depth, GLboolean fixedSampleLocations,
                                GLuint memory, GLuint64 offset) {
    const StorageCall::Memory m{memory, offset};
    tex_storage(ctx, {"glTexStorageMem3DMultisampleEXT", kMultisampleArray, nullptr, target, 1,
                      internalFormat, width, height, depth, samples, fixedSampleLocations != 0, &m});
}

namespace {

/// The target of a texture that was bound once; 0: the error is recorded.
GLenum target_of(Context& ctx, const char* command, GLuint texture) {
    static constexpr GLenum kTargets[kTextureTargetCount] = {GL_TEXTURE_2D,
                                                             GL_TEXTURE_CUBE_MAP,
                                                             GL_TEXTURE_EXTERNAL_OES,
                                                             GL_TEXTURE_3D,
                                                             GL_TEXTURE_2D_ARRAY,
                                                             GL_TEXTURE_CUBE_MAP_ARRAY,
                                                             GL_TEXTURE_2D_MULTISAMPLE,
                                                             GL_TEXTURE_2D_MULTISAMPLE_ARRAY,
                                                             GL_TEXTURE_BUFFER};
    std::lock_guard lock(ctx.share->mutex);
    const Texture* const t = texture ? ctx.share->textures.find(texture) : nullptr;
    if (t) return kTargets[unsigned(t->target)];
    ctx.error(GL_INVALID_OPERATION, command, "%u is no texture", texture);
    return 0;
}

}  // namespace

void TextureStorageMem2D(Context& ctx, GLuint texture, GLsizei levels, GLenum internalFormat, GLsizei width,
                         GLsizei height, GLuint memory, GLuint64 offset) {
    const char* const command = "glTextureStorageMem2DEXT";
    const StorageCall::Memory m{memory, offset};
    if (const GLenum target = target_of(ctx, command, texture))
        tex_storage(ctx,
                    {command, 2, &texture, target, levels, internalFormat, width, height, 1, 1, true, &m});
}
void TextureStorageMem3D(Context& ctx, GLuint texture, GLsizei levels, GLenum internalFormat, GLsizei width,
                         GLsizei height, GLsizei depth, GLuint memory, GLuint64 offset) {
    const char* const command = "glTextureStorageMem3DEXT";
    const StorageCall::Memory m{memory, offset};
    if (const GLenum target = target_of(ctx, command, texture))
        tex_storage(
            ctx, {command, 3, &texture, target, levels, internalFormat, width, height, depth, 1, true, &m});
}
void TextureStorageMem2DMultisample(Context& ctx, GLuint texture, GLsizei samples, GLenum internalFormat,
                                    GLsizei width, GLsizei height, GLboolean fixedSampleLocations,
                                    GLuint memory, GLuint64 offset) {
    const char* const command = "glTextureStorageMem2DMultisampleEXT";
    const StorageCall::Memory m{memory, offset};
    if (const GLenum target = target_of(ctx, command, texture))
        tex_storage(ctx, {command, kMultisample, &texture, target, 1, internalFormat, width, height, 1,
                          samples, fixedSampleLocations != 0, &m});
}
void TextureStorageMem3DMultisample(Context& ctx, GLuint texture, GLsizei samples, GLenum internalFormat,
                                    GLsizei width, GLsizei height, GLsizei depth,
                                    GLboolean fixedSampleLocations, GLuint memory, GLuint64 offset) {
    const char* const command = "glTextureStorageMem3DMultisampleEXT";
    const StorageCall::Memory m{memory, offset};
    if (const GLenum target = target_of(ctx, command, texture))
        tex_storage(ctx, {command, kMultisampleArray, &texture, target, 1, internalFormat, width, height,
                          depth, samples, fixedSampleLocations != 0, &m});
}

}  // namespace terrazzo::st
