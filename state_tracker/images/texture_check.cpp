// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rules shared by TexImage, TexSubImage, CopyTexImage and similar commands (OpenGL ES 3.0 sections 3.8.3 to
// 3.8.6).
#include <algorithm>
#include <cstring>

#include "state_tracker/images/framebuffer.h"
#include "state_tracker/images/render_pass.h"
#include "state_tracker/images/texture_upload.h"

namespace terrazzo::st {

namespace {

/// Clamps float depths to [0,1], as dEQP-GLES3 demands; NaN becomes 0.
void clamp_depths(uint8_t* row, uint32_t width_px, uint32_t texel_B) {
    for (uint32_t x = 0; x < width_px; ++x, row += texel_B) {
        float z;
        std::memcpy(&z, row, sizeof z);
        z = z > 0 ? std::min(z, 1.0f) : 0.0f;
        std::memcpy(row, &z, sizeof z);
    }
}

/// Checks target and level. False: the error is recorded.
bool check_level(Context& ctx, const char* command, unsigned dimensions, GLenum target, GLint level,
                 ImageTarget* out) {
    if (!image_target(ctx, target, dimensions, out)) {
        ctx.error(GL_INVALID_ENUM, command, "target 0x%04x", target);
        return false;
    }
    const uint32_t max = max_size_px(ctx, out->target);
    if (level < 0 || uint32_t(level) >= full_level_count(max, max)) {
        ctx.error(GL_INVALID_VALUE, command, "level %d; levels are 0 to %u", level,
                  full_level_count(max, max) - 1);
        return false;
    }
    return true;
}

}  // namespace

bool check_new_image(Context& ctx, const char* command, unsigned dimensions, GLenum target, GLint level,
                     GLsizei width, GLsizei height, GLsizei depth, GLint border, ImageTarget* out) {
    if (!check_level(ctx, command, dimensions, target, level, out)) return false;
    const uint32_t limit = minify(max_size_px(ctx, out->target), uint32_t(level));
    if (width < 0 || height < 0 || uint32_t(width) > limit || uint32_t(height) > limit) {
        ctx.error(GL_INVALID_VALUE, command, "size %d x %d of level %d; at most %u", width, height, level,
                  limit);
        return false;
    }
    const uint32_t depth_limit = max_depth(ctx, out->target, uint32_t(level));
    if (depth < 0 || uint32_t(depth) > depth_limit) {
        ctx.error(GL_INVALID_VALUE, command, "depth %d of level %d; at most %u", depth, level, depth_limit);
        return false;
    }
    if (const char* rule = broken_cube_rule(out->target, width, height, depth)) {
        ctx.error(GL_INVALID_VALUE, command, "%d x %d x %d: %s", width, height, depth, rule);
        return false;
    }
    if (border != 0) {
        ctx.error(GL_INVALID_VALUE, command, "border %d is not 0", border);
        return false;
    }
    if (bound_texture(ctx, out->target).immutable) {
        ctx.error(GL_INVALID_OPERATION, command, "texture %u has immutable storage",
                  bound_texture(ctx, out->target).name);
        return false;
    }
    return true;
}

TextureImage* check_sub_image(Context& ctx, const char* command, unsigned dimensions, GLenum target,
                              GLint level, const ImageBox& b, ImageTarget* out) {
    if (!check_level(ctx, command, dimensions, target, level, out)) return nullptr;
    if (b.width < 0 || b.height < 0 || b.depth < 0 || b.x < 0 || b.y < 0 || b.z < 0) {
        ctx.error(GL_INVALID_VALUE, command, "box %d,%d,%d %d x %d x %d has a negative number", b.x, b.y, b.z,
                  b.width, b.height, b.depth);
        return nullptr;
    }
    Texture& t = bound_texture(ctx, out->target);
    TextureImage* image = t.image(out->face, uint32_t(level));
    if (!image) {
        ctx.error(GL_INVALID_OPERATION, command, "level %d of texture %u is not defined", level, t.name);
        return nullptr;
    }
    if (int64_t(b.x) + b.width > image->width || int64_t(b.y) + b.height > image->height ||
        int64_t(b.z) + b.depth > image->depth) {
        ctx.error(GL_INVALID_VALUE, command, "box %d,%d,%d %d x %d x %d is not inside %u x %u x %u", b.x, b.y,
                  b.z, b.width, b.height, b.depth, image->width, image->height, image->depth);
        return nullptr;
    }
    return check_writable(ctx, command, image->resource.get()) ? image : nullptr;
}

bool check_writable(Context& ctx, const char* command, const pipe::Resource* resource) {
    if (!resource || !resource->not_writable) return true;
    ctx.error(GL_INVALID_OPERATION, command, "the image's memory may not be written: %s",
              resource->not_writable);
    return false;
}

bool check_format_target(Context& ctx, const char* command, const InternalFormat& f, TextureTarget target) {
    using namespace format_flag;
    const char* rule = nullptr;
    if (ctx.config.version < 30 && f.has(kOnly2D) && target != TextureTarget::Tex2D)
        rule = "depth formats are for TEXTURE_2D only";
    else if (f.has(kDepth | kStencil) && target == TextureTarget::Tex3D)
        rule = "depth formats are not for TEXTURE_3D";
    else if (f.sized == GL_ETC1_RGB8_OES && target == TextureTarget::Tex2DArray)
        rule = "ETC1 is for TEXTURE_2D and cube maps";
    else if (f.has(kCompressed) && target == TextureTarget::Tex3D &&
             pipe::format_info(f.storage).layout != pipe::FormatLayout::Bc &&
             pipe::format_info(f.storage).layout != pipe::FormatLayout::Astc)
        rule = "formats of this family are not for TEXTURE_3D";
    if (!rule) return true;
    ctx.error(GL_INVALID_OPERATION, command, "internal format 0x%04x: %s", f.sized, rule);
    return false;
}

bool write_texels(Context& ctx, const TextureImage& image, const ImageBox& box, const Texels& texels) {
    if (box.extent().empty()) return true;
    before_cpu_access(ctx, *image.resource);
    const pipe::ResourceDesc& d = image.resource->desc;
    uint32_t flags = pipe::map_flag::kWrite | pipe::map_flag::kDiscardRange;
    if (box.extent() == extent_of(image) && d.levels == 1 && d.layers * d.depth == image.depth)
        flags |= pipe::map_flag::kDiscardWhole;
    const pipe::Box where{box.x, box.y, int32_t(image.layer) + box.z, box.width, box.height, box.depth};
    pipe::Mapping m = ctx.pipe->map(*image.resource, image.level, where, flags);
    if (!m.data) return false;
    const bool float_depth =
        image.layout == pipe::Format::D32_FLOAT || image.layout == pipe::Format::D32_FLOAT_S8X24_UINT;
    bool ok = true;
    for (GLsizei z = 0; z < box.depth && ok; ++z) {
        uint8_t* const slice = static_cast<uint8_t*>(m.data) + uint64_t(z) * m.layer_stride_B;
        ok = pipe::convert_rect(image.layout, slice, m.row_stride_B, texels.format,
                                texels.data + uint64_t(z) * texels.image_stride_B, ptrdiff_t(texels.stride_B),
                                uint32_t(box.width), uint32_t(box.height));
        for (GLsizei y = 0; float_depth && y < box.height; ++y)
            clamp_depths(slice + uint64_t(y) * m.row_stride_B, uint32_t(box.width),
                         pipe::format_info(image.layout).block_B);
    }
    ctx.pipe->unmap(*image.resource, m);
    return ok;
}

void before_redefinition(Context& ctx, const Texture& t) {
    if (ctx.framebuffer && ctx.framebuffer->holds(&t, nullptr)) {
        end_rendering(ctx);
        ctx.dirty |= dirty::kFramebuffer;
    }
}

}  // namespace terrazzo::st
