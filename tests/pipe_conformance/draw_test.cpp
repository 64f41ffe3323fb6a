// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Contexts, passes and draws, as pixels.
#include "tests/pipe_conformance/scene.h"

namespace terrazzo::test {

namespace {

constexpr std::array<float, 4> kGray = {0.2f, 0.2f, 0.2f, 0.2f};
constexpr uint32_t kGrayPixel = 0x33333333;

}  // namespace

TEST_CASE("draws: a pass that only clears") {
    Scene s(70, 50);
    s.begin(1, 0, 0, 1);
    CHECK(count(s.pixels(), kRedPixel) == 70 * 50);
}

TEST_CASE("draws: a rectangle and what is around it; row 0 is the bottom") {
    Scene s;
    s.begin(0, 0, 1, 1);
    s.rectangle(0, 0, 64, 16, 0.5f, kGreen);
    const std::vector<uint32_t> p = s.pixels();
    CHECK(count(p, kGreenPixel) == 64 * 16);
    CHECK(count(p, kBluePixel) == 64 * 48);
    CHECK(p[0] == kGreenPixel);
}

TEST_CASE("draws: a pass with an area loads, clears and draws only there") {
    Scene s(256, 256);
    s.begin(0, 0, 1, 1);
    (void)s.pixels();
    s.pass.area = {0, 0, 8, 8};
    s.begin(1, 0, 0, 1);
    s.rectangle(0, 0, 4, 4, 0.5f, kGreen);
    s.context->end_render_pass();
    const std::vector<uint32_t> p = s.pixels();
    CHECK(p[0] == kGreenPixel);
    CHECK(p[7 * 256 + 7] == kRedPixel);
}

TEST_CASE("draws: a pass to other attachments and back loads what was drawn") {
    Scene s;
    const auto other =
        s.image(pipe::Format::R8G8B8A8_UNORM, 64, 64, pipe::bind::kColor | pipe::bind::kSampled);
    s.begin(0, 0, 1, 1);
    s.rectangle(0, 0, 32, 64, 0.5f, kGreen);
    s.context->end_render_pass();
    pipe::RenderPassDesc elsewhere = s.pass;
    elsewhere.color[0].resource = other.get();
    elsewhere.depth_stencil = {};
    s.context->begin_render_pass(elsewhere);
    s.rectangle(0, 0, 64, 32, 0.5f, kRed);
    s.context->end_render_pass();
    s.resume();
    s.rectangle(16, 0, 48, 64, 0.5f, kGray);
    const std::vector<uint32_t> p = s.pixels();
    CHECK(count(p, kGrayPixel) == 32 * 64);
    CHECK(count(p, kGreenPixel) == 16 * 64);
    CHECK(count(p, kBluePixel) == 16 * 64);
    const std::vector<uint32_t> q = s.pixels(other.get());
    CHECK(count(q, kRedPixel) == 64 * 32);
    CHECK(count(q, kBluePixel) == 64 * 32);
}

TEST_CASE("draws: depth and stencil, kept from one pass to the next") {
    Scene s;
    s.depth_stencil({.depth_test = true, .depth_write = true});
    s.begin();
    s.rectangle(0, 0, 32, 64, 0.25f, kRed);
    s.rectangle(0, 0, 64, 64, 0.5f, kGreen);
    (void)s.pixels();
    s.resume();
    s.rectangle(0, 0, 64, 32, 0.375f, kBlue);
    std::vector<uint32_t> p = s.pixels();
    CHECK(count(p, kRedPixel) == 32 * 64);
    CHECK(count(p, kBluePixel) == 32 * 32);
    CHECK(count(p, kGreenPixel) == 32 * 32);

    pipe::DepthStencilDesc mark{.stencil_test = true};
    mark.front.pass = mark.back.pass = pipe::StencilOp::Replace;
    s.depth_stencil(mark);
    s.context->set_stencil_ref(3, 3);
    s.begin();
    s.rectangle(10, 10, 20, 20, 0.5f, kRed);
    (void)s.pixels();
    pipe::DepthStencilDesc where{.stencil_test = true};
    where.front.compare = where.back.compare = pipe::Compare::Equal;
    s.depth_stencil(where);
    s.resume();
    s.rectangle(0, 0, 64, 64, 0.5f, kGreen);
    p = s.pixels();
    CHECK(count(p, kGreenPixel) == 100);
    CHECK(count(p, 0) == 64 * 64 - 100);
}

TEST_CASE("draws: clears in the middle of a pass, whole, scissored, masked") {
    Scene s;
    s.begin();
    s.rectangle(0, 0, 64, 64, 0.5f, kRed);
    pipe::ClearInfo c;
    c.attachments = pipe::attachment_bit::kColor0;
    c.color[0] = {.f = {0, 1, 0, 1}};
    c.scissored = true;
    c.scissor = {8, 8, 24, 40};
    s.context->clear(c);
    c.scissor = {40, 0, 64, 64};
    c.color[0] = {.f = {0, 0, 1, 0}};
    c.color_mask[0] = 4;  // blue only: red and blue together give magenta
    s.context->clear(c);
    const std::vector<uint32_t> p = s.pixels();
    CHECK(count(p, kGreenPixel) == 16 * 32);
    CHECK(count(p, 0xffff00ff) == 24 * 64);
    CHECK(count(p, kRedPixel) == 64 * 64 - 16 * 32 - 24 * 64);

    // Depth: later draws are hidden by it.
    s.depth_stencil({.depth_test = true, .depth_write = true});
    s.begin();
    s.rectangle(0, 0, 64, 64, 0.5f, kRed);
    pipe::ClearInfo z;
    z.attachments = pipe::attachment_bit::kDepth;
    z.depth = 0.1f;
    z.scissored = true;
    z.scissor = {0, 0, 64, 32};
    s.context->clear(z);
    s.rectangle(0, 0, 64, 64, 0.25f, kGreen);
    const std::vector<uint32_t> q = s.pixels();
    CHECK(count(q, kRedPixel) == 64 * 32);
    CHECK(count(q, kGreenPixel) == 64 * 32);
}

TEST_CASE("draws: blending and scissors") {
    Scene s;
    pipe::BlendDesc add;
    add.targets[0].enable = true;
    add.targets[0].dst_rgb = add.targets[0].dst_alpha = pipe::BlendFactor::One;
    s.blend(add);
    s.raster({.scissor = true});
    s.context->set_scissor({0, 0, 64, 8});
    s.begin();
    s.rectangle(0, 0, 64, 64, 0.5f, kGray);
    s.rectangle(0, 0, 64, 64, 0.5f, kGray);
    s.context->set_scissor({0, 16, 64, 16});  // empty
    s.rectangle(0, 0, 64, 64, 0.5f, kGray);
    const std::vector<uint32_t> p = s.pixels();
    CHECK(count(p, 0x66666666) == 64 * 8);
    CHECK(count(p, 0) == 64 * 56);
}

TEST_CASE("draws: occlusion queries, also across passes") {
    Scene s;
    const auto samples = s.context->create_query(pipe::QueryKind::Samples);
    const auto any = s.context->create_query(pipe::QueryKind::AnySamples);
    s.begin();
    s.context->begin_query(*samples);
    s.rectangle(0, 0, 10, 10, 0.5f, kRed);
    s.context->end_render_pass();
    (void)s.context->flush();
    s.resume();
    s.rectangle(20, 20, 24, 24, 0.5f, kRed);
    s.context->end_query(*samples);
    s.rectangle(30, 30, 60, 60, 0.5f, kRed);
    s.context->begin_query(*any);
    s.rectangle(200, 200, 210, 210, 0.5f, kRed);
    s.context->end_query(*any);
    s.context->end_render_pass();
    uint64_t value = 0;
    REQUIRE(s.context->query_result(*samples, true, &value));
    CHECK(value == 116);
    REQUIRE(s.context->query_result(*any, true, &value));
    CHECK(value == 0);
}

TEST_CASE("draws: textures that were uploaded, and textures that were just drawn") {
    Scene s;
    const auto textured = s.link(
        "attribute vec4 position; attribute vec4 color; varying vec2 uv;\n"
        "void main() { gl_Position = position; uv = color.xy; }\n",
        "precision highp float; uniform sampler2D t; varying vec2 uv;\n"
        "void main() { gl_FragColor = texture2D(t, uv); }\n");
    const auto image = s.image(pipe::Format::R8G8B8A8_UNORM, 4, 4, pipe::bind::kColor | pipe::bind::kSampled);
    const pipe::Mapping m = s.context->map(*image, 0, {0, 0, 0, 4, 4, 1}, pipe::map_flag::kWrite);
    REQUIRE(m.data);
    for (uint32_t y = 0; y < 4; ++y)
        for (uint32_t x = 0; x < 4; ++x) {
            const uint32_t texel = 0xff000000 | (16 * y + x);
            std::memcpy(static_cast<uint8_t*>(m.data) + y * m.row_stride_B + x * 4, &texel, 4);
        }
    s.context->unmap(*image, m);
    const auto view = s.screen->create_sampler_view(image, {.format = pipe::Format::R8G8B8A8_UNORM});
    const auto sampler =
        s.screen->create_sampler({.mag = pipe::Filter::Nearest, .mip = pipe::MipFilter::None});
    REQUIRE(view);
    pipe::SamplerView* const views[] = {view.get()};
    pipe::SamplerState* const samplers[] = {sampler.get()};
    s.context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
    s.context->bind_program(textured.get());
    const auto textured_quad = [&] {
        std::vector<Vertex> v = {s.at(0, 0), s.at(64, 0), s.at(0, 64), s.at(64, 64)};
        for (unsigned i = 0; i < 4; ++i) {
            v[i].color[0] = float(i & 1);
            v[i].color[1] = float(i >> 1);
        }
        s.draw(pipe::Primitive::TriangleStrip, v);
    };
    s.begin();
    textured_quad();
    std::vector<uint32_t> p = s.pixels();
    bool equal = true;
    for (uint32_t y = 0; y < 64; ++y)
        for (uint32_t x = 0; x < 64; ++x)
            equal &= p[y * 64 + x] == (0xff000000 | (16 * (y / 16) + x / 16));
    CHECK(equal);

    // Drawn, and read without a flush in between. Twice, without binding anything again.
    pipe::RenderPassDesc to = s.pass;
    to.color[0].resource = image.get();
    to.color[0].load = pipe::LoadOp::Clear;
    to.clear_color[0] = {.f = {0, 1, 0, 1}};
    to.depth_stencil = {};
    to.width = to.height = 4;
    for (const float red : {1.0f, 0.0f}) {
        to.clear_color[0].f[0] = red;
        s.context->begin_render_pass(to);
        s.context->end_render_pass();
        s.begin();
        textured_quad();
        s.context->end_render_pass();
    }
    CHECK(count(s.pixels(), kGreenPixel) == 64 * 64);
}

TEST_CASE("draws: a border colour has the channels of the format, swizzled by the view") {
    using pipe::Format;
    using enum pipe::Swizzle;
    struct Case {
        Format format;
        std::array<pipe::Swizzle, 4> swizzle;
        uint32_t pixel;  // what the border colour (0.2, 0.4, 0.6, 0.8) becomes
    };
    constexpr std::array<pipe::Swizzle, 4> kPlain{Channel0, Channel1, Channel2, Channel3};
    constexpr Case kCases[] = {
        {Format::R8G8B8A8_UNORM, kPlain, 0xcc996633},
        {Format::B8G8R8A8_UNORM, kPlain, 0xcc996633},
        {Format::B8G8R8X8_UNORM, kPlain, 0xff996633},
        {Format::R8_UNORM, kPlain, 0xff000033},
        {Format::R8G8_UNORM, kPlain, 0xff006633},
        {Format::A8_UNORM, kPlain, 0xcc000000},
        {Format::L8_UNORM, kPlain, 0xff333333},
        {Format::R8G8B8A8_UNORM, {Channel2, Channel3, Zero, One}, 0xff00cc99},
    };
    Scene s;
    const auto textured = s.link(
        "attribute vec4 position; attribute vec4 color;\n"
        "void main() { gl_Position = position; }\n",
        "precision highp float; uniform sampler2D t;\n"
        "void main() { gl_FragColor = texture2D(t, vec2(-1.0)); }\n");
    const auto sampler = s.screen->create_sampler({.wrap_s = pipe::Wrap::ClampToBorder,
                                                   .wrap_t = pipe::Wrap::ClampToBorder,
                                                   .mip = pipe::MipFilter::None,
                                                   .border = {0.2f, 0.4f, 0.6f, 0.8f}});
    pipe::SamplerState* const samplers[] = {sampler.get()};
    s.context->bind_program(textured.get());
    for (const Case& c : kCases) {
        const auto image = s.image(c.format, 4, 4, pipe::bind::kSampled);
        pipe::SamplerViewDesc d{.format = c.format};
        std::copy(c.swizzle.begin(), c.swizzle.end(), d.swizzle);
        const auto view = s.screen->create_sampler_view(image, d);
        REQUIRE(view);
        pipe::SamplerView* const views[] = {view.get()};
        s.context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
        s.begin();
        s.rectangle(0, 0, 64, 64, 0.5f, kRed);
        CHECK_MESSAGE(s.pixels()[0] == c.pixel, pipe::format_name(c.format));
    }
}

TEST_CASE("draws: programs change in a pass, with the same interface and with another") {
    Scene s;
    const auto swapped = s.link(kVertexText,
                                "precision highp float; varying vec4 v_color;\n"
                                "void main() { gl_FragColor = v_color.gbra; }\n");
    const auto deep = s.link(kVertexText,
                             "#extension GL_EXT_frag_depth : require\n"
                             "precision highp float; varying vec4 v_color;\n"
                             "void main() { gl_FragColor = v_color; gl_FragDepthEXT = 0.75; }\n");
    s.depth_stencil({.depth_test = true, .depth_write = true});
    s.begin();
    s.rectangle(0, 0, 16, 64, 0.5f, kRed);
    s.context->bind_program(swapped.get());
    s.rectangle(16, 0, 32, 64, 0.5f, kRed);
    s.context->bind_program(deep.get());
    s.rectangle(0, 0, 64, 64, 0.1f, kGreen);  // hidden by what is there
    s.context->bind_program(s.program.get());
    s.rectangle(48, 0, 64, 64, 0.7f, kRed);  // in front of the last one
    const std::vector<uint32_t> p = s.pixels();
    CHECK(count(p, kRedPixel) == 32 * 64);
    CHECK(count(p, kBluePixel) == 16 * 64);
    CHECK(count(p, kGreenPixel) == 16 * 64);
}

TEST_CASE("draws: missing textures of every kind read black") {
    for (const bool cube : {false, true}) {
        Scene s;
        const std::string kind = cube ? "samplerCube" : "sampler2D",
                          read = cube ? "textureCube" : "texture2D";
        const auto program =
            s.link(kVertexText, ("precision highp float; uniform " + kind + " t; varying vec4 v_color;\n" +
                                 "void main() { gl_FragColor = " + read + "(t, v_color." +
                                 (cube ? "xyz" : "xy") + "); }\n")
                                    .c_str());
        s.context->bind_program(program.get());
        s.begin(1, 1, 1, 1);
        s.rectangle(0, 0, 64, 64, 0.5f, kRed);
        CHECK(count(s.pixels(), 0xff000000) == 64 * 64);
    }
}

TEST_CASE("draws: attributes that hardware cannot fetch are converted") {
    Scene s;
    // 16.16 fixed point at odd offsets and strides.
    const int32_t one = 1 << 16;
    std::vector<uint8_t> bytes;
    for (unsigned i = 0; i < 4; ++i) {
        const int32_t vertex[4] = {i & 1 ? one : -one, i >> 1 ? one : -one, 0, one};
        bytes.push_back(0);
        const auto* p = reinterpret_cast<const uint8_t*>(vertex);
        bytes.insert(bytes.end(), p, p + sizeof(vertex));
    }
    const auto vb = s.buffer(bytes.data(), bytes.size());
    pipe::VertexLayoutDesc layout;
    layout.count = 2;
    layout.elements[0] = {.format = pipe::Format::R32G32B32A32_FIXED, .offset_B = 1};
    s.keep(s.screen->create_vertex_layout(layout), [&](auto* l) { s.context->bind_vertex_layout(l); });
    const pipe::VertexBuffer binding{vb.get(), 0, 17};
    s.begin(1, 1, 1, 1);
    s.context->set_vertex_buffers({&binding, 1});
    const uint8_t indices[] = {0, 1, 2, 3};
    const auto ib = s.buffer(indices, sizeof(indices));
    pipe::DrawInfo info;
    info.mode = pipe::Primitive::TriangleStrip;
    info.index_type = pipe::IndexType::U8;
    info.index_buffer = ib.get();
    const pipe::DrawRange range{0, 4, 0};
    s.context->draw(info, {&range, 1});
    // The colour, which has no buffer, is (0, 0, 0, 1).
    CHECK(count(s.pixels(), 0xff000000) == 64 * 64);
    s.context->set_vertex_buffers({});
}

TEST_CASE("draws: shaders with arrays in private memory") {
    // Red is (1, 0, 0, 1), so that the index is 21 in both stages. The element that is written is not the one
    // that is read.
    Scene s;
    const auto program = s.link(
        "attribute vec4 position; attribute vec4 color; varying vec4 v_color;\n"
        "void main() { float k[40]; for (int i = 0; i < 40; i++) k[i] = color.r + float(i);\n"
        "int n = int(color.r * 20.5 + color.a); k[n] = 0.0;\n"
        "gl_Position = position; v_color = vec4(k[n - 21], k[n], k[n + 1] - 23.0, k[n - 1] - 20.0); }\n",
        "precision highp float; varying vec4 v_color;\n"
        "void main() { float k[70]; for (int i = 0; i < 70; i++) k[i] = v_color.r + float(i);\n"
        "int n = int(v_color.r * 20.5 + v_color.a); k[n] = 0.0;\n"
        "gl_FragColor = vec4(k[n - 21], k[n] + v_color.g, v_color.b, v_color.a); }\n");
    s.context->bind_program(program.get());
    s.begin(0, 0, 1, 1);
    s.rectangle(0, 0, 48, 64, 0.5f, kRed);
    CHECK(count(s.pixels(), kRedPixel) == 48 * 64);
}

TEST_CASE("draws: the driver's reference to a buffer is gone when the work that reads it is done") {
    Scene s;
    const std::array<Vertex, 3> v{};
    const auto vb = s.buffer(v.data(), sizeof(v));
    CHECK(vb->unique());
    const pipe::VertexBuffer binding{vb.get(), 0, sizeof(Vertex)};
    const pipe::DrawRange range{0, 3, 0};
    s.begin();
    s.context->set_vertex_buffers({&binding, 1});
    s.context->draw({}, {&range, 1});
    s.context->set_vertex_buffers({});
    (void)s.pixels();
    s.begin();
    (void)s.context->flush();  // releases what has finished
    CHECK(vb->unique());
}

TEST_CASE("draws: a buffer that is discarded between two draws of a pass") {
    Scene s;
    const auto corners = [&](float x0, const std::array<float, 4>& rgba) {
        std::array<Vertex, 4> v = {s.at(x0, 0), s.at(x0 + 32, 0), s.at(x0, 64), s.at(x0 + 32, 64)};
        for (Vertex& i : v)
            std::copy_n(rgba.data(), 4, i.color);
        return v;
    };
    std::array<Vertex, 4> v = corners(0, kRed);
    const auto vb = s.buffer(v.data(), sizeof(v));
    const pipe::VertexBuffer binding{vb.get(), 0, sizeof(Vertex)};
    const pipe::DrawRange range{0, 4, 0};
    pipe::DrawInfo info;
    info.mode = pipe::Primitive::TriangleStrip;
    s.begin(0, 0, 1, 1);
    s.context->set_vertex_buffers({&binding, 1});
    s.context->draw(info, {&range, 1});
    s.context->end_render_pass();
    const pipe::Mapping m = s.context->map(*vb, 0, {0, 0, 0, int32_t(sizeof(v)), 1, 1},
                                           pipe::map_flag::kWrite | pipe::map_flag::kDiscardWhole);
    REQUIRE(m.data);
    v = corners(32, kGreen);
    std::memcpy(m.data, v.data(), sizeof(v));
    s.context->unmap(*vb, m);
    s.resume();
    s.context->set_vertex_buffers({&binding, 1});
    s.context->draw(info, {&range, 1});
    s.context->set_vertex_buffers({});
    const std::vector<uint32_t> p = s.pixels();
    CHECK(count(p, kRedPixel) == 32 * 64);
    CHECK(count(p, kGreenPixel) == 32 * 64);
}

TEST_CASE("draws: a texture that is replaced between two draws, with and without a wait") {
    Scene s;
    s.program = s.link(
        "attribute vec4 position; attribute vec4 color; varying vec4 v_color;\n"
        "void main() { gl_Position = position; v_color = color; }\n",
        "precision highp float; varying vec4 v_color; uniform sampler2D t;\n"
        "void main() { gl_FragColor = texture2D(t, v_color.xy); }\n");
    s.context->bind_program(s.program.get());
    const auto image = s.image(pipe::Format::R8G8B8A8_UNORM, 8, 8, pipe::bind::kSampled);
    const auto fill = [&](uint32_t pixel) {
        const pipe::Mapping m = s.context->map(
            *image, 0, {0, 0, 0, 8, 8, 1},
            pipe::map_flag::kWrite | pipe::map_flag::kDiscardRange | pipe::map_flag::kDiscardWhole);
        REQUIRE(m.data);
        for (unsigned y = 0; y < 8; ++y)
            for (unsigned x = 0; x < 8; ++x)
                std::memcpy(static_cast<uint8_t*>(m.data) + y * m.row_stride_B + x * 4, &pixel, 4);
        s.context->unmap(*image, m);
    };
    pipe::SamplerViewDesc d;
    d.format = pipe::Format::R8G8B8A8_UNORM;
    const auto view = s.screen->create_sampler_view(image, d);
    const auto sampler = s.screen->create_sampler({});
    REQUIRE(view);
    REQUIRE(sampler);
    pipe::SamplerView* views[] = {view.get()};
    pipe::SamplerState* samplers[] = {sampler.get()};
    s.context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
    constexpr uint32_t kColors[] = {kRedPixel, kGreenPixel, kBluePixel, kGrayPixel};
    s.begin();
    for (unsigned i = 0; i < 4; ++i) {
        s.context->end_render_pass();
        fill(kColors[i]);
        s.resume();
        s.rectangle(16.0f * float(i), 0, 16.0f * float(i) + 16, 64, 0.5f, kGray);
    }
    const std::vector<uint32_t> p = s.pixels();
    for (const uint32_t c : kColors)
        CHECK(count(p, c) == 16 * 64);
}

TEST_CASE("draws: points whose size is a uniform, then triangles with the same program") {
    Scene s;
    // `size` is the first uniform of the code that writes the point size. The other code does not use it.
    const auto p = s.link(
        "attribute vec4 position; uniform vec2 size; uniform vec4 shift;\n"
        "void main() { gl_Position = position + shift; gl_PointSize = size.x + size.y; }",
        "precision highp float; uniform vec4 tint; void main() { gl_FragColor = tint; }");
    s.context->bind_program(p.get());
    // The linker may lay out the uniforms in either order: both are tried.
    for (const bool size_first : {true, false}) {
        s.begin(0, 0, 0, 1);
        const float a[6] = {2, 6, 0.5f, 0, 0, 0}, b[6] = {0.5f, 0, 0, 0, 2, 6}, tint[4] = {0, 1, 0, 1};
        uint32_t words[6], tint_words[4];
        std::memcpy(words, size_first ? a : b, sizeof(words));
        std::memcpy(tint_words, tint, sizeof(tint));
        s.context->set_uniforms(pipe::Stage::Vertex, words);
        s.context->set_uniforms(pipe::Stage::Fragment, tint_words);
        s.draw(pipe::Primitive::Points, {s.at(8, 8)});
        s.draw(pipe::Primitive::Triangles, {s.at(0, 32), s.at(16, 32), s.at(0, 48)});
        s.draw(pipe::Primitive::Points, {s.at(8, 24)});
        const std::vector<uint32_t> pixels = s.pixels();
        if (pixels[8 * 64 + 24] != 0xff00ff00) continue;  // the other order
        // Moved by 16 pixels to the right: two squares of 8x8 and half of a square of 16x16.
        CHECK(std::count(pixels.begin(), pixels.end(), 0xff00ff00) >= 2 * 64 + 120);
        CHECK(pixels[24 * 64 + 24] == 0xff00ff00);
        CHECK(pixels[34 * 64 + 18] == 0xff00ff00);
        CHECK(pixels[34 * 64 + 2] != 0xff00ff00);
        return;
    }
    FAIL("no point was drawn");
}

TEST_CASE("draws: gl_PointCoord begins at the top of the point") {
    Scene s;
    const auto p =
        s.link("attribute vec4 position; void main() { gl_Position = position; gl_PointSize = 32.0; }",
               "precision highp float; void main() { gl_FragColor = vec4(gl_PointCoord, 0.0, 1.0); }");
    s.context->bind_program(p.get());
    s.begin(0, 0, 0, 1);
    s.draw(pipe::Primitive::Points, {s.at(32, 32)});
    const std::vector<uint32_t> pixels = s.pixels();
    const auto red = [&](unsigned x, unsigned y) { return pixels[y * 64 + x] & 0xff; };
    const auto green = [&](unsigned x, unsigned y) { return pixels[y * 64 + x] >> 8 & 0xff; };
    CHECK(red(17, 32) < 32);
    CHECK(red(46, 32) > 224);
    CHECK(green(32, 46) < 32);
    CHECK(green(32, 17) > 224);
}

}  // namespace terrazzo::test
