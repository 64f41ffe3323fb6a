// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A whole driver through the pipe interface: a colour target, a depth-stencil target, programs in GLSL. It
// knows no vendor.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "pipe/context.h"
#include "shaders/compile.h"
#include "tests/common/messages.h"

namespace terrazzo::test {

struct Vertex {
    float position[4] = {0, 0, 0, 1};
    float color[4] = {1, 1, 1, 1};
};

inline constexpr char kVertexText[] =
    "attribute vec4 position; attribute vec4 color; varying vec4 v_color;\n"
    "void main() { gl_Position = position; gl_PointSize = color.a; v_color = color; }\n";
inline constexpr char kFragmentText[] =
    "precision highp float; varying vec4 v_color;\n"
    "void main() { gl_FragColor = v_color; }\n";

class DriverScene {
  public:
    /// On the screen that `make_screen(log)` creates. `messages` keeps only messages of at least this
    /// severity.
    template <class F>
    DriverScene(int32_t width, int32_t height, pipe::Format zs_format, F&& make_screen,
                pipe::Severity least_severity = pipe::Severity::Info)
        : width(width), height(height), messages(least_severity) {
        screen = make_screen(log());
        REQUIRE(screen);
        context = screen->create_context({.robust = true, .log = log()});
        REQUIRE(context);
        color = image(pipe::Format::R8G8B8A8_UNORM, width, height, pipe::bind::kColor | pipe::bind::kSampled);
        pass.color[0].resource = color.get();
        pass.color[0].format = pipe::Format::R8G8B8A8_UNORM;
        pass.color_count = 1;
        pass.width = uint32_t(width);
        pass.height = uint32_t(height);
        if (zs_format != pipe::Format::None) {
            zs_format = pipe::choose_depth_format(*screen, zs_format, 1);
            depth = image(zs_format, width, height, pipe::bind::kDepthStencil);
            pass.depth_stencil.resource = depth.get();
            pass.depth_stencil.format = zs_format;
        }
        viewport(0, 0, width, height);
        program = link(kVertexText, kFragmentText);
        context->bind_program(program.get());
        pipe::VertexLayoutDesc layout;
        layout.count = 2;
        for (unsigned i = 0; i < 2; ++i) {
            layout.elements[i].format = pipe::Format::R32G32B32A32_FLOAT;
            layout.elements[i].offset_B = 16 * i;
        }
        keep(screen->create_vertex_layout(layout), [&](auto* s) { context->bind_vertex_layout(s); });
    }
    ~DriverScene() {
        context.reset();  // before the objects that it has bound
    }

    pipe::Ref<pipe::Resource> image(pipe::Format f, int32_t w, int32_t h, uint32_t bind,
                                    uint32_t levels = 1) {
        pipe::ResourceDesc d;
        d.levels = levels;
        d.format = f;
        d.width = uint32_t(w);
        d.height = uint32_t(h);
        d.bind = bind;
        auto r = screen->create_resource(d);
        REQUIRE(r);
        return r;
    }
    pipe::Ref<pipe::Resource> buffer(const void* data, size_t size_B) {
        pipe::ResourceDesc d;
        d.kind = pipe::ResourceKind::Buffer;
        d.width = uint32_t(size_B);
        d.bind = pipe::bind::kVertex | pipe::bind::kIndex | pipe::bind::kConstant | pipe::bind::kStorage |
                 pipe::bind::kIndirect;
        auto r = screen->create_resource(d);
        REQUIRE(r);
        const pipe::Mapping m = context->map(*r, 0, {0, 0, 0, int32_t(size_B), 1, 1},
                                             pipe::map_flag::kWrite | pipe::map_flag::kUnsynchronized);
        REQUIRE(m.data);
        std::memcpy(m.data, data, size_B);
        context->unmap(*r, m);
        return r;
    }
    /// `capture`: the outputs that draws capture to buffers, interleaved or each to its own buffer.
    pipe::Ref<pipe::Program> link(const std::string& vs, const std::string& fs,
                                  std::vector<std::string> capture = {}, bool separate = false) {
        static constexpr std::string_view kExtensions[] = {"GL_EXT_frag_depth", "GL_EXT_draw_buffers",
                                                           "GL_EXT_shader_framebuffer_fetch",
                                                           "GL_EXT_blend_func_extended"};
        shaders::CompileOptions options;
        options.extensions = kExtensions;
        options.max_version = 320;
        auto v = shaders::compile(vs, options);
        options.stage = ir::Stage::Fragment;
        auto f = shaders::compile(fs, options);
        REQUIRE_MESSAGE(v.shader, v.log);
        REQUIRE_MESSAGE(f.shader, f.log);
        const shaders::AttributeBinding places[] = {{"position", 0}, {"color", 1}};
        const shaders::CompiledShader* stages[] = {v.shader.get(), f.shader.get()};
        shaders::LinkOptions link_options;
        link_options.attributes = places;
        link_options.capture = capture;
        link_options.capture_separate = separate;
        const shaders::LinkResult linked = shaders::link(stages, link_options);
        REQUIRE_MESSAGE(linked.program, linked.log);
        pipe::ProgramDesc d;
        for (const ir::Stage stage : {ir::Stage::Vertex, ir::Stage::Fragment})
            d.stages[unsigned(stage)] = linked.program->stages[unsigned(stage)].get();
        if (!capture.empty()) d.stream_output = &linked.program->stream_output;
        auto p = screen->create_program(d, log());
        REQUIRE_MESSAGE(p, messages);
        return p;
    }
    void viewport(int32_t x, int32_t y, int32_t w, int32_t h) {
        context->set_viewport(
            {{float(w) / 2, float(h) / 2, 0.5f}, {float(x) + float(w) / 2, float(y) + float(h) / 2, 0.5f}});
    }
    template <class T, class F>
    void keep(pipe::Ref<T> state, F&& bind) {
        REQUIRE(state);
        bind(state.get());
        states_.push_back(pipe::Ref<pipe::StateObject>(state.get()));
    }
    void raster(const pipe::RasterDesc& d) {
        keep(screen->create_raster(d), [&](auto* s) { context->bind_raster(s); });
    }
    void depth_stencil(const pipe::DepthStencilDesc& d) {
        keep(screen->create_depth_stencil(d), [&](auto* s) { context->bind_depth_stencil(s); });
    }
    void blend(const pipe::BlendDesc& d) {
        keep(screen->create_blend(d), [&](auto* s) { context->bind_blend(s); });
    }
    /// Clears colour to `rgba`, depth to 1, stencil to 0.
    void begin(float r = 0, float g = 0, float b = 0, float a = 0) {
        pass.color[0].load = pass.depth_stencil.load = pass.stencil_load = pipe::LoadOp::Clear;
        pass.clear_color[0] = {.f = {r, g, b, a}};
        context->begin_render_pass(pass);
    }
    /// Begins a pass that loads its targets.
    void resume() {
        pass.color[0].load = pass.depth_stencil.load = pass.stencil_load = pipe::LoadOp::Load;
        context->begin_render_pass(pass);
    }
    /// Converts a vertex from window coordinates.
    [[nodiscard]] Vertex at(float x, float y, float depth = 0.5f) const {
        Vertex v;
        v.position[0] = 2 * x / float(width) - 1;
        v.position[1] = 2 * y / float(height) - 1;
        v.position[2] = 2 * depth - 1;
        return v;
    }
    void draw(pipe::Primitive mode, const std::vector<Vertex>& v, pipe::DrawInfo info = {}) {
        const auto vb = buffer(v.data(), v.size() * sizeof(Vertex));
        const pipe::VertexBuffer binding{vb.get(), 0, sizeof(Vertex)};
        context->set_vertex_buffers({&binding, 1});
        info.mode = mode;
        const pipe::DrawRange range{0, uint32_t(v.size()), 0};
        context->draw(info, {&range, 1});
        context->set_vertex_buffers({});
    }
    void rectangle(float x0, float y0, float x1, float y1, float depth, const std::array<float, 4>& rgba) {
        std::vector<Vertex> v = {at(x0, y0, depth), at(x1, y0, depth), at(x0, y1, depth), at(x1, y1, depth)};
        for (Vertex& i : v)
            std::copy_n(rgba.data(), 4, i.color);
        draw(pipe::Primitive::TriangleStrip, v);
    }
    /// Ends the pass and reads an RGBA8 target.
    [[nodiscard]] std::vector<uint32_t> pixels(pipe::Resource* of = nullptr) {
        context->end_render_pass();
        pipe::Resource& r = of ? *of : *color;
        const auto w = int32_t(r.desc.width), h = int32_t(r.desc.height);
        const pipe::Mapping m = context->map(r, 0, {0, 0, 0, w, h, 1}, pipe::map_flag::kRead);
        REQUIRE(m.data);
        std::vector<uint32_t> out(size_t(w) * size_t(h));
        for (int32_t y = 0; y < h; ++y)
            std::memcpy(&out[size_t(y) * size_t(w)],
                        static_cast<uint8_t*>(m.data) + size_t(y) * m.row_stride_B, size_t(w) * 4);
        context->unmap(r, m);
        return out;
    }

    const int32_t width, height;
    Messages messages;
    std::unique_ptr<pipe::Screen> screen;
    std::unique_ptr<pipe::Context> context;
    pipe::Ref<pipe::Resource> color, depth;
    pipe::Ref<pipe::Program> program;
    pipe::RenderPassDesc pass;

    /// The log writes to `messages`.
    pipe::Log log() { return messages.log(); }

  private:
    std::vector<pipe::Ref<pipe::StateObject>> states_;
};

}  // namespace terrazzo::test
