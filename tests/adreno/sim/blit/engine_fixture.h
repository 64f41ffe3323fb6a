// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The 2D engine's registers as freedreno writes them (Mesa 25.0.7, fd6_blitter.cc).
#pragma once

#include "drivers/adreno/sim/blit/engine.h"
#include "pipe/layout/channel_order.h"
#include "tests/adreno/sim/blit/blit_fixture.h"

namespace terrazzo::adreno::test {

struct EngineFixture : BlitFixture {
    static hw::Format target_format(pipe::Format format) { return hw::format_row(format)->target; }
    static hw::ColorSwap swap_of(const BlitImage& t) {
        return hw::format_row(t.layout.surface.format)->target_swap(t.tile_mode());
    }
    /// The registers of emit_blit_setup and emit_blit_dst.
    void target(const BlitImage& t, hw::Rotation rotate = hw::Rotation::ROTATE_0, bool solid = false,
                bool scissor = false) {
        const pipe::Format format = t.layout.surface.format;
        const pipe::FormatInfo& info = pipe::format_info(format);
        const hw::Format fmt = target_format(format);
        hw::Ifmt2d ifmt{};
        REQUIRE(hw::blit_format(fmt, &ifmt));
        if (info.is_srgb) ifmt = hw::Ifmt2d::R2D_UNORM8_SRGB;
        const hw::Blit2dCntl cntl = {.rotate = rotate,
                                     .solid_color = solid,
                                     .color_format = fmt,
                                     .scissor = scissor,
                                     .mask = 0xf,
                                     .ifmt = ifmt};
        set(hw::RB_2D_BLIT_CNTL{.value = cntl});
        set(hw::GRAS_2D_BLIT_CNTL{.value = cntl});
        set(hw::SP_2D_DST_FORMAT{.value = {.sint = info.is_pure_sint,
                                           .uint = info.is_pure_uint,
                                           .color_format = fmt,
                                           .srgb = info.is_srgb,
                                           .mask = 0xf}});
        set(hw::RB_2D_UNKNOWN_8C01{});
        const bool packed = fmt == hw::Format::FMT6_Z24_UNORM_S8_UINT;
        set(hw::RB_2D_DST_INFO{
            .value = {.color_format = packed ? hw::Format::FMT6_Z24_UNORM_S8_UINT_AS_R8G8B8A8 : fmt,
                      .tile_mode = t.tile_mode(),
                      .color_swap = swap_of(t),
                      .flags = t.layout.ubwc.enabled,
                      .srgb = info.is_srgb}});
        set(hw::RB_2D_DST{.value = t.image_va()});
        set(hw::RB_2D_DST_PITCH{.value = t.pitch_B()});
        if (!t.layout.ubwc.enabled) return;
        set(hw::RB_2D_DST_FLAGS{.value = t.flags_va()});
        set(hw::RB_2D_DST_FLAGS_PITCH{.pitch = t.flags_pitch_B()});
    }
    /// The registers of emit_blit_src.
    void source(const BlitImage& t, bool filter = false) {
        const pipe::Format format = t.layout.surface.format;
        const hw::FormatRow& row = *hw::format_row(format);
        const hw::Format texture =
            format == pipe::Format::A8_UNORM ? hw::Format::FMT6_A8_UNORM : row.texture_format(t.tile_mode());
        set(hw::SP_PS_2D_SRC_INFO{.value = {.color_format = texture,
                                            .tile_mode = t.tile_mode(),
                                            .color_swap = row.texture_swap(t.tile_mode()),
                                            .flags = t.layout.ubwc.enabled,
                                            .srgb = pipe::format_info(format).is_srgb,
                                            .filter = filter,
                                            .unk20 = true,
                                            .unk22 = true}});
        set(hw::SP_PS_2D_SRC_SIZE{.width = t.w_px, .height = t.h_px});
        set(hw::SP_PS_2D_SRC{.value = t.image_va()});
        set(hw::SP_PS_2D_SRC_PITCH{.pitch = t.pitch_B()});
        if (!t.layout.ubwc.enabled) return;
        set(hw::SP_PS_2D_SRC_FLAGS{.value = t.flags_va()});
        set(hw::SP_PS_2D_SRC_FLAGS_PITCH{.value = t.flags_pitch_B()});
    }
    /// Corners as [x0, x1) x [y0, y1).
    void from(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
        set(hw::GRAS_2D_SRC_TL_X{.value = x0});
        set(hw::GRAS_2D_SRC_BR_X{.value = x1 - 1});
        set(hw::GRAS_2D_SRC_TL_Y{.value = y0});
        set(hw::GRAS_2D_SRC_BR_Y{.value = y1 - 1});
    }
    void to(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1) {
        set(hw::GRAS_2D_DST_TL{.value = {.x = x0, .y = y0}});
        set(hw::GRAS_2D_DST_BR{.value = {.x = x1 - 1, .y = y1 - 1}});
    }
    void clip(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1) {
        set(hw::GRAS_2D_RESOLVE_CNTL_1{.value = {.x = x0, .y = y0}});
        set(hw::GRAS_2D_RESOLVE_CNTL_2{.value = {.x = x1 - 1, .y = y1 - 1}});
    }
    void solid(uint32_t r, uint32_t g, uint32_t b, uint32_t a) {
        const uint32_t c[4] = {r, g, b, a};
        for (unsigned i = 0; i < 4; ++i)
            machine.registers.write(uint16_t(hw::RB_2D_SRC_SOLID_C0::kRegister + i), c[i]);
    }
    bool run() {
        fault = {};
        return sim::blit_2d(machine, &fault);
    }
};

}  // namespace terrazzo::adreno::test
