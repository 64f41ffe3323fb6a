// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Where a mode's primitives are in the vertices of a run, without a geometry shader that needs adjacent
// vertices.
#pragma once

#include "pipe/state.h"

namespace terrazzo::soft {

/// The distance in vertices between the starts of consecutive primitives.
[[nodiscard]] constexpr uint32_t step_of(pipe::Primitive mode) {
    switch (mode) {
        case pipe::Primitive::Lines:
        case pipe::Primitive::TriangleStripAdjacency:
            return 2;
        case pipe::Primitive::Triangles:
            return 3;
        case pipe::Primitive::LinesAdjacency:
            return 4;
        case pipe::Primitive::TrianglesAdjacency:
            return 6;
        case pipe::Primitive::Points:
        case pipe::Primitive::LineLoop:
        case pipe::Primitive::LineStrip:
        case pipe::Primitive::TriangleStrip:
        case pipe::Primitive::TriangleFan:
        case pipe::Primitive::LineStripAdjacency:
        case pipe::Primitive::Patches:
            return 1;
    }
    return 1;
}

[[nodiscard]] constexpr bool is_triangles(pipe::Primitive mode) {
    return mode == pipe::Primitive::Triangles || mode == pipe::Primitive::TriangleStrip ||
           mode == pipe::Primitive::TriangleFan || mode == pipe::Primitive::TrianglesAdjacency ||
           mode == pipe::Primitive::TriangleStripAdjacency;
}

/// The index of a line's first vertex in its primitive: without a geometry shader, adjacent vertices are
/// ignored.
[[nodiscard]] constexpr uint32_t line_begin(pipe::Primitive mode) {
    return mode == pipe::Primitive::LinesAdjacency || mode == pipe::Primitive::LineStripAdjacency;
}

}  // namespace terrazzo::soft
