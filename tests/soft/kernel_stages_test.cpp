// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Geometry and tessellation stages, from ESSL to captured vertices and pixels, with every compiler.
#include <cstring>

#include "drivers/soft/screen/screen.h"
#include "pipe/context.h"
#include "shaders/compile.h"
#include "tests/soft/jit_harness.h"

namespace terrazzo::soft::test {

namespace {

using ir::Stage;
using Texts = std::vector<std::pair<Stage, std::string>>;

std::vector<std::unique_ptr<ShaderCompiler>> compilers() {
    std::vector<std::unique_ptr<ShaderCompiler>> list;
    list.push_back(create_interpreter_compiler());
    list.push_back(create_tier1_compiler());
    list.push_back(create_jit_compiler());
    std::erase(list, nullptr);
    return list;
}

/// A target of 8x8 pixels, and a buffer for captures.
class Device {
  public:
    Device(std::unique_ptr<ShaderCompiler> compiler, unsigned threads, uint32_t layers = 1)
        : screen_(std::move(compiler), threads, log_), layers_(layers) {
        context_ = screen_.create_context({});
        REQUIRE(context_);
        pipe::ResourceDesc desc;
        desc.kind = pipe::ResourceKind::Buffer;
        desc.width = kCapture_B;
        captured_ = screen_.create_resource(desc);
        desc = {};
        desc.kind = pipe::ResourceKind::Tex2DArray;
        desc.format = pipe::Format::R8G8B8A8_UNORM;
        desc.width = desc.height = 8;
        desc.layers = layers;
        desc.bind = pipe::bind::kColor | pipe::bind::kSampled;
        color_ = screen_.create_resource(desc);
        REQUIRE(captured_);
        REQUIRE(color_);
    }

    void use(const Texts& texts, std::vector<std::string> capture) {
        static constexpr std::string_view kExtensions[] = {
            "GL_EXT_geometry_shader", "GL_EXT_tessellation_shader", "GL_OES_viewport_array"};
        std::vector<shaders::CompileResult> results;
        std::vector<const shaders::CompiledShader*> stages;
        for (const auto& [stage, text] : texts) {
            shaders::CompileOptions o;
            o.stage = stage;
            o.max_version = 310;
            o.extensions = kExtensions;
            results.push_back(
                shaders::compile("#version 310 es\n#extension GL_EXT_geometry_shader : enable\n#extension "
                                 "GL_OES_viewport_array : enable\n#extension GL_EXT_tessellation_shader : "
                                 "enable\nprecision highp float;\n" +
                                     text,
                                 o));
            REQUIRE_MESSAGE(results.back().shader, results.back().log);
        }
        for (const auto& r : results)
            stages.push_back(r.shader.get());
        shaders::LinkOptions options;
        options.capture = capture;
        const shaders::LinkResult r = shaders::link(stages, options);
        REQUIRE_MESSAGE(r.program, r.log);
        pipe::ProgramDesc desc;
        for (unsigned s = 0; s < pipe::kStageCount; ++s)
            desc.stored[s] = r.program->stages[s].stored();
        desc.stream_output = &r.program->stream_output;
        program_ = screen_.create_program(desc, log_);
        REQUIRE_MESSAGE(program_, messages_);
        context_->bind_program(program_.get());
        stride_dw_ = r.program->stream_output.stride_dw[0];
    }

    /// The captured records as text. `generated` receives the number of primitives.
    std::string draw(pipe::DrawInfo info, pipe::DrawRange range, uint64_t* generated = nullptr) {
        pipe::RenderPassDesc pass;
        pass.color_count = 1;
        pass.color[0].resource = color_.get();
        pass.color[0].format = color_->desc.format;
        pass.color[0].load = pipe::LoadOp::Clear;
        pass.color[0].layer_count = pass.layers = layers_;
        pass.width = pass.height = 8;
        const pipe::BufferRange out{captured_.get(), 0, kCapture_B};
        context_->set_stream_outputs({&out, 1});
        context_->set_viewport({{4, 4, 0.5f}, {4, 4, 0.5f}});
        if (!scissors.empty()) {
            raster_ = screen_.create_raster({.scissor = true});
            context_->bind_raster(raster_.get());
            context_->set_viewport_array(viewports, scissors);
        }
        auto all = context_->create_query(pipe::QueryKind::PrimitivesGenerated);
        auto written = context_->create_query(pipe::QueryKind::PrimitivesWritten);
        context_->begin_query(*all);
        context_->begin_query(*written);
        context_->begin_render_pass(pass);
        context_->draw(info, {&range, 1});
        context_->end_render_pass();
        context_->end_query(*all);
        context_->end_query(*written);
        uint64_t n = 0, count = 0;
        REQUIRE(context_->query_result(*written, true, &n));
        REQUIRE(context_->query_result(*all, true, &count));
        if (generated) *generated = count;
        CHECK(messages_ == "");
        std::string text;
        for (size_t i = 0; i < n * per_primitive * stride_dw_; ++i) {
            float f;
            std::memcpy(&f, soft(*captured_).data() + i * 4, 4);
            text += (i ? " " : "") + std::to_string(int(std::lround(f)));
        }
        return text;
    }
    /// The number of pixels of a layer that are not black.
    uint32_t painted(uint32_t layer) {
        pipe::Box box;
        box.width = box.height = 8;
        box.z = int32_t(layer);
        const pipe::Mapping m = context_->map(*color_, 0, box, pipe::map_flag::kRead);
        REQUIRE(m.data);
        uint32_t n = 0;
        for (uint32_t y = 0; y < 8; ++y)
            for (uint32_t x = 0; x < 8; ++x)
                n += static_cast<const uint8_t*>(m.data)[y * m.row_stride_B + x * 4] != 0;
        context_->unmap(*color_, m);
        return n;
    }

    uint32_t per_primitive = 1;             // vertices of each captured primitive
    std::vector<pipe::Viewport> viewports;  // empty: the whole target
    std::vector<pipe::Scissor> scissors;

  private:
    pipe::Ref<pipe::RasterState> raster_;
    static constexpr uint32_t kCapture_B = 1 << 16;
    terrazzo::test::Messages messages_;
    const pipe::Log log_ = messages_.log();
    SoftScreen screen_;
    uint32_t layers_;
    std::unique_ptr<pipe::Context> context_;
    pipe::Ref<pipe::Program> program_;
    pipe::Ref<pipe::Resource> captured_, color_;
    uint32_t stride_dw_ = 0;
};

const std::pair<Stage, std::string> kVertex = {
    Stage::Vertex, "out float id; void main() { id = float(gl_VertexID); gl_Position = vec4(0, 0, 0, 1); }"};
const std::pair<Stage, std::string> kFragment = {Stage::Fragment, "out vec4 o; void main() { o = vec4(1); }"};

/// Lists the vertices of each primitive for a mode and 8 vertices.
std::string seen(Device& d, const char* shape, unsigned size, pipe::Primitive mode) {
    std::string body = "void main() {";
    for (unsigned i = 0; i < size; ++i)
        body += "seen = id[" + std::to_string(i) + "]; EmitVertex();";
    d.use({kVertex,
           {Stage::Geometry,
            std::string("layout(") + shape +
                ") in; layout(points, max_vertices = 6) out; in float id[]; out float seen;" + body + "}"},
           kFragment},
          {"seen"});
    pipe::DrawInfo info;
    info.mode = mode;
    return d.draw(info, {0, 8, 0});
}

TEST_CASE("geometry: the vertices of every mode's primitives, in order") {
    for (auto& c : compilers()) {
        Device d(std::move(c), 1);
        using P = pipe::Primitive;
        CHECK(seen(d, "points", 1, P::Points) == "0 1 2 3 4 5 6 7");
        CHECK(seen(d, "lines", 2, P::Lines) == "0 1 2 3 4 5 6 7");
        CHECK(seen(d, "lines", 2, P::LineStrip) == "0 1 1 2 2 3 3 4 4 5 5 6 6 7");
        CHECK(seen(d, "lines", 2, P::LineLoop) == "0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 0");
        CHECK(seen(d, "triangles", 3, P::Triangles) == "0 1 2 3 4 5");
        CHECK(seen(d, "triangles", 3, P::TriangleStrip) == "0 1 2 2 1 3 2 3 4 4 3 5 4 5 6 6 5 7");
        CHECK(seen(d, "triangles", 3, P::TriangleFan) == "0 1 2 0 2 3 0 3 4 0 4 5 0 5 6 0 6 7");
        CHECK(seen(d, "lines_adjacency", 4, P::LinesAdjacency) == "0 1 2 3 4 5 6 7");
        CHECK(seen(d, "lines_adjacency", 4, P::LineStripAdjacency) ==
              "0 1 2 3 1 2 3 4 2 3 4 5 3 4 5 6 4 5 6 7");
        CHECK(seen(d, "triangles_adjacency", 6, P::TrianglesAdjacency) == "0 1 2 3 4 5");
        CHECK(seen(d, "triangles_adjacency", 6, P::TriangleStripAdjacency) == "0 1 2 6 4 3 4 0 2 5 6 7");
    }
}

TEST_CASE("geometry: invocations, primitive numbers, strips and incomplete primitives") {
    for (auto& c : compilers()) {
        Device d(std::move(c), 3);
        d.per_primitive = 3;
        d.use(
            {kVertex,
             {Stage::Geometry,
              "layout(points, invocations = 2) in; layout(triangle_strip, max_vertices = 7) out; out vec3 "
              "v;\n"
              "void main() { gl_Position = vec4(0, 0, 0, 1);\n"
              "for (int i = 0; i < 10; ++i) { v = vec3(gl_PrimitiveIDIn, gl_InvocationID, i); EmitVertex();\n"
              "if (i == 3) EndPrimitive(); if (gl_PrimitiveIDIn == 1) return; } }"},
             kFragment},
            {"v"});
        uint64_t generated = 0;
        pipe::DrawInfo info;
        info.mode = pipe::Primitive::Points;
        // For the first point: two triangles before the cut, and one from the three vertices after it. For
        // the second point: no complete triangle.
        CHECK(d.draw(info, {0, 2, 0}, &generated) ==
              "0 0 0 0 0 1 0 0 2 0 0 2 0 0 1 0 0 3 0 0 4 0 0 5 0 0 6 "
              "0 1 0 0 1 1 0 1 2 0 1 2 0 1 1 0 1 3 0 1 4 0 1 5 0 1 6");
        CHECK(generated == 6);
        info.instance_count = 300;  // more than a batch
        (void)d.draw(info, {0, 1, 0}, &generated);
        CHECK(generated == 1800);
    }
}

TEST_CASE("geometry: gl_Layer says where a primitive is drawn") {
    for (auto& c : compilers()) {
        Device d(std::move(c), 1, 3);
        d.use(
            {kVertex,
             {Stage::Geometry,
              "layout(points) in; layout(triangle_strip, max_vertices = 12) out; void main() {\n"
              "for (int l = 0; l < 3; ++l) { for (int i = 0; i < 4; ++i) { gl_Layer = l == 0 ? 2 : l == 1 "
              "? 1 : 9;\n"
              "gl_Position = vec4(l == 1 && i < 2 ? 0.0 : float((i & 1) * 2 - 1), float((i & 2) - 1), 0, 1); "
              "EmitVertex(); }\n"
              "EndPrimitive(); } }"},
             kFragment},
            {});
        pipe::DrawInfo info;
        info.mode = pipe::Primitive::Points;
        (void)d.draw(info, {0, 1, 0});
        CHECK(d.painted(0) == 0);
        CHECK(d.painted(1) > 20);
        CHECK(d.painted(1) < 60);
        CHECK(d.painted(2) == 64);
    }
}

TEST_CASE("geometry: gl_ViewportIndex chooses a viewport and a scissor") {
    for (auto& c : compilers()) {
        Device d(std::move(c), 1);
        d.use({kVertex,
               {Stage::Geometry,
                "layout(points) in; layout(triangle_strip, max_vertices = 12) out; void main() {\n"
                "for (int l = 0; l < 3; ++l) { for (int i = 0; i < 4; ++i) {\n"
                "gl_ViewportIndex = l == 0 ? 15 : l == 1 ? 3 : 16;\n"
                "gl_Position = vec4(float((i & 1) * 2 - 1), float((i & 2) - 1), 0, 1); EmitVertex(); }\n"
                "EndPrimitive(); } }"},
               {Stage::Fragment, "out vec4 color; void main() { color = vec4(gl_ViewportIndex > 2); }"}},
              {});
        pipe::DrawInfo info;
        info.mode = pipe::Primitive::Points;
        d.viewports.assign(16, {{4, 4, 0.5f}, {4, 4, 0.5f}});
        d.scissors.assign(16, {0, 0, 8, 8});
        // The left half of the lower half. The whole upper half, except for two pixels outside its scissor.
        d.viewports[15] = {{2, 2, 0.5f}, {2, 2, 0.5f}};
        d.viewports[3] = {{4, 2, 0.5f}, {4, 6, 0.5f}};
        d.scissors[3] = {3, 7, 5, 8};
        (void)d.draw(info, {0, 1, 0});
        CHECK(d.painted(0) == 16 + 2);
    }
}

TEST_CASE("tessellation: patches go through both stages, and through a geometry stage") {
    const std::pair<Stage, std::string>
        control = {Stage::TessControl,
                   "layout(vertices = 2) out; in float id[]; out float kept[]; patch out float sum;\n"
                   "void main() { kept[gl_InvocationID] = id[gl_InvocationID] * 10.0; barrier();\n"
                   "if (gl_InvocationID == 0) sum = kept[0] + kept[1];\n"
                   "gl_TessLevelOuter[0] = 1.0; gl_TessLevelOuter[1] = id[0] > 3.0 ? 0.0 : 2.0; }"},
        evaluation = {Stage::TessEval,
                      "layout(isolines, equal_spacing) in; in float kept[]; patch in float sum; out vec4 v;\n"
                      "void main() { gl_Position = vec4(gl_TessCoord.x, 0, 0, 1);\n"
                      "v = vec4(gl_TessCoord.x * 4.0, mix(kept[0], kept[1], gl_TessCoord.x), sum, "
                      "gl_PrimitiveID * 10 + gl_PatchVerticesIn); }"};
    for (auto& c : compilers()) {
        Device d(std::move(c), 1);
        d.per_primitive = 2;
        d.use({kVertex, control, evaluation, kFragment}, {"v"});
        pipe::DrawInfo info;
        info.mode = pipe::Primitive::Patches;
        info.patch_vertices = 2;
        // The third patch's level of 0 discards it.
        CHECK(d.draw(info, {0, 7, 0}) ==
              "0 0 10 2 2 5 10 2 2 5 10 2 4 10 10 2 0 20 50 12 2 25 50 12 2 25 50 12 4 30 50 12");
        d.use({kVertex,
               control,
               evaluation,
               {Stage::Geometry,
                "layout(lines) in; layout(line_strip, max_vertices = 2) out; in vec4 v[]; out vec2 ends;\n"
                "void main() { for (int i = 0; i < 2; ++i) { ends = vec2(v[i].y, v[1 - i].x); EmitVertex(); "
                "} }"},
               kFragment},
              {"ends"});
        CHECK(d.draw(info, {0, 4, 0}) == "0 2 5 0 5 4 10 2 20 2 25 0 25 4 30 2");
    }
}

TEST_CASE("tessellation: a quad's triangles cover the window") {
    for (auto& c : compilers()) {
        Device d(std::move(c), 3);
        d.use({kVertex,
               {Stage::TessControl,
                "layout(vertices = 1) out; void main() { for (int i = 0; i < 4; ++i) gl_TessLevelOuter[i] = "
                "float(i * 3 + 1);\n"
                "gl_TessLevelInner[0] = 6.5; gl_TessLevelInner[1] = 3.0; }"},
               {Stage::TessEval,
                "layout(quads, fractional_even_spacing, ccw) in; void main() { gl_Position = "
                "vec4(gl_TessCoord.xy * 2.0 - 1.0, 0, 1); }"},
               kFragment},
              {});
        pipe::DrawInfo info;
        info.mode = pipe::Primitive::Patches;
        info.patch_vertices = 1;
        (void)d.draw(info, {0, 1, 0});
        CHECK(d.painted(0) == 64);
    }
}

}  // namespace

}  // namespace terrazzo::soft::test
