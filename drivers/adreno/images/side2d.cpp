// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, fd6_blitter.cc (emit_blit_setup, emit_blit_src, emit_blit_dst, emit_blit_fini).
#include "drivers/adreno/images/side2d.h"

#include "drivers/adreno/images/tile_mode.h"
#include "drivers/adreno/stream/enums.h"

namespace terrazzo::adreno {

Side2d side2d(const AdrenoResource& r, uint32_t level, Plane plane) {
    const pipe::SurfaceLayout& surface = r.plane(plane).surface;
    const pipe::LevelLayout& l = surface.level[level];
    Side2d s;
    s.tile_mode = tile_mode_of(l.tiling);
    s.samples = r.desc.samples;
    s.width = l.width;
    s.height = l.height;
    s.pitch_B = l.row_stride_B;
    s.va = r.plane_va(plane, level, 0);
    s.z_stride_B = surface.z_stride_B(level);
    if (plane == Plane::Main && r.is_compressed() && r.ubwc.compressed(level)) {
        s.flags_va = r.va() + r.ubwc.flag_offset_B(level, 0, 0, 0);
        s.flags_z_stride_B = r.ubwc.layer_stride_B;
        s.flags_pitch_B = r.ubwc.level[level].row_stride_B;
    }
    return s;
}

Side2d side2d(const Surface& s) {
    return {.format = s.format,
            .tile_mode = s.tile_mode,
            .swap = s.swap,
            .srgb = pipe::format_info(s.pipe_format).is_srgb,
            .samples = s.samples,
            .width = s.width_px,
            .height = s.height_px,
            .pitch_B = s.pitch_B,
            .va = s.va,
            .z_stride_B = s.array_pitch_B,
            .flags_va = s.flags_va,
            .flags_z_stride_B = uint64_t(s.flags_array_pitch_dw) * 4,
            .flags_pitch_B = s.flags_pitch_B};
}

bool is_two_bytes(const pipe::FormatInfo& f) {
    return f.block_B == 2 && f.channel_count == 2 && f.component_bits(0) == 8;
}

uint32_t joined_samples(const pipe::FormatInfo& f, uint32_t samples) {
    return f.block_B == 1 || is_two_bytes(f) ? samples : 1;
}

pipe::Format integers_of(uint32_t size_B, bool two_bytes) {
    using pipe::Format;
    switch (size_B) {
        case 1:
            return Format::R8_UINT;
        case 2:
            return two_bytes ? Format::R8G8_UINT : Format::R16_UINT;
        case 4:
            return Format::R32_UINT;
        case 8:
            return Format::R32G32_UINT;
        case 16:
            return Format::R32G32B32A32_UINT;
        default:
            return Format::None;
    }
}

bool is_aligned(const Side2d& s) {
    constexpr uint64_t kAlign_B = 64;
    return s.pitch_B % kAlign_B == 0 && s.va % kAlign_B == 0 && s.z_stride_B % kAlign_B == 0;
}

void write_engine(CsBuilder& cs, const Engine2d& e, const Side2d& target) {
    const hw::Blit2dCntl control{.rotate = e.rotate,
                                 .solid_color = e.solid,
                                 .color_format = target.format,
                                 .scissor = e.scissored,
                                 .mask = 0xf,
                                 .ifmt = e.ifmt};
    const hw::Format computed = target.format == hw::Format::FMT6_10_10_10_2_UNORM_DEST
                                    ? hw::Format::FMT6_16_16_16_16_FLOAT
                                    : target.format;
    cs.write(hw::RB_2D_BLIT_CNTL{control}, hw::RB_2D_UNKNOWN_8C01{e.keep}, hw::GRAS_2D_BLIT_CNTL{control},
             hw::SP_2D_DST_FORMAT{{.sint = e.is_sint,
                                   .uint = e.is_uint,
                                   .color_format = computed,
                                   .srgb = target.srgb,
                                   .mask = 0xf}});
}

void write_source(CsBuilder& cs, const Side2d& s, uint32_t z, bool filter, bool average) {
    cs.write(hw::SP_PS_2D_SRC_INFO{{.color_format = s.format,
                                    .tile_mode = s.tile_mode,
                                    .color_swap = s.swap,
                                    .flags = s.flags_va != 0,
                                    .srgb = s.srgb,
                                    .samples = msaa_samples(s.samples),
                                    .filter = filter,
                                    .samples_average = average,
                                    .unk20 = true,
                                    .unk22 = true}},
             hw::SP_PS_2D_SRC_SIZE{.width = s.width, .height = s.height}, hw::SP_PS_2D_SRC{s.image_va(z)},
             hw::SP_PS_2D_SRC_PITCH{.pitch = s.pitch_B});
    if (s.flags_va)
        cs.write(hw::SP_PS_2D_SRC_FLAGS{s.image_flags_va(z)}, hw::SP_PS_2D_SRC_FLAGS_PITCH{s.flags_pitch_B});
}

void write_target(CsBuilder& cs, const Side2d& s, uint32_t z) {
    cs.write(hw::RB_2D_DST_INFO{{.color_format = s.format,
                                 .tile_mode = s.tile_mode,
                                 .color_swap = s.swap,
                                 .flags = s.flags_va != 0,
                                 .srgb = s.srgb}},
             hw::RB_2D_DST{s.image_va(z)}, hw::RB_2D_DST_PITCH{s.pitch_B});
    if (s.flags_va)
        cs.write(hw::RB_2D_DST_FLAGS{s.image_flags_va(z)},
                 hw::RB_2D_DST_FLAGS_PITCH{.pitch = s.flags_pitch_B});
}

void write_rects(CsBuilder& cs, const pipe::Scissor& from, const pipe::Scissor& to) {
    cs.write(hw::GRAS_2D_SRC_TL_X{from.x0}, hw::GRAS_2D_SRC_BR_X{from.x1 - 1}, hw::GRAS_2D_SRC_TL_Y{from.y0},
             hw::GRAS_2D_SRC_BR_Y{from.y1 - 1},
             hw::GRAS_2D_DST_TL{{.x = uint32_t(to.x0), .y = uint32_t(to.y0)}},
             hw::GRAS_2D_DST_BR{{.x = uint32_t(to.x1) - 1, .y = uint32_t(to.y1) - 1}});
}

void run_engine(CsBuilder& cs, const hw::Chip& chip) {
    cs.event(hw::EventType::LABEL);
    cs.wait_for_idle();
    cs.write(hw::RB_DBG_ECO_CNTL{chip.magic.rb_dbg_eco_cntl_blit});
    cs.packet(hw::CpBlit{.op = hw::BlitOp::BLIT_OP_SCALE});
    cs.wait_for_idle();
    cs.write(hw::RB_DBG_ECO_CNTL{chip.magic.rb_dbg_eco_cntl});
}

}  // namespace terrazzo::adreno
