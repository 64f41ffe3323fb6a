// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fragment shaders that write memory. They must run even if their colour is not visible, as far as OpenGL ES
// 3.2 section 14.9 requires it, with every compiler.
#include <doctest/doctest.h>

#include <cstring>

#include "drivers/soft/screen/screen.h"
#include "pipe/context.h"
#include "shaders/compile.h"

namespace terrazzo::soft::test {

namespace {

constexpr uint32_t kSize = 32;
constexpr const char* kVertex = R"(#version 310 es
void main() {
    gl_Position = vec4(gl_VertexID & 1, gl_VertexID >> 1, 0.5, 1) * vec4(4, 4, 1, 1) - vec4(1, 1, 0, 0);
})";
constexpr const char* kLate = R"(#version 310 es
precision highp float; layout(std430) buffer Seen { uint count; } seen; out vec4 color;
void main() { atomicAdd(seen.count, 1u); color = vec4(1); })";
constexpr const char* kEarly = R"(#version 310 es
precision highp float; layout(early_fragment_tests) in;
layout(std430) buffer Seen { uint count; } seen; out vec4 color;
void main() { atomicAdd(seen.count, 1u); color = vec4(1); })";

std::shared_ptr<const shaders::LinkedProgram> linked(const char* fragment) {
    std::shared_ptr<const shaders::CompiledShader> stages[2];
    for (const bool second : {false, true}) {
        shaders::CompileOptions o;
        o.stage = second ? ir::Stage::Fragment : ir::Stage::Vertex;
        o.max_version = 310;
        const shaders::CompileResult r = shaders::compile(second ? fragment : kVertex, o);
        REQUIRE_MESSAGE(r.shader, r.log);
        stages[second] = r.shader;
    }
    const shaders::CompiledShader* const both[] = {stages[0].get(), stages[1].get()};
    shaders::LinkResult r = shaders::link(both, {});
    REQUIRE_MESSAGE(r.program, r.log);
    return r.program;
}

struct Setup {
    const char* fragment = kLate;
    uint8_t write_mask = 0;
    bool has_color = true;
    bool hidden = false;  // hidden by the contents of the depth buffer
};

/// The number of fragments that ran, for a triangle that covers the target.
uint32_t count(const Setup& setup, std::unique_ptr<ShaderCompiler> compiler) {
    SoftScreen screen(std::move(compiler), 2, {});
    const std::unique_ptr<pipe::Context> context = screen.create_context({});
    const auto program = linked(setup.fragment);
    pipe::ProgramDesc desc;
    for (const ir::Stage s : {ir::Stage::Vertex, ir::Stage::Fragment})
        desc.stages[size_t(s)] = program->stages[size_t(s)].get();
    const auto made = screen.create_program(desc, screen.log);
    REQUIRE(made);
    const auto seen = screen.create_resource(
        {.kind = pipe::ResourceKind::Buffer, .width = 4, .bind = pipe::bind::kStorage});
    std::memset(soft(*seen).data(), 0, 4);
    REQUIRE(program->storage_blocks.size() == 1);
    const auto slot = uint32_t(program->storage_blocks[0].slot[size_t(ir::Stage::Fragment)]);
    const pipe::BufferRange range = {seen.get(), 0, 4};
    context->set_storage_buffers(pipe::Stage::Fragment, slot, {&range, 1});

    const auto target = [&](pipe::Format format, uint32_t bind) {
        return screen.create_resource({.format = format, .width = kSize, .height = kSize, .bind = bind});
    };
    const auto color = target(pipe::Format::R8G8B8A8_UNORM, pipe::bind::kColor);
    const auto depth = target(pipe::Format::D24_UNORM_S8_UINT, pipe::bind::kDepthStencil);
    pipe::BlendDesc blend;
    blend.targets[0].write_mask = setup.write_mask;
    pipe::DepthStencilDesc depth_stencil;
    depth_stencil.depth_test = true;
    depth_stencil.depth_compare = pipe::Compare::Less;
    const auto blend_state = screen.create_blend(blend);
    const auto depth_state = screen.create_depth_stencil(depth_stencil);
    context->bind_blend(blend_state.get());
    context->bind_depth_stencil(depth_state.get());
    context->set_viewport({{kSize / 2.0f, kSize / 2.0f, 0.5f}, {kSize / 2.0f, kSize / 2.0f, 0.5f}});
    context->bind_program(made.get());

    pipe::RenderPassDesc pass;
    pass.color_count = setup.has_color;
    pass.color[0].resource = setup.has_color ? color.get() : nullptr;
    pass.color[0].format = pipe::Format::R8G8B8A8_UNORM;
    pass.color[0].load = pipe::LoadOp::Clear;
    pass.depth_stencil.resource = depth.get();
    pass.depth_stencil.format = pipe::Format::D24_UNORM_S8_UINT;
    pass.depth_stencil.load = pipe::LoadOp::Clear;
    pass.clear_depth = setup.hidden ? 0 : 1;
    pass.width = pass.height = kSize;
    context->begin_render_pass(pass);
    const pipe::DrawInfo info{.mode = pipe::Primitive::Triangles};
    const pipe::DrawRange vertices = {0, 3, 0};
    context->draw(info, {&vertices, 1});
    context->end_render_pass();
    const pipe::Box box = {0, 0, 0, 4, 1, 1};
    const pipe::Mapping m = context->map(*seen, 0, box, pipe::map_flag::kRead);
    uint32_t result = 0;
    std::memcpy(&result, m.data, 4);
    context->unmap(*seen, m);
    return result;
}

/// All compilers must have the same result.
uint32_t count(const Setup& setup) {
    const uint32_t result = count(setup, create_interpreter_compiler());
    if (auto tier1 = create_tier1_compiler()) CHECK(count(setup, std::move(tier1)) == result);
    for (const unsigned lanes : {4u, 8u, 16u})
        if (auto jit = create_jit_compiler(lanes)) CHECK(count(setup, std::move(jit)) == result);
    return result;
}

}  // namespace

TEST_CASE("stores: a fragment whose colour is masked runs") {
    CHECK(count({.write_mask = 15}) == kSize * kSize);
    CHECK(count({.write_mask = 0}) == kSize * kSize);
    CHECK(count({.fragment = kEarly}) == kSize * kSize);
}

TEST_CASE("stores: a fragment without a colour to write runs") {
    CHECK(count({.has_color = false}) == kSize * kSize);
    CHECK(count({.fragment = kEarly, .has_color = false}) == kSize * kSize);
}

TEST_CASE("stores: depth tests come after the shader, except early ones") {
    CHECK(count({.write_mask = 15, .hidden = true}) == kSize * kSize);
    CHECK(count({.hidden = true}) == kSize * kSize);
    CHECK(count({.fragment = kEarly, .hidden = true}) == 0);
}

}  // namespace terrazzo::soft::test
