// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/binning/setup.h"

#include <algorithm>
#include <cmath>

#include "drivers/soft/binning/pipeline_limits.h"
#include "pipe/raster/clip.h"

namespace terrazzo::soft {

namespace {

using pipe::raster::kSubpixelBits;
using pipe::raster::kSubpixelHalf;
using pipe::raster::kSubpixelOne;

constexpr double kPixel = 1.0 / kSubpixelOne;
constexpr int32_t kSampleReach = kSampleReach_16ths * (kSubpixelOne / 16);

Rect clipped(const Rect& r, const Rect& clip) {
    return {std::max(r.x0, clip.x0), std::max(r.y0, clip.y0), std::min(r.x1, clip.x1),
            std::min(r.y1, clip.y1)};
}

/// The origin of planes: the pixel of a vertex, clamped to the largest render target, so that floats stay
/// small near pixels. It must not depend on the scissor or viewport: a triangle must have the same depths in
/// every pass.
float origin_px(int32_t fixed) {
    return float(std::clamp(fixed >> kSubpixelBits, 0, int32_t(kMaxTarget_px) - 1)) + 0.5f;
}

/// A linear function over the window with given values at three vertices: f0 at (x0, y0), gradients from the
/// differences.
struct Interpolator {
    double x0, y0;          // px, from the planes' origin
    double ax, ay, bx, by;  // gradient = (f1 - f0) * (ax, ay) + (f2 - f0) * (bx, by)

    [[nodiscard]] Plane plane(double f0, double f1, double f2) const {
        const double d1 = f1 - f0, d2 = f2 - f0;
        const double gx = d1 * ax + d2 * bx, gy = d1 * ay + d2 * by;
        return {float(f0 - x0 * gx - y0 * gy), float(gx), float(gy)};
    }
};

float output(const SetupState& s, const float* out, uint16_t component) {
    return component == kNoOutput ? 0.0f : out[size_t(component) * s.stride];
}

void fill_setup(const SetupState& s, const Interpolator& in, const SetupVertex* const v[3], const float* flat,
                PrimitiveSetup* setup, Plane* planes) {
    setup->z = in.plane(v[0]->z, v[1]->z, v[2]->z);
    setup->inv_w = in.plane(v[0]->inv_w, v[1]->inv_w, v[2]->inv_w);
    setup->varyings = planes;
    for (uint32_t i = s.program->point_coord; i < s.program->plane_count; ++i)
        planes[i] = {0, 0, 0};
    const double w0 = v[0]->inv_w, w1 = v[1]->inv_w, w2 = v[2]->inv_w;
    for (const PlaneLink& link : s.program->links) {
        Plane& p = planes[link.plane];
        if (link.source == kNoOutput) {
            p = {0, 0, 0};
            continue;
        }
        const size_t at = size_t(link.source) * s.stride;
        switch (link.interp) {
            case Interpolation::Smooth:
                p = in.plane(v[0]->out[at] * w0, v[1]->out[at] * w1, v[2]->out[at] * w2);
                break;
            case Interpolation::NoPerspective:
                p = in.plane(v[0]->out[at], v[1]->out[at], v[2]->out[at]);
                break;
            case Interpolation::Flat:
                p = {flat[at], 0, 0};
                break;
        }
    }
}

template <class P>
P* make_prim(const SetupState& s, PrimKind kind, const Rect& bounds, Plane** planes) {
    P* const p =
        static_cast<P*>(s.bins->arena().allocate(sizeof(P) + s.program->plane_count * sizeof(Plane)));
    p->kind = kind;
    p->bounds = bounds;
    p->count = 0;
    p->draw = s.draw;
    *planes = reinterpret_cast<Plane*>(p + 1);
    return p;
}

/// The offset for the depth plane that guarantees that every pixel's rounded sum changes: twice the spacing
/// of floats at the largest sum (kernels add the column's part first). Twice, because two adjacent values may
/// both round to the even number between them. ES 3.0 section 3.6.2: differences of r stay distinct
/// "throughout polygon rasterization".
float distinct_step(const PrimitiveSetup& setup, const WindowVertex* const v[3]) {
    float most = std::abs(setup.z.a0);
    for (int i = 0; i < 3; ++i) {
        const float x = std::clamp(float(v[i]->x) / kSubpixelOne, 0.0f, float(kMaxTarget_px));
        most = std::max(most, std::abs(setup.z.a0 + (x - setup.x0) * setup.z.dadx));
    }
    return most < 1e30f ? std::ldexp(1.0f, std::ilogb(std::max(most, 1e-30f)) - 22) : 0.0f;
}

float polygon_offset(const SetupState& s, const PrimitiveSetup& setup, const WindowVertex* const v[3]) {
    const double slope = std::max(std::abs(double(setup.z.dadx)), std::abs(double(setup.z.dady)));
    const float r = std::max(
        pipe::raster::depth_resolution(s.pass->depth_format(), std::max({v[0]->z, v[1]->z, v[2]->z})),
        distinct_step(setup, v));
    return pipe::raster::clamp_polygon_offset(
        *s.raster, float(slope * s.raster->depth_bias_factor + double(r) * s.raster->depth_bias_units));
}

/// An upper bound of the edge function over the samples of pixel (0, 0), in multisampled passes.
int64_t most_inside(const Edge& e) {
    return (e.c + (std::abs(int64_t(e.a)) + std::abs(int64_t(e.b))) * kSampleReach_16ths) >> 4;
}

void bin_triangle(const SetupState& s, const TrianglePrim* p) {
    Bins& bins = *s.bins;
    constexpr int32_t kSpan = kTileSize_px - 1;
    const Rect& r = p->bounds;
    const int32_t tx0 = r.x0 / kTileSize_px, tx1 = (r.x1 - 1) / kTileSize_px;
    const int32_t ty0 = r.y0 / kTileSize_px, ty1 = (r.y1 - 1) / kTileSize_px;
    bins.add_work(uint64_t(r.x1 - r.x0) * uint64_t(r.y1 - r.y0) / 2 + 64);
    if (tx0 == tx1 && ty0 == ty1) {
        bins.push(tx0, ty0, p);
        return;
    }
    const bool samples = s.pass->job().samples > 1;
    int64_t reach[3];  // from a tile's origin to the corner where the function is largest
    for (int i = 0; i < 3; ++i)
        reach[i] = (samples ? most_inside(p->edge[i]) : p->edge[i].c) +
                   int64_t(std::max(p->edge[i].a, 0)) * kSpan + int64_t(std::max(p->edge[i].b, 0)) * kSpan;
    for (int32_t ty = ty0; ty <= ty1; ++ty)
        for (int32_t tx = tx0; tx <= tx1; ++tx) {
            bool inside = true;
            for (int i = 0; i < 3; ++i)
                inside &= reach[i] + int64_t(p->edge[i].a) * (tx * kTileSize_px) +
                              int64_t(p->edge[i].b) * (ty * kTileSize_px) >=
                          0;
            if (inside) bins.push(tx, ty, p);
        }
}

}  // namespace

namespace {

SetupArgs setup_args(const SetupState& s, const VertexColumns& vertices, const VertexRecords& records,
                     const TriangleList& list) {
    return {list,
            vertices,
            records,
            s.draw,
            s.program->links.data(),
            uint32_t(s.program->links.size()),
            s.program->plane_count,
            s.program->has_flat,
            s.raster->front_ccw,
            s.pass->job().tiles_x};
}

void offset_depth(const SetupState& s, const SetupArgs& args, const Survivor& t, PrimitiveSetup* setup) {
    const WindowVertex* const w = args.vertices.window;
    const WindowVertex* const v[3] = {w + args.list.a[t.which], w + args.list.b[t.which],
                                      w + args.list.c[t.which]};
    setup->z.a0 += polygon_offset(s, *setup, v);
}

void setup_large(const SetupState& s, const FrontKernels& kernels, const SetupArgs& args,
                 const Survivor* triangles, uint32_t count) {
    const uint32_t size_B = triangle_B(s.program->plane_count);
    const auto setup = s.pass->job().samples > 1 ? kernels.setup_samples : kernels.setup;
    constexpr uint32_t kTogether = 32;  // stay in the L1 cache until they are binned
    for (uint32_t first = 0; first < count; first += kTogether) {
        const uint32_t n = std::min(kTogether, count - first);
        std::byte* at = static_cast<std::byte*>(s.bins->arena().allocate(size_t(n) * size_B));
        setup(args, triangles + first, n, at);
        for (uint32_t i = 0; i < n; ++i, at += size_B) {
            TrianglePrim* const p = reinterpret_cast<TrianglePrim*>(at);
            if (s.raster->depth_bias) offset_depth(s, args, triangles[first + i], &p->setup);
            bin_triangle(s, p);
        }
    }
}

void setup_small(const SetupState& s, const FrontKernels& kernels, const SetupArgs& args,
                 const Survivor* triangles, uint32_t count) {
    constexpr uint64_t kWork_px = 66;  // per triangle, as in bin_triangle()
    constexpr uint32_t kTogether = 256;
    PlacedRun runs[kTogether];
    for (uint32_t first = 0; first < count; first += kTogether) {
        const uint32_t n = std::min(kTogether, count - first);
        std::byte* const at =
            static_cast<std::byte*>(s.bins->arena().allocate(small_runs_B(s.program->plane_count, n)));
        std::byte* end;
        const uint32_t run_count = kernels.small_setup(args, triangles + first, n, at, runs, &end);
        s.bins->arena().give_back(end);
        s.bins->add_work(n * kWork_px);
        const Survivor* t = triangles + first;
        for (uint32_t r = 0; r < run_count; ++r) {
            SmallRun* const run = runs[r].run;
            std::byte* p = reinterpret_cast<std::byte*>(run + 1);
            for (uint32_t i = 0; s.raster->depth_bias && i < run->count; ++i, p += run->stride_B)
                offset_depth(s, args, *t++, &reinterpret_cast<SmallTriangle*>(p)->setup);
            s.bins->push(runs[r].tile, run);
        }
    }
}

}  // namespace

void setup_triangles(const SetupState& s, const FrontKernels& kernels, const VertexColumns& vertices,
                     const VertexRecords& records, const TriangleList& list, const Survivor* triangles,
                     uint32_t count) {
    const SetupArgs args = setup_args(s, vertices, records, list);
    if (triangles[0].mask)
        setup_small(s, kernels, args, triangles, count);
    else
        setup_large(s, kernels, args, triangles, count);
}

namespace {

/// In multisampled passes, points and lines are rectangles of two triangles, with the coverage rules of
/// triangles (OpenGL ES 3.0 sections 3.4 and 3.5.4). `corner`: in order around the rectangle, 1/256 px.
void push_rectangle(const SetupState& s, const pipe::raster::FixedPoint corner[4],
                    const PrimitiveSetup& setup) {
    for (int half = 0; half < 2; ++half) {
        const pipe::raster::FixedPoint v[3] = {corner[0], corner[1 + half], corner[2 + half]};
        pipe::raster::TriangleSetup t;
        if (!pipe::raster::setup_triangle(v, &t)) continue;
        const auto first = [](int32_t a, int32_t b, int32_t c) {
            return (std::min({a, b, c}) - kSampleReach + kSubpixelHalf - 1) >> kSubpixelBits;
        };
        const auto last = [](int32_t a, int32_t b, int32_t c) {
            return (std::max({a, b, c}) + kSampleReach + kSubpixelHalf - 1) >> kSubpixelBits;
        };
        const Rect bounds = clipped({first(v[0].x, v[1].x, v[2].x), first(v[0].y, v[1].y, v[2].y),
                                     last(v[0].x, v[1].x, v[2].x), last(v[0].y, v[1].y, v[2].y)},
                                    s.draw->clip);
        if (bounds.empty()) continue;
        TrianglePrim* const p = static_cast<TrianglePrim*>(s.bins->arena().allocate(sizeof(TrianglePrim)));
        p->kind = PrimKind::Triangle;
        p->bounds = bounds;
        p->count = 0;
        p->draw = s.draw;
        p->setup = setup;
        for (int i = 0; i < 3; ++i) {
            const pipe::raster::EdgeFunction& e = t.edge[i];
            p->edge[i] = {(e.value(kSubpixelHalf, kSubpixelHalf) + e.bias) >> 4, int32_t(e.a), int32_t(e.b)};
        }
        bin_triangle(s, p);
    }
}

/// A point's square. Its centre may be outside of the window; its size is limited.
void push_square(const SetupState& s, const SetupVertex& v, float size_px, const PrimitiveSetup& setup) {
    const int32_t half = int32_t(size_px * float(kSubpixelHalf));
    const pipe::raster::FixedPoint corner[4] = {{v.x - half, v.y - half},
                                                {v.x + half, v.y - half},
                                                {v.x + half, v.y + half},
                                                {v.x - half, v.y + half}};
    push_rectangle(s, corner, setup);
}

/// A line's rectangle: as wide as the line, with ends at right angles.
void push_stroke(const SetupState& s, const SetupVertex& v0, const SetupVertex& v1,
                 const PrimitiveSetup& setup) {
    const double dx = double(v1.x) - v0.x, dy = double(v1.y) - v0.y;
    const double width = std::clamp(s.raster->line_width_px, kMinLineWidth_px, kMaxLineWidth_px);
    const double scale = width * kSubpixelHalf / std::sqrt(dx * dx + dy * dy);
    const int32_t ox = int32_t(std::lround(-dy * scale)), oy = int32_t(std::lround(dx * scale));
    const pipe::raster::FixedPoint corner[4] = {
        {v0.x - ox, v0.y - oy}, {v1.x - ox, v1.y - oy}, {v1.x + ox, v1.y + oy}, {v0.x + ox, v0.y + oy}};
    push_rectangle(s, corner, setup);
}

}  // namespace

void setup_point(const SetupState& s, const SetupVertex& v, float size_px) {
    const bool samples = s.pass->job().samples > 1;
    const float x = float(v.x) * float(kPixel), y = float(v.y) * float(kPixel);
    const float reach_px = samples ? size_px + 2 : size_px;
    const pipe::raster::PixelRect px = pipe::raster::point_pixels(x, y, reach_px);
    const Rect bounds = clipped({px.x0, px.y0, px.x1, px.y1}, s.draw->clip);
    if (bounds.empty()) return;
    Plane* planes;
    RectPrim* const p = make_prim<RectPrim>(s, PrimKind::Rect, bounds, &planes);
    PrimitiveSetup& setup = p->setup;
    setup.x0 = x;
    setup.y0 = y;
    setup.z = {v.z, 0, 0};
    setup.inv_w = {v.inv_w, 0, 0};
    if (s.program->fragment->reads_point_coord) {
        planes[s.program->point_coord] = {0.5f, 1.0f / size_px, 0};
        planes[s.program->point_coord + 1] = {0.5f, 0, -1.0f / size_px};
    }
    setup.front_facing = true;
    setup.varyings = planes;
    for (const PlaneLink& link : s.program->links) {
        const float f = output(s, v.out, link.source);
        planes[link.plane] = {link.interp == Interpolation::Smooth ? f * v.inv_w : f, 0, 0};
    }
    if (samples) return push_square(s, v, size_px, setup);
    s.bins->add_work(uint64_t(bounds.x1 - bounds.x0) * uint64_t(bounds.y1 - bounds.y0));
    s.bins->push_rect(bounds, p);
}

namespace {

/// Bins the tiles along the major axis, each with the range of the minor axis that the line can touch there.
void bin_line(Bins& bins, const LinePrim* p) {
    const pipe::raster::LineSetup& l = p->line;
    const Rect& r = p->bounds;
    const bool xm = l.x_major;
    const int32_t major0 = xm ? r.x0 : r.y0, major1 = xm ? r.x1 : r.y1;
    const int32_t minor0 = xm ? r.y0 : r.x0, minor1 = xm ? r.y1 : r.x1;
    const double a0 = (xm ? l.a.x : l.a.y) * kPixel, a1 = (xm ? l.a.y : l.a.x) * kPixel;
    const double b0 = (xm ? l.b.x : l.b.y) * kPixel, b1 = (xm ? l.b.y : l.b.x) * kPixel;
    const auto minor_at = [&](double major) {
        return a1 + (b1 - a1) * std::clamp((major - a0) / (b0 - a0), 0.0, 1.0);
    };
    for (int32_t t = major0 / kTileSize_px; t <= (major1 - 1) / kTileSize_px; ++t) {
        const double m0 = minor_at(t * kTileSize_px - 1), m1 = minor_at((t + 1) * kTileSize_px + 1);
        const int32_t low = std::max(minor0, int32_t(std::floor(std::min(m0, m1))) - 1);
        const int32_t high = std::min(minor1, int32_t(std::floor(std::max(m0, m1))) + l.width_px + 2);
        if (low >= high) continue;
        for (int32_t u = low / kTileSize_px; u <= (high - 1) / kTileSize_px; ++u)
            xm ? bins.push(t, u, p) : bins.push(u, t, p);
    }
}

/// A line's attributes vary along it, by the projection of the pixel's centre onto the segment (ES 2.0
/// section 3.4.1; see pipe::raster::LineSetup::parameter).
Interpolator along_line(const SetupVertex& v0, const SetupVertex& v1, float ox, float oy) {
    const double dx = (v1.x - v0.x) * kPixel, dy = (v1.y - v0.y) * kPixel;
    const double length2 = dx * dx + dy * dy;
    return {v0.x * kPixel - ox, v0.y * kPixel - oy, dx / length2, dy / length2, 0, 0};
}

}  // namespace

void setup_line(const SetupState& s, const SetupVertex& v0, const SetupVertex& v1, const float* flat) {
    if (v0.x == v1.x && v0.y == v1.y) return;
    const pipe::raster::LineSetup line = pipe::raster::setup_line(
        {v0.x, v0.y}, {v1.x, v1.y}, std::min(s.raster->line_width_px, kMaxLineWidth_px));
    const auto px = [](int32_t fixed) { return fixed >> kSubpixelBits; };
    const bool samples = s.pass->job().samples > 1;
    const int32_t wide_x = line.x_major ? 0 : line.width_px, wide_y = line.x_major ? line.width_px : 0;
    const Rect bounds = clipped(
        {px(std::min(line.a.x, line.b.x)) - 1, px(std::min(line.a.y, line.b.y)) - 1,
         px(std::max(line.a.x, line.b.x)) + 2 + wide_x, px(std::max(line.a.y, line.b.y)) + 2 + wide_y},
        s.draw->clip);
    if (bounds.empty() && !samples) return;
    Plane* planes;
    LinePrim* const p = make_prim<LinePrim>(s, PrimKind::Line, bounds, &planes);
    p->line = line;
    PrimitiveSetup& setup = p->setup;
    setup.x0 = origin_px(v0.x);
    setup.y0 = origin_px(v0.y);
    setup.front_facing = true;
    const SetupVertex* const v[3] = {&v0, &v1, &v0};
    fill_setup(s, along_line(v0, v1, setup.x0, setup.y0), v, flat, &setup, planes);
    if (samples) return push_stroke(s, v0, v1, setup);
    s.bins->add_work(
        uint64_t(std::max(bounds.x1 - bounds.x0, bounds.y1 - bounds.y0)) * uint64_t(line.width_px) + 64);
    bin_line(*s.bins, p);
}

}  // namespace terrazzo::soft
