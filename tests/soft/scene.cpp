// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/soft/scene.h"

#include <algorithm>
#include <cstring>

#include "drivers/soft/programs/program.h"

namespace terrazzo::soft::test {

namespace {

void vertex_shader(const VertexArgs* args) {
    // Columns of the input: position, colour, size; of the output: position, size, colour.
    constexpr unsigned kFrom[] = {0, 2, 1};
    for (unsigned slot = 0; slot < 3; ++slot)
        for (unsigned c = 0; c < 4; ++c)
            std::copy_n(args->in + size_t(kFrom[slot] * 4 + c) * kInStride, args->count,
                        args->out + size_t(slot * 4 + c) * args->out_stride);
}

float eval(const PrimitiveSetup& s, const Plane& p, float x, float y) {
    return p.a0 + (x - s.x0) * p.dadx + (y - s.y0) * p.dady;
}

template <Paint kPaint>
void fragment_shader(FragmentArgs* a) {
    for (unsigned n = 0; n < a->count * kLanes; ++n) {
        const unsigned block = n / kLanes, lane = n % kLanes;
        const int x = a->x[block] + int(2 * (lane / 4) + (lane & 1)), y = a->y[block] + int(lane >> 1 & 1);
        const float px = float(x) + 0.5f, py = float(y) + 0.5f;
        const PrimitiveSetup& s = *a->setup[block];
        float out[4];
        for (unsigned c = 0; c < 4; ++c) {
            if constexpr (kPaint == Paint::PointCoord)
                out[c] = c == 0   ? eval(s, s.varyings[4], px, py)
                         : c == 1 ? eval(s, s.varyings[5], px, py)
                                  : float(c == 3);
            else if constexpr (kPaint == Paint::FragCoord)
                out[c] = c == 0 ? px : c == 1 ? py : eval(s, c == 2 ? s.z : s.inv_w, px, py);
            else if constexpr (kPaint == Paint::Texel) {
                const TextureUnit::Level& l = a->textures[0].levels[0];
                out[c] =
                    float(l.data[size_t(y % l.height) * l.row_stride_B + size_t(x % l.width) * 4 + c]) / 255;
            } else if constexpr (kPaint == Paint::Flat)
                out[c] = s.varyings[c].a0;
            else if constexpr (kPaint == Paint::Solid)
                std::memcpy(&out[c], &a->uniforms[c], 4);
            else if constexpr (kPaint == Paint::NoPerspective)
                out[c] = eval(s, s.varyings[c], px, py);
            else
                out[c] = eval(s, s.varyings[c], px, py) / eval(s, s.inv_w, px, py);
            if constexpr (kPaint == Paint::Invert) out[c] = 1 - a->color[0][c][n];
            a->color[0][c][n] = out[c];
            a->color[kSecondColor][c][n] = 1 - out[c];
        }
        if constexpr (kPaint == Paint::DiscardOdd)
            if ((x + y) & 1) a->mask[block] &= uint8_t(~(1u << lane));
        if constexpr (kPaint == Paint::WriteDepth) a->depth[n] = out[3];
    }
}

/// "Compiles" any vertex shader to vertex_shader and any fragment shader to the current paint.
class FakeCompiler final : public ShaderCompiler {
  public:
    explicit FakeCompiler(const Paint* paint) : paint_(paint) {}
    std::unique_ptr<CompiledShader> compile(const ir::Shader& shader, const pipe::Log&) override {
        auto s = std::make_unique<CompiledShader>();
        const uint8_t varying = uint8_t(ir::VaryingSlot::Varying0);
        if (shader.stage == ir::Stage::Vertex) {
            s->vertex = vertex_shader;
            s->inputs_read = 7;
            s->slots[0] = uint8_t(ir::VaryingSlot::Position);
            s->slots[1] = uint8_t(ir::VaryingSlot::PointSize);
            s->slots[2] = varying;
            s->slot_count = 3;
            return s;
        }
        if (!shader.body->empty()) return interpreter_->compile(shader, {});
        s->slots[0] = varying;
        s->components[0] = 15;
        s->slot_count = 1;
        s->interp[0] = uint8_t(*paint_ == Paint::Flat            ? ir::Interp::Flat
                               : *paint_ == Paint::NoPerspective ? ir::Interp::NoPerspective
                                                                 : ir::Interp::Smooth);
        s->outputs_written = uint64_t(1) << unsigned(ir::FragSlot::Color0);
        s->uses_discard = *paint_ == Paint::DiscardOdd;
        s->writes_depth = *paint_ == Paint::WriteDepth;
        s->reads_point_coord = *paint_ == Paint::PointCoord;
        switch (*paint_) {
            case Paint::Varying:
                s->fragment = fragment_shader<Paint::Varying>;
                break;
            case Paint::Flat:
                s->fragment = fragment_shader<Paint::Flat>;
                break;
            case Paint::NoPerspective:
                s->fragment = fragment_shader<Paint::NoPerspective>;
                break;
            case Paint::PointCoord:
                s->fragment = fragment_shader<Paint::PointCoord>;
                break;
            case Paint::FragCoord:
                s->fragment = fragment_shader<Paint::FragCoord>;
                break;
            case Paint::DiscardOdd:
                s->fragment = fragment_shader<Paint::DiscardOdd>;
                break;
            case Paint::WriteDepth:
                s->fragment = fragment_shader<Paint::WriteDepth>;
                break;
            case Paint::Invert:
                s->fragment = fragment_shader<Paint::Invert>;
                s->colors_read = 1;
                break;
            case Paint::Texel:
                s->fragment = fragment_shader<Paint::Texel>;
                break;
            case Paint::Solid:
                s->fragment = fragment_shader<Paint::Solid>;
                s->constant = true;
                break;
        }
        return s;
    }
    const char* name() const override { return "C++"; }

  private:
    const Paint* paint_;
    const std::unique_ptr<ShaderCompiler> interpreter_ = create_interpreter_compiler();
};

thread_local Paint current_paint = Paint::Varying;

}  // namespace

Scene::Scene(const SceneOptions& o)
    : options(o),
      screen(std::make_unique<FakeCompiler>(&current_paint), o.threads, messages.log(), o.executor) {
    if (o.kernel) screen.use_kernel(o.kernel);
    screen.bound_depth(o.bound_depth);
    context = screen.create_context({.robust = o.robust});
    const auto image = [&](pipe::Format f, uint32_t bind) {
        return screen.create_resource(
            {.format = f, .width = o.width, .height = o.height, .samples = o.samples, .bind = bind});
    };
    if (o.color != pipe::Format::None) {
        color = image(o.color, pipe::bind::kColor);
        pass.color_count = 1;
        pass.color[0].resource = color.get();
        pass.color[0].format = o.color;
    }
    if (o.depth != pipe::Format::None) {
        depth = image(o.depth, pipe::bind::kDepthStencil);
        pass.depth_stencil.resource = depth.get();
        pass.depth_stencil.format = o.depth;
    }
    pass.width = o.width;
    pass.height = o.height;
    const float w = float(o.width) / 2, h = float(o.height) / 2;
    context->set_viewport({{w, h, 0.5f}, {w, h, 0.5f}});
    pipe::VertexLayoutDesc layout;
    layout.count = 3;
    layout.elements[0] = {pipe::Format::R32G32B32A32_FLOAT, 0, 0, 0};
    layout.elements[1] = {pipe::Format::R32G32B32A32_FLOAT, 0, 16, 0};
    layout.elements[2] = {pipe::Format::R32_FLOAT, 0, 32, 0};
    pipe::Ref<pipe::VertexLayout> l = screen.create_vertex_layout(layout);
    context->bind_vertex_layout(l.get());
    states_.emplace_back(l);
    paint(Paint::Varying);
}

Scene::~Scene() {
    context.reset();
}

void Scene::begin(const float rgba[4]) {
    pass.color[0].load = pass.depth_stencil.load = pass.stencil_load = pipe::LoadOp::Clear;
    std::copy_n(rgba, 4, pass.clear_color[0].f);
    context->begin_render_pass(pass);
}

pipe::Ref<pipe::Program> Scene::shade(const ir::Shader& fs) {
    const ir::Shader vs(ir::Stage::Vertex);
    pipe::ProgramDesc d;
    d.stages[size_t(pipe::Stage::Vertex)] = &vs;
    d.stages[size_t(pipe::Stage::Fragment)] = &fs;
    pipe::Ref<pipe::Program> program = screen.create_program(d, screen.log);
    context->bind_program(program.get());
    states_.emplace_back(program);
    return program;
}

pipe::Ref<pipe::Program> Scene::paint(Paint p) {
    current_paint = p;
    const ir::Shader vs(ir::Stage::Vertex);
    ir::Shader fs(ir::Stage::Fragment);
    fs.info.sampler_count = p == Paint::Texel;
    fs.info.uniform_dw = 4;
    pipe::ProgramDesc d;
    d.stages[size_t(pipe::Stage::Vertex)] = &vs;
    d.stages[size_t(pipe::Stage::Fragment)] = &fs;
    pipe::Ref<pipe::Program> program = screen.create_program(d, screen.log);
    context->bind_program(program.get());
    states_.emplace_back(program);
    return program;
}

void Scene::solid(const float rgba[4]) {
    uint32_t words[4];
    std::memcpy(words, rgba, sizeof words);
    context->set_uniforms(pipe::Stage::Fragment, words);
}

void Scene::raster(const pipe::RasterDesc& d) {
    pipe::Ref<pipe::RasterState> s = screen.create_raster(d);
    context->bind_raster(s.get());
    states_.emplace_back(s);
}
void Scene::depth_stencil(const pipe::DepthStencilDesc& d) {
    pipe::Ref<pipe::DepthStencilState> s = screen.create_depth_stencil(d);
    context->bind_depth_stencil(s.get());
    states_.emplace_back(s);
}
void Scene::blend(const pipe::BlendDesc& d) {
    pipe::Ref<pipe::BlendState> s = screen.create_blend(d);
    context->bind_blend(s.get());
    states_.emplace_back(s);
}

pipe::Ref<pipe::Resource> Scene::buffer(const void* data, size_t size_B, uint32_t bind) {
    pipe::Ref<pipe::Resource> r =
        screen.create_resource({.kind = pipe::ResourceKind::Buffer, .width = uint32_t(size_B), .bind = bind});
    if (size_B) std::memcpy(soft(*r).data(), data, size_B);
    return r;
}

void Scene::draw(pipe::Primitive mode, const std::vector<Vertex>& v, pipe::DrawInfo info) {
    const pipe::Ref<pipe::Resource> vb = buffer(v.data(), v.size() * sizeof(Vertex), pipe::bind::kVertex);
    const pipe::VertexBuffer binding = {vb.get(), 0, sizeof(Vertex)};
    context->set_vertex_buffers({&binding, 1});
    info.mode = mode;
    const pipe::DrawRange range = {0, uint32_t(v.size()), 0};
    context->draw(info, {&range, 1});
}

void Scene::draw_indexed(pipe::Primitive mode, const std::vector<Vertex>& v,
                         const std::vector<uint32_t>& indices, pipe::IndexType type, bool restart) {
    std::vector<uint8_t> packed;
    for (const uint32_t i : indices) {
        const unsigned bytes = type == pipe::IndexType::U8 ? 1 : type == pipe::IndexType::U16 ? 2 : 4;
        for (unsigned b = 0; b < bytes; ++b)
            packed.push_back(uint8_t(i >> 8 * b));
    }
    const pipe::Ref<pipe::Resource> vb = buffer(v.data(), v.size() * sizeof(Vertex), pipe::bind::kVertex);
    const pipe::Ref<pipe::Resource> ib = buffer(packed.data(), packed.size(), pipe::bind::kIndex);
    const pipe::VertexBuffer binding = {vb.get(), 0, sizeof(Vertex)};
    context->set_vertex_buffers({&binding, 1});
    pipe::DrawInfo info;
    info.mode = mode;
    info.index_type = type;
    info.index_buffer = ib.get();
    info.primitive_restart = restart;
    const pipe::DrawRange range = {0, uint32_t(indices.size()), 0};
    context->draw(info, {&range, 1});
}

Vertex Scene::at(float x, float y, float window_depth, float w) const {
    Vertex v;
    v.position[0] = (x * 2 / float(options.width) - 1) * w;
    v.position[1] = (y * 2 / float(options.height) - 1) * w;
    v.position[2] = (window_depth * 2 - 1) * w;
    v.position[3] = w;
    return v;
}

void Scene::rectangle(float x0, float y0, float x1, float y1, float window_depth, const float rgba[4]) {
    std::vector<Vertex> v = {at(x0, y0, window_depth), at(x1, y0, window_depth), at(x0, y1, window_depth),
                             at(x1, y1, window_depth)};
    for (Vertex& i : v)
        std::copy_n(rgba, 4, i.color);
    draw(pipe::Primitive::TriangleStrip, v);
}

std::vector<uint8_t> Scene::bytes(bool of_depth) {
    context->end_render_pass();
    pipe::Resource& r = of_depth ? *depth : *color;
    const uint32_t block_B = pipe::format_info(r.desc.format).block_B * options.samples;
    const pipe::Box box = {0, 0, 0, int32_t(options.width), int32_t(options.height), 1};
    const pipe::Mapping m = context->map(r, 0, box, pipe::map_flag::kRead);
    std::vector<uint8_t> out(size_t(options.width) * options.height * block_B);
    for (uint32_t y = 0; y < options.height; ++y)
        std::memcpy(out.data() + size_t(y) * options.width * block_B,
                    static_cast<const uint8_t*>(m.data) + size_t(y) * m.row_stride_B,
                    size_t(options.width) * block_B);
    context->unmap(r, m);
    return out;
}

void Scene::upload(const void* data, bool of_depth) {
    pipe::Resource& r = of_depth ? *depth : *color;
    const uint32_t row_B = pipe::format_info(r.desc.format).block_B * options.width;
    const pipe::Box box = {0, 0, 0, int32_t(options.width), int32_t(options.height), 1};
    const pipe::Mapping m = context->map(r, 0, box, pipe::map_flag::kWrite);
    for (uint32_t y = 0; y < options.height; ++y)
        std::memcpy(static_cast<uint8_t*>(m.data) + size_t(y) * m.row_stride_B,
                    static_cast<const uint8_t*>(data) + size_t(y) * row_B, row_B);
    context->unmap(r, m);
}

std::vector<uint8_t> Scene::red() {
    const std::vector<uint8_t> all = bytes();
    std::vector<uint8_t> out(all.size() / 4);
    for (size_t i = 0; i < out.size(); ++i)
        out[i] = all[i * 4];
    return out;
}

std::vector<float> Scene::floats() {
    const std::vector<uint8_t> all = bytes();
    std::vector<float> out(size_t(options.width) * options.height * 4);
    pipe::unpack_rgba_f32(options.color, out.data(), all.data(), out.size() / 4);
    return out;
}

std::string Scene::picture() {
    const std::vector<uint8_t> r = red();
    std::string s;
    for (uint32_t y = 0; y < options.height; ++y) {
        for (uint32_t x = 0; x < options.width; ++x)
            s += r[size_t(y) * options.width + x] ? '#' : '.';
        s += '\n';
    }
    return s;
}

}  // namespace terrazzo::soft::test
