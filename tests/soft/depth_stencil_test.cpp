// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Depth and stencil in every format, compared with the rules of pipe/raster, pixel by pixel, on random
// buffers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "drivers/soft/kernel/kernel.h"
#include "pipe/raster/clip.h"
#include "pipe/raster/depth_stencil.h"
#include "tests/soft/scene.h"

namespace terrazzo::soft::test {

namespace {

constexpr uint32_t kW = 37, kH = 21;  // not whole blocks
constexpr pipe::Format kFormats[] = {
    pipe::Format::D16_UNORM, pipe::Format::D24_UNORM_X8,         pipe::Format::D24_UNORM_S8_UINT,
    pipe::Format::D32_FLOAT, pipe::Format::D32_FLOAT_S8X24_UINT, pipe::Format::S8_UINT};

struct Buffers {
    std::vector<float> depth;
    std::vector<uint8_t> stencil;
};

std::vector<uint8_t> pack(pipe::Format f, const Buffers& b) {
    const pipe::FormatInfo& info = pipe::format_info(f);
    std::vector<uint8_t> bytes(size_t(kW) * kH * info.block_B);
    if (info.has_depth) pipe::pack_depth_f32(f, bytes.data(), b.depth.data(), b.depth.size());
    if (info.has_stencil) pipe::pack_stencil_u8(f, bytes.data(), b.stencil.data(), b.stencil.size());
    return bytes;
}

Buffers unpack(pipe::Format f, const std::vector<uint8_t>& bytes) {
    const pipe::FormatInfo& info = pipe::format_info(f);
    Buffers b{std::vector<float>(size_t(kW) * kH, 1.0f), std::vector<uint8_t>(size_t(kW) * kH)};
    if (info.has_depth) pipe::unpack_depth_f32(f, b.depth.data(), bytes.data(), b.depth.size());
    if (info.has_stencil) pipe::unpack_stencil_u8(f, b.stencil.data(), bytes.data(), b.stencil.size());
    return b;
}

/// A depth after it was stored in the format.
float rounded(pipe::Format f, float depth) {
    if (!pipe::format_info(f).has_depth) return depth;
    uint8_t pixel[8] = {};
    pipe::pack_depth_f32(f, pixel, &depth, 1);
    pipe::unpack_depth_f32(f, &depth, pixel, 1);
    return depth;
}

}  // namespace

TEST_CASE("depth and stencil tests follow the rules in every format") {
    std::mt19937 random(21);
    const auto any = [&](unsigned n) { return unsigned(random() % n); };
    for (const pipe::Format format : kFormats) {
        CAPTURE(std::string(pipe::format_name(format)));
        const pipe::FormatInfo& info = pipe::format_info(format);
        for (int round = 0; round < 150; ++round) {
            Scene s({.width = kW,
                     .height = kH,
                     .depth = format,
                     .kernel = round % 4 ? nullptr : baseline::run_tile});
            Buffers before{std::vector<float>(size_t(kW) * kH), std::vector<uint8_t>(size_t(kW) * kH)};
            const float depth = rounded(format, float(any(9)) / 8);
            for (float& d : before.depth)
                d = float(any(9)) / 8;
            const uint8_t stencil_values[4] = {0, 1, 254, 255};
            for (uint8_t& v : before.stencil)
                v = any(2) ? stencil_values[any(4)] : uint8_t(random());
            s.upload(pack(format, before).data(), true);
            before = unpack(format, pack(format, before));

            pipe::DepthStencilDesc d;
            d.depth_test = any(4) != 0;
            d.depth_write = any(2);
            d.stencil_test = any(4) != 0;
            d.depth_compare = pipe::Compare(any(8));
            for (pipe::StencilFaceDesc* f : {&d.front, &d.back})
                *f = {pipe::Compare(any(8)),
                      pipe::StencilOp(any(8)),
                      pipe::StencilOp(any(8)),
                      pipe::StencilOp(any(8)),
                      any(2) ? uint8_t(0xff) : uint8_t(random()),
                      any(2) ? uint8_t(0xff) : uint8_t(random())};
            const uint8_t ref[2] = {stencil_values[any(4)], uint8_t(random())};  // back, front
            const bool front = any(2), discards = any(3) == 0;
            s.paint(discards ? Paint::DiscardOdd : Paint::Varying);
            s.depth_stencil(d);
            s.raster({.front_ccw = front});  // the rectangle is counter-clockwise
            s.context->set_stencil_ref(ref[1], ref[0]);
            s.context->begin_render_pass(s.pass);
            const float white[4] = {1, 1, 1, 1};
            s.rectangle(0, 0, kW, kH, depth, white);

            const std::vector<uint8_t> color = s.bytes();
            const Buffers after = unpack(format, s.bytes(true));
            pipe::DepthStencilDesc rules = d;
            rules.depth_test &= info.has_depth;
            rules.stencil_test &= info.has_stencil;
            for (uint32_t i = 0; i < kW * kH; ++i) {
                const bool discarded = discards && ((i % kW + i / kW) & 1);
                float z = before.depth[i];
                uint8_t st = before.stencil[i];
                const bool drawn =
                    !discarded && pipe::raster::test_depth_stencil(rules, front, ref[front], depth, z, st);
                INFO("round ", round, " pixel ", i);
                REQUIRE(after.depth[i] == z);
                REQUIRE(after.stencil[i] == st);
                REQUIRE((color[i * 4] == 255) == drawn);
            }
        }
    }
}

TEST_CASE("the shader's depth is tested and written, clamped to [0,1]") {
    for (const float value : {-1.0f, 0.25f, 7.0f}) {
        Scene s({.width = 8, .height = 8, .depth = pipe::Format::D32_FLOAT});
        s.begin();
        s.paint(Paint::WriteDepth);
        s.depth_stencil({.depth_test = true, .depth_write = true, .depth_compare = pipe::Compare::LessEqual});
        const float color[4] = {1, 0, 0, value};
        s.rectangle(0, 0, 8, 8, 0.9f, color);
        const std::vector<uint8_t> bytes = s.bytes(true);
        float z;
        std::memcpy(&z, bytes.data(), 4);
        CHECK(z == std::clamp(value, 0.0f, 1.0f));
    }
}

TEST_CASE("depth clamp: nothing is clipped by near and far, and depths are clamped to the viewport's range") {
    constexpr pipe::Format kDepths[] = {pipe::Format::D16_UNORM, pipe::Format::D24_UNORM_X8,
                                        pipe::Format::D32_FLOAT, pipe::Format::D32_FLOAT_S8X24_UINT};
    for (const pipe::Format format : kDepths)
        for (const bool bounded : {true, false})
            for (const std::pair<float, float>& range : {std::pair{0.0f, 1.0f}, {0.25f, 0.75f}})
                for (const float z : {-3.0f, 0.3f, 3.0f})
                    for (const bool clamps : {true, false}) {
                        const float low = range.first, high = range.second;
                        CAPTURE(std::string(pipe::format_name(format)));
                        CAPTURE(low);
                        CAPTURE(z);
                        CAPTURE(clamps);
                        Scene s({.width = 24, .height = 12, .depth = format, .bound_depth = bounded});
                        s.begin();
                        s.depth_stencil({.depth_test = true,
                                         .depth_write = true,
                                         .depth_clamp = clamps,
                                         .depth_compare = pipe::Compare::Less});
                        s.raster({.depth_clamp = clamps});
                        const float middle = (low + high) / 2, half = (high - low) / 2;
                        s.context->set_viewport({{12, 6, half}, {12, 6, middle}, {low, high}});
                        // Clip coordinates with w = 2: two triangles, and if they are small, one for each
                        // kind of path.
                        std::vector<Vertex> v(4);
                        for (int i = 0; i < 4; ++i) {
                            const float p[4] = {i & 1 ? 2.0f : -2.0f, i & 2 ? 2.0f : -2.0f, 2 * z, 2};
                            std::copy_n(p, 4, v[size_t(i)].position);
                        }
                        s.draw(pipe::Primitive::TriangleStrip, v);
                        const bool inside = z > -1 && z < 1;
                        const float window = std::clamp(middle + z * half, low, high);
                        std::vector<float> expected(1, window), stored(1);
                        uint8_t pixel[8] = {};
                        const std::vector<uint8_t> bytes = s.bytes(true), colors = s.bytes();
                        const unsigned pixel_B = pipe::format_info(format).block_B;
                        pipe::pack_depth_f32(format, pixel, expected.data(), 1);
                        pipe::unpack_depth_f32(format, expected.data(), pixel, 1);
                        for (const size_t at : {size_t(0), size_t(24 * 12 - 1), size_t(24 * 5 + 13)}) {
                            pipe::unpack_depth_f32(format, stored.data(), bytes.data() + at * pixel_B, 1);
                            const bool drawn = (clamps || inside) && expected[0] < 1;
                            CHECK((colors[4 * at] == 255) == drawn);
                            CHECK(stored[0] == (drawn ? expected[0] : 1.0f));
                        }
                    }
}

TEST_CASE("depth is interpolated exactly along a plane of exact numbers, and reaches 24 bits") {
    Scene s({.width = 64, .height = 1, .depth = pipe::Format::D24_UNORM_X8});
    s.begin();
    s.depth_stencil({.depth_test = true, .depth_write = true});
    s.draw(pipe::Primitive::TriangleStrip, {s.at(0, 0, 0), s.at(64, 0, 1), s.at(0, 1, 0), s.at(64, 1, 1)});
    const std::vector<uint8_t> bytes = s.bytes(true);
    for (unsigned x = 0; x < 64; ++x) {
        uint32_t word;
        std::memcpy(&word, bytes.data() + x * 4, 4);
        CHECK((word & 0xffffff) == uint32_t(std::llrint((x + 0.5) / 64 * 16777215)));
    }
}

TEST_CASE("polygon offset moves depth by units of the format and by slope") {
    const auto depth_of = [](pipe::Format f, float factor, float units, bool sloped) {
        Scene s({.width = 16, .height = 16, .depth = f});
        s.begin();
        s.depth_stencil({.depth_test = true, .depth_write = true});
        s.raster({.depth_bias = true, .depth_bias_factor = factor, .depth_bias_units = units});
        const float far = sloped ? 0.75f : 0.25f;
        s.draw(pipe::Primitive::TriangleStrip,
               {s.at(0, 0, 0.25f), s.at(16, 0, far), s.at(0, 16, 0.25f), s.at(16, 16, far)});
        const std::vector<uint8_t> bytes = s.bytes(true);
        float z;
        pipe::unpack_depth_f32(f, &z, bytes.data(), 1);
        return z;
    };
    CHECK(depth_of(pipe::Format::D16_UNORM, 0, 0, false) == doctest::Approx(0.25).epsilon(1e-4));
    const float step =
        depth_of(pipe::Format::D16_UNORM, 0, 4, false) - depth_of(pipe::Format::D16_UNORM, 0, 0, false);
    CHECK(step == doctest::Approx(4.0 / 65536).epsilon(0.3));
    const float step24 = depth_of(pipe::Format::D24_UNORM_X8, 0, -8, false) -
                         depth_of(pipe::Format::D24_UNORM_X8, 0, 0, false);
    CHECK(step24 == doctest::Approx(-8.0 / 16777216).epsilon(0.3));
    // dz/dx is 0.5 / 16 px.
    const float slope =
        depth_of(pipe::Format::D32_FLOAT, 2, 0, true) - depth_of(pipe::Format::D32_FLOAT, 0, 0, true);
    CHECK(slope == doctest::Approx(2 * 0.5 / 16));
    CHECK(depth_of(pipe::Format::D24_UNORM_X8, 0, 1e9f, false) == 1.0f);
}

TEST_CASE("one unit of polygon offset moves every pixel of a steep triangle") {
    std::mt19937 random(4);
    const auto unit = [&] { return float(random() % 65536) / 65536; };
    for (const pipe::Format f : {pipe::Format::D32_FLOAT, pipe::Format::D24_UNORM_X8}) {
        Scene s({.width = 200, .height = 200, .depth = f});
        s.begin();
        for (int round = 0; round < 300; ++round) {
            // Slivers of at least a pixel: a small step across them is the whole range of their depths.
            const float x = unit() * 200, y = unit() * 200, dx = unit() * 200 - x, dy = unit() * 200 - y;
            const float across = (1 + 3 * unit()) / std::max(std::hypot(dx, dy), 1.0f);
            std::vector<Vertex> v = {s.at(x, y, 0.6f + 0.15f * unit()),
                                     s.at(x + dx, y + dy, 0.6f + 0.15f * unit()),
                                     s.at(x + dx / 2 - dy * across, y + dy / 2 + dx * across, 0.75f)};
            s.depth_stencil(
                {.depth_test = true, .depth_write = true, .depth_compare = pipe::Compare::Always});
            s.raster({});
            s.draw(pipe::Primitive::Triangles, v);
            for (Vertex& w : v)
                w.color[0] = 1, w.color[1] = 0;
            s.depth_stencil(
                {.depth_test = true, .depth_write = false, .depth_compare = pipe::Compare::Equal});
            s.raster({.depth_bias = true, .depth_bias_units = round & 1 ? 1.0f : -1.0f});
            s.draw(pipe::Primitive::Triangles, v);
        }
        const std::vector<uint8_t> rgba = s.bytes();
        unsigned drawn = 0, equal = 0;
        for (size_t i = 0; i < rgba.size(); i += 4)
            drawn += rgba[i + 3] == 255, equal += rgba[i] == 255 && rgba[i + 1] == 0;
        INFO(std::string(pipe::format_name(f)));
        CHECK(drawn > 2000);
        CHECK(equal == 0);
    }
}

TEST_CASE("depth bounds skip only invisible pixels") {
    for (unsigned round = 0; round < 120; ++round) {
        std::vector<uint8_t> color[2], depth[2];
        for (const bool bound : {false, true}) {
            std::mt19937 random(round);
            const auto any = [&](unsigned n) { return unsigned(random() % n); };
            Scene s({.width = 150, .height = 90, .depth = kFormats[round % 5], .bound_depth = bound});
            s.begin();
            for (int i = 0; i < 40; ++i) {
                if (any(12) == 0) {
                    pipe::ClearInfo c;
                    c.attachments = pipe::attachment_bit::kDepth;
                    c.depth = float(any(9)) / 8;
                    c.scissored = any(2);
                    c.scissor = {int(any(100)), int(any(60)), 150, 90};
                    s.context->clear(c);
                }
                const pipe::Compare usual[] = {pipe::Compare::Less, pipe::Compare::LessEqual};
                s.depth_stencil({.depth_test = any(10) != 0,
                                 .depth_write = any(4) != 0,
                                 .stencil_test = any(6) == 0,
                                 .depth_compare = any(4) ? usual[any(2)] : pipe::Compare(any(8))});
                const float factors[] = {0, 0, 0, 1, -1, 40}, units[] = {0, 0, 100, -100, 1e7f, -1e7f};
                s.raster({.depth_bias = any(3) == 0,
                          .depth_bias_factor = factors[any(6)],
                          .depth_bias_units = units[any(6)]});
                const Paint paints[] = {Paint::Varying, Paint::Varying, Paint::DiscardOdd, Paint::WriteDepth};
                s.paint(paints[any(4)]);
                const auto z = [&] { return any(3) ? float(any(17)) / 16 : float(random() % 1000) / 999; };
                std::vector<Vertex> v;
                const float flat = z();
                const bool is_flat = any(2), big = any(2);
                for (int k = 0; k < 3; ++k) {
                    const float x = float(any(big ? 500 : 200)) - (big ? 150.0f : 25.0f);
                    const float y = float(any(big ? 400 : 150)) - (big ? 150.0f : 25.0f);
                    v.push_back(s.at(x, y, is_flat ? flat : z()));
                    for (float& c : v.back().color)
                        c = float(any(256)) / 255;
                    v.back().size = 30;
                }
                const unsigned kind = any(8);
                s.draw(kind == 0   ? pipe::Primitive::Points
                       : kind == 1 ? pipe::Primitive::LineLoop
                                   : pipe::Primitive::Triangles,
                       v);
            }
            color[bound] = s.bytes();
            depth[bound] = s.bytes(true);
        }
        INFO("round ", round);
        REQUIRE(color[0] == color[1]);
        REQUIRE(depth[0] == depth[1]);
    }
}

TEST_CASE("a triangle's depths depend only on the triangle: scissors and programs may change") {
    constexpr int kCells = 24;
    std::mt19937 random(9);
    const auto unit = [&] { return float(random() % 4096) / 4096; };
    for (const float cell_px : {2.0f, 3.0f, 7.0f}) {
        Scene s({.width = 64, .height = 64, .depth = pipe::Format::D32_FLOAT});
        std::vector<Vertex> corners, list;
        for (int y = 0; y <= kCells; ++y)
            for (int x = 0; x <= kCells; ++x)
                corners.push_back(s.at((float(x) + unit() * 0.7f) * cell_px,
                                       (float(y) + unit() * 0.7f) * cell_px, unit(), 1 + unit()));
        for (int y = 0; y < kCells; ++y)
            for (int x = 0; x < kCells; ++x)
                for (const int i : {0, 1, kCells + 1, kCells + 1, 1, kCells + 2})
                    list.push_back(corners[size_t(y * (kCells + 1) + x + i)]);
        s.begin();
        s.depth_stencil({.depth_test = true, .depth_write = true, .depth_compare = pipe::Compare::Less});
        s.draw(pipe::Primitive::Triangles, list);
        for (Vertex& v : list)
            v.color[0] = 0;
        s.depth_stencil({.depth_test = true, .depth_write = false, .depth_compare = pipe::Compare::Equal});
        for (int y = 0; y < 64; y += 5)
            for (int x = 0; x < 64; x += 7) {
                s.paint((x + y) & 1 ? Paint::Flat : Paint::Varying);
                s.context->set_scissor({x, y, std::min(x + 7, 64), std::min(y + 5, 64)});
                s.raster({.scissor = true});
                s.draw(pipe::Primitive::Triangles, list);
            }
        const std::vector<uint8_t> rgba = s.bytes();
        unsigned drawn = 0, drawn_again = 0;
        for (size_t i = 0; i < rgba.size(); i += 4) {
            drawn += rgba[i + 3] == 255;
            drawn_again += rgba[i + 3] == 255 && rgba[i] == 0;
        }
        CHECK(drawn > 2000);
        CHECK(drawn_again == drawn);
    }
}

TEST_CASE("depths beyond the range are equal after clamping") {
    for (const float bias : {-0.5f, 0.25f, 2.0f}) {
        const bool far = bias > 0;
        Scene s({.width = 64, .height = 64, .depth = pipe::Format::D24_UNORM_S8_UINT});
        s.begin();
        s.depth_stencil({.depth_test = true, .depth_write = true, .depth_compare = pipe::Compare::LessEqual});
        const float white[4] = {1, 1, 1, 1}, red[4] = {1, 0, 0, 1};
        const float one = 16777216.0f;  // the value of depth 1
        s.raster({.depth_bias = true, .depth_bias_units = bias * one});
        s.rectangle(0, 0, 64, 64, far ? 0.8f : 0.1f, white);
        s.rectangle(0, 0, 64, 64, far ? 0.9f : 0.2f, red);
        const std::vector<uint8_t> bytes = s.bytes();
        for (size_t i = 0; i < 64 * 64; ++i) {
            REQUIRE(bytes[i * 4] == 255);
            REQUIRE(bytes[i * 4 + 1] == 0);
        }
    }
}

TEST_CASE("clears write depth and stencil separately, with mask and scissor") {
    Scene s({.width = 16, .height = 8, .depth = pipe::Format::D24_UNORM_S8_UINT});
    s.begin();
    pipe::ClearInfo c;
    c.attachments = pipe::attachment_bit::kStencil;
    c.stencil = 0xff;
    c.stencil_mask = 0x0f;
    s.context->clear(c);
    c = {};
    c.attachments = pipe::attachment_bit::kDepth | pipe::attachment_bit::kStencil;
    c.depth = 0;
    c.stencil = 0xa0;
    c.stencil_mask = 0xf0;
    c.scissored = true;
    c.scissor = {3, 2, 100, 5};
    s.context->clear(c);
    const std::vector<uint8_t> bytes = s.bytes(true);
    for (unsigned y = 0; y < 8; ++y)
        for (unsigned x = 0; x < 16; ++x) {
            uint32_t word;
            std::memcpy(&word, bytes.data() + (y * 16 + x) * 4, 4);
            REQUIRE(word == (x >= 3 && y >= 2 && y < 5 ? 0xaf000000u : 0x0fffffffu));
        }
}

}  // namespace terrazzo::soft::test
