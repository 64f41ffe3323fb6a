// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Multisampling. The edges of the test's rectangles leave out samples according to their positions. A map of
// a multisampled image has the samples of a pixel next to each other.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "pipe/blit/blit.h"
#include "tests/pipe_conformance/scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

namespace {

constexpr int kW = 52, kH = 37;  // not multiples of a tile

pipe::Ref<pipe::Resource> ms_image(Scene& s, pipe::Format f, uint32_t samples, uint32_t bind) {
    pipe::ResourceDesc d;
    d.format = f;
    d.width = kW;
    d.height = kH;
    d.samples = samples;
    d.bind = bind;
    REQUIRE(s.screen->format_supported(f, pipe::ResourceKind::Tex2D, samples, bind));
    auto r = s.screen->create_resource(d);
    REQUIRE(r);
    return r;
}

bool no_samples(const Scene& s, uint32_t samples) {
    return lacks(s.caps().max_samples < samples, std::to_string(samples) + " samples");
}

bool no_sample_shading(const Scene& s) {
    return no_samples(s, 4) || lacks(!s.caps().sample_shading, "shading of samples");
}

/// The scene's pass, with multisampled targets.
struct Targets {
    Targets(Scene& s, uint32_t samples, pipe::Format color_format = pipe::Format::R8G8B8A8_UNORM)
        : color(ms_image(s, color_format, samples, pipe::bind::kColor | pipe::bind::kSampled)),
          depth(ms_image(s, pipe::Format::D24_UNORM_S8_UINT, samples, pipe::bind::kDepthStencil)) {
        s.pass.color[0].resource = color.get();
        s.pass.color[0].format = color_format;
        s.pass.color[0].samples = samples;
        s.pass.depth_stencil.resource = depth.get();
        s.pass.depth_stencil.samples = samples;
    }
    pipe::Ref<pipe::Resource> color, depth;
};

/// All samples, row by row.
std::vector<std::array<float, 4>> read(Scene& s, pipe::Resource& r) {
    s.context->end_render_pass();
    const pipe::Mapping m = s.context->map(r, 0, {0, 0, 0, kW, kH, 1}, pipe::map_flag::kRead);
    REQUIRE(m.data);
    const size_t row = size_t(kW) * r.desc.samples;
    std::vector<std::array<float, 4>> out(row * kH);
    for (size_t y = 0; y < kH; ++y)
        pipe::unpack_rgba_f32(r.desc.format, out[y * row].data(),
                              static_cast<uint8_t*>(m.data) + y * m.row_stride_B, row);
    s.context->unmap(r, m);
    return out;
}

bool covered(const Scene& s, uint32_t samples, uint32_t n, int x, float edge_px) {
    float at[2];
    s.screen->sample_position(samples, n, at);
    return float(x) + at[0] < edge_px;
}

constexpr char kNewVertex[] =
    "#version 320 es\nin vec4 position; in vec4 color; out vec4 v; out vec2 at;\n"
    "void main() { gl_Position = position; v = color; at = position.xy * 0.5 + 0.5; }\n";

void blit(Scene& s, pipe::Resource& dst, pipe::Resource& src, bool depth_stencil = false) {
    pipe::BlitInfo b;
    b.src = {&src, src.desc.format, 0, {0, 0, 0, kW, kH, 1}};
    b.dst = {&dst, dst.desc.format, 0, {0, 0, 0, kW, kH, 1}};
    b.color = !depth_stencil;
    b.depth = b.stencil = depth_stencil;
    CHECK(pipe::blit(*s.context, b, {}) == pipe::BlitStatus::Ok);
}

}  // namespace

TEST_CASE("samples: an edge covers samples by their positions, and a resolve averages them") {
    for (const uint32_t samples : {2u, 4u, 8u})
        for (const pipe::Format f :
             {pipe::Format::R8G8B8A8_UNORM, pipe::Format::B8G8R8A8_UNORM, pipe::Format::R8_UNORM,
              pipe::Format::R8G8_UNORM, pipe::Format::B5G6R5_UNORM, pipe::Format::R16G16B16A16_FLOAT,
              pipe::Format::R10G10B10A2_UNORM, pipe::Format::R32G32B32A32_FLOAT}) {
            CAPTURE(samples);
            CAPTURE(std::string(pipe::format_name(f)));
            Scene s(kW, kH);
            if (no_samples(s, samples)) return;
            if (!s.supports(f, pipe::bind::kColor, samples)) continue;
            const Targets t(s, samples, f);
            s.begin(0, 0, 0, 1);
            s.rectangle(0, 0, 20.5f, float(kH), 0.5f, {1, 0, 0, 1});
            const auto got = read(s, *t.color);
            float mean = 0;
            for (uint32_t n = 0; n < samples; ++n) {
                const bool in = covered(s, samples, n, 20, 20.5f);
                mean += float(in) / float(samples);
                for (const int y : {0, kH - 1}) {
                    const size_t row = size_t(y) * kW * samples;
                    CHECK(got[row + 20 * samples + n][0] == float(in));
                    CHECK(got[row + 19 * samples + n][0] == 1);
                    CHECK(got[row + 21 * samples + n][0] == 0);
                    CHECK(got[row + (kW - 1) * samples + n][0] == 0);
                }
            }
            const auto resolved = s.image(f, kW, kH, pipe::bind::kColor);
            blit(s, *resolved, *t.color);
            const auto one = read(s, *resolved);
            CHECK(std::fabs(one[20][0] - mean) < 0.04f);
            CHECK(one[19][0] == 1);
            CHECK(one[(kH - 1) * kW + 21][0] == 0);
        }
}

TEST_CASE("samples: partial clears, passes that load, copies") {
    for (const uint32_t samples : {2u, 4u})
        for (const pipe::Format f : {pipe::Format::R8G8B8A8_UNORM, pipe::Format::R8_UNORM,
                                     pipe::Format::R8G8_UNORM, pipe::Format::R32G32B32A32_FLOAT}) {
            CAPTURE(samples);
            CAPTURE(std::string(pipe::format_name(f)));
            Scene s(kW, kH);
            if (no_samples(s, samples)) return;
            if (!s.supports(f, pipe::bind::kColor, samples)) continue;
            const Targets t(s, samples, f);
            s.begin(1, 0, 0, 1);
            pipe::ClearInfo c;
            c.attachments = pipe::attachment_bit::kColor0;
            c.scissored = true;
            c.scissor = {3, 5, 23, 30};
            s.context->clear(c);
            s.context->end_render_pass();
            s.resume();
            s.rectangle(30, 0, 40, float(kH), 0.5f, {0, 0, 0, 1});
            s.context->end_render_pass();
            const auto copy = ms_image(s, f, samples, pipe::bind::kColor);
            s.context->copy_region(*copy, 0, 2, 1, 0, *t.color, 0, {1, 2, 0, 45, 32, 1});
            for (const pipe::Resource* r : {t.color.get(), copy.get()}) {
                const int dx = r == copy.get() ? 1 : 0, dy = r == copy.get() ? -1 : 0;
                const auto got = read(s, const_cast<pipe::Resource&>(*r));
                size_t wrong = 0;
                for (int y = 2; y < 34; ++y)
                    for (int x = 1; x < 46; ++x)
                        for (uint32_t n = 0; n < samples; ++n) {
                            const bool black = (x >= 3 && x < 23 && y >= 5 && y < 30) || (x >= 30 && x < 40);
                            const size_t at = (size_t(y + dy) * kW + size_t(x + dx)) * samples + n;
                            wrong += got[at][0] != float(!black);
                        }
                CHECK(wrong == 0);
            }
        }
}

TEST_CASE("samples: depth is tested at each sample, and resolves return the first") {
    Scene s(kW, kH);
    if (no_samples(s, 4)) return;
    const Targets t(s, 4);
    s.depth_stencil({.depth_test = true, .depth_write = true});
    s.begin(0, 0, 0, 1);
    s.rectangle(0, 0, 20.5f, float(kH), 0.25f, {1, 0, 0, 1});
    s.rectangle(0, 0, float(kW), float(kH), 0.5f, {0, 1, 0, 1});
    const auto got = read(s, *t.color);
    for (uint32_t n = 0; n < 4; ++n)
        CHECK(got[20 * 4 + n][1] == float(!covered(s, 4, n, 20, 20.5f)));
    const auto depth = s.image(pipe::Format::D24_UNORM_S8_UINT, kW, kH, pipe::bind::kDepthStencil);
    blit(s, *depth, *t.depth, true);
    const pipe::Mapping m = s.context->map(*depth, 0, {0, 3, 0, kW, 1, 1}, pipe::map_flag::kRead);
    REQUIRE(m.data);
    float row[kW];
    pipe::format_ops(depth->desc.format).unpack_depth(row, m.data, kW);
    s.context->unmap(*depth, m);
    CHECK(std::fabs(row[19] - 0.25f) < 1e-6f);
    CHECK(std::fabs(row[20] - 0.25f) < 1e-6f);  // sample 0 is at 6/16
    CHECK(std::fabs(row[21] - 0.5f) < 1e-6f);
}

TEST_CASE("samples: mask, coverage, alpha to coverage") {
    Scene s(kW, kH);
    if (no_samples(s, 4)) return;
    const Targets t(s, 4);
    s.begin(0, 0, 0, 0);
    s.context->set_sample_mask(1, false, 5);
    s.rectangle(0, 0, 10, float(kH), 0.5f, {1, 0, 0, 1});
    s.context->set_sample_mask(0.75f, true, ~0u);
    s.rectangle(10, 0, 20, float(kH), 0.5f, {1, 0, 0, 1});
    s.context->set_sample_mask(1, false, ~0u);
    s.blend({.alpha_to_coverage = true});
    s.rectangle(20, 0, 30, float(kH), 0.5f, {1, 0, 0, 0.5f});
    const auto got = read(s, *t.color);
    unsigned alpha = 0;
    for (uint32_t n = 0; n < 4; ++n) {
        CHECK(got[5 * 4 + n][0] == float(n == 0 || n == 2));
        CHECK(got[15 * 4 + n][0] == float(n == 3));
        alpha += got[25 * 4 + n][0] == 1;
    }
    CHECK(alpha == 2);
}

TEST_CASE("samples: state enables shading per sample") {
    Scene s(kW, kH);
    if (no_sample_shading(s)) return;
    const Targets t(s, 4);
    const auto program = s.link(kNewVertex,
                                "#version 320 es\nprecision highp float; in vec2 at; out vec4 c; void "
                                "main() { c = vec4(fract(gl_FragCoord.xy), "
                                "fract(at * vec2(52.0, 37.0))); }\n");
    s.context->bind_program(program.get());
    s.begin(0, 0, 0, 0);
    s.raster({.sample_shading = 1});
    s.rectangle(0, 0, 20, float(kH), 0.5f, {1, 1, 1, 1});
    s.raster({});
    s.rectangle(20, 0, 40, float(kH), 0.5f, {1, 1, 1, 1});
    const auto got = read(s, *t.color);
    for (uint32_t n = 0; n < 4; ++n) {
        CAPTURE(n);
        float at[2];
        s.screen->sample_position(4, n, at);
        for (unsigned c = 0; c < 4; ++c) {
            CHECK(std::fabs(got[(9 * kW + 7) * 4 + n][c] - at[c & 1]) < 0.005f);
            CHECK(std::fabs(got[(9 * kW + 27) * 4 + n][c] - 0.5f) < 0.005f);
        }
    }
}

TEST_CASE("samples: textures and varyings are evaluated at the sample's position") {
    Scene s(kW, kH);
    if (no_sample_shading(s)) return;
    const Targets t(s, 4);
    // One texel for each sixteenth of a pixel.
    constexpr int kTexels = 16;
    const auto texture = s.image(pipe::Format::R8G8B8A8_UNORM, kTexels, 1, pipe::bind::kSampled);
    const pipe::Box all{0, 0, 0, kTexels, 1, 1};
    const pipe::Mapping m = s.context->map(*texture, 0, all, pipe::map_flag::kWrite);
    REQUIRE(m.data);
    for (int i = 0; i < kTexels; ++i)
        static_cast<uint8_t*>(m.data)[4 * i] = uint8_t(i * 16);
    s.context->unmap(*texture, m);
    const auto view = s.screen->create_sampler_view(texture, {.format = texture->desc.format});
    const auto sampler = s.screen->create_sampler({.mag = pipe::Filter::Nearest});
    pipe::SamplerView* views[] = {view.get()};
    pipe::SamplerState* samplers[] = {sampler.get()};
    s.context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
    // With shading per pixel the texture is prefetched. interpolateAtOffset counts from the pixel's centre in
    // both modes.
    const auto program = s.link(kNewVertex,
                                "#version 320 es\nprecision highp float; in vec4 v; centroid in vec2 at; "
                                "uniform sampler2D image; out vec4 c; void "
                                "main() { c = vec4(texture(image, v.xy).r, fract(at * vec2(52.0, 37.0)), "
                                "fract(interpolateAtOffset(v, vec2(0.25, 0.0)).x)); }\n");
    s.context->bind_program(program.get());
    s.begin(0, 0, 0, 0);
    // v is the position in pixels plus half a texel, so that samples are at the centres of texels.
    constexpr float kHalfTexel = 0.5f / kTexels;
    const auto draw = [&](float x0) {
        std::vector<Vertex> corners;
        for (const float y : {0.0f, float(kH)})
            for (const float x : {x0, x0 + 10}) {
                corners.push_back(s.at(x, y, 0.5f));
                corners.back().color[0] = x + kHalfTexel;
                corners.back().color[1] = y;
            }
        s.draw(pipe::Primitive::TriangleStrip, corners);
    };
    s.raster({.sample_shading = 1});
    draw(0);
    s.raster({});
    draw(20);
    const auto got = read(s, *t.color);
    for (uint32_t n = 0; n < 4; ++n) {
        CAPTURE(n);
        float at[2];
        s.screen->sample_position(4, n, at);
        const auto &own = got[(9 * kW + 2) * 4 + n], &pixel = got[(9 * kW + 22) * 4 + n];
        const auto is = [](float a, float b) { return std::fabs(a - b) < 0.005f; };
        CHECK(is(own[0], at[0] * kTexels * 16 / 255));
        CHECK(is(own[1], at[0]));
        CHECK(is(own[2], at[1]));
        CHECK(is(own[3], 0.75f + kHalfTexel));
        CHECK(is(pixel[0], 0.5f * kTexels * 16 / 255));
        CHECK(is(pixel[1], 0.5f));
        CHECK(is(pixel[2], 0.5f));
        CHECK(is(pixel[3], 0.75f + kHalfTexel));
    }
}

TEST_CASE("samples: shaders that use gl_SampleID and gl_SamplePosition") {
    Scene s(kW, kH);
    if (no_sample_shading(s)) return;
    const Targets t(s, 4);
    const auto numbers =
        s.link(kNewVertex,
               "#version 320 es\nprecision highp float; out vec4 c; void main() { c = "
               "vec4(float(gl_SampleID) / 3.0, gl_SamplePosition, float(gl_SampleMaskIn[0]) / 15.0); }\n");
    const auto mask = s.link(kNewVertex,
                             "#version 320 es\nprecision highp float; out vec4 c; void main() { c = "
                             "vec4(float(gl_SampleMaskIn[0]) / 15.0); gl_SampleMask[0] = 6; }\n");
    const auto places =
        s.link(kNewVertex,
               "#version 320 es\nprecision highp float; sample in vec2 at; out vec4 c; void main() { c = "
               "vec4(fract(at * vec2(52.0, 37.0)), 0.0, 1.0); }\n");
    s.begin(0, 0, 0, 0);
    s.context->bind_program(numbers.get());
    s.rectangle(0, 0, 10, float(kH), 0.5f, {1, 1, 1, 1});
    s.context->bind_program(mask.get());
    s.rectangle(10, 0, 20.5f, float(kH), 0.5f, {1, 1, 1, 1});
    s.context->bind_program(places.get());
    s.rectangle(30, 0, 40, float(kH), 0.5f, {1, 1, 1, 1});
    const auto got = read(s, *t.color);
    unsigned in = 0;
    for (uint32_t n = 0; n < 4; ++n)
        in |= unsigned(covered(s, 4, n, 20, 20.5f)) << n;
    for (uint32_t n = 0; n < 4; ++n) {
        CAPTURE(n);
        float at[2];
        s.screen->sample_position(4, n, at);
        const auto& a = got[(9 * kW + 7) * 4 + n];
        CHECK(std::fabs(a[0] - float(n) / 3) < 0.005f);
        CHECK(std::fabs(a[1] - at[0]) < 0.005f);
        CHECK(std::fabs(a[2] - at[1]) < 0.005f);
        CHECK(std::fabs(a[3] - float(1u << n) / 15) < 0.005f);
        CHECK(got[(30 * kW + 18) * 4 + n][0] == float(n == 1 || n == 2));
        const bool both = (n == 1 || n == 2) && (in >> n & 1);
        CHECK(std::fabs(got[(9 * kW + 20) * 4 + n][0] - (both ? float(in) / 15 : 0)) < 0.005f);
        const auto& p = got[(9 * kW + 35) * 4 + n];
        CHECK(std::fabs(p[0] - at[0]) < 0.005f);
        CHECK(std::fabs(p[1] - at[1]) < 0.005f);
    }
}

TEST_CASE("samples: gl_SampleMask has no effect on a target with one sample") {
    Scene s(kW, kH);
    if (no_sample_shading(s)) return;
    const auto mask =
        s.link(kNewVertex,
               "#version 320 es\nprecision highp float; uniform int mask; out vec4 c; void main() { c = "
               "vec4(1.0); gl_SampleMask[0] = mask; }\n");
    s.begin(0, 0, 0, 1);
    s.context->bind_program(mask.get());
    for (const uint32_t bits : {0xaaaaaaaau, 0u, 1u}) {
        s.context->set_uniforms(pipe::Stage::Fragment, {&bits, 1});
        const float x = bits == 0 ? 10 : bits == 1 ? 20 : 0;
        s.rectangle(x, 0, x + 10, float(kH), 0.5f, {1, 1, 1, 1});
    }
    const auto pixels = s.pixels();
    CHECK(std::count(pixels.begin(), pixels.end(), 0xffffffff) == 30 * kH);
}

TEST_CASE("samples: the samples of a multisampled texture are fetched") {
    Scene s(kW, kH);
    if (no_samples(s, 4)) return;
    const auto color = s.pass.color[0];
    const auto depth = s.pass.depth_stencil;
    const Targets t(s, 4);
    s.begin(0, 0, 0, 1);
    s.rectangle(0, 0, 20.5f, float(kH), 0.5f, {1, 0, 0, 1});
    s.context->end_render_pass();
    s.pass.color[0] = color;
    s.pass.depth_stencil = depth;
    const auto program = s.link(
        kNewVertex,
        "#version 320 es\nprecision highp float; uniform highp sampler2DMS image; out vec4 c; void "
        "main() { ivec2 p = ivec2(gl_FragCoord.xy); c = vec4(texelFetch(image, p, 0).r, texelFetch(image, "
        "p, 1).r, texelFetch(image, p, 2).r, texelFetch(image, p, 3).r); }\n");
    s.context->bind_program(program.get());
    const auto view = s.screen->create_sampler_view(t.color, {.format = t.color->desc.format});
    REQUIRE(view);
    pipe::SamplerView* views[] = {view.get()};
    pipe::SamplerState* samplers[] = {nullptr};
    s.context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
    s.begin();
    s.rectangle(0, 0, float(kW), float(kH), 0.5f, {0, 0, 0, 0});
    const auto got = read(s, *s.color);
    for (uint32_t n = 0; n < 4; ++n) {
        CHECK(got[20][n] == float(covered(s, 4, n, 20, 20.5f)));
        CHECK(got[19][n] == 1);
        CHECK(got[30 * kW + 21][n] == 0);
    }
}

TEST_CASE("samples: a pass with implicit samples resolves into an image with one sample") {
    for (const uint32_t samples : {2u, 4u})
        for (const pipe::Format f :
             {pipe::Format::R8G8B8A8_UNORM, pipe::Format::R8G8B8A8_SRGB, pipe::Format::R8_UNORM,
              pipe::Format::R8G8_UNORM, pipe::Format::B5G6R5_UNORM, pipe::Format::R16G16B16A16_FLOAT}) {
            CAPTURE(samples);
            CAPTURE(std::string(pipe::format_name(f)));
            Scene s(kW, kH);
            if (no_samples(s, samples) || lacks(!s.caps().implicit_resolve, "implicit resolves")) return;
            if (!s.supports(f, pipe::bind::kColor | pipe::bind::kSampled, samples)) continue;
            Targets t(s, samples, f);
            const auto image = s.image(f, kW, kH, pipe::bind::kColor | pipe::bind::kSampled);
            s.pass.color[0].resource = image.get();
            s.begin(0, 0, 0, 1);
            s.rectangle(0, 0, 20.5f, float(kH), 0.5f, {1, 0, 0, 1});
            s.context->end_render_pass();
            s.resume();
            s.rectangle(30.5f, 0, float(kW), float(kH), 0.5f, {1, 0, 0, 1});
            const auto got = read(s, *image);
            CHECK(std::fabs(got[20][0] - 0.5f) < 0.04f);
            CHECK(std::fabs(got[30][0] - 0.5f) < 0.04f);
            for (const size_t y : {size_t(0), size_t(kH - 1)}) {
                CHECK(got[y * kW + 19][0] == 1);
                CHECK(got[y * kW + 21][0] == 0);
                CHECK(got[y * kW + kW - 1][0] == 1);
            }
        }
}

TEST_CASE("samples: blending of each sample with what is there") {
    for (const uint32_t samples : {4u, 8u})
        for (const pipe::Format f : {pipe::Format::R8G8B8A8_UNORM, pipe::Format::R16G16B16A16_FLOAT})
            for (const pipe::BlendOp op : {pipe::BlendOp::Add, pipe::BlendOp::Max}) {
                CAPTURE(samples);
                CAPTURE(std::string(pipe::format_name(f)));
                CAPTURE(unsigned(op));
                Scene s(kW, kH);
                if (no_samples(s, samples)) return;
                if (!s.supports(f, pipe::bind::kColor, samples)) continue;
                const Targets t(s, samples, f);
                s.begin(0.25f, 0.5f, 0, 1);
                s.rectangle(0, 0, 20.5f, float(kH), 0.5f, {0.5f, 0.5f, 0, 1});
                pipe::BlendDesc d;
                d.targets[0].enable = true;
                d.targets[0].op_rgb = d.targets[0].op_alpha = op;
                d.targets[0].src_rgb = d.targets[0].dst_rgb = pipe::BlendFactor::One;
                d.targets[0].src_alpha = d.targets[0].dst_alpha = pipe::BlendFactor::One;
                s.blend(d);
                s.rectangle(10.5f, 0, float(kW), float(kH), 0.5f, {0.375f, 0.125f, 0, 0});
                const auto got = read(s, *t.color);
                size_t wrong = 0;
                for (int x = 0; x < kW; ++x)
                    for (uint32_t n = 0; n < samples; ++n) {
                        float want[2] = {0.25f, 0.5f};
                        if (covered(s, samples, n, x, 20.5f)) want[0] = want[1] = 0.5f;
                        const float source[2] = {0.375f, 0.125f};
                        for (unsigned c = 0; c < 2 && !covered(s, samples, n, x, 10.5f); ++c)
                            want[c] =
                                op == pipe::BlendOp::Add ? want[c] + source[c] : std::max(want[c], source[c]);
                        const auto& texel = got[(size_t(11) * kW + size_t(x)) * samples + n];
                        for (unsigned c = 0; c < 2; ++c)
                            wrong += std::fabs(texel[c] - want[c]) > 0.005f;
                    }
                CHECK(wrong == 0);
            }
}

TEST_CASE("samples: integers are masked for each sample, and resolves return the first") {
    Scene s(kW, kH);
    constexpr pipe::Format kFormat = pipe::Format::R8G8B8A8_UINT;
    if (no_samples(s, 4) || lacks(!s.supports(kFormat, pipe::bind::kColor, 4), "integers with samples"))
        return;
    const auto color = ms_image(s, kFormat, 4, pipe::bind::kColor);
    s.pass.color[0] = {.resource = color.get(), .format = kFormat, .samples = 4};
    s.pass.depth_stencil = {};
    const auto program = s.link(kNewVertex,
                                "#version 320 es\nprecision highp float; in vec4 v; out highp uvec4 c; void "
                                "main() { c = uvec4(v * 255.0 + 0.5); }\n");
    s.context->bind_program(program.get());
    s.pass.color[0].load = pipe::LoadOp::Clear;
    s.pass.clear_color[0] = {.u = {1, 2, 3, 4}};
    s.context->begin_render_pass(s.pass);
    pipe::BlendDesc d;
    d.targets[0].write_mask = 5;
    s.blend(d);
    s.rectangle(0, 0, 20.5f, float(kH), 0.5f, {40.0f / 255, 40.0f / 255, 50.0f / 255, 1});
    s.context->end_render_pass();
    const auto resolved = s.image(kFormat, kW, kH, pipe::bind::kColor);
    blit(s, *resolved, *color);
    const pipe::Box row{0, 7, 0, kW, 1, 1};
    const pipe::Mapping all = s.context->map(*color, 0, row, pipe::map_flag::kRead),
                        one = s.context->map(*resolved, 0, row, pipe::map_flag::kRead);
    REQUIRE(all.data);
    REQUIRE(one.data);
    for (int x = 0; x < kW; ++x)
        for (uint32_t n = 0; n < 4; ++n) {
            uint32_t word, first;
            std::memcpy(&word, static_cast<uint8_t*>(all.data) + (size_t(x) * 4 + n) * 4, 4);
            std::memcpy(&first, static_cast<uint8_t*>(one.data) + size_t(x) * 4, 4);
            const uint32_t want = covered(s, 4, n, x, 20.5f) ? 0x04320228 : 0x04030201;
            REQUIRE(word == want);
            if (n == 0) REQUIRE(first == want);
        }
    s.context->unmap(*color, all);
    s.context->unmap(*resolved, one);
}
