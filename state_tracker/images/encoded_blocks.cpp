// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "state_tracker/images/encoded_blocks.h"

#include <cstring>

namespace terrazzo::st {
namespace {

uint32_t in_blocks(uint32_t px, uint32_t block_px) {
    return (px + block_px - 1) / block_px;
}

/// A box of the image, in texels of TextureImage::blocks.
pipe::Box block_box(const TextureImage& image, const ImageBox& b) {
    const pipe::FormatInfo& f = pipe::format_info(image.format->storage);
    return {b.x / f.block_w_px,
            b.y / f.block_h_px,
            b.z,
            int32_t(in_blocks(uint32_t(b.width), f.block_w_px)),
            int32_t(in_blocks(uint32_t(b.height), f.block_h_px)),
            b.depth};
}

}  // namespace

bool keeps_blocks(const Context& ctx, const TextureImage& image) {
    using namespace format_flag;
    // Formats that TexImage can compress (kEncoded) are stored as texels that never were blocks.
    return ctx.config.version >= 30 && image.resource && image.format->has(kCompressed) &&
           !image.format->has(kEncoded) && !pipe::format_info(image.layout).is_compressed;
}

bool make_blocks(Context& ctx, TextureImage& image) {
    if (image.blocks) return true;
    const pipe::FormatInfo& f = pipe::format_info(image.format->storage);
    pipe::ResourceDesc d;
    d.kind = pipe::ResourceKind::Tex2DArray;
    d.format = f.block_B == 8 ? pipe::Format::R32G32_UINT : pipe::Format::R32G32B32A32_UINT;
    d.width = in_blocks(image.width, f.block_w_px);
    d.height = in_blocks(image.height, f.block_h_px);
    d.layers = image.depth;
    d.bind = pipe::bind::kSampled;
    image.blocks = ctx.screen.create_resource(d);
    return bool(image.blocks);
}

bool write_encoded(Context& ctx, TextureImage& image, const ImageBox& box, const Texels& texels) {
    if (box.extent().empty()) return true;
    if (!keeps_blocks(ctx, image)) return write_texels(ctx, image, box, texels);
    if (!make_blocks(ctx, image)) return false;
    before_cpu_access(ctx, *image.blocks);
    const pipe::Box where = block_box(image, box);
    const pipe::Mapping m = ctx.pipe->map(*image.blocks, 0, where, pipe::map_flag::kWrite);
    if (!m.data) return false;
    const size_t row_B = size_t(where.width) * pipe::format_info(image.blocks->desc.format).block_B;
    for (int32_t z = 0; z < where.depth; ++z)
        for (int32_t y = 0; y < where.height; ++y)
            std::memcpy(
                static_cast<uint8_t*>(m.data) + uint64_t(z) * m.layer_stride_B + uint64_t(y) * m.row_stride_B,
                texels.data + uint64_t(z) * texels.image_stride_B + uint64_t(y) * texels.stride_B, row_B);
    ctx.pipe->unmap(*image.blocks, m);
    return write_texels(ctx, image, box, texels);
}

bool decode_blocks(Context& ctx, const TextureImage& image, const ImageBox& box) {
    before_cpu_access(ctx, *image.blocks);
    const pipe::Mapping m = ctx.pipe->map(*image.blocks, 0, block_box(image, box), pipe::map_flag::kRead);
    if (!m.data) return false;
    const bool ok = write_texels(
        ctx, image, box,
        {image.format->storage, static_cast<const uint8_t*>(m.data), m.row_stride_B, m.layer_stride_B});
    ctx.pipe->unmap(*image.blocks, m);
    return ok;
}

}  // namespace terrazzo::st
