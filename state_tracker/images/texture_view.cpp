// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// TextureView (EXT_texture_view, OES_texture_view): a texture whose images are levels and layers of another
// one's storage, possibly in another format. Each image stores its place in a resource, so other files need
// not know of views.
#include <algorithm>

#include "state_tracker/images/copy_class.h"
#include "state_tracker/images/encoded_blocks.h"

namespace terrazzo::st {

namespace {

constexpr char kName[] = "glTextureViewEXT";

/// Table 8.20 of EXT_texture_view: whether a texture of `from` may have a view of `to`.
bool target_compatible(TextureTarget from, TextureTarget to) {
    using enum TextureTarget;
    switch (from) {
        case Tex2D:
            return to == Tex2D || to == Tex2DArray;
        case Tex3D:
            return to == Tex3D;
        case Cube:
        case Tex2DArray:
        case CubeArray:
            return to == Tex2D || to == Tex2DArray || to == Cube || to == CubeArray;
        case Tex2DMS:
        case Tex2DMSArray:
            return to == Tex2DMS || to == Tex2DMSArray;
        default:
            return false;
    }
}

/// The requested range, with `levels` and `layers` clamped to those that exist.
struct Range {
    uint32_t min_level, levels, min_layer, layers;
};

/// 1 for a volume: its slices are not layers.
uint32_t layer_count(const Texture& t) {
    return t.is_volume() ? 1 : t.faces() * t.image(0, 0)->depth;
}

/// The rule that the number of layers breaks; null: none.
const char* broken_layer_rule(TextureTarget tt, uint32_t layers) {
    const bool one = tt == TextureTarget::Tex2D || tt == TextureTarget::Tex3D || tt == TextureTarget::Tex2DMS;
    if (one && layers != 1) return "this target has one layer";
    if (tt == TextureTarget::Cube && layers != 6) return "a cube map has six layers";
    if (tt == TextureTarget::CubeArray && layers % 6) return "each cube map has six layers";
    return nullptr;
}

/// Whether the stored texels of `image` can be interpreted as those of `s`. Blocks that the device stores
/// decoded only match a format that differs in sRGB alone.
bool same_bits(const TextureImage& image, const Storage& s) {
    const pipe::FormatInfo &a = pipe::format_info(image.resource->desc.format),
                           &b = pipe::format_info(s.resource);
    if (image.format->has(format_flag::kCompressed))
        return pipe::format_to_linear(image.layout) == pipe::format_to_linear(s.layout);
    return a.block_B == b.block_B && a.is_compressed == b.is_compressed;
}

/// The results of the command's checks.
struct Call {
    GLuint name;
    TextureTarget target;
    const InternalFormat* format;
    Texture* from;
    Range range;
};

/// Checks names and targets. False: the error is recorded.
bool check_objects(Context& ctx, GLuint texture, GLenum target, GLuint origtexture, Call* c) {
    if (!texture) return ctx.error(GL_INVALID_VALUE, kName, "texture 0 is no texture object"), false;
    if (!ctx.share->textures.reserved(texture) || ctx.share->textures.find(texture))
        return ctx.error(GL_INVALID_OPERATION, kName,
                         "texture %u is not a name of glGenTextures without a target", texture),
               false;
    c->name = texture;
    c->from = origtexture ? ctx.share->textures.find(origtexture) : nullptr;
    if (!c->from) return ctx.error(GL_INVALID_VALUE, kName, "%u is not a texture", origtexture), false;
    if (!c->from->immutable)
        return ctx.error(GL_INVALID_OPERATION, kName, "texture %u has no immutable storage", origtexture),
               false;
    if (!texture_target(ctx, target, &c->target) || !target_compatible(c->from->target, c->target))
        return ctx.error(GL_INVALID_OPERATION, kName, "texture %u cannot be seen as one of target 0x%04x",
                         origtexture, target),
               false;
    return true;
}

/// Checks levels and layers. False: the error is recorded.
bool check_range(Context& ctx, GLuint minlevel, GLuint numlevels, GLuint minlayer, GLuint numlayers,
                 Call* c) {
    const Texture& from = *c->from;
    const uint32_t levels = from.immutable_levels, layers = layer_count(from);
    if (minlevel >= levels || minlayer >= layers || !numlevels || !numlayers)
        return ctx.error(GL_INVALID_VALUE, kName,
                         "%u levels from %u on and %u layers from %u on; texture %u has %u levels, %u layers",
                         numlevels, minlevel, numlayers, minlayer, from.name, levels, layers),
               false;
    c->range = {minlevel, std::min(numlevels, levels - minlevel), minlayer,
                std::min(numlayers, layers - minlayer)};
    if (const char* rule = broken_layer_rule(c->target, c->range.layers))
        return ctx.error(GL_INVALID_VALUE, kName, "%u layers: %s", c->range.layers, rule), false;
    const TextureImage& base = *from.image(0, minlevel);
    if (const char* rule = broken_cube_rule(c->target, GLsizei(base.width), GLsizei(base.height), 6))
        return ctx.error(GL_INVALID_OPERATION, kName, "%u x %u: %s", base.width, base.height, rule), false;
    return true;
}

/// Checks the format, and finds the storage of the view. False: the error is recorded.
bool check_format(Context& ctx, GLenum internalformat, Call* c, Storage* storage) {
    const TextureImage& base = *c->from->image(0, c->range.min_level);
    const InternalFormat* const f = find_internal_format(ctx, internalformat);
    const bool both_compressed =
        f && f->has(format_flag::kCompressed) == base.format->has(format_flag::kCompressed);
    if (!both_compressed || !copy_compatible(*f, *base.format))
        return ctx.error(GL_INVALID_OPERATION, kName, "texels of format 0x%04x cannot be seen as 0x%04x",
                         base.internal_format, internalformat),
               false;
    Texture like(0, c->target);
    *storage = immutable_storage(ctx, *f, chain_kind(like), c->from->samples);
    const bool some_layers = c->range.layers != layer_count(*c->from) && c->from->image(0, 0)->blocks;
    if (storage->resource == pipe::Format::None || !same_bits(base, *storage) || some_layers)
        return ctx.error(
                   GL_INVALID_OPERATION, kName,
                   "Terrazzo: how format 0x%04x is stored here leaves no view of these layers as 0x%04x",
                   base.internal_format, internalformat),
               false;
    c->format = f;
    return true;
}

/// The image of level `level` and face `face` of the view.
TextureImage view_image(const Call& c, const Storage& s, unsigned face, uint32_t level) {
    const TextureImage& from = *c.from->image(0, c.range.min_level + level);
    TextureImage i = from;
    i.format = c.format;
    i.internal_format = c.format->sized;
    i.layout = s.layout;
    i.seen_as = s.resource;
    i.layer = from.layer + c.range.min_layer + face;
    if (!c.from->is_volume()) i.depth = c.target == TextureTarget::Cube ? 1 : c.range.layers;
    return i;
}

}  // namespace

void TextureView(Context& ctx, GLuint texture, GLenum target, GLuint origtexture, GLenum internalformat,
                 GLuint minlevel, GLuint numlevels, GLuint minlayer, GLuint numlayers) {
    std::lock_guard lock(ctx.share->mutex);
    Call c{};
    Storage s;
    if (!check_objects(ctx, texture, target, origtexture, &c) ||
        !check_range(ctx, minlevel, numlevels, minlayer, numlayers, &c) ||
        !check_format(ctx, internalformat, &c, &s))
        return;
    auto view = pipe::Ref<Texture>::adopt(new Texture(texture, c.target));
    for (unsigned f = 0; f < view->faces(); ++f)
        for (uint32_t l = 0; l < c.range.levels; ++l) {
            view->reserve_level(f, l);
            view->set_image(f, l, view_image(c, s, f, l));
        }
    view->immutable = true;
    view->immutable_levels = c.range.levels;
    view->samples = c.from->samples;
    view->fixed_sample_locations = c.from->fixed_sample_locations;
    const Texture::View& of = c.from->view;
    view->view = {of.min_level + c.range.min_level, of.min_layer + c.range.min_layer, c.range.layers,
                  c.from->storage_levels()};
    ctx.share->textures.set(texture, std::move(view));
}

}  // namespace terrazzo::st
