// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, pan_csf.c. Hardware sees y grow downwards, so that what it calls counter-clockwise is
// clockwise where row 0 is the bottom one, as it is everywhere below the API here.
//
// Surfaces have one sample (Caps::max_samples): RasterDesc::multisample has nothing to say yet.
#include "drivers/mali/state/raster_state.h"

#include "drivers/mali/hw/descriptors.h"

namespace terrazzo::mali {

namespace {

uint32_t pack_flags(const pipe::RasterDesc& d, bool has_faces) {
    hw::DcdFlags0 f;
    f.front_face_ccw = !d.front_ccw;
    f.cull_front_face = has_faces && (d.cull == pipe::CullFace::Front || d.cull == pipe::CullFace::Both);
    f.cull_back_face = has_faces && (d.cull == pipe::CullFace::Back || d.cull == pipe::CullFace::Both);
    f.single_sampled_lines = true;
    uint32_t word;
    hw::pack(f, &word);
    return word;
}

}  // namespace

MaliRaster::MaliRaster(const pipe::RasterDesc& d)
    : desc(d), flags_0(pack_flags(d, true)), flags_0_unculled(pack_flags(d, false)) {}

}  // namespace terrazzo::mali
