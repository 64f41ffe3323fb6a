// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The flags of draws (DcdFlags0): rasterization, when depth and stencil are tested and updated, and which
// fragments the hardware may drop. State objects pack their descriptors at creation, as far as possible; the
// functions here and in the headers of the other state objects combine what depends on two objects or on the
// targets. `out` is GPU memory: it is written once, in order.
#pragma once

#include "drivers/mali/state/blend.h"
#include "drivers/mali/state/depth_stencil.h"

namespace terrazzo::mali {

class MaliRaster final : public pipe::RasterState {
  public:
    explicit MaliRaster(const pipe::RasterDesc& d);
    const pipe::RasterDesc desc;
    uint32_t flags_0;           // DcdFlags0 of polygons: culling, orientation
    uint32_t flags_0_unculled;  // of points and lines, which have no faces
};

/// The DcdFlags0 bits for the samples of a pass. Lines are rectangles if they cover samples.
[[nodiscard]] uint32_t sample_flags_0(const pipe::RasterDesc& raster, uint32_t samples, bool per_sample);

/// Whether a draw needs its fragment shader. Draws that write only depth and stencil are faster without it.
[[nodiscard]] bool needs_fragment_shader(const compiler::Info& fragment, const BlendSummary& blend);

/// The DcdFlags0 bits that depend on the fragment shader, depth and blending: early or late tests, and which
/// fragments later ones may kill.
[[nodiscard]] uint32_t fragment_flags_0(const compiler::Info& fragment, const MaliDepthStencil& zs,
                                        const BlendSummary& blend, bool has_depth_stencil,
                                        bool occlusion_query, bool alpha_to_coverage);
/// These bits for a draw without a fragment shader. `has_color`: there are color attachments.
[[nodiscard]] uint32_t flags_0_without_fragment_shader(bool has_color);

/// `flags_0`, changed so that depth and stencil are tested after the shader and no fragment is killed by a
/// later one.
[[nodiscard]] uint32_t without_early_tests(uint32_t flags_0);

}  // namespace terrazzo::mali
