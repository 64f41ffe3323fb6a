// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A primitive that is ready for the walk over a tile: its coverage, and the planes of interpolated values.
#pragma once

#include "drivers/common/units/edges.h"
#include "drivers/common/units/primitive.h"
#include "pipe/format.h"

namespace terrazzo::units {

/// a x + b y + c. x and y are in pixels; pixel centres are at halves.
struct PlaneEquation {
    double a = 0, b = 0, c = 0;
    double at(double x, double y) const { return a * x + b * y + c; }
    /// at() of two positions of a row: the same bits.
    RowF64 at_row(RowF64 x, double y) const { return x * a + b * y + c; }
    /// at() of the four positions of a quad, of which (x, y) is the first: the same bits.
    QuadF64 at_quad(double x, double y) const {
        const RowF64 row = {x, x + 1};
        return quad_of(at_row(row, y), at_row(row, y + 1));
    }
};

struct RasterPrimitive {
    PrimitiveKind kind = PrimitiveKind::Triangle;
    bool back_facing = false, covers_all = false;
    bool is_rectangle = false;  // a line that covers the samples in a rectangle around it, not whole pixels
    pipe::raster::PixelRect bounds;  // the caller may clip it, for example to a scissor
    TriangleEdges triangle;
    pipe::raster::FixedPoint line_from, line_to;
    PlaneEquation weight[3];  // of the vertices, divided by w, times a common factor
    PlaneEquation depth, inv_w;
    float point_x_px = 0, point_y_px = 0, size_px = 1;

    pipe::raster::LineSetup line() const { return pipe::raster::setup_line(line_from, line_to, size_px); }
    unsigned vertex_count() const {
        return covers_all || kind == PrimitiveKind::Triangle ? 3 : kind == PrimitiveKind::Line ? 2 : 1;
    }
};

/// Polygon offset of triangles: factor * m + units * unit_scale * r, with the format's r of OpenGL ES 3.2
/// section 13.7.5.
struct DepthBias {
    bool enable = false;
    float factor = 0, units = 0, clamp = 0;  // clamp: 0 for none
    double unit_scale = 1;
    pipe::Format format = pipe::Format::D32_FLOAT;
};

/// The pixels whose centres a triangle may cover or, if `multisampled`, any part of them. False: there are
/// none, as for a small triangle between the centres.
[[nodiscard]] bool find_pixels(const int32_t (&corner)[3][2], bool multisampled,
                               pipe::raster::PixelRect* out);
[[nodiscard]] inline bool find_pixels(const Primitive& triangle, bool multisampled,
                                      pipe::raster::PixelRect* out) {
    return find_pixels(triangle.corner, multisampled, out);
}

/// Sets all members of *out that its kind uses. False: the primitive covers nothing. `p` may come from memory
/// that a program wrote: it may have any numbers. out->bounds has the
/// pixels whose centres or, if `multisampled`, any parts may be covered. allow_avx2 = false (for tests):
/// works as on a CPU without AVX2, with the same results.
[[nodiscard]] bool set_up_raster(const Primitive& p, const DepthBias& bias, bool multisampled,
                                 RasterPrimitive* out, bool allow_avx2 = true);

/// A primitive that covers `bounds`. Its vertices 0, 1, 2 are at (0, 0), (width, 0), (0, height).
RasterPrimitive cover_rect(const pipe::raster::PixelRect& bounds, uint32_t width_px, uint32_t height_px,
                           double depth);

}  // namespace terrazzo::units
