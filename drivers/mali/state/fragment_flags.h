// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// When depth and stencil are tested and updated, and which fragments the hardware may drop.
#pragma once

#include "drivers/mali/state/blend.h"
#include "drivers/mali/state/depth_stencil.h"

namespace terrazzo::mali {

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
