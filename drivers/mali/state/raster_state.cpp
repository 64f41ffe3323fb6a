// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, pan_csf.c. For the hardware y grows downwards: its counter-clockwise is clockwise with
// row 0 at the bottom, as all code below the API has it.
//
// RasterDesc::multisample has no effect: surfaces have one sample (Caps::max_samples).
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
    f.single_sampled_lines = true;
    return word_of(f);
}

}  // namespace

MaliRaster::MaliRaster(const pipe::RasterDesc& d)
    : desc(d), flags_0(pack_flags(d, true)), flags_0_unculled(pack_flags(d, false)) {}

}  // namespace terrazzo::mali
