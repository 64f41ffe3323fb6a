// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A whole picture drawn with compiled shaders: the same bits with the interpreter and with code of 4, 8 and
// 16 lanes, with 1 to 8 threads.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "drivers/soft/screen/screen.h"
#include "pipe/context.h"
#include "shaders/compile.h"
#include "tests/common/messages.h"

namespace terrazzo::soft::test {

namespace {

constexpr uint32_t kW = 200, kH = 150, kTexels = 32;

constexpr const char* kVertex = R"(
attribute vec4 position; attribute vec4 data; varying vec4 v;
void main() { gl_Position = position; v = data; })";
constexpr const char* kFragment = R"(
precision highp float;
uniform sampler2D image; uniform vec4 tint; varying vec4 v;
void main() {
    vec4 color = texture2D(image, v.xy * 3.0) * tint;
    for (int i = 1; i < 5; ++i)
        color.rg += texture2D(image, v.xy * 3.0 + vec2(float(i) / 32.0, 0.0)).ga * 0.1;
    color.b += texture2D(image, color.rg).b;
    float sum = 0.0;
    for (int i = 0; i < 8; ++i) {
        if (float(i) > v.z * 8.0) break;
        sum += sin(v.x * float(i)) + gl_FragCoord.y * 0.01;
    }
    if (v.w < 0.3 && fract(sum * 3.0) < 0.3) discard;
    color.rgb += vec3(sum * 0.1, gl_FrontFacing ? 0.1 : 0.0, v.z * v.w);
    gl_FragColor = color;
})";

/// A texture that can be sampled for many blocks at once, and another that cannot.
constexpr const char* kAlone = R"(
precision highp float;
uniform sampler2D image; uniform vec4 tint; varying vec4 v;
void main() {
    vec4 color = texture2D(image, v.xy * 3.0) * tint;
    if (color.g < 0.2) discard;
    gl_FragColor = color + texture2D(image, color.rg + v.zw).bgra * 0.5;
})";

std::shared_ptr<const shaders::LinkedProgram> linked(const char* fragment) {
    const auto stage = [](ir::Stage s, const char* text) {
        shaders::CompileOptions o;
        o.stage = s;
        auto r = shaders::compile(text, o);
        INFO(r.log);
        REQUIRE(r.shader);
        return r.shader;
    };
    const auto v = stage(ir::Stage::Vertex, kVertex), f = stage(ir::Stage::Fragment, fragment);
    const shaders::CompiledShader* both[] = {v.get(), f.get()};
    const shaders::AttributeBinding bindings[] = {{"position", 0}, {"data", 1}};
    shaders::LinkOptions o;
    o.attributes = bindings;
    auto r = shaders::link(both, o);
    REQUIRE(r.program);
    return r.program;
}

pipe::Ref<pipe::Resource> picture(SoftScreen& screen, pipe::Context& context) {
    pipe::Ref<pipe::Resource> r = screen.create_resource({.format = pipe::Format::R8G8B8A8_UNORM,
                                                          .width = kTexels,
                                                          .height = kTexels,
                                                          .levels = 6,
                                                          .bind = pipe::bind::kSampled});
    std::mt19937 random(8);
    for (uint32_t level = 0; level < 6; ++level) {
        const int32_t size = int32_t(kTexels >> level);
        const pipe::Mapping m = context.map(*r, level, {0, 0, 0, size, size, 1}, pipe::map_flag::kWrite);
        for (int32_t y = 0; y < size; ++y)
            for (int32_t x = 0; x < size * 4; ++x)
                static_cast<uint8_t*>(m.data)[size_t(y) * m.row_stride_B + size_t(x)] = uint8_t(random());
        context.unmap(*r, m);
    }
    return r;
}

/// Overlapping triangles, large, small and in perspective: x, y, z, w and four data values a vertex.
std::vector<float> triangles() {
    std::mt19937 random(5);
    const auto number = [&](float low, float high) {
        return std::uniform_real_distribution<float>(low, high)(random);
    };
    std::vector<float> v;
    for (int n = 0; n < 80; ++n) {
        const float x = number(-1, 1), y = number(-1, 1), size = n % 3 ? 0.1f : 1.0f;
        for (int i = 0; i < 3; ++i) {
            const float w = number(0.5f, 2);
            v.insert(v.end(),
                     {(x + number(-size, size)) * w, (y + number(-size, size)) * w, number(-w, w), w});
            v.insert(v.end(), {number(0, 1), number(0, 1), number(0, 1), number(0, 1)});
        }
    }
    return v;
}

std::vector<uint8_t> draw(std::unique_ptr<ShaderCompiler> compiler, unsigned threads,
                          const char* fragment = kFragment) {
    const auto program = linked(fragment);
    terrazzo::test::Messages messages;
    SoftScreen screen(std::move(compiler), threads, messages.log());
    const std::unique_ptr<pipe::Context> context = screen.create_context({});
    const auto target = [&](pipe::Format f, uint32_t bind) {
        return screen.create_resource({.format = f, .width = kW, .height = kH, .bind = bind});
    };
    const auto color = target(pipe::Format::R8G8B8A8_UNORM, pipe::bind::kColor);
    const auto depth = target(pipe::Format::D24_UNORM_S8_UINT, pipe::bind::kDepthStencil);
    const auto image = picture(screen, *context);
    const auto view = screen.create_sampler_view(image, {.last_level = 5});
    pipe::SamplerDesc how;
    how.min = how.mag = pipe::Filter::Linear;
    how.mip = pipe::MipFilter::Linear;
    const auto sampler = screen.create_sampler(how);
    pipe::ProgramDesc d;
    for (const ir::Stage s : {ir::Stage::Vertex, ir::Stage::Fragment})
        d.stages[size_t(s)] = program->stages[size_t(s)].get();
    const auto made = screen.create_program(d, screen.log);
    INFO(messages);
    REQUIRE(made);
    pipe::VertexLayoutDesc layout;
    layout.count = 2;
    layout.elements[0] = {pipe::Format::R32G32B32A32_FLOAT, 0, 0, 0};
    layout.elements[1] = {pipe::Format::R32G32B32A32_FLOAT, 0, 16, 0};
    const auto made_layout = screen.create_vertex_layout(layout);
    pipe::DepthStencilDesc tests;
    tests.depth_test = tests.depth_write = true;
    tests.depth_compare = pipe::Compare::LessEqual;
    const auto made_tests = screen.create_depth_stencil(tests);
    const std::vector<float> v = triangles();
    const auto buffer = screen.create_resource(
        {.kind = pipe::ResourceKind::Buffer, .width = uint32_t(v.size() * 4), .bind = pipe::bind::kVertex});
    std::memcpy(soft(*buffer).data(), v.data(), v.size() * 4);

    context->set_viewport({{kW / 2.0f, kH / 2.0f, 0.5f}, {kW / 2.0f, kH / 2.0f, 0.5f}});
    context->bind_vertex_layout(made_layout.get());
    context->bind_depth_stencil(made_tests.get());
    context->bind_program(made.get());
    const float tint[4] = {1.0f, 0.8f, 0.6f, 1.0f};
    uint32_t words[4];
    std::memcpy(words, tint, sizeof words);
    context->set_uniforms(pipe::Stage::Fragment, words);
    pipe::SamplerView* const views[] = {view.get()};
    pipe::SamplerState* const samplers[] = {sampler.get()};
    context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
    const pipe::VertexBuffer binding = {buffer.get(), 0, 32};
    context->set_vertex_buffers({&binding, 1});
    pipe::RenderPassDesc pass;
    pass.color_count = 1;
    pass.color[0].resource = color.get();
    pass.color[0].format = pipe::Format::R8G8B8A8_UNORM;
    pass.depth_stencil.resource = depth.get();
    pass.depth_stencil.format = pipe::Format::D24_UNORM_S8_UINT;
    pass.width = kW;
    pass.height = kH;
    pass.color[0].load = pass.depth_stencil.load = pass.stencil_load = pipe::LoadOp::Clear;
    context->begin_render_pass(pass);
    pipe::DrawInfo info;
    info.mode = pipe::Primitive::Triangles;
    const pipe::DrawRange range = {0, uint32_t(v.size() / 8), 0};
    context->draw(info, {&range, 1});
    context->end_render_pass();
    const pipe::Mapping m = context->map(*color, 0, {0, 0, 0, kW, kH, 1}, pipe::map_flag::kRead);
    std::vector<uint8_t> out(kW * kH * 4);
    for (size_t y = 0; y < kH; ++y)
        std::memcpy(&out[y * kW * 4], static_cast<const uint8_t*>(m.data) + y * m.row_stride_B, kW * 4);
    context->unmap(*color, m);
    return out;
}

}  // namespace

TEST_CASE("a picture is the same with 4, 8 and 16 lanes and with 1 to 8 threads") {
    const std::vector<uint8_t> expected = draw(create_interpreter_compiler(), 1);
    size_t drawn = 0;
    for (size_t i = 3; i < expected.size(); i += 4)
        drawn += expected[i] != 0;
    CHECK(drawn > kW * kH / 2);
    for (const unsigned lanes : {4, 8, 16}) {
        CAPTURE(lanes);
        for (const unsigned threads : {1, 2, 3, 5, 8}) {
            CAPTURE(threads);
            auto jit = create_jit_compiler(lanes);
            if (!jit) return;  // built without LLVM
            CHECK(draw(std::move(jit), threads) == expected);
        }
    }
    if (auto tier1 = create_tier1_compiler()) CHECK(draw(std::move(tier1), 2) == expected);
}

TEST_CASE("textures that are sampled early give the same picture") {
    const std::vector<uint8_t> expected = draw(create_interpreter_compiler(), 1, kAlone);
    for (const unsigned lanes : {4, 8, 16}) {
        CAPTURE(lanes);
        auto jit = create_jit_compiler(lanes);
        if (!jit) return;  // built without LLVM
        CHECK(draw(std::move(jit), 2, kAlone) == expected);
    }
    if (auto tier1 = create_tier1_compiler()) CHECK(draw(std::move(tier1), 2, kAlone) == expected);
}

}  // namespace terrazzo::soft::test
