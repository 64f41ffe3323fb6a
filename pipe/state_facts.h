// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What follows from descriptions of state and draws.
#pragma once

#include <algorithm>
#include <cstdint>

#include "pipe/state.h"

namespace terrazzo::pipe {

/// 0 without indices.
[[nodiscard]] constexpr uint32_t index_size_B(IndexType t) {
    constexpr uint32_t kSizes_B[] = {0, 1, 2, 4};
    static_assert(unsigned(IndexType::None) == 0 && unsigned(IndexType::U8) == 1 &&
                  unsigned(IndexType::U16) == 2 && unsigned(IndexType::U32) == 3);
    return kSizes_B[unsigned(t)];
}
/// The index with all bits set, which restarts primitives.
[[nodiscard]] constexpr uint32_t restart_index(IndexType t) {
    return t == IndexType::None ? 0 : ~0u >> (32 - 8 * index_size_B(t));
}

/// Whether an enabled stencil test can change stencil.
[[nodiscard]] constexpr bool writes_stencil(const StencilFaceDesc& f) {
    return f.write_mask &&
           (f.fail != StencilOp::Keep || f.depth_fail != StencilOp::Keep || f.pass != StencilOp::Keep);
}
[[nodiscard]] constexpr bool writes_stencil(const DepthStencilDesc& d) {
    return d.stencil_test && (writes_stencil(d.front) || writes_stencil(d.back));
}

/// The samples that GL_SAMPLE_COVERAGE and GL_SAMPLE_MASK leave enabled, a bit each (OpenGL ES 3.0 section
/// 4.1.3). A coverage of NaN counts as 0.
[[nodiscard]] constexpr uint32_t enabled_samples(uint32_t samples, float coverage, bool invert,
                                                 uint32_t mask) {
    const uint32_t all = (1u << samples) - 1;
    const float share = coverage > 0 ? std::min(coverage, 1.0f) : 0.0f;
    const uint32_t covered = (1u << uint32_t(share * float(samples) + 0.5f)) - 1;
    return (invert ? all & ~covered : covered) & mask;
}

/// Whether texels outside of the image are the border colour.
[[nodiscard]] constexpr bool reads_border(const SamplerDesc& s) {
    return s.wrap_s == Wrap::ClampToBorder || s.wrap_t == Wrap::ClampToBorder ||
           s.wrap_r == Wrap::ClampToBorder;
}

}  // namespace terrazzo::pipe
