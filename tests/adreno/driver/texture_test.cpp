// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What shaders read of textures in ways that the sampler does not say.
#include <bit>
#include <cmath>

#include "tests/adreno/driver/open_scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

namespace {

constexpr char kVertex[] =
    "#version 320 es\nin vec4 position; in vec4 color; out vec2 at; void main() { gl_Position = position; at "
    "= position.xy * 0.5 + 0.5 + color.xy * 0.0; }\n";

/// A texture of one texel, whose red is `red` of 255.
pipe::Ref<pipe::SamplerView> texel(DriverScene& s, pipe::Format f, uint8_t red) {
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
TEST_CASE("textures: what is fetched is decoded though the sampler skips that") {
    DriverScene s = open_scene(4, 4, either_mode());
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
        CHECK(s.messages == "");
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
