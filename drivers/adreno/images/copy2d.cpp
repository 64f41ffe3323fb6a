// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, fd6_blitter.cc (emit_blit_texture, emit_blit_src, handle_compressed_blit). Both sides are integers of the blocks' size, so that bits stay
// as they are; a block of a compressed format is a pixel then.
#include "drivers/adreno/images/copy2d.h"

#include <algorithm>

#include "drivers/adreno/hw/formats.h"

namespace terrazzo::adreno {
namespace {

/// Two channels of 8 bits are tiled in another way than one of 16.
bool is_two_bytes(const pipe::FormatInfo& f) {
    return f.block_B == 2 && f.channel_count == 2 && f.component_bits(0) == 8;
}

/// None: the engine has no integers of that size.
pipe::Format integers_like(const pipe::FormatInfo& f) {
    switch (f.block_B) {
        case 1:
            return pipe::Format::R8_UINT;
        case 2:
            return is_two_bytes(f) ? pipe::Format::R8G8_UINT : pipe::Format::R16_UINT;
        case 4:
            return pipe::Format::R32_UINT;
        case 8:
            return pipe::Format::R32G32_UINT;
        case 16:
            return pipe::Format::R32G32B32A32_UINT;
        default:
            return pipe::Format::None;
    }
}

struct Side {
    hw::TileMode tile_mode;
    uint32_t pitch_B, width, height;  // in blocks
};
Side side_of(const AdrenoResource& r, uint32_t level) {
    const pipe::FormatInfo& f = pipe::format_info(r.desc.format);
    const pipe::LevelLayout& l = r.layout.level[level];
    return {l.tiling == pipe::Tiling::Linear ? hw::TileMode::TILE6_LINEAR : hw::TileMode::TILE6_3,
            l.row_stride_B, (l.width + f.block_w_px - 1) / f.block_w_px,
            (l.height + f.block_h_px - 1) / f.block_h_px};
}

bool overlap(int32_t a, int32_t b, int32_t size) {
    return a < b + size && b < a + size;
}

/// Rows begin at multiples of 64 bytes, and images, too.
bool is_aligned(const AdrenoResource& r, uint32_t level) {
    constexpr uint64_t kAlign_B = 64;
    return r.layout.level[level].row_stride_B % kAlign_B == 0 && r.image_va(level, 0) % kAlign_B == 0 &&
           r.layout.z_stride_B(level) % kAlign_B == 0;
}

}  // namespace

bool can_copy(const ImageCopy& c) {
    const AdrenoResource &dst = *c.dst, &src = *c.src;
    if (dst.desc.kind == pipe::ResourceKind::Buffer || src.desc.kind == pipe::ResourceKind::Buffer)
        return false;
    if (dst.desc.samples > 1 || src.desc.samples > 1 || dst.image.ubwc.enabled || src.image.ubwc.enabled)
        return false;
    // Tiled images may have their channels in another order than the format.
    if (dst.layout.rgba_order != src.layout.rgba_order ||
        (dst.layout.rgba_order && dst.desc.format != src.desc.format))
        return false;
    const pipe::FormatInfo &to = pipe::format_info(dst.desc.format),
                           &from = pipe::format_info(src.desc.format);
    const pipe::Format like = integers_like(to);
    if (like == pipe::Format::None || integers_like(from) != like) return false;
    const hw::FormatRow* row = hw::format_row(like);
    hw::Ifmt2d ifmt;
    if (!row || !row->is_target() || !hw::blit_format(row->target, &ifmt)) return false;
    if (c.box.width <= 0 || c.box.height <= 0 || c.box.depth <= 0) return false;
    if (!is_aligned(dst, c.dst_level) || !is_aligned(src, c.src_level)) return false;
    return &dst != &src || c.dst_level != c.src_level || !overlap(c.x, c.box.x, c.box.width) ||
           !overlap(c.y, c.box.y, c.box.height) || !overlap(c.z, c.box.z, c.box.depth);
}

void copy_images(CsBuilder& cs, const hw::Chip& chip, const ImageCopy& c) {
    const pipe::FormatInfo &to = pipe::format_info(c.dst->desc.format),
                           &from = pipe::format_info(c.src->desc.format);
    const hw::Format format = hw::format_row(integers_like(to))->target;
    hw::Ifmt2d ifmt = hw::Ifmt2d::R2D_INT32;
    (void)hw::blit_format(format, &ifmt);
    const Side src = side_of(*c.src, c.src_level), dst = side_of(*c.dst, c.dst_level);
    const int32_t sx = c.box.x / from.block_w_px, sy = c.box.y / from.block_h_px;
    const uint32_t dx = uint32_t(c.x) / to.block_w_px, dy = uint32_t(c.y) / to.block_h_px;
    const int32_t w = (c.box.width + from.block_w_px - 1) / from.block_w_px,
                  h = (c.box.height + from.block_h_px - 1) / from.block_h_px;
    const hw::Blit2dCntl control{.color_format = format, .mask = 0xf, .ifmt = ifmt};
    cs.write(hw::GRAS_2D_SRC_TL_X{sx}, hw::GRAS_2D_SRC_BR_X{sx + w - 1}, hw::GRAS_2D_SRC_TL_Y{sy},
             hw::GRAS_2D_SRC_BR_Y{sy + h - 1}, hw::GRAS_2D_DST_TL{{.x = dx, .y = dy}},
             hw::GRAS_2D_DST_BR{{.x = dx + uint32_t(w) - 1, .y = dy + uint32_t(h) - 1}},
             hw::RB_2D_BLIT_CNTL{control}, hw::RB_2D_UNKNOWN_8C01{}, hw::GRAS_2D_BLIT_CNTL{control},
             hw::SP_2D_DST_FORMAT{{.uint = true, .color_format = format, .mask = 0xf}});
    for (uint32_t i = 0; i < uint32_t(c.box.depth); ++i) {
        cs.write(
            hw::SP_PS_2D_SRC_INFO{
                {.color_format = format, .tile_mode = src.tile_mode, .unk20 = true, .unk22 = true}},
            hw::SP_PS_2D_SRC_SIZE{.width = src.width, .height = src.height},
            hw::SP_PS_2D_SRC{c.src->image_va(c.src_level, uint32_t(c.box.z) + i)},
            hw::SP_PS_2D_SRC_PITCH{.pitch = src.pitch_B});
        cs.write(hw::RB_2D_DST_INFO{{.color_format = format, .tile_mode = dst.tile_mode}},
                 hw::RB_2D_DST{c.dst->image_va(c.dst_level, uint32_t(c.z) + i)},
                 hw::RB_2D_DST_PITCH{dst.pitch_B});
        cs.event(hw::EventType::LABEL);
        cs.wait_for_idle();
        cs.write(hw::RB_DBG_ECO_CNTL{chip.magic.rb_dbg_eco_cntl_blit});
        cs.packet(hw::CpBlit{.op = hw::BlitOp::BLIT_OP_SCALE});
        cs.wait_for_idle();
        cs.write(hw::RB_DBG_ECO_CNTL{chip.magic.rb_dbg_eco_cntl});
    }
}

}  // namespace terrazzo::adreno
