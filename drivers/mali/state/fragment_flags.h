// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// When depth and stencil are tested and updated, and which fragments may be dropped unseen.
#pragma once

#include "drivers/mali/state/blend.h"
#include "drivers/mali/state/depth_stencil.h"

namespace terrazzo::mali {

/// Whether a draw needs its fragment shader at all: without it, depth and stencil are cheaper.
[[nodiscard]] bool needs_fragment_shader(const compiler::Info& fragment, const BlendSummary& blend);

/// Early or late tests, and what may be killed: the DcdFlags0 bits that depend on the fragment shader, depth
/// and blending.
[[nodiscard]] uint32_t fragment_flags_0(const MaliProgram& program, const MaliDepthStencil& zs,
                                        const BlendSummary& blend, bool has_depth_stencil,
                                        bool occlusion_query, bool alpha_to_coverage);
[[nodiscard]] uint32_t fragment_flags_0(const compiler::Info& fragment, const MaliDepthStencil& zs,
                                        const BlendSummary& blend, bool has_depth_stencil,
                                        bool occlusion_query, bool alpha_to_coverage);
/// The same of a draw without a fragment shader. `has_color`: there are colour attachments.
[[nodiscard]] uint32_t flags_0_without_fragment_shader(bool has_color);

/// The same with depth and stencil tested after the shader, and no fragment killed by those behind it.
[[nodiscard]] uint32_t without_early_tests(uint32_t flags_0);

}  // namespace terrazzo::mali
