// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What modes of drawing mean, for every driver.
#pragma once

#include "pipe/state.h"

namespace terrazzo::pipe {

/// Primitives that n vertices of a run make; 0 for modes that need later stages.
[[nodiscard]] constexpr uint32_t primitive_count(Primitive mode, uint32_t n) {
    switch (mode) {
        case Primitive::Points:
            return n;
        case Primitive::Lines:
            return n / 2;
        case Primitive::LineLoop:
            return n >= 2 ? n : 0;
        case Primitive::LineStrip:
            return n >= 2 ? n - 1 : 0;
        case Primitive::Triangles:
            return n / 3;
        case Primitive::TriangleStrip:
        case Primitive::TriangleFan:
            return n >= 3 ? n - 2 : 0;
        case Primitive::LinesAdjacency:
        case Primitive::LineStripAdjacency:
        case Primitive::TrianglesAdjacency:
        case Primitive::TriangleStripAdjacency:
        case Primitive::Patches:
            return 0;
    }
    return 0;
}

}  // namespace terrazzo::pipe
