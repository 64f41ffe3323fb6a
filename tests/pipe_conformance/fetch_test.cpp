// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Reads of shaders that bypass the sampler's state: texel fetches, and the colours of the current pass.
#include "tests/pipe_conformance/scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

namespace {

constexpr char kVertex[] =
    "#version 320 es\nin vec4 position; in vec4 color; out vec2 at; void main() { gl_Position = position; at "
    "= position.xy * 0.5 + 0.5 + color.xy * 0.0; }\n";

/// A texture of one texel. Its red is `red` / 255.
pipe::Ref<pipe::SamplerView> texel(Scene& s, pipe::Format f, uint8_t red) {
    const auto texture = s.image(f, 1, 1, pipe::bind::kSampled);
    const pipe::Mapping m = s.context->map(*texture, 0, {0, 0, 0, 1, 1, 1}, pipe::map_flag::kWrite);
    REQUIRE(m.data);
    static_cast<uint8_t*>(m.data)[0] = red;
    s.context->unmap(*texture, m);
    auto view = s.screen->create_sampler_view(texture, {.format = f});
    REQUIRE(view);
    return view;
}

int decoded(int srgb) {
    return int(std::lround(255 * std::pow((float(srgb) / 255 + 0.055f) / 1.055f, 2.4f)));
}

}  // namespace

// EXT_texture_sRGB_decode: texelFetch ignores TEXTURE_SRGB_DECODE_EXT.
TEST_CASE("textures: texelFetch decodes sRGB though the sampler skips the decoding") {
    Scene s(4, 4);
    if (s.older_than(32)) return;
    constexpr uint8_t kRed[] = {180, 120, 90};
    pipe::Ref<pipe::SamplerView> views[3];
    for (unsigned i = 0; i < 3; ++i)
        views[i] = texel(s, pipe::Format::R8G8B8A8_SRGB, kRed[i]);
    pipe::SamplerView* const bound[] = {views[0].get(), views[1].get(), views[2].get()};
    const auto draw = [&](const char* fs, pipe::SamplerState* sampler) {
        const auto program = s.link(kVertex, fs);
        s.context->bind_program(program.get());
        const uint32_t one = 1;
        s.context->set_uniforms(pipe::Stage::Fragment, {&one, 1});
        pipe::SamplerState* const samplers[] = {sampler, sampler, sampler};
        s.context->set_textures(pipe::Stage::Fragment, 0, bound, samplers);
        s.begin();
        s.rectangle(0, 0, 4, 4, 0.5f, {0, 0, 0, 0});
        const uint32_t pixel = s.pixels()[5];
        return std::array{int(pixel & 0xff), int(pixel >> 8 & 0xff), int(pixel >> 16 & 0xff)};
    };
    const auto near = [](int a, int b) { return std::abs(a - b) <= 1; };
    for (const bool skip : {false, true}) {
        CAPTURE(skip);
        const auto sampler = s.screen->create_sampler({.skip_srgb_decode = skip});
        const auto sampled = [&](int red) { return skip ? red : decoded(red); };
        const auto fetches = draw(
            "#version 320 es\nprecision highp float; uniform sampler2D image; out vec4 c; void main() { "
            "c = texelFetch(image, ivec2(0), 0).rrrr; }\n",
            sampler.get());
        CHECK(near(fetches[0], decoded(kRed[0])));
        const auto both = draw(
            "#version 320 es\nprecision highp float; in vec2 at; uniform sampler2D image, other; out "
            "vec4 c; void main() { c = vec4(texelFetch(image, ivec2(0), 0).r, texture(image, at).r, "
            "texture(other, at).r, 1.0); }\n",
            sampler.get());
        CHECK(near(both[0], decoded(kRed[0])));
        CHECK(near(both[1], sampled(kRed[0])));
        CHECK(near(both[2], sampled(kRed[1])));
        const auto array = draw(
            "#version 320 es\nprecision highp float; in vec2 at; uniform sampler2D image[3]; uniform int "
            "n; out vec4 c; void main() { c = vec4(texelFetch(image[n], ivec2(0), 0).r, "
            "texelFetch(image[n + 1], ivec2(0), 0).r, texture(image[2], at).r, 1.0); }\n",
            sampler.get());
        CHECK(near(array[0], decoded(kRed[1])));
        CHECK(near(array[1], decoded(kRed[2])));
        CHECK(near(array[2], sampled(kRed[2])));
    }
}

namespace {

// The new colour is half of the old one, plus a quarter.
constexpr char kHalves[] =
    "#version 320 es\n#extension GL_EXT_shader_framebuffer_fetch : require\nprecision highp float; inout "
    "vec4 c; "
    "void main() { c = c * 0.5 + 0.25; }\n";

/// Two triangles for each of `count` rectangles, all at the same place.
std::vector<Vertex> rectangles(const Scene& s, float x1, float y1, unsigned count) {
    std::vector<Vertex> v;
    for (unsigned i = 0; i < count; ++i)
        for (const auto& [x, y] :
             {std::pair{0.0f, 0.0f}, {x1, 0.0f}, {0.0f, y1}, {0.0f, y1}, {x1, 0.0f}, {x1, y1}})
            v.push_back(s.at(x, y, 0.5f));
    return v;
}

}  // namespace

TEST_CASE("textures: shaders read what earlier draws, and earlier triangles of their own draw, have drawn") {
    // More than one tile.
    constexpr int kW = 700, kH = 500;
    Scene s(kW, kH);
    if (s.older_than(32) || lacks(!s.caps().framebuffer_fetch, "framebuffer fetch")) return;
    const auto halves = s.link(kVertex, kHalves);
    s.begin(1, 0, 0.5f, 0);
    s.context->bind_program(halves.get());
    s.draw(pipe::Primitive::Triangles, rectangles(s, 600, 400, 3));
    s.draw(pipe::Primitive::Triangles, rectangles(s, 300, 500, 1));
    // A draw that does not read the colour is not ordered. It blends.
    s.context->bind_program(s.program.get());
    s.rectangle(0, 450, 100, 500, 0.5f, {0, 1, 0, 1});
    s.context->bind_program(halves.get());
    s.draw(pipe::Primitive::Triangles, rectangles(s, 50, 500, 1));
    const auto pixels = s.pixels();
    const auto times = [](float v, unsigned n) {
        while (n--)
            v = std::round((v * 0.5f + 0.25f) * 255) / 255;
        return v;
    };
    size_t wrong = 0;
    for (int y = 0; y < kH; ++y)
        for (int x = 0; x < kW; ++x) {
            float v[4] = {1, 0, 0.5f, 0};
            unsigned n = (x < 600 && y < 400 ? 3 : 0) + (x < 300);
            const bool green = x < 100 && y >= 450;
            if (green) v[0] = 0, v[1] = 1, v[2] = 0, v[3] = 1, n = 0;
            n += x < 50;
            for (unsigned c = 0; c < 4; ++c)
                wrong += std::abs(float(pixels[size_t(y * kW + x)] >> (8 * c) & 0xff) -
                                  255 * times(v[c], n)) > 1.01f;
        }
    CHECK(wrong == 0);
}

TEST_CASE("textures: shaders read the colour of their own sample, and of each target") {
    constexpr int kW = 52, kH = 37;
    Scene s(kW, kH);
    if (s.older_than(32) || lacks(!s.caps().framebuffer_fetch, "framebuffer fetch")) return;
    const auto target = [&](pipe::Format f) {
        pipe::ResourceDesc d{
            .format = f, .width = kW, .height = kH, .samples = 4, .bind = pipe::bind::kColor};
        auto r = s.screen->create_resource(d);
        REQUIRE(r);
        return r;
    };
    const auto first = target(pipe::Format::R8G8B8A8_UNORM), second = target(pipe::Format::R32_UINT);
    s.pass.color_count = 2;
    s.pass.color[0] = {.resource = first.get(), .format = first->desc.format, .samples = 4};
    s.pass.color[1] = {.resource = second.get(), .format = second->desc.format, .samples = 4};
    s.pass.depth_stencil = {};
    s.pass.clear_color[1] = {.u = {7, 0, 0, 0}};
    s.pass.color[1].load = pipe::LoadOp::Clear;
    const auto plain = s.link(
        kVertex,
        "#version 320 es\nprecision highp float; precision highp int; layout(location = 0) out vec4 a; "
        "layout(location = 1) out uint b; void main() { a = vec4(1.0); b = 40u; }\n");
    const auto reads = s.link(
        kVertex,
        "#version 320 es\n#extension GL_EXT_shader_framebuffer_fetch : require\nprecision highp float; "
        "precision highp int; layout(location = 0) inout vec4 a; layout(location = 1) inout highp uint "
        "b; void main() { a = a * 0.5 + float(b) / 255.0; b = b * 2u + 1u; }\n");
    s.begin(0, 0, 0, 0);
    s.context->bind_program(plain.get());
    s.draw(pipe::Primitive::Triangles, rectangles(s, 20.5f, kH, 1));
    s.context->bind_program(reads.get());
    s.draw(pipe::Primitive::Triangles, rectangles(s, kW, kH, 1));
    s.context->end_render_pass();
    const pipe::Box all{0, 0, 0, kW, kH, 1};
    const pipe::Mapping a = s.context->map(*first, 0, all, pipe::map_flag::kRead),
                        b = s.context->map(*second, 0, all, pipe::map_flag::kRead);
    REQUIRE(a.data);
    REQUIRE(b.data);
    for (const int x : {3, 20, 21, 40})
        for (uint32_t n = 0; n < 4; ++n) {
            float at[2];
            s.screen->sample_position(4, n, at);
            const bool in = float(x) + at[0] < 20.5f;
            const size_t offset_B = (size_t(x) * 4 + n) * 4;
            const int red = static_cast<const uint8_t*>(a.data)[5 * a.row_stride_B + offset_B];
            uint32_t number;
            std::memcpy(&number, static_cast<const uint8_t*>(b.data) + 5 * b.row_stride_B + offset_B, 4);
            CAPTURE(x);
            CAPTURE(n);
            CHECK(std::abs(red - (in ? 128 + 40 : 7)) <= 1);
            CHECK(number == (in ? 81u : 15u));
        }
    s.context->unmap(*first, a);
    s.context->unmap(*second, b);
}
