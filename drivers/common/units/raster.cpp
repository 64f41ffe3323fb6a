// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: OpenGL ES 3.2 sections 13.5 to 13.7.
#include "drivers/common/units/raster.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <type_traits>

#include "drivers/common/wave/avx2.h"
#include "pipe/raster/clip.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace terrazzo::units {

namespace {

// Without branches: which corner is the leftmost one cannot be predicted.
[[gnu::always_inline]] inline pipe::raster::PixelRect pixels_of(const int32_t (&c)[3][2], bool multisampled) {
    // x and y, and their inverses, of which the least is that of the greatest.
    constexpr QuadI32 kInverse = {0, 0, -1, -1};
    const auto corner = [&](unsigned i) { return QuadI32{c[i][0], c[i][1], c[i][0], c[i][1]} ^ kInverse; };
    const auto least = [](QuadI32 a, QuadI32 b) { return select(a < b, a, b); };
    const QuadI32 at = least(least(corner(0), corner(1)), corner(2)) ^ kInverse;
    constexpr int32_t kOne = pipe::raster::kSubpixelOne, kHalf = pipe::raster::kSubpixelHalf;
    const QuadI32 more =
        multisampled ? QuadI32{0, 0, kOne, kOne} : QuadI32{kHalf - 1, kHalf - 1, kHalf, kHalf};
    // Corners that a program wrote to memory may be any numbers, so the fractions are added separately.
    const QuadI32 pixel =
        (at >> pipe::raster::kSubpixelBits) + (((at & (kOne - 1)) + more) >> pipe::raster::kSubpixelBits);
    return {pixel[0], pixel[1], pixel[2], pixel[3]};
}

// Values of the three vertices, two at a time.
struct PlaneSetup {
    RowF64 step[3];  // the weights' a and b
    double c[3];

    // Weights in the window, for the vertices themselves, not for clipped and snapped corners.
    bool init(const Primitive& r) {
        const double x[3] = {r.vertex[0].x, r.vertex[1].x, r.vertex[2].x};
        const double y[3] = {r.vertex[0].y, r.vertex[1].y, r.vertex[2].y};
        const double area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
        if (area == 0 || !std::isfinite(area)) return false;
        step[0] = RowF64{y[1] - y[2], x[2] - x[1]} / area;
        step[1] = RowF64{y[2] - y[0], x[0] - x[2]} / area;
        step[2] = RowF64{y[0] - y[1], x[1] - x[0]} / area;
        const RowF64 first = RowF64{x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2]} / area;
        c[0] = first[0], c[1] = first[1];
        c[2] = (x[0] * y[1] - x[1] * y[0]) / area;
        return true;
    }
    // The planes through two values of each vertex: sums of the weights, each of which is 1 at one vertex.
    void planes(const RowF64 v[3], PlaneEquation* first, PlaneEquation* second) const {
        // Relative to the first vertex, so that equal values are exact.
        const RowF64 d1 = v[1] - v[0], d2 = v[2] - v[0];
        const RowF64 a = step[1][0] * d1 + step[2][0] * d2, b = step[1][1] * d1 + step[2][1] * d2;
        const RowF64 at_0 = c[1] * d1 + c[2] * d2 + v[0];
        *first = {a[0], b[0], at_0[0]};
        *second = {a[1], b[1], at_0[1]};
    }
    // The weight of vertex i, times a factor.
    PlaneEquation weight(unsigned i, double factor) const {
        const RowF64 s = step[i] * factor;
        return {s[0], s[1], c[i] * factor};
    }
};

double depth_offset(const DepthBias& bias, const PlaneEquation& z, std::initializer_list<float> vertices) {
    const double slope = std::max(std::fabs(z.a), std::fabs(z.b));
    const float r = pipe::raster::depth_resolution(bias.format, std::max(vertices));
    double offset = slope * bias.factor + bias.units * (bias.unit_scale * r);
    if (bias.clamp > 0) offset = std::min(offset, double(bias.clamp));
    if (bias.clamp < 0) offset = std::max(offset, double(bias.clamp));
    return offset;
}

bool set_up_planes(const Primitive& r, RasterPrimitive* out) {
    PlaneSetup setup;
    if (!setup.init(r)) return false;
    const WindowVertex* v = r.vertex;
    const RowF64 values[3] = {{v[0].z, v[0].inv_w}, {v[1].z, v[1].inv_w}, {v[2].z, v[2].inv_w}};
    setup.planes(values, &out->depth, &out->inv_w);
    for (unsigned i = 0; i < 3; ++i)
        out->weight[i] = setup.weight(i, v[i].inv_w);
    return true;
}

#if defined(__x86_64__)
// TriangleEdges::init(), for the three edges at a time.
[[gnu::target("avx2")]] bool set_up_edges_avx2(const int32_t (&corner)[3][2], TriangleEdges* out) {
    static_assert(offsetof(TriangleEdges, b) == 12 && offsetof(TriangleEdges, c) == 24);
    const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(&corner[0][0])),
                  last = _mm_loadu_si64(&corner[2][0]);
    constexpr int32_t kMax = pipe::raster::kMaxFixed;  // a power of two
    const __m128i all = _mm_or_si128(_mm_add_epi32(first, _mm_set1_epi32(kMax)),
                                     _mm_add_epi32(_mm_unpacklo_epi64(last, last), _mm_set1_epi32(kMax)));
    if (!_mm_testz_si128(all, _mm_set1_epi32(~(2 * kMax - 1)))) return false;
    // {x0, x1, x2, x2}, then what the edges start at and end at.
    const __m128 a = _mm_castsi128_ps(first), b = _mm_castsi128_ps(last);
    const __m128i x = _mm_castps_si128(_mm_shuffle_ps(a, b, _MM_SHUFFLE(0, 0, 2, 0))),
                  y = _mm_castps_si128(_mm_shuffle_ps(a, b, _MM_SHUFFLE(1, 1, 3, 1)));
    constexpr int kFrom = _MM_SHUFFLE(3, 0, 2, 1), kTo = _MM_SHUFFLE(3, 1, 0, 2);
    const __m128i from_x = _mm_shuffle_epi32(x, kFrom), from_y = _mm_shuffle_epi32(y, kFrom);
    __m128i dx = _mm_sub_epi32(_mm_shuffle_epi32(x, kTo), from_x),
            dy = _mm_sub_epi32(_mm_shuffle_epi32(y, kTo), from_y);
    // The last edge goes from vertex 0 to 1, the one before it from vertex 2 to 0.
    const int64_t area2 = int64_t(_mm_extract_epi32(dx, 2)) * -int64_t(_mm_extract_epi32(dy, 1)) +
                          int64_t(_mm_extract_epi32(dx, 1)) * _mm_extract_epi32(dy, 2);
    if (area2 == 0) return false;
    const __m128i flip = _mm_set1_epi32(area2 > 0 ? 0 : -1), zero = _mm_setzero_si128();
    dx = _mm_sub_epi32(_mm_xor_si128(dx, flip), flip);
    dy = _mm_sub_epi32(_mm_xor_si128(dy, flip), flip);
    const __m128i owns_ties = _mm_or_si128(
        _mm_cmpgt_epi32(zero, dy), _mm_and_si128(_mm_cmpeq_epi32(dy, zero), _mm_cmpgt_epi32(dx, zero)));
    const __m256i c =
        _mm256_sub_epi64(_mm256_mul_epi32(_mm256_cvtepi32_epi64(dy), _mm256_cvtepi32_epi64(from_x)),
                         _mm256_mul_epi32(_mm256_cvtepi32_epi64(dx), _mm256_cvtepi32_epi64(from_y)));
    // Each store also writes the first number of the next member, which is stored after it.
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_sub_epi32(zero, dy));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out->b), dx);
    const __m256i value =
        _mm256_add_epi64(c, _mm256_cvtepi32_epi64(_mm_xor_si128(owns_ties, _mm_set1_epi32(-1))));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out->c), _mm256_castsi256_si128(value));
    _mm_storeu_si64(&out->c[2], _mm256_extracti128_si256(value, 1));
    return true;
}

[[gnu::target("avx2")]] inline void store_plane(__m256d abc, PlaneEquation* out) {
    _mm_storeu_pd(&out->a, _mm256_castpd256_pd128(abc));
    _mm_store_sd(&out->c, _mm256_extractf128_pd(abc, 1));
}

// The same operations, for the three vertices at a time, then for a, b and c of a plane.
[[gnu::target("avx2")]] bool set_up_planes_avx2(const Primitive& r, RasterPrimitive* out) {
    static_assert(sizeof(WindowVertex) == 16);  // x, y, z, 1/w
    __m256d v[3];
    for (unsigned i = 0; i < 3; ++i)
        v[i] = _mm256_cvtps_pd(_mm_loadu_ps(&r.vertex[i].x));
    const __m256d d1 = _mm256_sub_pd(v[1], v[0]), d2 = _mm256_sub_pd(v[2], v[0]);
    const __m128d xy = _mm256_castpd256_pd128(d2),
                  products = _mm_mul_pd(_mm256_castpd256_pd128(d1), _mm_shuffle_pd(xy, xy, 1));
    const double area = _mm_cvtsd_f64(_mm_sub_sd(products, _mm_unpackhi_pd(products, products)));
    if (area == 0 || !std::isfinite(area)) return false;
    // Of each vertex, of the next one, and of the one after it.
    const __m256d zero = _mm256_setzero_pd(), divisor = _mm256_set1_pd(area);
    const __m256d x = _mm256_permute2f128_pd(_mm256_unpacklo_pd(v[0], v[1]), _mm256_unpacklo_pd(v[2], zero),
                                             0x20),
                  y = _mm256_permute2f128_pd(_mm256_unpackhi_pd(v[0], v[1]), _mm256_unpackhi_pd(v[2], zero),
                                             0x20);
    constexpr int kNext = _MM_SHUFFLE(3, 0, 2, 1), kLast = _MM_SHUFFLE(3, 1, 0, 2);
    const __m256d x1 = _mm256_permute4x64_pd(x, kNext), x2 = _mm256_permute4x64_pd(x, kLast),
                  y1 = _mm256_permute4x64_pd(y, kNext), y2 = _mm256_permute4x64_pd(y, kLast);
    const __m256d a = _mm256_div_pd(_mm256_sub_pd(y1, y2), divisor),
                  b = _mm256_div_pd(_mm256_sub_pd(x2, x1), divisor),
                  c = _mm256_div_pd(_mm256_sub_pd(_mm256_mul_pd(x1, y2), _mm256_mul_pd(x2, y1)), divisor);
    // a, b and c of each vertex's weight. The fourth number is not used.
    const __m256d ab_02 = _mm256_unpacklo_pd(a, b), ab_1 = _mm256_unpackhi_pd(a, b);
    const __m128d c_01 = _mm256_castpd256_pd128(c);
    const __m256d weight[3] = {_mm256_insertf128_pd(ab_02, c_01, 1),
                               _mm256_insertf128_pd(ab_1, _mm_unpackhi_pd(c_01, c_01), 1),
                               _mm256_permute2f128_pd(ab_02, c, 0x31)};
    for (unsigned i = 0; i < 3; ++i)
        store_plane(_mm256_mul_pd(weight[i], _mm256_permute4x64_pd(v[i], 0xff)), &out->weight[i]);
    const auto plane = [&]<int kAll>(std::integral_constant<int, kAll>)
        __attribute__((target("avx2"), always_inline)) {
        const __m256d step = _mm256_add_pd(_mm256_mul_pd(weight[1], _mm256_permute4x64_pd(d1, kAll)),
                                           _mm256_mul_pd(weight[2], _mm256_permute4x64_pd(d2, kAll)));
        constexpr int kC = 1 << 2;
        return _mm256_blend_pd(step, _mm256_add_pd(step, _mm256_permute4x64_pd(v[0], kAll)), kC);
    };
    store_plane(plane(std::integral_constant<int, 0xaa>()), &out->depth);
    store_plane(plane(std::integral_constant<int, 0xff>()), &out->inv_w);
    return true;
}
#endif

bool set_up_triangle(const Primitive& r, const DepthBias& bias, bool multisampled, bool allow_avx2,
                     RasterPrimitive* out) {
    out->bounds = pixels_of(r.corner, multisampled);
    if (out->bounds.empty()) return false;
#if defined(__x86_64__)
    const bool fast = allow_avx2 && wave::kHasAvx2;
    if (fast && !(set_up_edges_avx2(r.corner, &out->triangle) && set_up_planes_avx2(r, out))) return false;
#else
    const bool fast = false;
    (void)allow_avx2;
#endif
    if (!fast && !(out->triangle.init(r.corner) && set_up_planes(r, out))) return false;
    if (bias.enable)
        out->depth.c += depth_offset(bias, out->depth, {r.vertex[0].z, r.vertex[1].z, r.vertex[2].z});
    return true;
}

// False: a corner is further away than the rasterizer can compute with.
bool set_up_line(const Primitive& r, RasterPrimitive* out) {
    constexpr int32_t kMax = pipe::raster::kMaxFixed;
    for (unsigned i = 0; i < 2; ++i)
        for (const int32_t c : r.corner[i])
            if (c < -kMax || c > kMax) return false;
    const WindowVertex &a = r.vertex[0], &b = r.vertex[1];
    out->line_from = {r.corner[0][0], r.corner[0][1]};
    out->line_to = {r.corner[1][0], r.corner[1][1]};
    // Linear along the line.
    const double dx = double(b.x) - a.x, dy = double(b.y) - a.y, length2 = dx * dx + dy * dy;
    PlaneEquation t;
    if (length2 > 0) t = {dx / length2, dy / length2, -(a.x * dx + a.y * dy) / length2};
    const auto along = [&](double v0, double v1) {
        return PlaneEquation{t.a * (v1 - v0), t.b * (v1 - v0), t.c * (v1 - v0) + v0};
    };
    out->depth = along(a.z, b.z);
    out->inv_w = along(a.inv_w, b.inv_w);
    out->weight[0] = along(a.inv_w, 0);
    out->weight[1] = along(0, b.inv_w);
    out->weight[2] = {};
    constexpr float kWidest_px = 1 << 24;
    const double wide = r.size_px >= 1 ? std::min(r.size_px, kWidest_px) + 1 : 2;
    const auto low = [&](unsigned c) {
        return int32_t((std::min(r.corner[0][c], r.corner[1][c]) >> 8) - wide);
    };
    const auto high = [&](unsigned c) {
        return int32_t((std::max(r.corner[0][c], r.corner[1][c]) >> 8) + wide + 1);
    };
    out->bounds = {low(0), low(1), high(0), high(1)};
    return true;
}

void set_up_point(const Primitive& r, RasterPrimitive* out) {
    const WindowVertex& v = r.vertex[0];
    out->point_x_px = v.x;
    out->point_y_px = v.y;
    out->bounds = pipe::raster::point_pixels(v.x, v.y, r.size_px);
    out->depth = {0, 0, v.z};
    out->inv_w = out->weight[0] = {0, 0, v.inv_w};
    out->weight[1] = out->weight[2] = {};
}

}  // namespace

bool find_pixels(const int32_t (&corner)[3][2], bool multisampled, pipe::raster::PixelRect* out) {
    *out = pixels_of(corner, multisampled);
    return !out->empty();
}

bool set_up_raster(const Primitive& p, const DepthBias& bias, bool multisampled, RasterPrimitive* out,
                   bool allow_avx2) {
    out->kind = p.kind;
    out->covers_all = out->is_rectangle = false;
    out->back_facing = p.back_facing != 0;
    out->size_px = p.size_px;
    if (p.kind > PrimitiveKind::Point) return false;
    switch (p.kind) {
        case PrimitiveKind::Triangle:
            return set_up_triangle(p, bias, multisampled, allow_avx2, out);
        case PrimitiveKind::Line:
            if (!set_up_line(p, out)) return false;
            break;
        case PrimitiveKind::Point:
            set_up_point(p, out);
            break;
    }
    // Samples may be covered in pixels next to those whose centres are.
    pipe::raster::PixelRect& b = out->bounds;
    if (multisampled) b = {b.x0 - 1, b.y0 - 1, b.x1 + 1, b.y1 + 1};
    return !b.empty();
}

RasterPrimitive cover_rect(const pipe::raster::PixelRect& bounds, uint32_t width_px, uint32_t height_px,
                           double depth) {
    RasterPrimitive p;
    p.covers_all = true;
    p.bounds = bounds;
    p.weight[1] = {1.0 / width_px, 0, 0};
    p.weight[2] = {0, 1.0 / height_px, 0};
    p.weight[0] = {-p.weight[1].a, -p.weight[2].b, 1};
    p.inv_w.c = 1;
    p.depth.c = depth;
    return p;
}

}  // namespace terrazzo::units
