// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Depth and stencil tests.
#pragma once

#include <array>

#include "drivers/mali/state/raster_state.h"

namespace terrazzo::mali {

class MaliDepthStencil final : public pipe::DepthStencilState {
  public:
    explicit MaliDepthStencil(const pipe::DepthStencilDesc& d);
    const pipe::DepthStencilDesc desc;
    using Words = std::array<uint32_t, 8>;
    Words words;  // without stencil references, bias and what the shader decides
    /// The same where an attachment is missing: index 0 without both, 1 with depth alone, 2 with stencil
    /// alone.
    std::array<Words, 3> reduced;
    bool writes = false;         // depth or stencil may change
    bool always_passes = false;  // nothing can fail the tests
};

/// A DepthStencil descriptor. Without a depth (or stencil) attachment, tests on it pass and nothing is
/// written.
void write_depth_stencil(const MaliDepthStencil& zs, const MaliRaster& raster, uint8_t front_ref,
                         uint8_t back_ref, pipe::Format attachment, bool shader_writes_depth,
                         bool shader_writes_stencil, uint32_t out[8]);

}  // namespace terrazzo::mali
