// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EXT_clear_texture: sets a box of a texture's image to one value. Images with one sample are written like
// uploads, with the same row for all rows. Images with several samples, for which there are no uploads, are
// cleared as attachments.
#include <cstring>
#include <vector>

#include "state_tracker/context/limits.h"
#include "state_tracker/images/framebuffer.h"
#include "state_tracker/images/render_pass.h"
#include "state_tracker/images/texture_upload.h"

namespace terrazzo::st {
namespace {

/// One texel in the command's format.
struct Fill {
    const Transfer* transfer = nullptr;
    uint8_t texel[16] = {};  // zeros if the program passed no value
};

/// Checks the rules that depend on the image. False: the error is recorded.
bool find_fill(Context& ctx, const char* command, const Texture& t, const TextureImage& image, GLenum format,
               GLenum type, const void* data, Fill* out) {
    if (!is_pixel_format(ctx, format))
        return ctx.error(GL_INVALID_ENUM, command, "format 0x%04x", format), false;
    if (!is_pixel_type(ctx, type)) return ctx.error(GL_INVALID_ENUM, command, "type 0x%04x", type), false;
    if (image.format->has(format_flag::kCompressed))
        return ctx.error(GL_INVALID_OPERATION, command, "the image of texture %u is compressed", t.name),
               false;
    const Transfer* transfer = find_transfer(ctx, image.internal_format, format, type);
    if (!transfer && image.shared) transfer = find_transfer(ctx, image.format->base, format, type);
    if (!transfer)
        return ctx.error(GL_INVALID_OPERATION, command,
                         "format 0x%04x and type 0x%04x do not go with the image's internal format 0x%04x",
                         format, type, image.internal_format),
               false;
    const unsigned size_B = pipe::format_info(transfer->client).block_B;
    static_assert(sizeof(out->texel) == 16, "the largest texel has four components of 32 bits");
    out->transfer = transfer;
    if (data) std::memcpy(out->texel, data, size_B);
    return true;
}

bool write_fill(Context& ctx, const TextureImage& image, const ImageBox& box, const Fill& fill) {
    const size_t size_B = pipe::format_info(fill.transfer->client).block_B;
    std::vector<uint8_t> row(size_B * size_t(box.width));
    for (size_t x = 0; x < size_t(box.width); ++x)
        std::memcpy(&row[x * size_B], fill.texel, size_B);
    return write_texels(ctx, image, box, {fill.transfer->client, row.data(), 0, 0});
}

/// Converts the value to the image's format. False: the formats do not match, which the tables exclude.
bool clear_info(const TextureImage& image, const Fill& fill, pipe::ClearInfo* out) {
    uint8_t stored[16] = {};
    if (!pipe::convert_rect(image.layout, stored, 0, fill.transfer->client, fill.texel, 0, 1, 1))
        return false;
    const pipe::FormatInfo& f = pipe::format_info(image.layout);
    if (f.has_depth) {
        pipe::unpack_depth_f32(image.layout, &out->depth, stored, 1);
        out->depth = out->depth > 0 ? std::min(out->depth, 1.0f) : 0.0f;
        out->attachments |= pipe::attachment_bit::kDepth;
    }
    if (f.has_stencil) {
        pipe::unpack_stencil_u8(image.layout, &out->stencil, stored, 1);
        out->attachments |= pipe::attachment_bit::kStencil;
    }
    if (out->attachments) return true;
    out->attachments = pipe::attachment_bit::kColor0;
    switch (f.channel[0].type) {
        case pipe::ChannelType::Uint:
            pipe::unpack_rgba_u32(image.layout, out->color[0].u, stored, 1);
            break;
        case pipe::ChannelType::Sint:
            pipe::unpack_rgba_s32(image.layout, out->color[0].i, stored, 1);
            break;
        case pipe::ChannelType::None:
        case pipe::ChannelType::Unorm:
        case pipe::ChannelType::Snorm:
        case pipe::ChannelType::Uscaled:
        case pipe::ChannelType::Sscaled:
        case pipe::ChannelType::Fixed:
        case pipe::ChannelType::Float:
            // sRGB values are not converted: the pass takes them as they are.
            pipe::unpack_rgba_f32(pipe::format_to_linear(image.layout), out->color[0].f, stored, 1);
            break;
    }
    return true;
}

/// Clears all samples of the box. False: out of memory.
bool clear_samples(Context& ctx, const TextureImage& image, const ImageBox& box, const Fill& fill) {
    pipe::ClearInfo clear;
    if (!clear_info(image, fill, &clear)) return false;
    clear.scissored = true;
    clear.scissor = {box.x, box.y, box.x + box.width, box.y + box.height};
    end_rendering(ctx);
    for (GLsizei z = 0; z < box.depth; ++z) {
        pipe::RenderPassDesc d;
        const bool color = clear.attachments == pipe::attachment_bit::kColor0;
        pipe::Attachment& a = color ? d.color[0] : d.depth_stencil;
        a.resource = image.resource.get();
        a.format = color ? pipe::format_to_linear(image.texel_format()) : image.texel_format();
        a.level = image.level;
        a.first_layer = image.layer + uint32_t(box.z + z);
        a.samples = image.resource->desc.samples;
        d.color_count = color ? 1 : 0;
        d.width = image.width;
        d.height = image.height;
        d.samples = image.resource->desc.samples;
        ctx.pipe->begin_render_pass(d);
        ctx.pipe->clear(clear);
        ctx.pipe->end_render_pass();
    }
    return true;
}

/// Clears the part of the box that lies in one image: a face of a cube map, or a whole level.
void clear_box(Context& ctx, const char* command, const TextureImage& image, const ImageBox& box,
               const Fill& fill) {
    if (box.extent().empty() || !image.resource) return;
    const bool done = image.resource->desc.samples > 1 ? clear_samples(ctx, image, box, fill)
                                                       : write_fill(ctx, image, box, fill);
    if (!done) ctx.out_of_memory(command);
}

/// The texture, if its images may be cleared. Null: the error is recorded.
Texture* find_texture(Context& ctx, const char* command, GLuint name, GLint level) {
    Texture* const t = name ? ctx.share->textures.find(name) : nullptr;
    if (!t) return ctx.error(GL_INVALID_OPERATION, command, "%u is no texture", name), nullptr;
    if (t->target == TextureTarget::Buffer || t->target == TextureTarget::External)
        return ctx.error(GL_INVALID_OPERATION, command, "texture %u is of a buffer, or external", name),
               nullptr;
    if (level < 0) return ctx.error(GL_INVALID_VALUE, command, "level %d is negative", level), nullptr;
    return t;
}

/// The image of a face, if its memory may be written. Null: the error is recorded.
TextureImage* find_image(Context& ctx, const char* command, Texture& t, unsigned face, GLint level) {
    TextureImage* const image = t.image(face, uint32_t(level));
    if (!image)
        return ctx.error(GL_INVALID_OPERATION, command, "level %d of texture %u is not defined", level,
                         t.name),
               nullptr;
    return check_writable(ctx, command, image->resource.get()) ? image : nullptr;
}

}  // namespace

void ClearTexImage(Context& ctx, GLuint texture, GLint level, GLenum format, GLenum type, const void* data) {
    const char* const command = "glClearTexImageEXT";
    std::lock_guard lock(ctx.share->mutex);
    Texture* const t = find_texture(ctx, command, texture, level);
    if (!t) return;
    Fill fill;
    for (unsigned face = 0; face < t->faces(); ++face) {
        const TextureImage* const image = find_image(ctx, command, *t, face, level);
        if (!image || !find_fill(ctx, command, *t, *image, format, type, data, &fill)) return;
    }
    for (unsigned face = 0; face < t->faces(); ++face) {
        const TextureImage& image = *t->image(face, uint32_t(level));
        clear_box(ctx, command, image,
                  {0, 0, 0, GLsizei(image.width), GLsizei(image.height), GLsizei(image.depth)}, fill);
    }
}

void ClearTexSubImage(Context& ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                      GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLenum type,
                      const void* data) {
    const char* const command = "glClearTexSubImageEXT";
    std::lock_guard lock(ctx.share->mutex);
    Texture* const t = find_texture(ctx, command, texture, level);
    if (!t) return;
    if (width < 0 || height < 0 || depth < 0)
        return ctx.error(GL_INVALID_VALUE, command, "%d x %d x %d has a negative number", width, height,
                         depth);
    const bool cube = t->faces() == 6;
    const auto outside = [&](const char* what, int64_t at, int64_t size, int64_t limit) {
        if (at >= 0 && at + size <= limit) return false;
        ctx.error(GL_INVALID_OPERATION, command, "%s %d and its size %d are not inside %d", what, int(at),
                  int(size), int(limit));
        return true;
    };
    // For a cube map, z counts faces.
    if (cube && outside("zoffset", zoffset, depth, 6)) return;
    const unsigned first = cube ? unsigned(zoffset) : 0, count = cube ? unsigned(depth) : 1;
    Fill fill;
    for (unsigned face = first; face < first + count; ++face) {
        const TextureImage* const image = find_image(ctx, command, *t, face, level);
        if (!image || !find_fill(ctx, command, *t, *image, format, type, data, &fill)) return;
        if (outside("xoffset", xoffset, width, image->width) ||
            outside("yoffset", yoffset, height, image->height) ||
            (!cube && outside("zoffset", zoffset, depth, image->depth)))
            return;
    }
    for (unsigned face = first; face < first + count; ++face)
        clear_box(ctx, command, *t->image(face, uint32_t(level)),
                  {xoffset, yoffset, cube ? 0 : zoffset, width, height, cube ? 1 : depth}, fill);
}

}  // namespace terrazzo::st
