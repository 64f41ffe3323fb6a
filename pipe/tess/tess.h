// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The primitive generator of tessellation (OpenGL ES 3.2 section 11.2.2): from a patch's levels to the points of its domain and
// the triangles or lines between them, for drivers whose device has none. Patches that share an edge have the same points there:
// coordinates along an edge depend on its level alone, and come in pairs x and 1 - x, exactly.
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

/// Keeps its memory from patch to patch.
class Tessellator {
  public:
    /// False: the patch is discarded. Throws std::bad_alloc.
    bool run(const TessDomain& domain, const TessLevels& levels);
    /// Each once.
    [[nodiscard]] const std::vector<TessPoint>& points() const { return points_; }
    /// Three for each triangle, two for each line; of points none.
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

/// How an edge of this level is divided: coordinates from 0 to 1. `above_one`: a level of 1 counts as a little more.
[[nodiscard]] std::vector<float> subdivide(ir::Spacing spacing, float level, bool above_one = false);

}  // namespace terrazzo::pipe
