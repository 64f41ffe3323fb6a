// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The primitive generator of tessellation (OpenGL ES 3.2 section 11.2.2): computes the points of a patch's
// domain, and the triangles or lines between them, from the patch's levels. For drivers whose device has
// none. Patches that share an edge have the same points there: coordinates along an edge depend on its level
// only, and come in exact pairs x and 1 - x.
#pragma once

#include <cstdint>
#include <vector>

#include "shaders/ir/ir.h"

namespace terrazzo::pipe {

inline constexpr int kMaxTessLevel = 64;

struct TessLevels {
    float outer[4] = {}, inner[2] = {};
};

struct TessDomain {
    ir::Shape shape = ir::Shape::Triangles;  // Triangles, Quads or Isolines
    ir::Spacing spacing = ir::Spacing::Equal;
    bool clockwise = false;
    bool points = false;  // point_mode: no lines or triangles
};

struct TessPoint {
    float u = 0, v = 0, w = 0;
};

/// Reuses its memory for later patches.
class Tessellator {
  public:
    /// False: the patch is discarded. Throws std::bad_alloc.
    bool run(const TessDomain& domain, const TessLevels& levels);
    /// Each point once.
    [[nodiscard]] const std::vector<TessPoint>& points() const { return points_; }
    /// Three indices per triangle, two per line; none in point mode.
    [[nodiscard]] const std::vector<uint32_t>& indices() const { return indices_; }

  private:
    using Row = std::vector<uint32_t>;  // points along a line

    void triangles(const TessLevels& levels);
    void quads(const TessLevels& levels);
    void isolines(const TessLevels& levels);
    uint32_t point(double u, double v);
    void triangle(uint32_t a, uint32_t b, uint32_t c);
    void stitch(const Row& outer, const Row& inner);
    void ring(const Row (&outer)[4], const Row (&inner)[4], unsigned edges);

    TessDomain domain_;
    std::vector<TessPoint> points_;
    std::vector<uint32_t> indices_;
};

/// The coordinates, from 0 to 1, that divide an edge of this level. `above_one`: a level of 1 counts as
/// slightly more.
[[nodiscard]] std::vector<float> subdivide(ir::Spacing spacing, float level, bool above_one = false);

}  // namespace terrazzo::pipe
