// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, pan_csf.c. For the hardware y grows downwards: its counter-clockwise is clockwise with
// row 0 at the bottom, as all code below the API has it.
#include "drivers/mali/state/raster_state.h"

#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/stream/put.h"

namespace terrazzo::mali {

namespace {

uint32_t pack_flags(const pipe::RasterDesc& d, bool has_faces) {
    hw::DcdFlags0 f;
    f.front_face_ccw = !d.front_ccw;
    f.cull_front_face = has_faces && (d.cull == pipe::CullFace::Front || d.cull == pipe::CullFace::Both);
    f.cull_back_face = has_faces && (d.cull == pipe::CullFace::Back || d.cull == pipe::CullFace::Both);
    return word_of(f);
}

}  // namespace

MaliRaster::MaliRaster(const pipe::RasterDesc& d)
    : desc(d), flags_0(pack_flags(d, true)), flags_0_unculled(pack_flags(d, false)) {}

uint32_t sample_flags_0(const pipe::RasterDesc& d, uint32_t samples, bool per_sample) {
    hw::DcdFlags0 f;
    // The hardware shades samples only if it covers samples.
    f.multisample_enable = samples > 1 && (d.multisample || per_sample);
    f.single_sampled_lines = !f.multisample_enable;
    f.evaluate_per_sample = f.multisample_enable && per_sample;
    return word_of(f);
}

}  // namespace terrazzo::mali
