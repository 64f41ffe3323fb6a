// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The data of a draw and its primitives that fragments need, decoded once per job.
#pragma once

#include <memory>
#include <vector>

#include "drivers/common/units/fragment_tests.h"
#include "drivers/common/units/raster.h"
#include "drivers/mali/sim/fragment/framebuffer.h"
#include "drivers/mali/sim/state/shader.h"
#include "drivers/mali/sim/tiler/records.h"

namespace terrazzo::mali::sim {

struct BlendState {
    hw::Blend d;
    uint64_t internal = 0;  // in the form that shaders read
};

struct FragmentDraw {
    DrawRecord record;
    bool frame_shader = false;
    hw::DcdFlags0 flags_0;
    hw::DcdFlags1 flags_1;
    hw::DepthStencil zs;
    units::FragmentTests tests;
    units::DepthBias bias;
    std::vector<BlendState> blend;
    ShaderState shader;
    bool has_shader = false;
    pipe::raster::PixelRect scissor;
    // The samples that primitives cover: at the centre, if the draw is not multisampled.
    units::SamplePattern pattern;
    uint32_t sample_mask = 0xff;
    bool multisampled = false;     // the samples have places of their own
    bool per_sample = false;       // a thread shades one sample
    bool shades_rejected = false;  // fragments that early tests reject are shaded, and then dropped
    bool early_test = false, early_update = false, late_test = false;
    bool one_primitive_a_warp = false;  // a shader reads the tile buffer
    bool tests_anything = false;
    // Forward pixel kill: its pixels replace those of earlier draws; later ones may replace its own,
    // unshaded.
    bool kills = false, killable = false;
    std::string name() const {
        return (frame_shader ? "frame shader " : "draw ") + std::to_string(record.number);
    }
};

bool load_draw(Machine& machine, const DrawRecord& record, const FramebufferState& fb, FragmentDraw* out,
               Fault* fault);
/// From a Draw descriptor: a frame shader, or a draw without vertices.
bool load_dcd(Machine& machine, uint64_t va, const hw::Scissor& scissor, const FramebufferState& fb,
              FragmentDraw* out, Fault* fault);

struct FragmentPrimitive : units::RasterPrimitive {
    const FragmentDraw* draw = nullptr;
    const uint8_t* varying[3] = {};
    uint32_t provoking = 0, varying_size_B = 0;
};

/// A rectangle with all pixels that a line or point may cover. Empty: none.
pipe::raster::PixelRect pixels_of(const FragmentDraw& draw, const PrimitiveRecord& record);
/// False: the primitive covers no pixel.
bool load_primitive(const FragmentDraw& draw, const PrimitiveRecord& record, const uint8_t* varyings,
                    FragmentPrimitive* out);
/// A primitive that covers the whole framebuffer; vertices 0, 1, 2 are its corners at (0, 0), (w, 0), (0, h).
FragmentPrimitive whole_framebuffer(const FragmentDraw& draw, const FramebufferState& fb);

}  // namespace terrazzo::mali::sim
