// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Prints the CPU time of small triangles and small draws of the CPU driver on one thread. Recording
// (vertices, setup, binning) and drawing are measured separately. It neither passes nor fails.
#include <ctime>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "drivers/soft/screen/screen.h"
#include "pipe/context.h"
#include "shaders/compile.h"

namespace {

using namespace terrazzo;

constexpr int kSize_px = 1024, kRounds = 9;

double cpu_s() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

constexpr const char* kVertex = R"(
attribute vec4 position; attribute vec4 data; varying vec4 v;
void main() { gl_Position = position; v = data; })";
constexpr const char* kFragment = R"(
precision mediump float; varying vec4 v; void main() { gl_FragColor = v; })";

std::shared_ptr<const shaders::LinkedProgram> link_program() {
    const auto stage = [](ir::Stage s, const char* text) {
        shaders::CompileOptions o;
        o.stage = s;
        return shaders::compile(text, o).shader;
    };
    const auto v = stage(ir::Stage::Vertex, kVertex), f = stage(ir::Stage::Fragment, kFragment);
    if (!v || !f) return nullptr;
    const shaders::CompiledShader* both[] = {v.get(), f.get()};
    return shaders::link(both, {}).program;
}

struct Vertex {
    float position[4], data[4];
};

class Device {
  public:
    explicit Device(std::unique_ptr<soft::ShaderCompiler> compiler)
        : screen_(std::move(compiler), 1, {}), program_(link_program()) {
        context_ = screen_.create_context({});
        color_ = screen_.create_resource({.format = pipe::Format::R8G8B8A8_UNORM,
                                          .width = kSize_px,
                                          .height = kSize_px,
                                          .bind = pipe::bind::kColor});
        pass_.width = pass_.height = kSize_px;
        pass_.color_count = 1;
        pass_.color[0].resource = color_.get();
        pass_.color[0].format = pipe::Format::R8G8B8A8_UNORM;
        pass_.color[0].load = pipe::LoadOp::Clear;
        const float half = kSize_px / 2;
        context_->set_viewport({{half, half, 0.5f}, {half, half, 0.5f}});
        pipe::VertexLayoutDesc layout;
        layout.count = 2;
        layout.elements[0] = {pipe::Format::R32G32B32A32_FLOAT, 0, 0, 0};
        layout.elements[1] = {pipe::Format::R32G32B32A32_FLOAT, 0, 16, 0};
        layout_ = screen_.create_vertex_layout(layout);
        context_->bind_vertex_layout(layout_.get());
        pipe::ProgramDesc d;
        for (const pipe::Stage s : {pipe::Stage::Vertex, pipe::Stage::Fragment})
            d.stages[size_t(s)] = program_->stages[size_t(s)].get();
        soft_program_ = screen_.create_program(d, screen_.log);
        context_->bind_program(soft_program_.get());
    }
    ~Device() { context_.reset(); }

    pipe::Ref<pipe::Resource> buffer(const void* data, size_t size_B, uint32_t bind) {
        auto r = screen_.create_resource(
            {.kind = pipe::ResourceKind::Buffer, .width = uint32_t(size_B), .bind = bind});
        std::memcpy(soft::soft(*r).data(), data, size_B);
        return r;
    }
    void cull(pipe::CullFace face) {
        raster_ = screen_.create_raster({.cull = face});
        context_->bind_raster(raster_.get());
    }
    pipe::Context& context() { return *context_; }

    /// Medians over the rounds of the times of `draws` and of the tiles, divided by `count`.
    void measure(const char* name, double count, const std::function<void(pipe::Context&)>& draws) {
        std::vector<double> record, run;
        for (int i = 0; i < kRounds; ++i) {
            context_->begin_render_pass(pass_);
            const double start = cpu_s();
            draws(*context_);
            const double recorded = cpu_s();
            context_->end_render_pass();
            (void)context_->flush();
            record.push_back(recorded - start);
            run.push_back(cpu_s() - recorded);
        }
        std::sort(record.begin(), record.end());
        std::sort(run.begin(), run.end());
        const double a = record[kRounds / 2], b = run[kRounds / 2];
        std::printf("%-26s %8.1f ns recording + %8.1f ns drawing each, %7.2f M/s\n", name, a / count * 1e9,
                    b / count * 1e9, count / (a + b) * 1e-6);
    }

  private:
    soft::SoftScreen screen_;
    std::shared_ptr<const shaders::LinkedProgram> program_;
    std::unique_ptr<pipe::Context> context_;
    pipe::Ref<pipe::Resource> color_;
    pipe::RenderPassDesc pass_;
    pipe::Ref<pipe::VertexLayout> layout_;
    pipe::Ref<pipe::Program> soft_program_;
    pipe::Ref<pipe::RasterState> raster_;
};

constexpr int kCells = kSize_px / 2;

/// A grid of right triangles with legs of 2 px: vertices and indices; `shift` moves it in clip space.
struct Grid {
    std::vector<Vertex> vertices, list;
    std::vector<uint32_t> indices;
    explicit Grid(float shift) {
        for (int y = 0; y <= kCells; ++y)
            for (int x = 0; x <= kCells; ++x)
                vertices.push_back({{float(x) * 4 / kSize_px - 1 + shift, float(y) * 4 / kSize_px - 1, 0, 1},
                                    {float(x & 1), float(y & 1), 0.5f, 1}});
        for (int y = 0; y < kCells; ++y)
            for (int x = 0; x < kCells; ++x) {
                const auto a = uint32_t(y * (kCells + 1) + x), b = a + kCells + 1;
                indices.insert(indices.end(), {a, a + 1, b, b, a + 1, b + 1});
            }
        for (const uint32_t i : indices)
            list.push_back(vertices[i]);
    }
};

void bench_grid(Device& d, const char* name, float shift, bool culled) {
    const Grid g(shift);
    d.cull(culled ? pipe::CullFace::Front : pipe::CullFace::None);
    const auto vb = d.buffer(g.vertices.data(), g.vertices.size() * sizeof(Vertex), pipe::bind::kVertex);
    const auto lb = d.buffer(g.list.data(), g.list.size() * sizeof(Vertex), pipe::bind::kVertex);
    const auto ib = d.buffer(g.indices.data(), g.indices.size() * 4, pipe::bind::kIndex);
    const auto bind = [&](pipe::Resource* r) {
        const pipe::VertexBuffer binding = {r, 0, sizeof(Vertex)};
        d.context().set_vertex_buffers({&binding, 1});
    };
    pipe::DrawInfo info;
    info.mode = pipe::Primitive::Triangles;
    const pipe::DrawRange range = {0, uint32_t(g.indices.size()), 0};
    bind(lb.get());
    d.measure((std::string("2 px, ") + name).c_str(), double(g.indices.size()) / 3, [&](pipe::Context& c) {
        c.draw(info, {&range, 1});
    });
    info.index_type = pipe::IndexType::U32;
    info.index_buffer = ib.get();
    bind(vb.get());
    d.measure((std::string("2 px, indexed, ") + name).c_str(), double(g.indices.size()) / 3,
              [&](pipe::Context& c) {
                  c.draw(info, {&range, 1});
              });
}

void bench_quads(Device& d) {
    constexpr int kDraws = 4096;
    d.cull(pipe::CullFace::None);
    const Vertex quad[4] = {{{0, 0, 0, 1}, {1, 0, 0, 1}},
                            {{0.01f, 0, 0, 1}, {1, 0, 0, 1}},
                            {{0, 0.01f, 0, 1}, {1, 0, 0, 1}},
                            {{0.01f, 0.01f, 0, 1}, {1, 0, 0, 1}}};
    const auto vb = d.buffer(quad, sizeof quad, pipe::bind::kVertex);
    const pipe::VertexBuffer binding = {vb.get(), 0, sizeof(Vertex)};
    d.context().set_vertex_buffers({&binding, 1});
    pipe::DrawInfo info;
    info.mode = pipe::Primitive::TriangleStrip;
    const pipe::DrawRange range = {0, 4, 0};
    d.measure("quads, a draw each", kDraws, [&](pipe::Context& c) {
        for (int i = 0; i < kDraws; ++i)
            c.draw(info, {&range, 1});
    });
}

}  // namespace

int main() {
    auto compiler = soft::create_jit_compiler();
    if (!compiler) compiler = soft::create_interpreter_compiler();
    Device d(std::move(compiler));
    bench_grid(d, "drawn", 0, false);
    bench_grid(d, "culled", 0, true);
    bench_grid(d, "outside", 3, false);
    bench_quads(d);
    return 0;
}
