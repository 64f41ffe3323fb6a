// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws with uniform blocks: ranges that change between draws, ranges that are too short, and missing
// buffers.
#include <doctest/doctest.h>

#include <cstring>

#include "drivers/soft/screen/screen.h"
#include "pipe/context.h"
#include "shaders/compile.h"
#include "tests/common/messages.h"

namespace terrazzo::soft::test {

namespace {

constexpr uint32_t kSize = 16, kRange_B = 256;

constexpr const char* kVertex = R"(#version 300 es
layout(location = 0) in vec2 corner;
uniform Shape { mat4 transform; vec2 sizes[4]; int which; } shape;
void main() { gl_Position = shape.transform * vec4(corner * shape.sizes[shape.which], 0.0, 1.0); })";
constexpr const char* kFragment = R"(#version 300 es
precision highp float;
uniform Palette { vec4 plain; vec4 colours[3]; } palette[2];
layout(std140) uniform Choice { int n; float scale; };
uniform sampler2D image;
out vec4 colour;
void main() {
    int column = int(gl_FragCoord.x) & 1;
    vec4 c = column == 0 ? palette[0].colours[n] : palette[1].colours[(n + int(gl_FragCoord.y)) & 1];
    colour = c * scale + palette[0].plain;
    colour.rgb += texture(image, gl_FragCoord.xy * palette[0].plain.a + scale).rgb;
})";

std::shared_ptr<const shaders::LinkedProgram> linked() {
    const auto stage = [](ir::Stage s, const char* text) {
        shaders::CompileOptions o;
        o.stage = s;
        o.max_version = 300;
        auto r = shaders::compile(text, o);
        INFO(r.log);
        REQUIRE(r.shader);
        return r.shader;
    };
    const auto v = stage(ir::Stage::Vertex, kVertex), f = stage(ir::Stage::Fragment, kFragment);
    const shaders::CompiledShader* both[] = {v.get(), f.get()};
    auto r = shaders::link(both, {});
    INFO(r.log);
    REQUIRE(r.program);
    return r.program;
}

struct Shape {
    float transform[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    float sizes[4][4] = {};
    int32_t which = 2;
};
struct Palette {
    float plain[4] = {}, colours[3][4] = {};
};
struct Choice {
    int32_t n = 0;
    float scale = 1;
};

/// Draws four quads, one in each quarter of the picture. The ranges of each are written just before its draw.
/// `textured`: also samples an image, with coordinates from a block.
std::vector<uint8_t> draw(std::unique_ptr<ShaderCompiler> compiler, unsigned threads, bool textured = false) {
    const auto program = linked();
    const auto& blocks = program->blocks;
    REQUIRE(blocks.size() == 4);
    REQUIRE(blocks[1].name == "Palette[0]");
    terrazzo::test::Messages messages;
    SoftScreen screen(std::move(compiler), threads, messages.log());
    const std::unique_ptr<pipe::Context> context = screen.create_context({});
    const auto color = screen.create_resource({.format = pipe::Format::R8G8B8A8_UNORM,
                                               .width = kSize,
                                               .height = kSize,
                                               .bind = pipe::bind::kColor});
    pipe::ProgramDesc d;
    for (const ir::Stage s : {ir::Stage::Vertex, ir::Stage::Fragment})
        d.stages[size_t(s)] = program->stages[size_t(s)].get();
    const auto made = screen.create_program(d, screen.log);
    INFO(messages);
    REQUIRE(made);
    pipe::VertexLayoutDesc layout;
    layout.count = 1;
    layout.elements[0] = {pipe::Format::R32G32_FLOAT, 0, 0, 0};
    const auto made_layout = screen.create_vertex_layout(layout);
    const float corners[] = {0, 0, 1, 0, 0, 1, 1, 1};
    const auto buffer = [&](uint32_t size_B, uint32_t bind) {
        return screen.create_resource({.kind = pipe::ResourceKind::Buffer, .width = size_B, .bind = bind});
    };
    const auto vertices = buffer(sizeof corners, pipe::bind::kVertex);
    std::memcpy(soft(*vertices).data(), corners, sizeof corners);
    const auto uniforms = buffer(8 * kRange_B, pipe::bind::kConstant);

    pipe::Ref<pipe::SamplerView> view;
    const auto sampler = screen.create_sampler({});
    if (textured) {
        const auto image = screen.create_resource(
            {.format = pipe::Format::R8G8B8A8_UNORM, .width = 8, .height = 8, .bind = pipe::bind::kSampled});
        const pipe::Mapping m = context->map(*image, 0, {0, 0, 0, 8, 8, 1}, pipe::map_flag::kWrite);
        for (size_t y = 0; y < 8; ++y)
            for (size_t x = 0; x < 32; ++x)
                static_cast<uint8_t*>(m.data)[y * m.row_stride_B + x] = uint8_t(x * 37 + y * 11);
        context->unmap(*image, m);
        view = screen.create_sampler_view(image, {});
    }
    pipe::SamplerView* const views[] = {view.get()};
    pipe::SamplerState* const samplers[] = {sampler.get()};
    context->set_textures(pipe::Stage::Fragment, 0, views, samplers);

    const pipe::VertexBuffer vertex_buffer = {vertices.get(), 0, 8};
    context->set_viewport({{kSize / 2.0f, kSize / 2.0f, 0.5f}, {kSize / 2.0f, kSize / 2.0f, 0.5f}});
    context->bind_vertex_layout(made_layout.get());
    context->bind_program(made.get());
    context->set_vertex_buffers({&vertex_buffer, 1});
    pipe::RenderPassDesc pass;
    pass.color_count = 1;
    pass.color[0].resource = color.get();
    pass.color[0].format = pipe::Format::R8G8B8A8_UNORM;
    pass.color[0].load = pipe::LoadOp::Clear;
    pass.width = pass.height = kSize;
    context->begin_render_pass(pass);
    const auto write = [&](uint32_t range, const void* data, uint32_t size_B) {
        const pipe::Mapping m =
            context->map(*uniforms, 0, {int32_t(range * kRange_B), 0, 0, int32_t(size_B), 1, 1},
                         pipe::map_flag::kWrite | pipe::map_flag::kUnsynchronized);
        REQUIRE(m.data);
        std::memcpy(m.data, data, size_B);
        context->unmap(*uniforms, m);
    };
    const auto bind = [&](size_t block, pipe::Stage stage, uint32_t range, uint64_t size_B) {
        const pipe::BufferRange r = {size_B ? uniforms.get() : nullptr, range * kRange_B, size_B};
        context->set_constant_buffers(stage, uint32_t(blocks[block].slot[size_t(stage)]), {&r, 1});
    };
    for (uint32_t quad = 0; quad < 4; ++quad) {
        Shape shape;
        shape.transform[12] = quad & 1 ? 0.0f : -1.0f;
        shape.transform[13] = quad & 2 ? 0.0f : -1.0f;
        shape.sizes[2][0] = shape.sizes[2][1] = 1;
        Palette palette[2];
        for (unsigned p = 0; p < 2; ++p)
            for (unsigned c = 0; c < 3; ++c)
                palette[p].colours[c][c] = float(p ? 51 + 51 * c : 255) / 255;
        palette[0].plain[3] = float(60 * quad + 15) / 255;
        const Choice choice = {int32_t(quad), 1.0f};
        write(0, &shape, sizeof shape);
        write(1, &palette[0], sizeof palette[0]);
        write(2, &palette[1], sizeof palette[1]);
        write(3, &choice, sizeof choice);
        bind(0, pipe::Stage::Vertex, 0, sizeof shape);
        // The third quad's first palette ends before its last colour; the last quad has no second palette.
        bind(1, pipe::Stage::Fragment, 1, quad == 2 ? 48 : sizeof palette[0]);
        bind(2, pipe::Stage::Fragment, 2, quad == 3 ? 0 : sizeof palette[1]);
        bind(3, pipe::Stage::Fragment, 3, sizeof choice);
        pipe::DrawInfo info;
        info.mode = pipe::Primitive::TriangleStrip;
        const pipe::DrawRange range = {0, 4, 0};
        context->draw(info, {&range, 1});
    }
    context->end_render_pass();
    const pipe::Mapping m = context->map(*color, 0, {0, 0, 0, kSize, kSize, 1}, pipe::map_flag::kRead);
    std::vector<uint8_t> out(kSize * kSize * 4);
    for (size_t y = 0; y < kSize; ++y)
        std::memcpy(&out[y * kSize * 4], static_cast<const uint8_t*>(m.data) + y * m.row_stride_B, kSize * 4);
    context->unmap(*color, m);
    CHECK(messages == "");
    return out;
}

std::string pixel(const std::vector<uint8_t>& p, uint32_t x, uint32_t y) {
    std::string s;
    for (unsigned c = 0; c < 4; ++c)
        s += (c ? " " : "") + std::to_string(p[(y * kSize + x) * 4 + c]);
    return s;
}

}  // namespace

TEST_CASE("blocks: each draw uses the ranges at the time of the draw") {
    const std::vector<uint8_t> p = draw(create_interpreter_compiler(), 1);
    // Even columns have colour n of the first palette (index 3 is clamped to 2), odd columns that of the
    // second one, by n + y.
    CHECK(pixel(p, 2, 2) == "255 0 0 15");
    CHECK(pixel(p, 3, 2) == "51 0 0 15");
    CHECK(pixel(p, 3, 3) == "0 102 0 15");
    CHECK(pixel(p, 10, 2) == "0 255 0 75");
    CHECK(pixel(p, 11, 2) == "0 102 0 75");
    CHECK(pixel(p, 2, 10) == "0 0 0 135");
    CHECK(pixel(p, 3, 10) == "51 0 0 135");
    CHECK(pixel(p, 10, 10) == "0 0 255 195");
    CHECK(pixel(p, 11, 10) == "0 0 0 195");
    for (const bool textured : {false, true}) {
        const std::vector<uint8_t> expected = draw(create_interpreter_compiler(), 1, textured);
        CHECK((expected == p) == !textured);
        for (const unsigned threads : {1, 3})
            for (const unsigned lanes : {4, 8, 16})
                if (auto jit = create_jit_compiler(lanes))
                    CHECK(draw(std::move(jit), threads, textured) == expected);
        if (auto tier1 = create_tier1_compiler()) CHECK(draw(std::move(tier1), 2, textured) == expected);
    }
}

}  // namespace terrazzo::soft::test
