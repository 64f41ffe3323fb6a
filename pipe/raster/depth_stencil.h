// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The stencil and depth tests of one fragment, and their writes. Source: OpenGL ES 3.2 sections 15.1.2 and
// 15.1.3.
#pragma once

#include "pipe/state.h"

namespace terrazzo::pipe::raster {

/// `a` is the incoming value (fragment depth, masked reference), `b` the stored one. NaN passes only NotEqual
/// and Always.
template <class T>
constexpr bool compare(Compare func, T a, T b) {
    switch (func) {
        case Compare::Never:
            return false;
        case Compare::Less:
            return a < b;
        case Compare::Equal:
            return a == b;
        case Compare::LessEqual:
            return a <= b;
        case Compare::Greater:
            return a > b;
        case Compare::NotEqual:
            return !(a == b);
        case Compare::GreaterEqual:
            return a >= b;
        case Compare::Always:
            return true;
    }
    return false;
}

/// The new value of an 8-bit stencil, before the write mask.
constexpr uint8_t stencil_op(StencilOp op, uint8_t stored, uint8_t reference) {
    switch (op) {
        case StencilOp::Keep:
            return stored;
        case StencilOp::Zero:
            return 0;
        case StencilOp::Replace:
            return reference;
        case StencilOp::IncrClamp:
            return uint8_t(stored == 255 ? 255 : stored + 1);
        case StencilOp::DecrClamp:
            return uint8_t(stored == 0 ? 0 : stored - 1);
        case StencilOp::Invert:
            return uint8_t(~stored);
        case StencilOp::IncrWrap:
            return uint8_t(stored + 1);
        case StencilOp::DecrWrap:
            return uint8_t(stored - 1);
    }
    return stored;
}

constexpr bool stencil_passes(const StencilFaceDesc& face, uint8_t stored, uint8_t reference) {
    return compare<unsigned>(face.compare, reference & face.read_mask, stored & face.read_mask);
}

constexpr uint8_t stencil_write(const StencilFaceDesc& face, StencilOp op, uint8_t stored,
                                uint8_t reference) {
    return uint8_t((stored & ~face.write_mask) | (stencil_op(op, stored, reference) & face.write_mask));
}

/// Runs both tests on one sample. `stencil` and `depth` are the stored values; they are updated by the rules,
/// also if a test fails. For a missing buffer, pass a description with its test disabled. T is float, or the
/// integer of a fixed-point buffer, to which the caller has rounded the fragment's depth. True: both tests
/// pass.
template <class T>
constexpr bool test_depth_stencil(const DepthStencilDesc& desc, bool front_facing, uint8_t reference,
                                  T fragment_depth, T& depth, uint8_t& stencil) {
    const StencilFaceDesc& face = front_facing ? desc.front : desc.back;
    if (desc.stencil_test && !stencil_passes(face, stencil, reference)) {
        stencil = stencil_write(face, face.fail, stencil, reference);
        return false;
    }
    const bool depth_passes = !desc.depth_test || compare(desc.depth_compare, fragment_depth, depth);
    if (desc.stencil_test)
        stencil = stencil_write(face, depth_passes ? face.pass : face.depth_fail, stencil, reference);
    if (depth_passes && desc.depth_test && desc.depth_write) depth = fragment_depth;
    return depth_passes;
}

}  // namespace terrazzo::pipe::raster
