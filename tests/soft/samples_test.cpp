// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Pixels of more than one sample: coverage, depth and blending of each sample, masks, and the resolve.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "drivers/soft/kernel/kernel.h"
#include "pipe/blit/blit.h"
#include "pipe/raster/edge.h"
#include "tests/soft/scene.h"

namespace terrazzo::soft::test {

namespace {

using pipe::raster::FixedPoint;

const SamplePosition& position(uint32_t samples, uint32_t s) {
    return kSamplePositions[samples == 8 ? 3 : samples == 4 ? 2 : 1][s];
}

/// Whether the triangle covers a sample, by pipe/raster.
bool covers(const pipe::raster::TriangleSetup& t, uint32_t samples, uint32_t s, uint32_t x, uint32_t y) {
    const SamplePosition& p = position(samples, s);
    return t.covers_at(int64_t(x) * 256 + 128 + p.x * 16, int64_t(y) * 256 + 128 + p.y * 16);
}

bool setup_of(const Vertex v[3], const Scene& s, pipe::raster::TriangleSetup* t) {
    FixedPoint p[3];
    for (int i = 0; i < 3; ++i)
        p[i] = {pipe::raster::to_fixed((v[i].position[0] + 1) / 2 * float(s.options.width)),
                pipe::raster::to_fixed((v[i].position[1] + 1) / 2 * float(s.options.height))};
    return pipe::raster::setup_triangle(p, t);
}

/// The red bytes of all samples, in the order of bytes().
std::vector<uint8_t> reds(Scene& s) {
    const std::vector<uint8_t> all = s.bytes();
    std::vector<uint8_t> out(all.size() / 4);
    for (size_t i = 0; i < out.size(); ++i)
        out[i] = all[i * 4];
    return out;
}

RunTileFn kernels[] = {
    baseline::run_tile,
#ifdef TERRAZZO_SOFT_AVX2
    avx2::run_tile,
#endif
};

}  // namespace

TEST_CASE("samples: triangles of every size cover the samples of pipe/raster's rules, in both kernels") {
    std::mt19937 random(11);
    for (uint32_t samples : {2u, 4u, 8u})
        for (RunTileFn kernel : kernels)
            for (int round = 0; round < 60; ++round) {
                CAPTURE(samples);
                CAPTURE(round);
                const uint32_t w = 1 + random() % 150, h = 1 + random() % 150;
                Scene s({.width = w, .height = h, .samples = samples, .kernel = kernel});
                s.begin();
                const float size = round % 3 == 0 ? 2.0f : round % 3 == 1 ? 20.0f : 300.0f;
                std::uniform_real_distribution<float> in_x(0, float(w)), in_y(0, float(h)), off(-size, size);
                std::vector<Vertex> v;
                for (int n = 0; n < 9; ++n) {
                    const float x = in_x(random), y = in_y(random);
                    for (int k = 0; k < 3; ++k)
                        v.push_back(s.at(x + off(random), y + off(random)));
                }
                s.draw(pipe::Primitive::Triangles, v);
                std::vector<uint8_t> expected(size_t(w) * h * samples);
                for (size_t n = 0; n < v.size(); n += 3) {
                    pipe::raster::TriangleSetup t;
                    if (!setup_of(&v[n], s, &t)) continue;
                    for (uint32_t y = 0; y < h; ++y)
                        for (uint32_t x = 0; x < w; ++x)
                            for (uint32_t k = 0; k < samples; ++k)
                                if (covers(t, samples, k, x, y))
                                    expected[(size_t(y) * w + x) * samples + k] = 255;
                }
                CHECK(reds(s) == expected);
            }
}

TEST_CASE("samples: a fan covers each sample once, on any number of threads") {
    std::mt19937 random(3);
    pipe::BlendDesc add;
    add.targets[0].enable = true;
    add.targets[0].dst_rgb = add.targets[0].dst_alpha = pipe::BlendFactor::One;
    for (int round = 0; round < 20; ++round) {
        const uint32_t w = 1 + random() % 200, h = 1 + random() % 200;
        Scene s({.width = w, .height = h, .samples = 4, .threads = 1u + unsigned(round % 3)});
        s.begin();
        s.blend(add);
        std::uniform_real_distribution<float> in_x(0, float(w)), in_y(0, float(h));
        const float fw = float(w), fh = float(h), mx = in_x(random), my = in_y(random);
        std::vector<Vertex> v = {s.at(in_x(random), in_y(random)),
                                 s.at(0, 0),
                                 s.at(mx, 0),
                                 s.at(fw, 0),
                                 s.at(fw, my),
                                 s.at(fw, fh),
                                 s.at(0, fh),
                                 s.at(0, my),
                                 s.at(0, 0)};
        for (Vertex& i : v)
            i.color[0] = 1.0f / 255;
        s.draw(pipe::Primitive::TriangleFan, v);
        const std::vector<uint8_t> red = reds(s);
        CHECK(std::count(red.begin(), red.end(), 1) == int(red.size()));
    }
}

TEST_CASE("samples: depth is tested at the sample, so that planes intersect inside pixels") {
    Scene s({.width = 16, .height = 16, .samples = 4, .depth = pipe::Format::D32_FLOAT});
    s.begin();
    s.depth_stencil({.depth_test = true, .depth_write = true});
    const float white[4] = {1, 1, 1, 1};
    s.rectangle(0, 0, 16, 16, 0.5f, white);
    // A plane whose depth is x / 16: nearer for x < 8.
    std::vector<Vertex> v = {s.at(0, 0, 0), s.at(16, 0, 1), s.at(0, 16, 0), s.at(16, 16, 1)};
    for (Vertex& i : v)
        i.color[0] = 0;
    s.draw(pipe::Primitive::TriangleStrip, v);
    const std::vector<uint8_t> red = reds(s);
    for (uint32_t x = 0; x < 16; ++x)
        for (uint32_t k = 0; k < 4; ++k) {
            const float at = float(x) + 0.5f + float(position(4, k).x) / 16;
            if (std::abs(at - 8) < 0.01f) continue;
            CHECK(red[(5 * 16 + x) * 4 + k] == (at < 8 ? 0 : 255));
        }
}

TEST_CASE("samples: coverage, its inverse, a mask and alpha choose samples") {
    struct Row {
        float coverage;
        bool invert;
        uint32_t mask;
        float alpha;  // below 0: no alpha to coverage
        int count;    // of four samples
    };
    const Row rows[] = {
        {1, false, ~0u, -1, 4},   {0.5f, false, ~0u, -1, 2}, {0.5f, true, ~0u, -1, 2}, {0, false, ~0u, -1, 0},
        {0, true, ~0u, -1, 4},    {1, false, 0x5, -1, 2},    {1, false, ~0u, 0, 0},    {1, false, ~0u, 1, 4},
        {1, false, ~0u, 0.5f, 2}, {0.25f, false, ~0u, 1, 1},
    };
    for (const Row& r : rows) {
        CAPTURE(r.coverage);
        CAPTURE(r.alpha);
        Scene s({.width = 8, .height = 8, .samples = 4});
        s.begin();
        pipe::BlendDesc b;
        b.alpha_to_coverage = r.alpha >= 0;
        s.blend(b);
        s.context->set_sample_mask(r.coverage, r.invert, r.mask);
        const float color[4] = {1, 1, 1, r.alpha >= 0 ? r.alpha : 1};
        s.rectangle(0, 0, 8, 8, 0.5f, color);
        const std::vector<uint8_t> red = reds(s);
        CHECK(std::count(red.begin(), red.end(), 255) == 64 * r.count);
    }
}

TEST_CASE("samples: points and lines are rectangles") {
    Scene s({.width = 16, .height = 16, .samples = 4});
    s.begin();
    Vertex v = s.at(8.25f, 8);
    v.size = 4;
    s.draw(pipe::Primitive::Points, {v});
    std::vector<uint8_t> red = reds(s);
    for (uint32_t y = 0; y < 16; ++y)
        for (uint32_t x = 0; x < 16; ++x)
            for (uint32_t k = 0; k < 4; ++k) {
                const float px = float(x) + 0.5f + float(position(4, k).x) / 16,
                            py = float(y) + 0.5f + float(position(4, k).y) / 16;
                CHECK(red[(y * 16 + x) * 4 + k] ==
                      (std::abs(px - 8.25f) < 2 && std::abs(py - 8) < 2 ? 255 : 0));
            }
    Scene l({.width = 16, .height = 16, .samples = 4});
    l.begin();
    pipe::RasterDesc r;
    r.line_width_px = 3;
    l.raster(r);
    l.draw(pipe::Primitive::Lines, {l.at(2, 8), l.at(14, 8)});
    red = reds(l);
    CHECK(std::count(red.begin(), red.end(), 255) == 12 * 3 * 4);
}

TEST_CASE("samples: discards, queries and fills work per sample") {
    Scene s({.width = 8, .height = 8, .samples = 4});
    s.begin();
    pipe::Ref<pipe::Query> q = s.context->create_query(pipe::QueryKind::Samples);
    s.context->begin_query(*q);
    auto program = s.paint(Paint::DiscardOdd);
    s.context->bind_program(program.get());
    s.draw(pipe::Primitive::TriangleStrip, {s.at(0, 0), s.at(8, 0), s.at(0, 8), s.at(8, 8)});
    s.context->end_query(*q);
    const std::vector<uint8_t> red = reds(s);
    CHECK(std::count(red.begin(), red.end(), 255) == 32 * 4);
    uint64_t count = 0;
    CHECK(s.context->query_result(*q, true, &count));
    CHECK(count == 32 * 4);
}

TEST_CASE("samples: a resolve returns their mean; for integers the first sample") {
    for (pipe::Format format : {pipe::Format::R8G8B8A8_UNORM, pipe::Format::R16G16B16A16_FLOAT}) {
        Scene s({.width = 20, .height = 10, .samples = 4, .color = format});
        s.begin();
        s.draw(pipe::Primitive::Triangles, {s.at(1, 1), s.at(19, 2), s.at(3, 9)});
        const std::vector<uint8_t> all = s.bytes();
        const auto one = s.screen.create_resource(
            {.format = format, .width = 20, .height = 10, .bind = pipe::bind::kColor});
        pipe::BlitInfo info;
        info.src = {s.color.get(), format, 0, {0, 0, 0, 20, 10, 1}};
        info.dst = {one.get(), format, 0, {0, 0, 0, 20, 10, 1}};
        pipe::BlitPath path;
        REQUIRE(pipe::blit(*s.context, info, {}, &path) == pipe::BlitStatus::Ok);
        CHECK(path == pipe::BlitPath::Driver);
        const auto by_cpu = s.screen.create_resource(one->desc);
        info.dst.resource = by_cpu.get();
        REQUIRE(pipe::blit_cpu(*s.context, info) == pipe::BlitStatus::Ok);
        const pipe::Box box = info.dst.box;
        const pipe::Mapping a = s.context->map(*one, 0, box, pipe::map_flag::kRead),
                            b = s.context->map(*by_cpu, 0, box, pipe::map_flag::kRead);
        const size_t row_B = size_t(pipe::format_row_B(format, 20));
        for (uint32_t y = 0; y < 10; ++y)
            CHECK(std::memcmp(static_cast<uint8_t*>(a.data) + y * a.row_stride_B,
                              static_cast<uint8_t*>(b.data) + y * b.row_stride_B, row_B) == 0);
        s.context->unmap(*one, a);
        s.context->unmap(*by_cpu, b);
    }
}

TEST_CASE("samples: impossible combinations are refused") {
    Scene s;
    CHECK(s.screen.format_supported(pipe::Format::R8G8B8A8_UNORM, pipe::ResourceKind::Tex2D, 8,
                                    pipe::bind::kColor));
    CHECK_FALSE(s.screen.format_supported(pipe::Format::R8G8B8A8_UNORM, pipe::ResourceKind::Tex2D, 16,
                                          pipe::bind::kColor));
    CHECK_FALSE(s.screen.format_supported(pipe::Format::R8G8B8A8_UNORM, pipe::ResourceKind::Tex2D, 3,
                                          pipe::bind::kColor));
    CHECK_FALSE(s.screen.create_resource({.format = pipe::Format::R8G8B8A8_UNORM,
                                          .width = 4,
                                          .height = 4,
                                          .levels = 2,
                                          .samples = 4,
                                          .bind = pipe::bind::kColor}));
}

}  // namespace terrazzo::soft::test
