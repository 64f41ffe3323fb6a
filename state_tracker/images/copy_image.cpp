// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// CopyImageSubData (OpenGL ES 3.2 section 16.2.2, EXT_copy_image): copies the bits of texels, between images
// with the same texel size. A block of a compressed image counts as a texel.
#include <algorithm>
#include <cstring>
#include <vector>

#include "state_tracker/images/copy_class.h"
#include "state_tracker/images/encoded_blocks.h"
#include "state_tracker/images/framebuffer.h"
#include "state_tracker/images/render_pass.h"
#include "state_tracker/images/texture_upload.h"

namespace terrazzo::st {
namespace {

constexpr char kName[] = "glCopyImageSubData";

/// The arguments of the command for one of its two images.
struct Named {
    const char* side;  // for messages
    GLuint name;
    GLenum target;
    GLint level, x, y, z;
};

/// An image as it is stored.
struct CopiedImage {
    const InternalFormat* format = nullptr;
    uint32_t width = 0, height = 0, depth = 0;  // depth: slices, layers, or faces of a cube
    uint32_t samples = 1;
    Texture* texture = nullptr;  // null: `plane` is a renderbuffer's
    uint32_t level = 0;
    Surface plane;
};

/// The place of one layer of an image, or of its blocks, if those are kept in addition to decoded texels.
struct Place {
    pipe::Resource* resource = nullptr;
    pipe::Format layout = pipe::Format::None;
    uint32_t level = 0, layer = 0;
    TextureImage* decoded = nullptr;  // not null: `resource` holds this image's blocks
    uint32_t z = 0;
};
/// No resource: the image has no texels, or out of memory.
Place place_of(Context& ctx, const CopiedImage& i, uint32_t z) {
    if (!i.texture) return {i.plane.resource.get(), i.plane.layout, i.plane.level, i.plane.layer};
    const bool cube = i.texture->faces() == 6;
    TextureImage& t = *i.texture->image(cube ? z : 0, i.level);
    if (keeps_blocks(ctx, t)) {
        const uint32_t layer = cube ? 0 : z;
        if (!make_blocks(ctx, t)) return {};
        return {t.blocks.get(), t.blocks->desc.format, 0, layer, &t, layer};
    }
    return {t.resource.get(), t.layout, t.level, t.layer + (cube ? 0 : z)};
}

bool is_copy_target(const Context& ctx, GLenum target) {
    TextureTarget t;
    if (target == GL_RENDERBUFFER) return true;
    return target != GL_TEXTURE_EXTERNAL_OES && target != GL_TEXTURE_BUFFER &&
           texture_target(ctx, target, &t);
}

/// Finds a renderbuffer with storage. False: the error is recorded.
bool find_renderbuffer(Context& ctx, const Named& n, CopiedImage* out) {
    const Renderbuffer* const r = ctx.share->renderbuffers.find(n.name);
    if (!r || !r->format)
        return ctx.error(GL_INVALID_VALUE, kName, "%s %u is no renderbuffer with storage", n.side, n.name),
               false;
    if (n.level != 0)
        return ctx.error(GL_INVALID_VALUE, kName, "%s level %d: a renderbuffer only has level 0", n.side,
                         n.level),
               false;
    out->format = r->format;
    out->width = r->width;
    out->height = r->height;
    out->depth = 1;
    out->samples = r->samples;
    out->plane.resource = r->resource;
    out->plane.layout = r->layout;
    out->plane.level = r->level;
    out->plane.layer = r->layer;
    return true;
}

/// Finds a texture's image. False: the error is recorded.
bool find_texture(Context& ctx, const Named& n, CopiedImage* out) {
    TextureTarget target;
    Texture* const t = ctx.share->textures.find(n.name);
    if (!t || !texture_target(ctx, n.target, &target))
        return ctx.error(GL_INVALID_VALUE, kName, "%s %u is no texture", n.side, n.name), false;
    if (t->target != target)
        return ctx.error(GL_INVALID_ENUM, kName, "%s target 0x%04x is not that of texture %u", n.side,
                         n.target, n.name),
               false;
    const TextureImage* const i = n.level < 0 ? nullptr : t->image(0, unsigned(n.level));
    if (!i)
        return ctx.error(GL_INVALID_VALUE, kName, "%s level %d of texture %u is not defined", n.side, n.level,
                         n.name),
               false;
    const bool mipmapped = !t->is_multisample() && t->params.mipmapped();
    if (const Completeness c = texture_completeness(*t, mipmapped); !c.complete)
        return ctx.error(GL_INVALID_OPERATION, kName, "%s texture %u is not complete: %s", n.side, n.name,
                         c.why),
               false;
    for (unsigned f = 1; f < t->faces(); ++f)
        if (const TextureImage* other = t->image(f, unsigned(n.level)); !other || !other->same_shape(*i))
            return ctx.error(GL_INVALID_OPERATION, kName, "%s level %d of texture %u: its faces differ",
                             n.side, n.level, n.name),
                   false;
    out->format = i->format;
    out->width = i->width;
    out->height = i->height;
    out->depth = t->faces() == 6 ? 6 : i->depth;
    out->samples = t->samples;
    out->texture = t;
    out->level = unsigned(n.level);
    return true;
}

bool find_image(Context& ctx, const Named& n, CopiedImage* out) {
    return n.target == GL_RENDERBUFFER ? find_renderbuffer(ctx, n, out) : find_texture(ctx, n, out);
}

/// A box in blocks. In uncompressed images a block is a texel.
struct BlockBox {
    uint32_t x, y, z, width, height, depth;
};

/// The box of an image that begins where the command says and has `size` blocks. False: the error is
/// recorded.
bool block_box(Context& ctx, const Named& n, const CopiedImage& i, const BlockBox& size, BlockBox* out) {
    const pipe::FormatInfo& f = pipe::format_info(i.format->storage);
    if (n.x < 0 || n.y < 0 || n.z < 0)
        return ctx.error(GL_INVALID_VALUE, kName, "%s (%d, %d, %d) is negative", n.side, n.x, n.y, n.z),
               false;
    if (n.x % f.block_w_px || n.y % f.block_h_px)
        return ctx.error(GL_INVALID_VALUE, kName, "%s (%d, %d) is not where a block begins", n.side, n.x,
                         n.y),
               false;
    *out = {uint32_t(n.x) / f.block_w_px,
            uint32_t(n.y) / f.block_h_px,
            uint32_t(n.z),
            size.width,
            size.height,
            size.depth};
    const uint32_t columns = (i.width + f.block_w_px - 1) / f.block_w_px,
                   rows = (i.height + f.block_h_px - 1) / f.block_h_px;
    if (uint64_t(out->x) + out->width > columns || uint64_t(out->y) + out->height > rows ||
        uint64_t(out->z) + out->depth > i.depth)
        return ctx.error(GL_INVALID_VALUE, kName,
                         "the %s region ends outside the image of %u x %u x %u texels", n.side, i.width,
                         i.height, i.depth),
               false;
    return true;
}

/// Converts the command's size, in texels of the source, to blocks. False: the error is recorded.
bool source_size(Context& ctx, const Named& n, const CopiedImage& i, const ImageBox& size, BlockBox* out) {
    const pipe::FormatInfo& f = pipe::format_info(i.format->storage);
    // A region that ends within a block must end at the image's edge.
    const auto whole = [](GLint begin, GLsizei count, uint32_t block, uint32_t image) {
        return uint32_t(count) % block == 0 || int64_t(begin) + count == int64_t(image);
    };
    if (!whole(n.x, size.width, f.block_w_px, i.width) || !whole(n.y, size.height, f.block_h_px, i.height))
        return ctx.error(GL_INVALID_VALUE, kName, "%d x %d texels are not whole blocks", size.width,
                         size.height),
               false;
    *out = {0,
            0,
            0,
            (uint32_t(size.width) + f.block_w_px - 1) / f.block_w_px,
            (uint32_t(size.height) + f.block_h_px - 1) / f.block_h_px,
            uint32_t(size.depth)};
    return true;
}

/// The box in texels, clipped to the image's edges.
pipe::Box texel_box(const CopiedImage& i, const Place& p, const BlockBox& b) {
    if (p.decoded)  // the resource has one texel per block
        return {int32_t(b.x), int32_t(b.y), int32_t(p.layer), int32_t(b.width), int32_t(b.height), 1};
    const pipe::FormatInfo& f = pipe::format_info(i.format->storage);
    pipe::Box box;
    box.x = int32_t(b.x * f.block_w_px);
    box.y = int32_t(b.y * f.block_h_px);
    box.z = int32_t(p.layer);
    box.width = int32_t(std::min(b.width * f.block_w_px, i.width - uint32_t(box.x)));
    box.height = int32_t(std::min(b.height * f.block_h_px, i.height - uint32_t(box.y)));
    return box;
}

/// Copies a layer between images whose texels have different sizes in memory: RGB with and without padding.
/// The bytes of the smaller texel are the first ones of the larger one. False: out of memory.
bool copy_padded(Context& ctx, const Place& to, const pipe::Box& to_box, const Place& from,
                 const pipe::Box& from_box) {
    const size_t to_B = pipe::format_info(to.layout).block_B, from_B = pipe::format_info(from.layout).block_B;
    const size_t samples = to.resource->desc.samples;
    const pipe::Mapping in = ctx.pipe->map(*from.resource, from.level, from_box, pipe::map_flag::kRead);
    if (!in.data) return false;
    std::vector<uint8_t> texels(from_B * size_t(from_box.width) * samples * size_t(from_box.height));
    const size_t row_B = from_B * size_t(from_box.width) * samples;
    for (int32_t y = 0; y < from_box.height; ++y)
        std::memcpy(texels.data() + size_t(y) * row_B,
                    static_cast<const uint8_t*>(in.data) + size_t(y) * in.row_stride_B, row_B);
    ctx.pipe->unmap(*from.resource, in);
    const pipe::Mapping out =
        ctx.pipe->map(*to.resource, to.level, to_box, pipe::map_flag::kRead | pipe::map_flag::kWrite);
    if (!out.data) return false;
    for (int32_t y = 0; y < to_box.height; ++y)
        for (size_t x = 0; x < size_t(to_box.width) * samples; ++x)
            std::memcpy(static_cast<uint8_t*>(out.data) + size_t(y) * out.row_stride_B + x * to_B,
                        texels.data() + size_t(y) * row_B + x * from_B, std::min(to_B, from_B));
    ctx.pipe->unmap(*to.resource, out);
    return true;
}

/// Whether texels are stored in the layout of their format: not decoded, and not converted because the device
/// lacks the format. Additional channels do not matter, since they are never read.
bool stored_as_named(const CopiedImage& i, const Place& p) {
    if (p.decoded || p.layout == i.format->storage) return true;
    const pipe::FormatInfo &named = pipe::format_info(i.format->storage),
                           &stored = pipe::format_info(p.layout);
    if (named.is_compressed || stored.is_compressed || named.layout != stored.layout ||
        named.channel_count > stored.channel_count)
        return false;
    for (unsigned c = 0; c < named.channel_count; ++c)
        if (named.channel[c].letter != stored.channel[c].letter ||
            named.channel[c].bits != stored.channel[c].bits ||
            named.channel[c].type != stored.channel[c].type)
            return false;
    return true;
}

/// Copies one layer. False: the error is recorded.
bool copy_layer(Context& ctx, const CopiedImage& dst, const Place& to, const BlockBox& to_blocks,
                const CopiedImage& src, const Place& from, const BlockBox& from_blocks) {
    if (!to.resource || !from.resource) return ctx.out_of_memory(kName), false;
    if (!stored_as_named(dst, to) || !stored_as_named(src, from))
        return ctx.error(GL_INVALID_OPERATION, kName,
                         "the device stores format 0x%04x or 0x%04x converted; Terrazzo does not copy such "
                         "images yet",
                         src.format->sized, dst.format->sized),
               false;
    const pipe::Box to_box = texel_box(dst, to, to_blocks), from_box = texel_box(src, from, from_blocks);
    if (pipe::format_info(to.layout).block_B == pipe::format_info(from.layout).block_B)
        ctx.pipe->copy_region(*to.resource, to.level, to_box.x, to_box.y, to_box.z, *from.resource,
                              from.level, from_box);
    else if (!copy_padded(ctx, to, to_box, from, from_box))
        return ctx.out_of_memory(kName), false;
    if (to.decoded) {
        Place whole = to;
        whole.decoded = nullptr;
        const pipe::Box px = texel_box(dst, whole, to_blocks);
        if (!decode_blocks(ctx, *to.decoded, {px.x, px.y, GLint(to.z), px.width, px.height, 1}))
            return ctx.out_of_memory(kName), false;
    }
    return true;
}

}  // namespace

void CopyImageSubData(Context& ctx, GLuint srcName, GLenum srcTarget, GLint srcLevel, GLint srcX, GLint srcY,
                      GLint srcZ, GLuint dstName, GLenum dstTarget, GLint dstLevel, GLint dstX, GLint dstY,
                      GLint dstZ, GLsizei srcWidth, GLsizei srcHeight, GLsizei srcDepth) {
    const Named from{"source", srcName, srcTarget, srcLevel, srcX, srcY, srcZ};
    const Named to{"destination", dstName, dstTarget, dstLevel, dstX, dstY, dstZ};
    for (const Named& n : {from, to})
        if (!is_copy_target(ctx, n.target))
            return ctx.error(GL_INVALID_ENUM, kName, "%s target 0x%04x", n.side, n.target);
    if (srcWidth < 0 || srcHeight < 0 || srcDepth < 0)
        return ctx.error(GL_INVALID_VALUE, kName, "size %d x %d x %d is negative", srcWidth, srcHeight,
                         srcDepth);
    std::lock_guard lock(ctx.share->mutex);
    CopiedImage src, dst;
    if (!find_image(ctx, from, &src) || !find_image(ctx, to, &dst)) return;
    if (!copy_compatible(*src.format, *dst.format))
        return ctx.error(GL_INVALID_OPERATION, kName, "internal formats 0x%04x and 0x%04x are not compatible",
                         src.format->sized, dst.format->sized);
    if (src.samples != dst.samples)
        return ctx.error(GL_INVALID_OPERATION, kName, "the images have %u and %u samples", src.samples,
                         dst.samples);
    BlockBox size, src_blocks, dst_blocks;
    if (!source_size(ctx, from, src, {0, 0, 0, srcWidth, srcHeight, srcDepth}, &size) ||
        !block_box(ctx, from, src, size, &src_blocks) || !block_box(ctx, to, dst, size, &dst_blocks))
        return;
    if (!size.width || !size.height || !size.depth) return;
    end_rendering(ctx);
    for (uint32_t n = 0; n < size.depth; ++n) {
        const Place p = place_of(ctx, dst, dst_blocks.z + n), q = place_of(ctx, src, src_blocks.z + n);
        for (const Place& used : {p, q})
            if (used.resource) before_cpu_access(ctx, *used.resource);
        if (!check_writable(ctx, kName, p.resource)) return;
        if (!copy_layer(ctx, dst, p, dst_blocks, src, q, src_blocks)) return;
    }
}

}  // namespace terrazzo::st
