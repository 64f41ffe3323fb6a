// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Depth and stencil tests.
#pragma once

#include "pipe/state.h"

#include <array>

namespace terrazzo::mali {

class MaliRaster;

class MaliDepthStencil final : public pipe::DepthStencilState {
  public:
    explicit MaliDepthStencil(const pipe::DepthStencilDesc& d);
    const pipe::DepthStencilDesc desc;
    using Words = std::array<uint32_t, 8>;
    Words words;  // without stencil references, bias and the bits that depend on the shader
    /// The words for framebuffers without attachments: 0 has neither, 1 only depth, 2 only stencil.
    std::array<Words, 3> reduced;
    bool writes = false;         // draws may change depth or stencil
    bool always_passes = false;  // no fragment can fail the tests
};

/// Writes a DepthStencil descriptor. The test of a depth or stencil attachment that is missing passes, and
/// writes nothing.
void write_depth_stencil(const MaliDepthStencil& zs, const MaliRaster& raster, uint8_t front_ref,
                         uint8_t back_ref, pipe::Format attachment, bool shader_writes_depth,
                         bool shader_writes_stencil, uint32_t out[8]);

}  // namespace terrazzo::mali
