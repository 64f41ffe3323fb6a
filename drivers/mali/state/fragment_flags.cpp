// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: Mesa 25.0.7, pan_earlyzs.c (when an update must be late), pan_cmdstream.h, pan_csf.c.
// Fragments may be killed early unless the shader writes depth or stencil, or stores to memory: then it runs
// also for fragments that the tests reject, unless it demands early tests.
#include "drivers/mali/state/fragment_flags.h"

#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/stream/put.h"

namespace terrazzo::mali {

bool needs_fragment_shader(const compiler::Info& fragment, const BlendSummary& blend) {
    return blend.targets_written || fragment.writes_depth || fragment.writes_stencil || fragment.discards ||
           fragment.writes_coverage || fragment.stores();
}

uint32_t fragment_flags_0(const compiler::Info& fragment, const MaliDepthStencil& zs,
                          const BlendSummary& blend, bool has_depth_stencil, bool occlusion_query,
                          bool alpha_to_coverage) {
    const bool own_values = fragment.writes_depth || fragment.writes_stencil;
    const bool late_coverage = fragment.discards || fragment.writes_coverage || alpha_to_coverage;
    const bool counts = (has_depth_stencil && zs.writes) || occlusion_query;
    const bool always_passes = !has_depth_stencil || zs.always_passes;
    const hw::PixelKill early = always_passes ? hw::PixelKill::WeakEarly : hw::PixelKill::ForceEarly;
    const bool late_update =
        !fragment.early_tests && (own_values || alpha_to_coverage || (late_coverage && counts));
    const bool late_kill = !fragment.early_tests && (own_values || fragment.stores());
    hw::DcdFlags0 f;
    f.zs_update_operation = late_update ? hw::PixelKill::ForceLate : early;
    f.pixel_kill_operation = late_kill ? hw::PixelKill::ForceLate : early;
    f.allow_forward_pixel_to_kill = blend.replaces_all && !own_values && !late_coverage;
    f.allow_forward_pixel_to_be_killed = !fragment.stores();
    f.overdraw_alpha0 = blend.alpha_zero_keeps;
    f.overdraw_alpha1 = blend.alpha_one_replaces;
    f.shader_modifies_coverage = late_coverage;
    f.alpha_to_coverage = alpha_to_coverage;
    return word_of(f);
}

uint32_t without_early_tests(uint32_t flags_0) {
    hw::DcdFlags0 f;
    hw::unpack(&flags_0, &f);
    f.zs_update_operation = f.pixel_kill_operation = hw::PixelKill::ForceLate;
    f.allow_forward_pixel_to_kill = false;
    return word_of(f);
}

uint32_t flags_0_without_fragment_shader(bool has_color) {
    hw::DcdFlags0 f;
    f.zs_update_operation = f.pixel_kill_operation = hw::PixelKill::ForceEarly;
    f.allow_forward_pixel_to_kill = !has_color;  // earlier colors stay visible
    f.allow_forward_pixel_to_be_killed = true;
    f.overdraw_alpha0 = f.overdraw_alpha1 = true;
    return word_of(f);
}

// For the hardware y grows downwards: its counter-clockwise is clockwise with row 0 at the bottom, as all
// code below the API has it.

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
