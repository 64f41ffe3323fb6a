// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The front half's kernels against the scalar rules (clip.h, pipe/raster/edge.h), and their builds against
// each other.
#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "drivers/soft/front/front.h"
#include "pipe/raster/edge.h"

namespace terrazzo::soft::test {

namespace {

std::vector<const FrontKernels*> builds() {
    std::vector<const FrontKernels*> all = {&baseline::kFront};
    if (&select_front() != all[0]) all.push_back(&select_front());
    return all;
}

/// Triangles in a window of 300x200 px; positions by `spread` px around it.
struct Soup {
    static constexpr uint32_t kVertices = 96, kTriangles = 402, kComponents = 8;
    std::vector<float> outputs = std::vector<float>(kVertices * kComponents),
                       inv_w = std::vector<float>(kVertices);
    std::vector<WindowVertex> window = std::vector<WindowVertex>(kVertices);
    std::vector<uint32_t> corner[3];
    VertexColumns columns{outputs.data(), kVertices, window.data(), inv_w.data()};
    TriangleList list;

    Soup(uint32_t seed, int32_t spread_px) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<float> unit(0, 1);
        for (float& f : outputs)
            f = unit(random) * 4 - 2;
        for (float& f : inv_w)
            f = unit(random) + 0.25f;
        for (WindowVertex& v : window) {
            v.x = int32_t(random() % uint32_t(spread_px * 256)) - (spread_px - 300) * 128;
            v.y = int32_t(random() % uint32_t(spread_px * 256)) - (spread_px - 200) * 128;
            if (random() % 4 == 0) v.x &= ~127, v.y &= ~127;  // through centres
            v.z = unit(random);
            v.code = 0;
        }
        for (std::vector<uint32_t>& c : corner) {
            c.resize(kTriangles + 2);
            for (uint32_t& i : c)
                i = random() % kVertices;
        }
        list = {corner[0].data(), corner[1].data(), corner[2].data(), kTriangles};
    }
    [[nodiscard]] pipe::raster::FixedPoint point(unsigned k, uint32_t t) const {
        const WindowVertex& v = window[corner[k][t]];
        return {v.x, v.y};
    }
    /// False: no fragments.
    [[nodiscard]] bool reference(uint32_t t, pipe::raster::TriangleSetup* s) const {
        const pipe::raster::FixedPoint p[3] = {point(0, t), point(1, t), point(2, t)};
        if (!pipe::raster::setup_triangle(p, s)) return false;
        // Nothing is owned by what ends there.
        --s->bounds.x1;
        --s->bounds.y1;
        return true;
    }
};

constexpr PlaneLink kLinks[] = {{0, 1, Interpolation::Smooth},
                                {5, 2, Interpolation::NoPerspective},
                                {kNoOutput, 3, Interpolation::Smooth},
                                {7, 4, Interpolation::Flat}};
constexpr uint32_t kPlanes = 8;

std::vector<Survivor> reject(const FrontKernels& k, const Soup& s, const Rect& clip, bool ccw, bool cw) {
    std::vector<Survivor> out(Soup::kTriangles + 4);
    out.resize(k.reject({s.list, s.window.data(), clip, ccw, cw}, out.data()));
    return out;
}

/// SmallTrianglePrim::mask by the rules; false: not a small one.
bool small_mask(const pipe::raster::TriangleSetup& r, const Rect& clip, uint32_t* mask) {
    const pipe::raster::PixelRect& b = r.bounds;
    const int32_t x0 = b.x0 / 4 * 4, y0 = b.y0 / 2 * 2;
    if (b.x0 < clip.x0 || b.y0 < clip.y0 || b.x1 > clip.x1 || b.y1 > clip.y1) return false;
    if (b.x1 > x0 + 8 || b.y1 > y0 + 4) return false;
    if (b.x0 / 64 != (b.x1 - 1) / 64 || b.y0 / 64 != (b.y1 - 1) / 64) return false;
    *mask = 0;
    for (int32_t n = 0; n < 32; ++n) {
        const int32_t x = n / 8 % 2 * 4 + n / 4 % 2 * 2 + n % 2, y = n / 16 * 2 + n / 2 % 2;
        if (r.covers(x0 + x, y0 + y)) *mask |= 1u << n;
    }
    return true;
}

double at(const Plane& p, const PrimitiveSetup& s, double x, double y) {
    return double(p.a0) + (x - s.x0) * double(p.dadx) + (y - s.y0) * double(p.dady);
}

}  // namespace

TEST_CASE("front: vertices reach the window as the scalar rules say") {
    std::mt19937 random(5);
    const ClipSpace space({{150, -100, 0.5f}, {150, 100, 0.5f}});
    constexpr uint32_t kCount = 64;
    std::vector<float> outputs(kCount * 4);
    for (float& f : outputs) {
        const uint32_t r = uint32_t(random());
        f = float(int32_t(r)) / float(r % 7 == 0 ? 1e3 : 1e9);
        if (r % 19 == 0) f = std::numeric_limits<float>::quiet_NaN();
        if (r % 23 == 0) f = std::numeric_limits<float>::infinity();
        if (r % 29 == 0) f = 0;
    }
    for (const FrontKernels* k : builds()) {
        std::vector<WindowVertex> window(kCount);
        std::vector<float> inv_w(kCount);
        k->project(space, {outputs.data(), kCount, window.data(), inv_w.data()}, 0, kCount);
        for (uint32_t i = 0; i < kCount; ++i) {
            const float x = outputs[i], y = outputs[kCount + i], z = outputs[2 * kCount + i],
                        w = outputs[3 * kCount + i], rw = 1.0f / w;
            REQUIRE(window[i].code == clip_code(space, x, y, z, w));
            if (window[i].code & clip_bit::kNotFinite) continue;
            REQUIRE(std::memcmp(&inv_w[i], &rw, 4) == 0);
            if (window[i].code & clip_bit::kMustClip) continue;
            REQUIRE(window[i].x == snap(window_px(x, rw, 150, 150)));
            REQUIRE(window[i].y == snap(window_px(y, rw, -100, 100)));
            REQUIRE(window[i].z == window_px(z, rw, 0.5f, 0.5f));
        }
    }
}

TEST_CASE("front: only triangles that cannot be seen are rejected") {
    const Rect clip = {3, 5, 290, 180};
    for (const int32_t spread : {2, 4, 7, 12, 400, 16000})
        for (unsigned faces = 0; faces < 4; ++faces) {
            const Soup s(11 + faces, spread);
            std::vector<Survivor> expected;
            for (uint32_t t = 0; t < Soup::kTriangles; ++t) {
                pipe::raster::TriangleSetup r;
                if (!s.reference(t, &r) || !(faces >> r.ccw & 1)) continue;
                if (pipe::raster::intersect(r.bounds, {clip.x0, clip.y0, clip.x1, clip.y1}).empty()) continue;
                uint32_t mask = 0;
                const bool small = small_mask(r, clip, &mask);
                if (!small || mask) expected.push_back({t, mask});
            }
            CHECK(expected.empty() == (faces == 0));
            for (const FrontKernels* k : builds())
                REQUIRE(reject(*k, s, clip, faces & 2, faces & 1) == expected);
        }
}

TEST_CASE("front: codes reject, or send to the clipper") {
    using namespace clip_bit;
    Soup s(3, 400);
    for (unsigned k = 0; k < 3; ++k)
        for (uint32_t t = 0; t < 8; ++t)
            s.corner[k][t] = t * 3 + k;
    for (uint32_t i = 0; i < 24; i += 3) {  // all alike and visible
        s.window[i].x = s.window[i].y = s.window[i + 1].y = s.window[i + 2].x = 2560;
        s.window[i + 1].x = s.window[i + 2].y = 25600;
    }
    s.list.count = 6;
    s.window[0].code = s.window[1].code = s.window[2].code = kLeft;  // beyond one plane
    s.window[3].code = kLeft, s.window[4].code = kRight;             // cannot be told
    s.window[6].code = kNear;
    s.window[9].code = kNotFinite | kGuardLeft;
    s.window[12].code = s.window[13].code = s.window[14].code = kGuardTop;
    const std::vector<Survivor> expected = {{1, 0}, {2 | kClipFlag, 0}, {4 | kClipFlag, 0}, {5, 0}};
    for (const FrontKernels* k : builds())
        CHECK(reject(*k, s, {0, 0, 300, 200}, true, false) == expected);
}

TEST_CASE("front: edges cover what the rules say, planes pass through the vertices") {
    DrawState draw;
    draw.clip = {0, 0, 300, 200};
    for (const int32_t spread : {5, 12, 300, 16000}) {
        const Soup s(77, spread);
        const uint32_t size_B = triangle_B(kPlanes);
        unsigned small = 0;
        std::vector<std::byte> first, prims(size_t(Soup::kTriangles) * size_B);
        for (const FrontKernels* k : builds()) {
            const std::vector<Survivor> which = reject(*k, s, draw.clip, true, true);
            std::fill(prims.begin(), prims.end(), std::byte(0));
            k->setup({s.list, s.columns, &draw, kLinks, std::size(kLinks), kPlanes, false}, which.data(),
                     uint32_t(which.size()), prims.data());
            if (k != builds()[0]) {
                CHECK(std::memcmp(first.data(), prims.data(), prims.size()) == 0);
                continue;
            }
            first = prims;
            const std::byte* next = prims.data();
            for (const Survivor& survivor : which) {
                const auto& p = *reinterpret_cast<const PrimHeader*>(next);
                const uint32_t t = survivor.which;
                pipe::raster::TriangleSetup r;
                REQUIRE(s.reference(t, &r));
                REQUIRE(p.draw == &draw);
                REQUIRE(p.mask == survivor.mask);
                REQUIRE(p.kind == (p.mask ? PrimKind::SmallTriangle : PrimKind::Triangle));
                const size_t header_B = p.mask ? sizeof(SmallTrianglePrim) : sizeof(TrianglePrim);
                const auto& setup =
                    *reinterpret_cast<const PrimitiveSetup*>(next + header_B - sizeof(PrimitiveSetup));
                REQUIRE(setup.front_facing == !r.ccw);
                REQUIRE(setup.varyings == reinterpret_cast<const Plane*>(next + header_B));
                next += p.mask ? small_triangle_B(kPlanes) : size_B;
                small += p.mask != 0;
                const pipe::raster::PixelRect b = pipe::raster::intersect(r.bounds, {0, 0, 300, 200});
                REQUIRE((p.bounds.x0 == b.x0 && p.bounds.y0 == b.y0 && p.bounds.x1 == b.x1 &&
                         p.bounds.y1 == b.y1));
                for (int32_t i = 0; i < (p.mask ? 0 : 60); ++i) {
                    const int32_t x = b.x0 + i * 7 % (b.x1 - b.x0), y = b.y0 + i * 3 % (b.y1 - b.y0);
                    bool inside = true;
                    for (const Edge& e : static_cast<const TrianglePrim&>(p).edge)
                        inside &= e.c + int64_t(e.a) * x + int64_t(e.b) * y >= 0;
                    REQUIRE(inside == r.covers(x, y));
                }
                if (r.area2 < 256 * 256 * 16) continue;  // thin: planes are steep
                const Plane* const planes = setup.varyings;
                for (unsigned c = 0; c < 3 && spread == 300; ++c) {
                    const uint32_t v = s.corner[c][t];
                    const double x = s.window[v].x / 256.0, y = s.window[v].y / 256.0, w = s.inv_w[v];
                    REQUIRE(at(setup.z, setup, x, y) == doctest::Approx(s.window[v].z).epsilon(1e-3));
                    REQUIRE(at(setup.inv_w, setup, x, y) == doctest::Approx(w).epsilon(1e-3));
                    REQUIRE(at(planes[1], setup, x, y) == doctest::Approx(s.outputs[v] * w).epsilon(1e-3));
                    REQUIRE(at(planes[2], setup, x, y) ==
                            doctest::Approx(s.outputs[5 * Soup::kVertices + v]).epsilon(1e-3));
                }
                REQUIRE(planes[3].a0 == 0);
                REQUIRE(planes[4].a0 == s.outputs[7 * Soup::kVertices + s.corner[2][t]]);
                REQUIRE(planes[4].dadx == 0);
            }
        }
        CHECK((small > 20) == (spread <= 12));
    }
}

}  // namespace terrazzo::soft::test
