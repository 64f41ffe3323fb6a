// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blending, colour masks and clears in every colour format, compared to the bit with pipe/raster and
// pipe/format.
#include <doctest/doctest.h>

#include <cstring>
#include <random>

#include "drivers/soft/kernel/kernel.h"
#include "pipe/raster/blend.h"
#include "tests/soft/scene.h"

namespace terrazzo::soft::test {

namespace {

constexpr uint32_t kW = 19, kH = 9;

std::vector<pipe::Format> color_formats(const SoftScreen& screen, bool integers) {
    std::vector<pipe::Format> out;
    for (size_t i = 1; i < pipe::kFormatCount; ++i) {
        const pipe::Format f = pipe::Format(i);
        if (screen.format_supported(f, pipe::ResourceKind::Tex2D, 1, pipe::bind::kColor) &&
            pipe::format_info(f).is_pure_int() == integers)
            out.push_back(f);
    }
    return out;
}

/// Pixels of the format, with values that are useful for blending.
std::vector<uint8_t> random_pixels(pipe::Format f, std::mt19937& random) {
    std::uniform_real_distribution<float> unit(0, 1);
    std::vector<float> v(size_t(kW) * kH * 4);
    for (float& x : v)
        x = random() % 8 == 0 ? float(random() & 1) : unit(random);
    std::vector<uint8_t> bytes(size_t(kW) * kH * pipe::format_info(f).block_B);
    pipe::pack_rgba_f32(f, bytes.data(), v.data(), v.size() / 4);
    return bytes;
}

pipe::BlendTargetDesc random_blend(std::mt19937& random) {
    const auto factor = [&] { return pipe::BlendFactor(random() % 19); };
    pipe::BlendTargetDesc t;
    t.enable = random() % 8 != 0;
    t.op_rgb = pipe::BlendOp(random() % 5);
    t.op_alpha = pipe::BlendOp(random() % 5);
    t.src_rgb = factor();
    t.dst_rgb = factor();
    t.src_alpha = factor();
    t.dst_alpha = factor();
    if (random() % 4 == 0) t.advanced = pipe::AdvancedBlend(random() % 16);
    t.write_mask = random() % 3 ? 15 : uint8_t(random() % 16);
    return t;
}

/// Common functions have special code.
pipe::BlendTargetDesc usual_blend(unsigned i) {
    using F = pipe::BlendFactor;
    const F src[] = {F::SrcAlpha, F::One, F::One, F::One},
            dst[] = {F::OneMinusSrcAlpha, F::OneMinusSrcAlpha, F::One, F::Zero};
    pipe::BlendTargetDesc t;
    t.enable = true;
    t.src_rgb = t.src_alpha = src[i % 4];
    t.dst_rgb = t.dst_alpha = dst[i % 4];
    return t;
}

void check(pipe::Format f, const pipe::BlendTargetDesc& t, std::mt19937& random) {
    Scene s({.width = kW, .height = kH, .color = f, .kernel = random() % 4 ? nullptr : baseline::run_tile});
    const std::vector<uint8_t> before = random_pixels(f, random);
    s.upload(before.data());
    std::uniform_real_distribution<float> wide(-0.25f, 1.25f);
    const float src[4] = {wide(random), wide(random), wide(random), wide(random)};
    const float constant[4] = {wide(random), wide(random), 0.25f, wide(random)};
    pipe::BlendDesc d;
    d.targets[0] = t;
    s.blend(d);
    s.context->set_blend_color(constant);
    s.context->begin_render_pass(s.pass);
    s.rectangle(1, 1, float(kW) - 2, float(kH) - 1, 0.5f, src);
    const std::vector<uint8_t> after = s.bytes();
    const unsigned block_B = pipe::format_info(f).block_B;
    for (uint32_t y = 0; y < kH; ++y)
        for (uint32_t x = 0; x < kW; ++x) {
            const size_t at = (size_t(y) * kW + x) * block_B;
            uint8_t expected[16];
            std::memcpy(expected, before.data() + at, block_B);
            if (x >= 1 && y >= 1 && x < kW - 2 && y < kH - 1 && t.write_mask) {
                float dst[4], out[4], second[4];
                for (int c = 0; c < 4; ++c)
                    second[c] = 1 - src[c];  // like the scene's shader
                pipe::unpack_rgba_f32(f, dst, before.data() + at, 1);
                pipe::raster::blend(t, pipe::raster::color_range(f), constant, src, dst, out, second);
                pipe::raster::apply_color_mask(t.write_mask, out, dst, out);
                pipe::pack_rgba_f32(f, expected, out, 1);
            }
            INFO("pixel ", x, ",", y);
            REQUIRE(std::memcmp(expected, after.data() + at, block_B) == 0);
        }
}

}  // namespace

TEST_CASE("blending follows the rules to the bit in every format") {
    std::mt19937 random(4);
    const Scene any;
    for (const pipe::Format f : color_formats(any.screen, false)) {
        CAPTURE(std::string(pipe::format_name(f)));
        const bool often = pipe::format_info(f).block_B == 4;
        for (unsigned i = 0; i < (often ? 120u : 25u); ++i)
            check(f, i < 4 ? usual_blend(i) : random_blend(random), random);
    }
}

TEST_CASE("shaders read what earlier draws and triangles wrote") {
    std::mt19937 random(12);
    const Scene any;
    for (const pipe::Format f : color_formats(any.screen, false)) {
        if (f != pipe::Format::R8G8B8A8_UNORM && f != pipe::Format::B8G8R8A8_UNORM &&
            f != pipe::Format::R32G32B32A32_FLOAT && f != pipe::Format::B5G6R5_UNORM)
            continue;
        for (const RunTileFn kernel : {RunTileFn(nullptr), RunTileFn(baseline::run_tile)}) {
            Scene s({.width = kW, .height = kH, .color = f, .kernel = kernel});
            const std::vector<uint8_t> before = random_pixels(f, random);
            s.upload(before.data());
            s.paint(Paint::Invert);
            s.context->begin_render_pass(s.pass);
            // Seven overlapping rectangles in one draw: each pixel is inverted as often as it is covered.
            std::vector<Vertex> v;
            std::vector<int> times(size_t(kW) * kH);
            for (int k = 0; k < 7; ++k) {
                const float x0 = float(random() % 8), y0 = float(random() % 8);
                const float x1 = x0 + 1 + float(random() % (kW - 8)),
                            y1 = y0 + 1 + float(random() % (kH - 8));
                for (const auto& [x, y] :
                     {std::pair(x0, y0), {x1, y0}, {x0, y1}, {x0, y1}, {x1, y0}, {x1, y1}})
                    v.push_back(s.at(x, y));
                for (uint32_t y = uint32_t(y0); y < uint32_t(y1); ++y)
                    for (uint32_t x = uint32_t(x0); x < uint32_t(x1); ++x)
                        ++times[y * kW + x];
            }
            s.draw(pipe::Primitive::Triangles, v);
            const std::vector<uint8_t> after = s.bytes();
            const unsigned block_B = pipe::format_info(f).block_B;
            for (size_t i = 0; i < times.size(); ++i) {
                uint8_t expected[16];
                std::memcpy(expected, before.data() + i * block_B, block_B);
                for (int k = 0; k < times[i]; ++k) {
                    float rgba[4];
                    pipe::unpack_rgba_f32(f, rgba, expected, 1);
                    for (float& c : rgba)
                        c = 1 - c;
                    pipe::pack_rgba_f32(f, expected, rgba, 1);
                }
                INFO(std::string(pipe::format_name(f)), " pixel ", i);
                REQUIRE(std::memcmp(expected, after.data() + i * block_B, block_B) == 0);
            }
        }
    }
}

TEST_CASE("clears pack the colour and obey the mask and scissor in every format") {
    std::mt19937 random(9);
    const Scene any;
    for (const pipe::Format f : color_formats(any.screen, false)) {
        CAPTURE(std::string(pipe::format_name(f)));
        const bool luminance = pipe::format_info(f).channel[0].letter ==
                               'L';  // luminance: the mask of red decides for all three
        for (unsigned mask : {15u, 0u, 5u, 8u, 7u}) {
            if (luminance && mask == 5) continue;
            Scene s({.width = kW, .height = kH, .color = f});
            const std::vector<uint8_t> before = random_pixels(f, random);
            s.upload(before.data());
            s.context->begin_render_pass(s.pass);
            pipe::ClearInfo c;
            c.attachments = pipe::attachment_bit::kColor0;
            c.color[0] = {.f = {0.2f, 0.4f, 0.6f, 0.8f}};
            c.color_mask[0] = uint8_t(mask);
            c.scissored = true;
            c.scissor = {2, -5, 7, 4};
            s.context->clear(c);
            const std::vector<uint8_t> after = s.bytes();
            const unsigned block_B = pipe::format_info(f).block_B;
            for (uint32_t i = 0; i < kW * kH; ++i) {
                float v[4], old[4], now[4];
                pipe::unpack_rgba_f32(f, old, before.data() + i * block_B, 1);
                pipe::unpack_rgba_f32(f, now, after.data() + i * block_B, 1);
                uint8_t packed[16] = {};
                pipe::pack_rgba_f32(f, packed, c.color[0].f, 1);
                pipe::unpack_rgba_f32(f, v, packed, 1);
                const bool inside = i % kW >= 2 && i % kW < 7 && i / kW < 4;
                pipe::raster::apply_color_mask(inside ? uint8_t(mask) : 0, v, old, old);
                for (int k = 0; k < 4; ++k)
                    REQUIRE(now[k] == old[k]);
            }
        }
    }
}

TEST_CASE("integer targets take the shader's words and do not blend") {
    const Scene any;
    for (const pipe::Format f : color_formats(any.screen, true)) {
        CAPTURE(std::string(pipe::format_name(f)));
        Scene s({.width = 8, .height = 4, .color = f});
        s.begin();
        s.paint(Paint::Flat);
        pipe::BlendDesc d;
        d.targets[0].enable = true;
        d.targets[0].write_mask = 7;
        s.blend(d);
        const uint32_t words[4] = {1, 2, 3, 1};
        float color[4];
        std::memcpy(color, words, 16);
        s.rectangle(0, 0, 8, 4, 0.5f, color);
        const std::vector<uint8_t> bytes = s.bytes();
        uint32_t v[4];
        pipe::unpack_rgba_u32(f, v, bytes.data(), 1);
        const pipe::FormatInfo& info = pipe::format_info(f);
        for (unsigned c = 0; c < 3; ++c)
            if (info.component_bits(c)) CHECK(v[c] == words[c]);
        if (info.component_bits(3)) CHECK(v[3] == 0);
    }
}

}  // namespace terrazzo::soft::test
