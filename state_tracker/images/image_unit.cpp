// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Images that shaders load from and store to (OpenGL ES 3.1 section 8.22).
#include <algorithm>
#include <bit>

#include "pipe/format.h"
#include "state_tracker/buffers/buffer.h"
#include "state_tracker/images/render_pass.h"
#include "state_tracker/images/texture.h"
#include "state_tracker/programs/program.h"

namespace terrazzo::st {
namespace {

/// A row of OpenGL ES 3.1 table 8.27.
struct Row {
    GLenum name;
    pipe::Format format;
    ir::ImageFormat in_shader;
};
constexpr Row kRows[] = {
    {GL_RGBA32F, pipe::Format::R32G32B32A32_FLOAT, ir::ImageFormat::Rgba32f},
    {GL_RGBA16F, pipe::Format::R16G16B16A16_FLOAT, ir::ImageFormat::Rgba16f},
    {GL_R32F, pipe::Format::R32_FLOAT, ir::ImageFormat::R32f},
    {GL_RGBA8, pipe::Format::R8G8B8A8_UNORM, ir::ImageFormat::Rgba8},
    {GL_RGBA8_SNORM, pipe::Format::R8G8B8A8_SNORM, ir::ImageFormat::Rgba8Snorm},
    {GL_RGBA32I, pipe::Format::R32G32B32A32_SINT, ir::ImageFormat::Rgba32i},
    {GL_RGBA16I, pipe::Format::R16G16B16A16_SINT, ir::ImageFormat::Rgba16i},
    {GL_RGBA8I, pipe::Format::R8G8B8A8_SINT, ir::ImageFormat::Rgba8i},
    {GL_R32I, pipe::Format::R32_SINT, ir::ImageFormat::R32i},
    {GL_RGBA32UI, pipe::Format::R32G32B32A32_UINT, ir::ImageFormat::Rgba32ui},
    {GL_RGBA16UI, pipe::Format::R16G16B16A16_UINT, ir::ImageFormat::Rgba16ui},
    {GL_RGBA8UI, pipe::Format::R8G8B8A8_UINT, ir::ImageFormat::Rgba8ui},
    {GL_R32UI, pipe::Format::R32_UINT, ir::ImageFormat::R32ui},
};
const Row* find_row(GLenum name) {
    const auto* const row =
        std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) { return r.name == name; });
    return row == std::end(kRows) ? nullptr : row;
}

/// The texels of a buffer. Shaders may write them, so the buffer is marked as written by the device.
pipe::ImageView buffer_view(const Texture& t, pipe::Format format) {
    const Texture::Texels& b = t.texels;
    if (!b.buffer || !b.buffer->resource ||
        pipe::format_info(b.format->storage).block_B != pipe::format_info(format).block_B)
        return {};
    b.buffer->shader_writes = true;
    written_by_device(*b.buffer);
    pipe::ImageView v;
    v.resource = b.buffer->resource.get();
    v.format = format;
    v.buffer_offset_B = b.offset_B;
    v.buffer_size_B = b.size_B ? b.size_B : b.buffer->size_B;
    return v;
}

/// The image of a slot. An empty view if the unit is not valid for it: then loads return zeros, and stores do
/// nothing.
pipe::ImageView view(const ImageUnit& unit, ir::ImageFormat in_shader) {
    if (!unit.texture || (in_shader != ir::ImageFormat::None && in_shader != unit.in_shader)) return {};
    const Texture& t = *unit.texture;
    if (t.target == TextureTarget::Buffer) return buffer_view(t, unit.texel_format);
    const TextureImage* const image = t.image(0, unsigned(unit.level));
    if (!image || !image->resource) return {};
    const pipe::FormatInfo& stored = pipe::format_info(image->resource->desc.format);
    if (stored.is_depth_stencil() || stored.is_compressed ||
        stored.block_B != pipe::format_info(unit.texel_format).block_B)
        return {};
    pipe::ImageView v{image->resource.get(), unit.texel_format, image->level, image->layer,
                      t.faces() * image->depth};
    // Textures without layers have no layer to select (OpenGL ES 3.2 section 8.22).
    if (unit.layered || t.target == TextureTarget::Tex2D) return v;
    if (uint32_t(unit.layer) >= v.layer_count) return {};
    v.first_layer += uint32_t(unit.layer);
    v.layer_count = 1;
    return v;
}

}  // namespace

void emit_images(Context& ctx) {
    const shaders::LinkedProgram& p = *ctx.executable->linked;
    std::lock_guard lock(ctx.share->mutex);
    for (uint32_t rest = ctx.executable->image_stages; rest; rest &= rest - 1) {
        const auto s = unsigned(std::countr_zero(rest));
        auto& bound = ctx.render_pass->images[s];
        const std::span<pipe::ImageView> views(ctx.render_pass->next_images.data(),
                                               std::min<size_t>(p.images[s].size(), kMaxImageUnits));
        for (size_t i = 0; i < views.size(); ++i) {
            const shaders::ImageSlot& slot = p.images[s][i];
            const uint32_t unit = unit_at_first(p.uniforms[slot.uniform], slot.element);
            views[i] = unit < kMaxImageUnits ? view(ctx.images[unit], slot.format) : pipe::ImageView();
        }
        ctx.pipe->set_images(pipe::Stage(s), 0, views);
        // Released only now: the pipe needed the old ones until here.
        for (size_t i = 0; i < views.size(); ++i)
            if (bound[i].get() != views[i].resource) bound[i] = pipe::Ref(views[i].resource);
    }
}

void BindImageTexture(Context& ctx, GLuint unit, GLuint texture, GLint level, GLboolean layered, GLint layer,
                      GLenum access, GLenum format) {
    const char* const command = "glBindImageTexture";
    if (unit >= GLuint(ctx.limits.max_image_units))
        return ctx.error(GL_INVALID_VALUE, command, "unit %u is not below GL_MAX_IMAGE_UNITS (%d)", unit,
                         ctx.limits.max_image_units);
    if (level < 0 || layer < 0)
        return ctx.error(GL_INVALID_VALUE, command, "level (%d) or layer (%d) is negative", level, layer);
    if (access != GL_READ_ONLY && access != GL_WRITE_ONLY && access != GL_READ_WRITE)
        return ctx.error(GL_INVALID_ENUM, command, "access 0x%04x is none", access);
    const Row* const row = find_row(format);
    if (!row) return ctx.error(GL_INVALID_VALUE, command, "format 0x%04x is no format of images", format);
    std::lock_guard lock(ctx.share->mutex);
    pipe::Ref<Texture> t(texture ? ctx.share->textures.find(texture) : nullptr);
    if (texture && !t) return ctx.error(GL_INVALID_VALUE, command, "%u is no texture", texture);
    if (t && !t->immutable && t->target != TextureTarget::Buffer)
        return ctx.error(GL_INVALID_OPERATION, command, "texture %u has no immutable storage", texture);
    ctx.images[unit] = {std::move(t), level,  layer,       layered != 0,
                        access,       format, row->format, row->in_shader};
    ctx.dirty |= dirty::kImages;
}

}  // namespace terrazzo::st
