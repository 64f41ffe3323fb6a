// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Clipping for the pipeline: by near, far and w, and by a guard band instead of the other planes. The
// rasteriser's clip rectangle has the exact effect of those (nothing outside the viewport). The same holds
// for points and lines: ES 2.0 section 2.13 clips points only by near and far.
#pragma once

#include <cstdint>

#include "pipe/state.h"

namespace terrazzo::soft {

/// Bits of a vertex's clip code.
namespace clip_bit {
inline constexpr uint32_t kLeft = 1, kRight = 2, kBottom = 4, kTop = 8, kNear = 16, kFar = 32,
                          kGuardLeft = 64, kGuardRight = 128, kGuardBottom = 256, kGuardTop = 512, kW = 1024,
                          kNotFinite = 2048;
/// The first of eight bits each: clip distances that are negative (of enabled planes), and negative cull
/// distances.
inline constexpr uint32_t kDistance = 1u << 12, kCull = 1u << 20;
inline constexpr uint32_t kDistances = 0xff * kDistance, kCulls = 0xff * kCull;
/// kView: a triangle is invisible if all vertices share one of these bits. kDepth: the same for points and
/// lines, whose width may reach into the viewport.
inline constexpr uint32_t kView = 63 | kDistances | kCulls, kDepth = kNear | kFar | kDistances | kCulls;
/// A primitive with any of these goes through the clipper.
inline constexpr uint32_t kMustClip =
    kNear | kFar | kGuardLeft | kGuardRight | kGuardBottom | kGuardTop | kW | kDistances;
}  // namespace clip_bit

/// The viewport with its guard band in clip space: x is inside if x_low * w + x * scale >= 0 and x_high * w -
/// x * scale >= 0.
struct ClipSpace {
    float scale[3], translate[3];
    float low[2], high[2];  // kGuard + translate, kGuard - translate
    float near;             // the near plane is z = -near * w: 1, or 0 (RasterDesc::clip_z_zero)
    uint8_t planes;         // RasterDesc::clip_planes
    uint32_t kept = ~0u;    // bits of codes that count: without near and far if RasterDesc::depth_clamp
    explicit ClipSpace(const pipe::Viewport& v, bool z_zero = false, uint8_t clip_planes = 0,
                       bool depth_clamp = false);
};

inline uint32_t clip_code(const ClipSpace& s, float x, float y, float z, float w) {
    using namespace clip_bit;
    uint32_t code = 0;
    code |= x >= -w ? 0 : kLeft;
    code |= x <= w ? 0 : kRight;
    code |= y >= -w ? 0 : kBottom;
    code |= y <= w ? 0 : kTop;
    code |= z >= -w * s.near ? 0 : kNear;
    code |= z <= w ? 0 : kFar;
    code |= s.low[0] * w + x * s.scale[0] >= 0 ? 0 : kGuardLeft;
    code |= s.high[0] * w - x * s.scale[0] >= 0 ? 0 : kGuardRight;
    code |= s.low[1] * w + y * s.scale[1] >= 0 ? 0 : kGuardBottom;
    code |= s.high[1] * w - y * s.scale[1] >= 0 ? 0 : kGuardTop;
    code &= s.kept;
    code |= w > 0 ? 0 : kW;
    // A NaN or an infinity makes the sum of these differences NaN.
    code |= (x - x) + (y - y) + (z - z) + (w - w) == 0 ? 0 : kNotFinite;
    return code;
}

/// A window coordinate in px. All vertices use this one formula, so that a shared vertex always has the same
/// position.
inline float window_px(float v, float inv_w, float scale, float translate) {
    return v * inv_w * scale + translate;
}
/// Rounds to 1/256 px, to nearest even, for values within the guard band; other values are clamped to its
/// border.
inline int32_t snap(float px) {
    const float limit = 16383.0f;
    const float c = px > -limit ? (px < limit ? px : limit) : -limit;
    return __builtin_bit_cast(int32_t, c * 256.0f + 12582912.0f) - 0x4b400000;
}

struct ClipVertex {
    float position[4];
    float weight[3];  // the attribute is the weighted sum of the original vertices'
};
inline constexpr unsigned kMaxClipVertices = 3 + 7 + 8;

/// The clip distances of a primitive's two or three vertices: [n] belongs to the plane with bit kDistance <<
/// n. Finite; only read if the codes have that bit.
using PrimitiveDistances = float[8][3];

/// Clips a triangle by the planes in `codes`. Returns the number of corners: 0, or at least 3. An edge that
/// two triangles share is cut at the bitwise same point; clipping by a clip distance and by its negative cuts
/// at the same point. `distances` may be null if `codes` has none.
unsigned clip_triangle(const ClipSpace& s, uint32_t codes, const float position[3][4],
                       const PrimitiveDistances* distances, ClipVertex out[kMaxClipVertices]);
/// False: nothing is left.
[[nodiscard]] bool clip_line(const ClipSpace& s, uint32_t codes, const float position[2][4],
                             const PrimitiveDistances* distances, ClipVertex out[2]);

}  // namespace terrazzo::soft
