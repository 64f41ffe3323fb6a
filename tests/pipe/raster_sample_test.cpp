// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The reference sampler, compared with literals from the spec's formulas and tables.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "pipe/raster/sample.h"

using namespace terrazzo::pipe;
using namespace terrazzo::pipe::raster;

namespace {

// Texel (x, y, z) of level l has the colour (x, y, z, l).
void coordinates(void*, uint32_t level, int32_t x, int32_t y, int32_t z, float out[4]) {
    out[0] = float(x), out[1] = float(y), out[2] = float(z), out[3] = float(level);
}

SamplerDesc make_sampler(Filter filter, Wrap wrap) {
    SamplerDesc s;
    s.min = s.mag = filter;
    s.mip = MipFilter::None;
    s.wrap_s = s.wrap_t = s.wrap_r = wrap;
    return s;
}

struct Result {
    float c[4];
};
Result run(const SamplerDesc& s, const TextureShape& shape, float u, float v, float w = 0, float lod = 0) {
    SampleArgs a;
    a.coord[0] = u, a.coord[1] = v, a.coord[2] = w;
    a.lod_mode = LodMode::Explicit;
    a.lod = lod;
    Result r;
    sample(s, shape, coordinates, nullptr, a, r.c);
    return r;
}

}  // namespace

TEST_CASE("wrap: table 8.20") {
    const int repeat[] = {2, 3, 0, 1, 2, 3, 0, 1, 2, 3}, mirror[] = {1, 0, 0, 1, 2, 3, 3, 2, 1, 0},
              edge[] = {0, 0, 0, 1, 2, 3, 3, 3, 3, 3}, border[] = {-1, -1, 0, 1, 2, 3, -1, -1, -1, -1};
    for (int i = -2; i < 8; ++i) {
        CHECK(wrap_texel(Wrap::Repeat, i, 4) == repeat[i + 2]);
        CHECK(wrap_texel(Wrap::MirroredRepeat, i, 4) == mirror[i + 2]);
        CHECK(wrap_texel(Wrap::ClampToEdge, i, 4) == edge[i + 2]);
        CHECK(wrap_texel(Wrap::ClampToBorder, i, 4) == border[i + 2]);
    }
    CHECK(wrap_texel(Wrap::MirroredRepeat, -5, 4) == 3);
    CHECK(wrap_texel(Wrap::Repeat, -1000000001, 3) == 1);
}

TEST_CASE("sample: nearest and linear positions") {
    TextureShape shape;
    shape.width = 4;
    shape.height = 2;
    const SamplerDesc nearest = make_sampler(Filter::Nearest, Wrap::Repeat),
                      linear = make_sampler(Filter::Linear, Wrap::ClampToEdge);
    CHECK(run(nearest, shape, 0.25f, 0.5f).c[0] == 1.0f);
    CHECK(run(nearest, shape, 0.2499f, 0.4999f).c[0] == 0.0f);
    CHECK(run(nearest, shape, 0.25f, 0.5f).c[1] == 1.0f);
    CHECK(run(nearest, shape, -0.1f, 1.0f).c[0] == 3.0f);
    CHECK(run(nearest, shape, std::nanf(""), INFINITY).c[0] == 0.0f);
    CHECK(run(linear, shape, 0.375f, 0.25f).c[0] == 1.0f);
    CHECK(run(linear, shape, 0.5f, 0.5f).c[0] == 1.5f);
    CHECK(run(linear, shape, 0.5f, 0.5f).c[1] == 0.5f);
    CHECK(run(linear, shape, 0.0f, 0.0f).c[0] == 0.0f);
    CHECK(run(make_sampler(Filter::Linear, Wrap::Repeat), shape, 0.0f, 0.25f).c[0] == 1.5f);
    SamplerDesc border = make_sampler(Filter::Linear, Wrap::ClampToBorder);
    border.border = {-8, 0, 0, 0};
    CHECK(run(border, shape, 0.0f, 0.25f).c[0] == -4.0f);
}

TEST_CASE("sample: 3D and arrays") {
    TextureShape volume;
    volume.kind = ResourceKind::Tex3D;
    volume.width = volume.height = volume.depth = 4;
    CHECK(run(make_sampler(Filter::Linear, Wrap::ClampToEdge), volume, 0.5f, 0.25f, 0.75f).c[2] == 2.5f);
    CHECK(run(make_sampler(Filter::Nearest, Wrap::ClampToEdge), volume, 0.5f, 0.25f, 0.75f).c[2] == 3.0f);
    TextureShape array;
    array.kind = ResourceKind::Tex2DArray;
    array.layers = 3;
    const SamplerDesc s = make_sampler(Filter::Linear, Wrap::Repeat);
    CHECK(run(s, array, 0, 0, 1.4f).c[2] == 1.0f);
    CHECK(run(s, array, 0, 0, 1.5f).c[2] == 2.0f);
    CHECK(run(s, array, 0, 0, 9.0f).c[2] == 2.0f);
    CHECK(run(s, array, 0, 0, -1.0f).c[2] == 0.0f);
}

TEST_CASE("level of detail: footprint and choice of levels") {
    const float zero[3] = {0, 0, 0}, two[3] = {2, 0, 0}, eight[3] = {0, 8, 0}, slant[3] = {3, 4, 0};
    CHECK(measure_footprint(two, eight, 1).lambda == 3.0f);
    CHECK(measure_footprint(slant, zero, 1).lambda == doctest::Approx(std::log2(5.0)));
    CHECK(measure_footprint(zero, zero, 1).lambda <= -100.0f);
    // Infinite derivatives have no ratio.
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const float endless[3] = {kInfinity, 0, 0}, nan[3] = {std::nanf(""), 0, 0};
    CHECK(measure_footprint(endless, endless, 16).samples == 1);
    CHECK(measure_footprint(endless, endless, 16).lambda == 1000.0f);
    CHECK(measure_footprint(endless, two, 16).samples == 16);
    CHECK(measure_footprint(nan, two, 16).samples == 1);
    const Footprint f = measure_footprint(two, eight, 16);
    CHECK(f.samples == 4);
    CHECK(f.lambda == 1.0f);
    CHECK(f.major == 1);
    CHECK(measure_footprint(zero, eight, 2).samples == 2);
    CHECK(measure_footprint(zero, eight, 2).lambda == 2.0f);

    SamplerDesc s;
    s.min = Filter::Linear;
    s.mag = Filter::Nearest;
    s.mip = MipFilter::Nearest;
    CHECK(choose_levels(s, 0.0f, 5).filter == Filter::Nearest);  // lambda <= 0 magnifies
    CHECK(choose_levels(s, 0.1f, 5).filter == Filter::Linear);
    CHECK(choose_levels(s, 0.5f, 5).level0 == 0);
    CHECK(choose_levels(s, 0.51f, 5).level0 == 1);
    CHECK(choose_levels(s, 1.5f, 5).level0 == 1);
    CHECK(choose_levels(s, 1.51f, 5).level0 == 2);
    CHECK(choose_levels(s, 99.0f, 5).level0 == 5);
    s.mip = MipFilter::Linear;
    CHECK(choose_levels(s, 2.25f, 5).level0 == 2);
    CHECK(choose_levels(s, 2.25f, 5).level1 == 3);
    CHECK(choose_levels(s, 2.25f, 5).fraction == 0.25f);
    CHECK(choose_levels(s, 5.5f, 5).level1 == 5);
    s.min = Filter::Nearest;
    s.mag = Filter::Linear;  // then the switch-over is at 0.5
    CHECK(choose_levels(s, 0.5f, 5).filter == Filter::Linear);
    CHECK(choose_levels(s, 0.6f, 5).filter == Filter::Nearest);
    s.mip = MipFilter::None;
    CHECK(choose_levels(s, 9.0f, 5).level0 == 0);
}

TEST_CASE("sample: mip levels, bias and clamps") {
    TextureShape shape;
    shape.width = shape.height = 16;
    shape.first_level = 1;
    shape.last_level = 4;
    SamplerDesc s = make_sampler(Filter::Nearest, Wrap::Repeat);
    s.mip = MipFilter::Linear;
    CHECK(run(s, shape, 0, 0, 0, 1.5f).c[3] == 2.5f);  // relative to the base level
    s.lod_bias = 1;
    CHECK(run(s, shape, 0, 0, 0, 1.5f).c[3] == 3.5f);
    s.max_lod = 2;
    CHECK(run(s, shape, 0, 0, 0, 1.5f).c[3] == 3.0f);
    s.min_lod = 1.25f;
    CHECK(run(s, shape, 0, 0, 0, -7.0f).c[3] == 2.25f);
    SamplerDesc d = make_sampler(Filter::Nearest, Wrap::Repeat);
    d.mip = MipFilter::Nearest;
    SampleArgs a;
    a.ddx[0] = 4.0f / 8;  // four texels of the base level, whose width is 8
    a.ddy[1] = 1.0f / 8;
    float out[4];
    sample(d, shape, coordinates, nullptr, a, out);
    CHECK(out[3] == 3.0f);
    a.bias = -1;
    sample(d, shape, coordinates, nullptr, a, out);
    CHECK(out[3] == 2.0f);
    a.bias = 0;
    d.max_anisotropy = 4;
    sample(d, shape, coordinates, nullptr, a, out);
    CHECK(out[3] == 1.0f);
}

TEST_CASE("cube: table 8.19") {
    struct Row {
        float d[3];
        unsigned face;
        float s, t;
    };
    // (sc, tc) of each face, for a direction whose major axis is 4.
    const Row rows[] = {{{4, 1, 2}, 0, 0.25f, 0.375f}, {{-4, 1, 2}, 1, 0.75f, 0.375f},
                        {{1, 4, 2}, 2, 0.625f, 0.75f}, {{1, -4, 2}, 3, 0.625f, 0.25f},
                        {{1, 2, 4}, 4, 0.625f, 0.25f}, {{1, 2, -4}, 5, 0.375f, 0.25f}};
    for (const Row& r : rows) {
        const CubeCoord c = project_cube(r.d);
        CHECK(c.face == r.face);
        CHECK(c.s == r.s);
        CHECK(c.t == r.t);
        // The derivatives, compared with small finite differences.
        const float step[3] = {0.3f, -0.2f, 0.1f};
        const float moved[3] = {r.d[0] + step[0] * 1e-3f, r.d[1] + step[1] * 1e-3f, r.d[2] + step[2] * 1e-3f};
        const CubeCoord m = project_cube(moved);
        float st[2];
        project_cube_derivative(r.d, r.face, step, st);
        CHECK((m.s - c.s) * 1e3f == doctest::Approx(st[0]).epsilon(0.02));
        CHECK((m.t - c.t) * 1e3f == doctest::Approx(st[1]).epsilon(0.02));
    }
    const float tie[3] = {1, 1, -1}, zero[3] = {0, 0, 0};
    CHECK(project_cube(tie).face == 0);
    CHECK(project_cube(zero).s == 0.5f);
}

TEST_CASE("cube: seamless filtering is continuous, without it filtering stays on the face") {
    // A texel's colour is its direction. Therefore filtering across an edge must return nearly the direction.
    struct Cube {
        static void texel(void*, uint32_t, int32_t x, int32_t y, int32_t face, float out[4]) {
            const float sc = 2 * (float(x) + 0.5f) / 8 - 1, tc = 2 * (float(y) + 0.5f) / 8 - 1;
            const float d[6][3] = {{1, -tc, -sc}, {-1, -tc, sc}, {sc, 1, tc},
                                   {sc, -1, -tc}, {sc, -tc, 1},  {-sc, -tc, -1}};
            for (int i = 0; i < 3; ++i)
                out[i] = d[face][i];
            out[3] = float(face);
        }
    };
    TextureShape shape;
    shape.kind = ResourceKind::Cube;
    shape.width = shape.height = 8;
    shape.layers = 6;
    SamplerDesc s = make_sampler(Filter::Linear, Wrap::ClampToEdge);
    s.seamless_cube = true;
    std::mt19937 rng(6);
    std::uniform_real_distribution<float> any(-1, 1);
    for (int i = 0; i < 4000; ++i) {
        SampleArgs a;
        a.lod_mode = LodMode::Explicit;
        for (int c = 0; c < 3; ++c)
            a.coord[c] = any(rng);
        a.coord[i % 3] = i & 1 ? 1.0f : -1.0f;
        if (i & 2) a.coord[(i + 1) % 3] = 0.999f * a.coord[i % 3];  // close to an edge
        float out[4];
        sample(s, shape, Cube::texel, nullptr, a, out);
        for (int c = 0; c < 3; ++c)
            CHECK(std::abs(out[c] - a.coord[c]) < 0.13f);
    }
    SampleArgs edge;
    edge.lod_mode = LodMode::Explicit;
    edge.coord[0] = 1, edge.coord[2] = 0.9999f;
    float out[4];
    sample(s, shape, Cube::texel, nullptr, edge, out);
    CHECK(out[3] == doctest::Approx(2.0).epsilon(0.01));  // half of face 0, half of face 4
    s.seamless_cube = false;
    sample(s, shape, Cube::texel, nullptr, edge, out);
    CHECK(out[3] == 0.0f);
}

TEST_CASE("sample: shadow comparison filters results, gather has the spec's order") {
    struct Depth {
        static void texel(void*, uint32_t, int32_t x, int32_t, int32_t, float out[4]) {
            out[0] = x == 0 ? 0.25f : 0.75f;
            out[1] = out[2] = out[3] = 9;
        }
    };
    TextureShape shape;
    shape.width = shape.height = 2;
    SamplerDesc s = make_sampler(Filter::Linear, Wrap::ClampToEdge);
    s.compare_enable = true;
    s.compare = Compare::LessEqual;
    SampleArgs a;
    a.lod_mode = LodMode::Explicit;
    a.coord[0] = 0.375f, a.coord[1] = 0.5f;
    a.reference = 0.5f;
    float out[4];
    sample(s, shape, Depth::texel, nullptr, a, out);
    CHECK(out[0] == 0.25f);  // a quarter: one texel passes
    CHECK(out[1] == 0.0f);
    CHECK(out[3] == 1.0f);
    a.reference = 7;  // the reference clamps to 1
    s.compare = Compare::Greater;
    sample(s, shape, Depth::texel, nullptr, a, out);
    CHECK(out[0] == 1.0f);

    shape.width = shape.height = 4;
    SampleArgs g;
    g.coord[0] = g.coord[1] = 0.5f;
    const SamplerDesc plain = make_sampler(Filter::Linear, Wrap::ClampToEdge);
    gather(plain, shape, coordinates, nullptr, g, 0, out);
    CHECK((out[0] == 1 && out[1] == 2 && out[2] == 2 && out[3] == 1));
    gather(plain, shape, coordinates, nullptr, g, 1, out);
    CHECK((out[0] == 2 && out[1] == 2 && out[2] == 1 && out[3] == 1));
}
