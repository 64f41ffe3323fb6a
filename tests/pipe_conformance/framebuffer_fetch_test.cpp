// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shaders that read the current values of the colour buffers (GL_EXT_shader_framebuffer_fetch), and blending
// with a second source (GL_EXT_blend_func_extended). Both are checked by their pixels.
#include "tests/pipe_conformance/scene.h"

namespace terrazzo::test {

namespace {

constexpr char kInvert[] =
    "#extension GL_EXT_shader_framebuffer_fetch : require\n"
    "precision highp float; void main() { gl_FragColor = vec4(1.0) - gl_LastFragData[0]; }\n";

// The first byte of the pixel at (x, y), after the pass.
uint8_t first_byte(Scene& s, pipe::Resource& r, int32_t x, int32_t y) {
    s.context->end_render_pass();
    const pipe::Mapping m = s.context->map(r, 0, {x, y, 0, 1, 1, 1}, pipe::map_flag::kRead);
    REQUIRE(m.data);
    const uint8_t byte = *static_cast<const uint8_t*>(m.data);
    s.context->unmap(r, m);
    return byte;
}

}  // namespace

TEST_CASE("framebuffer fetch: it reads clears, earlier draws, and the previous pass") {
    Scene s(70, 50);
    if (lacks(!s.caps().framebuffer_fetch, "framebuffer fetch")) return;
    const auto invert = s.link(kVertexText, kInvert);
    s.begin(1, 0, 0.2f, 0.4f);  // ff 00 33 66
    s.rectangle(0, 0, 35, 50, 0.5f, {0, 0.2f, 0.4f, 0.6f});
    s.context->bind_program(invert.get());
    s.rectangle(0, 0, 70, 25, 0.5f, {});
    s.rectangle(20, 0, 50, 50, 0.5f, {});
    std::vector<uint32_t> p = s.pixels();
    CHECK(count(p, 0x99663300) == 20 * 25 + 15 * 25);  // not drawn over, or inverted twice
    CHECK(count(p, 0x6699ccff) == 20 * 25 + 15 * 25);
    CHECK(count(p, 0x663300ff) == 20 * 25 + 15 * 25);  // cleared
    CHECK(count(p, 0x99ccff00) == 20 * 25 + 15 * 25);
    s.resume();
    s.rectangle(0, 0, 70, 50, 0.5f, {});
    p = s.pixels();
    CHECK(p[0] == 0x99663300);
    CHECK(p[69] == 0x663300ff);
}

TEST_CASE(
    "framebuffer fetch: overlapping primitives of one draw are in order; opaque draws may follow a reader") {
    Scene s;
    if (lacks(!s.caps().framebuffer_fetch, "framebuffer fetch")) return;
    const auto half = s.link(kVertexText,
                             "#extension GL_EXT_shader_framebuffer_fetch : require\n"
                             "precision highp float; varying vec4 v_color;\n"
                             "void main() { gl_FragColor = gl_LastFragData[0] * 0.2 + v_color; }\n");
    s.context->bind_program(half.get());
    s.begin(1, 1, 1, 1);
    std::vector<Vertex> v;
    for (int i = 0; i < 2; ++i)
        for (const auto& [x, y] : {std::pair{0.0f, 0.0f}, {128.0f, 0.0f}, {0.0f, 128.0f}}) {
            v.push_back(s.at(x, y));
            std::fill_n(v.back().color, 4, i ? 0.6f : 0.2f);
        }
    s.draw(pipe::Primitive::Triangles, v);
    // 0.2 + 0.2 = 0x66; 0x66 / 5 + 0.6 = 0xad (173.4)
    CHECK(count(s.pixels(), 0xadadadad) == 64 * 64);
}

TEST_CASE("framebuffer fetch: channels that the format lacks read 0, alpha reads 1") {
    Scene s;
    if (lacks(!s.caps().framebuffer_fetch, "framebuffer fetch")) return;
    constexpr char kLacking[] =
        "#extension GL_EXT_shader_framebuffer_fetch : require\n"
        "precision highp float; void main() { vec4 c = gl_LastFragData[0];\n"
        "gl_FragColor = vec4(0.2 * c.a + 0.4 * c.g + 0.2 * c.b); }\n";
    const auto program = s.link(kVertexText, kLacking);
    struct Row {
        pipe::Format format;
        uint8_t drawn, red;
    };
    constexpr Row kRows[] = {
        {pipe::Format::R8G8B8A8_UNORM, 0xff, 0xad},  // 0.4 * 0.2 + 0.4 + 0.2 = 0.68
        {pipe::Format::R8_UNORM, 0xff, 0x33},
        {pipe::Format::R8G8_UNORM, 0xff, 0x99},
    };
    for (const Row& row : kRows) {
        CAPTURE(std::string(pipe::format_info(row.format).name));
        const auto image = s.image(row.format, 64, 64, pipe::bind::kColor);
        s.pass.color[0].resource = image.get();
        s.pass.color[0].format = row.format;
        s.context->bind_program(s.program.get());
        s.begin(0, 0, 0, 0);
        s.rectangle(0, 0, 64, 64, 0.5f, {1, 1, 1, 0.4f});
        CHECK(int(first_byte(s, *image, 40, 40)) == int(row.drawn));
        s.begin(0, 0, 0, 0);
        s.rectangle(0, 0, 64, 64, 0.5f, {1, 1, 1, 0.4f});
        s.context->bind_program(program.get());
        s.rectangle(0, 0, 32, 64, 0.5f, {});
        CHECK(int(first_byte(s, *image, 20, 40)) == int(row.red));
    }
}

TEST_CASE("blending with a second source") {
    Scene s;
    if (lacks(!s.caps().dual_source_blend, "blending with two sources")) return;
    const auto two =
        s.link(kVertexText,
               "#extension GL_EXT_blend_func_extended : require\n"
               "precision highp float; varying vec4 v_color;\n"
               "void main() { gl_FragColor = v_color; gl_SecondaryFragColorEXT = vec4(0, 0.2, 1, 0.4); }\n");
    s.context->bind_program(two.get());
    using pipe::BlendFactor;
    struct Row {
        BlendFactor src, dst;
        uint32_t pixel;
    };
    // The source is 0.6 in all channels, the destination (1, 0, 0.2, 1).
    constexpr Row kRows[] = {
        {BlendFactor::Src1Color, BlendFactor::Zero, 0x3d991f00},
        {BlendFactor::Zero, BlendFactor::Src1Color, 0x66330000},
        {BlendFactor::OneMinusSrc1Color, BlendFactor::Src1Alpha, 0xc2147aff},
        {BlendFactor::One, BlendFactor::OneMinusSrc1Alpha, 0xffb899ff},
    };
    for (const Row& row : kRows) {
        CAPTURE(int(row.src));
        pipe::BlendDesc d;
        d.targets[0].enable = true;
        d.targets[0].src_rgb = d.targets[0].src_alpha = row.src;
        d.targets[0].dst_rgb = d.targets[0].dst_alpha = row.dst;
        s.blend(d);
        s.begin(1, 0, 0.2f, 1);
        s.rectangle(0, 0, 64, 64, 0.5f, {0.6f, 0.6f, 0.6f, 0.6f});
        const std::vector<uint32_t> p = s.pixels();
        CHECK(p[0] == row.pixel);
        CHECK(count(p, p[0]) == 64 * 64);
    }
}

// A blend colour whose channels differ needs a blend shader, which reads it from the uniforms of any program.
TEST_CASE("a blend colour that changes from draw to draw, with programs of few and many uniforms") {
    Scene s;
    std::string sum = "v_color";
    for (int i = 0; i < 10; ++i)
        sum += " + u[" + std::to_string(i) + "]";
    const auto many =
        s.link(kVertexText, ("precision highp float; varying vec4 v_color; uniform vec4 u[10];\n"
                             "void main() { gl_FragColor = " +
                             sum + "; }\n")
                                .c_str());
    const std::vector<uint32_t> zeros(40);
    pipe::BlendDesc plain, colored;
    colored.targets[0].enable = true;
    colored.targets[0].src_rgb = colored.targets[0].src_alpha = pipe::BlendFactor::ConstColor;
    colored.targets[0].dst_rgb = colored.targets[0].dst_alpha = pipe::BlendFactor::Zero;
    s.begin(0, 0, 0, 1);
    for (int i = 0; i < 32; ++i) {
        s.context->bind_program(i % 3 == 1 ? many.get() : s.program.get());
        s.context->set_uniforms(pipe::Stage::Fragment, zeros);
        if (i % 4 == 2) s.blend(plain);
        if (i % 4 != 2) s.blend(colored);
        const float step = float(i) / 255;
        const float color[4] = {step, 0.2f, 2 * step, 1};
        s.context->set_blend_color(color);
        s.rectangle(float(2 * i), 0, float(2 * i + 2), 64, 0.5f, {1, 1, 1, 1});
    }
    const std::vector<uint32_t> p = s.pixels();
    for (uint32_t i = 0; i < 32; ++i) {
        CAPTURE(i);
        CHECK(p[2 * i] == (i % 4 == 2 ? 0xffffffff : 0xff003300 | i | 2 * i << 16));
    }
}

}  // namespace terrazzo::test
