// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The vertex kernels, compared with the scalar rules (clip.h, pipe/raster/edge.h), and their instruction sets
// with each other.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <span>
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

/// Triangles in a window of 300x200 px. Positions are up to `spread` px around it.
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
            if (random() % 4 == 0) v.x &= ~127, v.y &= ~127;  // exactly at pixel centres
            v.z = unit(random);
            v.code = 0;
        }
        for (std::vector<uint32_t>& c : corner) {
            c.resize((kTriangles + 7) / 8 * 8);
            for (uint32_t& i : c)
                i = random() % kVertices;
        }
        list = {corner[0].data(), corner[1].data(), corner[2].data(), kTriangles};
    }
    [[nodiscard]] pipe::raster::FixedPoint point(unsigned k, uint32_t t) const {
        const WindowVertex& v = window[corner[k][t]];
        return {v.x, v.y};
    }
    /// False if it has no fragments.
    [[nodiscard]] bool reference(uint32_t t, pipe::raster::TriangleSetup* s) const {
        const pipe::raster::FixedPoint p[3] = {point(0, t), point(1, t), point(2, t)};
        if (!pipe::raster::setup_triangle(p, s)) return false;
        // A pixel exactly at the end does not belong to it.
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
    std::vector<Survivor> out(Soup::kTriangles + 8);
    const Survivors found = k.reject({s.list, s.window.data(), clip, ccw, cw}, out.data());
    out.resize(found.count);
    CHECK(found.small ==
          std::count_if(out.begin(), out.end(), [](const Survivor& t) { return t.mask != 0; }));
    return out;
}

/// SmallTriangle::mask by the rules. False if the triangle is not small.
bool small_mask(const pipe::raster::TriangleSetup& r, const Rect& clip, uint32_t* mask) {
    const pipe::raster::PixelRect& b = r.bounds;
    const int32_t x0 = b.x0 & ~3, y0 = b.y0 & ~1;
    if (b.x1 > x0 + 8 || b.y1 > y0 + 4) return false;
    if (b.x0 >> 6 != (b.x1 - 1) >> 6 || b.y0 >> 6 != (b.y1 - 1) >> 6) return false;
    *mask = 0;
    for (int32_t n = 0; n < 32; ++n) {
        const int32_t x = n / 8 % 2 * 4 + n / 4 % 2 * 2 + n % 2, y = n / 16 * 2 + n / 2 % 2;
        const bool inside = x0 + x >= clip.x0 && x0 + x < clip.x1 && y0 + y >= clip.y0 && y0 + y < clip.y1;
        if (inside && r.covers(x0 + x, y0 + y)) *mask |= 1u << n;
    }
    return true;
}

double at(const Plane& p, const PrimitiveSetup& s, double x, double y) {
    return double(p.a0) + (x - s.x0) * double(p.dadx) + (y - s.y0) * double(p.dady);
}

}  // namespace

TEST_CASE("front: vertices are transformed as by the scalar rules") {
    std::mt19937 random(5);
    const pipe::Viewport viewport = {{150, -100, 0.5f}, {150, 100, 0.5f}};
    constexpr uint32_t kCount = 64;
    std::vector<float> outputs(kCount * 4);
    for (float& f : outputs) {
        const uint32_t r = uint32_t(random());
        f = float(int32_t(r)) / float(r % 7 == 0 ? 1e3 : 1e9);
        if (r % 19 == 0) f = std::numeric_limits<float>::quiet_NaN();
        if (r % 23 == 0) f = std::numeric_limits<float>::infinity();
        if (r % 29 == 0) f = 0;
    }
    for (unsigned n = 0; n < builds().size() * 2; ++n) {
        const FrontKernels* const k = builds()[n / 2];
        const ClipSpace space(viewport, n & 1);
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

TEST_CASE("front: only invisible triangles are rejected") {
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

TEST_CASE("front: clip codes reject triangles, or send them to the clipper") {
    using namespace clip_bit;
    Soup s(3, 400);
    for (unsigned k = 0; k < 3; ++k)
        for (uint32_t t = 0; t < 8; ++t)
            s.corner[k][t] = t * 3 + k;
    for (uint32_t i = 0; i < 24; i += 3) {  // equal and visible
        s.window[i].x = s.window[i].y = s.window[i + 1].y = s.window[i + 2].x = 2560;
        s.window[i + 1].x = s.window[i + 2].y = 25600;
    }
    s.list.count = 6;
    s.window[0].code = s.window[1].code = s.window[2].code = kLeft;  // beyond one plane: rejected
    s.window[3].code = kLeft, s.window[4].code = kRight;             // the codes do not decide
    s.window[6].code = kNear;
    s.window[9].code = kNotFinite | kGuardLeft;
    s.window[12].code = s.window[13].code = s.window[14].code = kGuardTop;
    const std::vector<Survivor> expected = {{1, 0}, {2 | kClipFlag, 0}, {4 | kClipFlag, 0}, {5, 0}};
    for (const FrontKernels* k : builds())
        CHECK(reject(*k, s, {0, 0, 300, 200}, true, false) == expected);
}

SetupArgs setup_args(const Soup& s, const DrawState& draw) {
    SetupArgs a = {};
    a.list = s.list;
    a.vertices = s.columns;
    a.draw = &draw;
    a.links = kLinks;
    a.link_count = std::size(kLinks);
    a.plane_count = kPlanes;
    a.has_flat = true;
    a.tiles_x = 5;
    return a;
}

/// A plane goes through the values at the corners, or is constant with the last one's value.
void check_planes(const Soup& s, uint32_t t, const PrimitiveSetup& setup, double tolerance) {
    const Plane* const planes = setup.varyings;
    for (const std::vector<uint32_t>& corner : s.corner) {
        const uint32_t v = corner[t];
        const double x = s.window[v].x / 256.0, y = s.window[v].y / 256.0, w = s.inv_w[v];
        REQUIRE(std::abs(at(setup.z, setup, x, y) - double(s.window[v].z)) < tolerance);
        REQUIRE(std::abs(at(setup.inv_w, setup, x, y) - w) < tolerance);
        REQUIRE(std::abs(at(planes[1], setup, x, y) - s.outputs[v] * w) < tolerance);
        REQUIRE(std::abs(at(planes[2], setup, x, y) - double(s.outputs[5 * Soup::kVertices + v])) <
                tolerance);
    }
    REQUIRE(planes[3].a0 == 0);
    REQUIRE(planes[4].a0 == s.outputs[7 * Soup::kVertices + s.corner[2][t]]);
    REQUIRE(planes[4].dadx == 0);
    REQUIRE(planes[4].dady == 0);
}

TEST_CASE("front: edges cover pixels by the rules, planes go through the vertices") {
    DrawState draw;
    draw.clip = {0, 0, 300, 200};
    for (const int32_t spread : {12, 300, 16000}) {
        const Soup s(77, spread);
        const uint32_t size_B = triangle_B(kPlanes);
        std::vector<std::byte> first, prims(size_t(Soup::kTriangles) * size_B);
        for (const FrontKernels* k : builds()) {
            std::vector<Survivor> which = reject(*k, s, draw.clip, true, true);
            std::fill(prims.begin(), prims.end(), std::byte(0));
            k->setup(setup_args(s, draw), which.data(), uint32_t(which.size()), prims.data());
            if (k != builds()[0]) {
                CHECK(std::memcmp(first.data(), prims.data(), prims.size()) == 0);
                continue;
            }
            first = prims;
            const std::byte* next = prims.data();
            for (const Survivor& survivor : which) {
                const auto& p = *reinterpret_cast<const TrianglePrim*>(next);
                next += size_B;
                pipe::raster::TriangleSetup r;
                REQUIRE(s.reference(survivor.which, &r));
                REQUIRE(p.draw == &draw);
                REQUIRE(p.kind == PrimKind::Triangle);
                REQUIRE(p.setup.front_facing == !r.ccw);
                REQUIRE(p.setup.varyings == reinterpret_cast<const Plane*>(&p + 1));
                const pipe::raster::PixelRect b = pipe::raster::intersect(r.bounds, {0, 0, 300, 200});
                REQUIRE((p.bounds.x0 == b.x0 && p.bounds.y0 == b.y0 && p.bounds.x1 == b.x1 &&
                         p.bounds.y1 == b.y1));
                for (int32_t i = 0; i < 60; ++i) {
                    const int32_t x = b.x0 + i * 7 % (b.x1 - b.x0), y = b.y0 + i * 3 % (b.y1 - b.y0);
                    bool inside = true;
                    for (const Edge& e : p.edge)
                        inside &= e.c + int64_t(e.a) * x + int64_t(e.b) * y >= 0;
                    REQUIRE(inside == r.covers(x, y));
                }
                if (spread == 300 && r.area2 > 256 * 256 * 16) check_planes(s, survivor.which, p.setup, 1e-3);
            }
        }
    }
}

TEST_CASE("front: small triangles are in runs by tile") {
    DrawState draw;
    draw.clip = {0, 0, 300, 200};
    for (const int32_t spread : {5, 8, 12}) {
        Soup s(78, spread);
        for (uint32_t i = 0; i < Soup::kVertices; ++i)  // around the corner of four tiles
            s.window[i].x += (128 - 150) * 256, s.window[i].y += (64 - 100) * 256;
        const uint32_t size_B = small_triangle_B(kPlanes);
        std::vector<std::byte> prims, first;
        std::vector<PlacedRun> runs(Soup::kTriangles);
        std::vector<float> memory(Soup::kVertices * record_floats(kPlanes) + 8);
        unsigned seen = 0, tiles = 0;
        for (const FrontKernels* k : builds()) {
            std::vector<Survivor> which = reject(*k, s, draw.clip, true, true);
            std::erase_if(which, [](const Survivor& t) { return t.mask == 0; });
            prims.assign(small_runs_B(kPlanes, uint32_t(which.size())), std::byte(0));
            SetupArgs args = setup_args(s, draw);
            args.records = {memory.data() + (32 - reinterpret_cast<uintptr_t>(memory.data()) % 32) / 4 % 8,
                            record_floats(kPlanes)};
            k->records(args, 0, Soup::kVertices);
            std::byte* end;
            const uint32_t count =
                k->small_setup(args, which.data(), uint32_t(which.size()), prims.data(), runs.data(), &end);
            REQUIRE(end <= prims.data() + prims.size());
            const Survivor* survivor = which.data();
            const std::byte* next = prims.data();
            for (uint32_t n = 0; n < count; ++n) {
                const SmallRun& run = *runs[n].run;
                REQUIRE(reinterpret_cast<const std::byte*>(&run) == next);
                REQUIRE(run.kind == PrimKind::SmallRun);
                REQUIRE(run.draw == &draw);
                REQUIRE(run.stride_B == size_B);
                if (n) REQUIRE(runs[n].tile != runs[n - 1].tile);
                next += sizeof run;
                for (uint32_t i = 0; i < run.count; ++i, ++survivor, next += size_B) {
                    const SmallTriangle& p = *reinterpret_cast<const SmallTriangle*>(next);
                    pipe::raster::TriangleSetup r;
                    REQUIRE(s.reference(survivor->which, &r));
                    REQUIRE(p.mask == survivor->mask);
                    REQUIRE(p.x == (r.bounds.x0 & ~3));
                    REQUIRE(p.y == (r.bounds.y0 & ~1));
                    REQUIRE(runs[n].tile == uint32_t(p.y / 64 * 5 + p.x / 64));
                    REQUIRE(p.setup.front_facing == !r.ccw);
                    REQUIRE(p.setup.varyings == reinterpret_cast<const Plane*>(&p + 1));
                    if (r.area2 > 256 * 256) check_planes(s, survivor->which, p.setup, 1e-4);
                    ++seen;
                }
            }
            tiles = count;
            CHECK(next == end);
            CHECK(survivor == which.data() + which.size());
            // The triangles of all builds are equal, except for pointers, which differ.
            prims.resize(size_t(end - prims.data()));
            for (uint32_t n = 0; n < count; ++n)
                for (uint32_t i = 0; i < runs[n].run->count; ++i) {
                    std::byte* const p = reinterpret_cast<std::byte*>(runs[n].run + 1) + i * size_B;
                    reinterpret_cast<SmallTriangle*>(p)->setup.varyings = nullptr;
                }
            if (k == builds()[0])
                first = prims;
            else
                CHECK(first == prims);
        }
        CHECK(seen > 40);
        CHECK(tiles > 4);
    }
}

TEST_CASE("front: indices that changed since their range was taken stay inside it") {
    const uint32_t taken[] = {70, 90, 80}, now[] = {69, 71, 90, 91, 0, ~0u, 80, 70, 255};
    for (const FrontKernels* k : builds())
        for (const unsigned size_B : {1u, 2u, 4u}) {
            const auto bytes = [&](std::span<const uint32_t> list) {
                std::vector<uint8_t> out;
                for (const uint32_t v : list)
                    for (unsigned b = 0; b < size_B; ++b)
                        out.push_back(uint8_t(v >> 8 * b));
                return out;
            };
            const IndexRange range = k->index_range(bytes(taken).data(), size_B, 3);
            CHECK(range.lowest == 70);
            CHECK(range.highest == 90);
            uint32_t a[16], b[16], c[16];
            uint32_t* const corner[3] = {a, b, c};
            k->list_triangles(bytes(now).data(), size_B, 3, range, corner);
            CHECK(a[0] == 20);
            CHECK(b[0] == 1);
            CHECK(c[0] == 20);
            CHECK(a[1] == 20);
            CHECK(b[1] == 20);
            CHECK(c[1] == 20);
            CHECK(a[2] == 10);
            CHECK(b[2] == 0);
            CHECK(c[2] == 20);
        }
}

}  // namespace terrazzo::soft::test
