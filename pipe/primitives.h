// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The primitives of the drawing modes, for all drivers (OpenGL ES 3.2 section 10.1).
#pragma once

#include "pipe/state.h"

namespace terrazzo::pipe {

/// Number of vertices of one primitive; `patch`: of a patch.
[[nodiscard]] constexpr uint32_t primitive_vertices(Primitive mode, uint32_t patch) {
    switch (mode) {
        case Primitive::Points:
            return 1;
        case Primitive::Lines:
        case Primitive::LineLoop:
        case Primitive::LineStrip:
            return 2;
        case Primitive::Triangles:
        case Primitive::TriangleStrip:
        case Primitive::TriangleFan:
            return 3;
        case Primitive::LinesAdjacency:
        case Primitive::LineStripAdjacency:
            return 4;
        case Primitive::TrianglesAdjacency:
        case Primitive::TriangleStripAdjacency:
            return 6;
        case Primitive::Patches:
            return patch;
    }
    return 0;
}

/// Number of primitives that consist of n consecutive vertices.
[[nodiscard]] constexpr uint32_t primitive_count(Primitive mode, uint32_t n, uint32_t patch = 0) {
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
            return n / 4;
        case Primitive::LineStripAdjacency:
            return n >= 4 ? n - 3 : 0;
        case Primitive::TrianglesAdjacency:
            return n / 6;
        case Primitive::TriangleStripAdjacency:
            return n >= 6 ? (n - 4) / 2 : 0;
        case Primitive::Patches:
            return patch ? n / patch : 0;
    }
    return 0;
}

/// The vertices of primitive `p` of n consecutive vertices, in a geometry shader's order (a patch's are
/// consecutive).
constexpr void list_primitive(Primitive mode, uint32_t p, uint32_t n, uint32_t patch, uint32_t* out) {
    const auto list = [&](auto... v) { ((*out++ = uint32_t(v)), ...); };
    const uint32_t odd = p & 1;
    switch (mode) {
        case Primitive::Points:
            return list(p);
        case Primitive::Lines:
            return list(2 * p, 2 * p + 1);
        case Primitive::LineLoop:
            return list(p, p + 1 == n ? 0 : p + 1);
        case Primitive::LineStrip:
            return list(p, p + 1);
        case Primitive::Triangles:
            return list(3 * p, 3 * p + 1, 3 * p + 2);
        case Primitive::TriangleStrip:
            return list(p + odd, p + 1 - odd, p + 2);
        case Primitive::TriangleFan:
            return list(0, p + 1, p + 2);
        case Primitive::LinesAdjacency:
            return list(4 * p, 4 * p + 1, 4 * p + 2, 4 * p + 3);
        case Primitive::LineStripAdjacency:
            return list(p, p + 1, p + 2, p + 3);
        case Primitive::TrianglesAdjacency:
            return list(6 * p, 6 * p + 1, 6 * p + 2, 6 * p + 3, 6 * p + 4, 6 * p + 5);
        case Primitive::TriangleStripAdjacency: {
            // Table 10.1: the corners, each followed by the vertex across the edge to the next corner.
            const bool last = p + 1 == primitive_count(mode, n);
            const uint32_t before = p ? 2 * p - 2 : 1, after = last ? 2 * p + 5 : 2 * p + 6;
            if (odd) return list(2 * p + 2, before, 2 * p, 2 * p + 3, 2 * p + 4, after);
            return list(2 * p, before, 2 * p + 2, after, 2 * p + 4, 2 * p + 3);
        }
        case Primitive::Patches:
            for (uint32_t v = 0; v < patch; ++v)
                *out++ = patch * p + v;
            return;
    }
}

}  // namespace terrazzo::pipe
