// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/screen/device_screen.h"
#include "pipe/device_limits.h"
#include "winsys/clock.h"

namespace terrazzo::screens {

void fill_common_caps(pipe::Caps* caps, const char* vendor, const std::string& renderer) {
    caps->renderer = renderer.c_str();
    caps->driver = vendor;
    caps->native_fences = caps->implicit_fences = caps->memory_objects = true;
    caps->max_texture_size_px = caps->max_cube_size_px = pipe::kMaxTarget_px;
    caps->max_renderbuffer_size_px = caps->max_viewport_px = pipe::kMaxTarget_px;
    caps->max_anisotropy = 16;
    caps->subpixel_bits = 8;
    caps->float_textures_linear = true;
    caps->dual_source_blend = caps->framebuffer_fetch = caps->depth_clamp = true;
}

void fill_limits(pipe::Caps* caps, const Limits& limits) {
    caps->gles_version = limits.gles_version;
    caps->max_color_targets = limits.color_targets;
    caps->max_samples = limits.samples;
    caps->max_samplers_vertex = caps->max_samplers_fragment = limits.stage_samplers;
    caps->max_samplers_combined = limits.combined_samplers;
    caps->line_width_px[1] = limits.line_width_px;
    caps->point_size_px[1] = limits.point_size_px;
}

void tell_import(const memory::Device& device, pipe::ImportStatus why) {
    device.log()(pipe::Severity::Info,
                 std::string(device.vendor) + ": cannot import an image: " + import_status_text(why));
}

uint64_t timestamp_ns(uint64_t of_device_ns) {
    return of_device_ns ? of_device_ns : winsys::monotonic_ns();
}

}  // namespace terrazzo::screens
