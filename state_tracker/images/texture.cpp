// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture objects' names and bindings, and the targets of commands.
#include "state_tracker/images/texture.h"

#include "state_tracker/images/framebuffer.h"

namespace terrazzo::st {

Texture::Texture(uint32_t name, TextureTarget t) : Object(name), target(t) {
    if (t == TextureTarget::External) {  // OES_EGL_image_external, section 3.7.14
        params.min_filter = GL_LINEAR;
        params.wrap_s = params.wrap_t = params.wrap_r = GL_CLAMP_TO_EDGE;
    }
}

bool texture_target(const Context& ctx, GLenum target, TextureTarget* out) {
    struct Row {
        GLenum name;
        TextureTarget target;
        int version;
    };
    static constexpr Row kRows[] = {
        {GL_TEXTURE_2D, TextureTarget::Tex2D, 20},
        {GL_TEXTURE_CUBE_MAP, TextureTarget::Cube, 20},
        {GL_TEXTURE_EXTERNAL_OES, TextureTarget::External, 20},
        {GL_TEXTURE_3D, TextureTarget::Tex3D, 30},
        {GL_TEXTURE_2D_ARRAY, TextureTarget::Tex2DArray, 30},
        {GL_TEXTURE_2D_MULTISAMPLE, TextureTarget::Tex2DMS, 31},
        // Targets of OpenGL ES 3.2, and of extensions that every context of OpenGL ES 3.1 has.
        {GL_TEXTURE_CUBE_MAP_ARRAY, TextureTarget::CubeArray, 31},
        {GL_TEXTURE_2D_MULTISAMPLE_ARRAY, TextureTarget::Tex2DMSArray, 31},
        {GL_TEXTURE_BUFFER, TextureTarget::Buffer, 31},
    };
    for (const Row& r : kRows)
        if (r.name == target && ctx.config.version >= r.version) {
            *out = r.target;
            return true;
        }
    return false;
}

bool image_target(const Context& ctx, GLenum target, unsigned dimensions, ImageTarget* out) {
    if (dimensions == 3) {
        out->face = 0;
        return texture_target(ctx, target, &out->target) &&
               (out->target == TextureTarget::Tex3D || out->target == TextureTarget::Tex2DArray ||
                out->target == TextureTarget::CubeArray);
    }
    if (target == GL_TEXTURE_2D) {
        *out = {TextureTarget::Tex2D, 0};
        return true;
    }
    if (target >= GL_TEXTURE_CUBE_MAP_POSITIVE_X && target <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z) {
        *out = {TextureTarget::Cube, target - GL_TEXTURE_CUBE_MAP_POSITIVE_X};
        return true;
    }
    return false;
}

uint32_t max_size_px(const Context& ctx, TextureTarget t) {
    const uint32_t cap = 1u << (kMaxTextureLevels - 1);
    GLint size = ctx.limits.max_texture_size;
    if (t == TextureTarget::Cube || t == TextureTarget::CubeArray) size = ctx.limits.max_cube_size;
    if (t == TextureTarget::Tex3D) size = ctx.limits.max_3d_size;
    return uint32_t(size) < cap ? uint32_t(size) : cap;
}

uint32_t max_depth(const Context& ctx, TextureTarget t, uint32_t level) {
    if (t == TextureTarget::Tex3D) return minify(max_size_px(ctx, t), level);
    const bool layers =
        t == TextureTarget::Tex2DArray || t == TextureTarget::Tex2DMSArray || t == TextureTarget::CubeArray;
    return layers ? uint32_t(ctx.limits.max_array_layers) : 1;
}

uint32_t full_level_count(uint32_t width, uint32_t height, uint32_t depth) {
    uint32_t size = width > height ? width : height;
    if (depth > size) size = depth;
    uint32_t n = 1;
    while (size >>= 1)
        ++n;
    return n;
}

const char* broken_cube_rule(TextureTarget t, GLsizei width, GLsizei height, GLsizei depth) {
    if (t != TextureTarget::Cube && t != TextureTarget::CubeArray) return nullptr;
    if (width != height) return "a cube map's faces are square";
    return t == TextureTarget::CubeArray && depth % 6 ? "a cube map array has six layers a cube" : nullptr;
}

void init_textures(Context& ctx) {
    for (unsigned t = 0; t < kTextureTargetCount; ++t)
        ctx.default_textures[t] = pipe::Ref<Texture>::adopt(new Texture(0, TextureTarget(t)));
    for (auto& unit : ctx.textures)
        unit = ctx.default_textures;
    ctx.texture_names = {new NameCache<Texture>, [](NameCache<Texture>* c) { delete c; }};
}

void ActiveTexture(Context& ctx, GLenum texture) {
    const GLenum unit = texture - GL_TEXTURE0;
    if (texture < GL_TEXTURE0 || unit >= GLenum(ctx.limits.max_combined_textures) || unit >= kMaxTextureUnits)
        return ctx.error(GL_INVALID_ENUM, "glActiveTexture", "0x%04x is not one of %d units", texture,
                         ctx.limits.max_combined_textures);
    ctx.state.active_texture = unit;
}

void GenTextures(Context& ctx, GLsizei n, GLuint* textures) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glGenTextures", "n %d is negative", n);
    if (!textures) return;
    std::lock_guard lock(ctx.share->mutex);
    for (GLsizei i = 0; i < n; ++i)
        textures[i] = ctx.share->textures.reserve();
}

GLboolean IsTexture(Context& ctx, GLuint texture) {
    std::lock_guard lock(ctx.share->mutex);
    return texture && ctx.share->textures.find(texture);
}

namespace {

/// The texture with this name; creates one of this target if it does not exist. The context's texture_names
/// holds it.
Texture* named_texture(Context& ctx, GLuint name, TextureTarget target) {
    NameTable<Texture>& table = ctx.share->textures;
    if (Texture* const known = ctx.texture_names->find(table, name)) return known;
    std::lock_guard lock(ctx.share->mutex);
    Texture* found = table.find(name);
    if (!found) {
        pipe::Ref<Texture> made = pipe::Ref<Texture>::adopt(new Texture(name, target));
        found = made.get();
        table.set(name, std::move(made));
    }
    ctx.texture_names->put(table, *found);
    return found;
}

}  // namespace

void BindTexture(Context& ctx, GLenum target, GLuint texture) {
    TextureTarget t;
    if (!texture_target(ctx, target, &t))
        return ctx.error(GL_INVALID_ENUM, "glBindTexture", "target 0x%04x", target);
    Texture* object = ctx.default_textures[unsigned(t)].get();
    if (texture) {
        object = named_texture(ctx, texture, t);
        if (object->target != t)
            return ctx.error(GL_INVALID_OPERATION, "glBindTexture",
                             "texture %u has another target than 0x%04x", texture, target);
    }
    pipe::Ref<Texture>& bound = ctx.textures[ctx.state.active_texture][unsigned(t)];
    if (bound.get() != object) bound = pipe::Ref<Texture>(object);
    ctx.dirty |= dirty::kTextures;  // also for a rebind, which makes other contexts' changes visible
}

void DeleteTextures(Context& ctx, GLsizei n, const GLuint* textures) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glDeleteTextures", "n %d is negative", n);
    if (!textures) return;
    for (GLsizei i = 0; i < n; ++i) {
        pipe::Ref<Texture> t;
        {
            std::lock_guard lock(ctx.share->mutex);
            t = textures[i] ? ctx.share->textures.remove(textures[i]) : nullptr;
        }
        if (!t) continue;
        t->name_deleted = true;
        for (auto& unit : ctx.textures)
            if (unit[unsigned(t->target)] == t) {
                unit[unsigned(t->target)] = ctx.default_textures[unsigned(t->target)];
                ctx.dirty |= dirty::kTextures;
            }
        for (ImageUnit& unit : ctx.images)
            if (unit.texture == t) {
                unit = {};
                ctx.dirty |= dirty::kImages;
            }
        detach_from_bound_framebuffer(ctx, t.get(), nullptr);
    }
    release_deleted_textures(ctx);
}

}  // namespace terrazzo::st
