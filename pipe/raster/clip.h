// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Clipping in clip space, the viewport, and depth offset. Source: OpenGL ES 3.2 sections 12.4, 12.5 and
// 13.7.5; ES 2.0 section 2.13 for points: only the near and far planes discard them, so that a wide point
// does not vanish with its centre.
#pragma once

#include <cstdint>

#include "pipe/format.h"
#include "pipe/state.h"

namespace terrazzo::pipe::raster {

/// Bit p is set if the position is outside plane p: -x, +x, -y, +y, near, far, or w not positive.
inline constexpr uint32_t kClipNear = 1u << 4, kClipFar = 1u << 5, kClipW = 1u << 6;
uint32_t clip_code(const float position[4]);

/// A vertex of the clipped primitive. Its attributes are the sum over the original vertices of weight[i] *
/// attribute[i]. The weights are linear in clip space, so perspective needs no further correction here.
struct ClippedVertex {
    float position[4];
    float weight[3];
};
inline constexpr unsigned kMaxClippedVertices = 10;  // 3, and one more for each of 7 planes

/// Clips a triangle. Returns the number of corners of the convex polygon (0, or 3 to kMaxClippedVertices),
/// which has the orientation of the input. An edge that two triangles share is cut at bitwise the same point.
unsigned clip_triangle(const float position[3][4], ClippedVertex out[kMaxClippedVertices]);

/// Clips a segment. False: nothing is left. weight[2] is 0.
[[nodiscard]] bool clip_line(const float position[2][4], ClippedVertex out[2]);

/// Whether a point is drawn.
bool point_survives(const float position[4]);

/// Converts clip space to window space: x, y in pixels, depth mapped by Viewport::scale[2] and translate[2],
/// and 1/w. w must be positive.
void to_window(const Viewport& viewport, const float position[4], float window[3], float* inv_w);

/// The smallest resolvable difference of depth values in the format, the r of polygon offset: 2^-n for a
/// fixed-point format; for a float format 2^(e-23), where e is the exponent of the largest depth in the
/// primitive.
float depth_resolution(Format depth_format, float largest_depth);

/// Limits a depth bias to RasterDesc::depth_bias_clamp (EXT_polygon_offset_clamp).
inline float clamp_polygon_offset(const RasterDesc& raster, float offset) {
    const float limit = raster.depth_bias_clamp;
    if (limit > 0) return offset < limit ? offset : limit;
    if (limit < 0) return offset > limit ? offset : limit;
    return offset;
}

/// factor * m + r * units, clamped, with m = max(|dz/dx|, |dz/dy|) of the triangle in window coordinates (0
/// for a triangle without area). The caller adds it to each depth, then clamps to [0, 1].
float polygon_offset(const RasterDesc& raster, Format depth_format, const float window[3][3]);

}  // namespace terrazzo::pipe::raster
