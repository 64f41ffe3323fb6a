// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A primitive between assembly and the rasterizer. Trivially copyable: a virtual GPU may keep it in GPU
// memory.
#pragma once

#include <cstdint>

namespace terrazzo::units {

enum class PrimitiveKind : uint32_t { Triangle, Line, Point };
constexpr unsigned corners_of(PrimitiveKind kind) {
    return kind == PrimitiveKind::Point ? 1 : kind == PrimitiveKind::Line ? 2 : 3;
}

/// A vertex in window coordinates: pixels, depth, 1/w.
struct WindowVertex {
    float x = 0, y = 0, z = 0, inv_w = 1;
};

struct Primitive {
    int32_t corner[3][2] =
        {};                  // what is drawn, in 1/256 px; a clipped triangle's corners are not its vertices
    WindowVertex vertex[3];  // what is interpolated
    uint32_t varying[3] =
        {};  // identifies the shader outputs of each vertex, with numbers that the virtual GPU chose
    PrimitiveKind kind = PrimitiveKind::Triangle;
    uint16_t back_facing = 0;
    uint16_t layer = 0;  // of the framebuffer; the caller sets it where layers are drawn apart
    float size_px = 1;   // of points and lines
};

}  // namespace terrazzo::units
