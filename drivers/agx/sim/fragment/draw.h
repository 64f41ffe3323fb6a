// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A draw's state for its fragments, decoded once a render: tests, samples, the program and its coefficients.
#pragma once

#include <vector>

#include "drivers/agx/sim/bound_program.h"
#include "drivers/agx/sim/fragment/coefficients.h"
#include "drivers/agx/sim/render.h"
#include "drivers/common/units/fragment_tests.h"
#include "pipe/raster/edge.h"

namespace terrazzo::agx::sim {

struct FragmentDraw {
    uint64_t number = 0;  // of the draw, for reports
    /// Pixels of the scissor and the region clip, for each viewport.
    std::vector<pipe::raster::PixelRect> scissor;
    units::DepthBias bias;
    units::FragmentTests tests;
    units::SamplePattern pattern;
    unsigned samples = 1;
    /// The program says when the tests are done, and of which samples (sample_mask, zs_emit).
    bool tests_by_program = false;
    bool shades = false;                       // the program runs
    bool counts = false, counts_once = false;  // samples that pass; counts_once: only whether there are any
    uint32_t query = 0;                        // the number of the result
    BoundProgram program;
    Coefficients coefficients;
};

/// What a whole render has in common.
struct RenderState {
    pipe::raster::PixelRect area;  // of the framebuffer
    units::SamplePattern pattern;
    units::DepthFormat depth_format = units::DepthFormat::Float32;
    bool has_depth = true;
};

/// `core`: runs preshaders. `memory`: reads scissors and biases.
[[nodiscard]] bool decode_draw(const RenderCommand& command, const RenderState& render,
                               const BinnedDraw& binned, Core& core, Window& memory, FragmentDraw* out,
                               Fault* fault);

}  // namespace terrazzo::agx::sim
