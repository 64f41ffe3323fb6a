// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: Mesa 25.0.7, fd6_rasterizer.cc; for discarding primitives vulkan/tu_pipeline.cc (PC_RASTER_CNTL,
// VPC_UNKNOWN_9107).
#include "drivers/adreno/state/raster.h"

#include <algorithm>

namespace terrazzo::adreno {
namespace {

using Words = StateWords<32>;

void pack_state(const pipe::RasterDesc& d, bool restart, bool multisampled, bool discards, Words* out) {
    const bool front = d.cull == pipe::CullFace::Front || d.cull == pipe::CullFace::Both;
    const bool back = d.cull == pipe::CullFace::Back || d.cull == pipe::CullFace::Both;
    out->write(hw::GRAS_CL_CNTL{.znear_clip_disable = d.depth_clamp,
                                .zfar_clip_disable = d.depth_clamp,
                                .z_clamp_enable = d.depth_clamp,
                                .zero_gb_scale_z = d.clip_z_zero,
                                .vp_clip_code_ignore = true});
    const float width_px = std::clamp(d.line_width_px, 1.0f, kMaxLineWidth_px);
    const float min_px = d.program_point_size ? kMinPointSize_px : d.point_size_px;
    const float max_px = d.program_point_size ? kMaxPointSize_px : d.point_size_px;
    out->write(hw::GRAS_SU_CNTL{.cull_front = front,
                                .cull_back = back,
                                .front_cw = d.front_ccw,  // the hardware looks from where y grows downward
                                .linehalfwidth = width_px / 2,
                                .poly_offset = d.depth_bias,
                                .line_mode = multisampled && d.multisample ? hw::LineMode::RECTANGULAR
                                                                           : hw::LineMode::BRESENHAM},
               hw::GRAS_SU_POINT_MINMAX{.min = min_px, .max = max_px},
               hw::GRAS_SU_POINT_SIZE{.value = d.program_point_size ? 1.0f : d.point_size_px},
               hw::GRAS_SU_POLY_OFFSET_SCALE{d.depth_bias_factor},
               hw::GRAS_SU_POLY_OFFSET_OFFSET{d.depth_bias_units},
               hw::GRAS_SU_POLY_OFFSET_OFFSET_CLAMP{d.depth_bias_clamp});
    // OpenGL ES: the last vertex of a primitive provokes.
    out->write(hw::PC_RASTER_CNTL{.discard = discards},
               hw::PC_POLYGON_MODE{.mode = hw::PolygonMode::POLYMODE6_TRIANGLES},
               hw::PC_PRIMITIVE_CNTL_0{{.primitive_restart = restart, .provoking_vtx_last = true}},
               hw::VPC_UNKNOWN_9107{.raster_discard = discards},
               hw::VPC_POLYGON_MODE{.mode = hw::PolygonMode::POLYMODE6_TRIANGLES});
}

}  // namespace

AdrenoRaster::AdrenoRaster(Device& device, const pipe::RasterDesc& d) : desc(d) {
    for (unsigned i = 0; i < (d.discard ? 8 : 4); ++i) {
        Words words;
        pack_state(d, i & 1, i & 2, d.discard && i < 4, &words);
        states_[i] = StaticState(device, words.words());
    }
}

}  // namespace terrazzo::adreno
