// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Clip and cull distances (EXT_clip_cull_distance), from ESSL to pixels: with every compiler and width, with
// one thread and with three.
#include <algorithm>
#include <cstring>
#include <limits>

#include "drivers/soft/screen/screen.h"
#include "pipe/context.h"
#include "shaders/compile.h"
#include "tests/soft/jit_harness.h"

namespace terrazzo::soft::test {

namespace {

using ir::Stage;
using Texts = std::vector<std::pair<Stage, std::string>>;
using Pixels = std::vector<uint32_t>;

constexpr uint32_t kSize = 24;

/// Draws into kSize x kSize pixels, which are black at first.
class Device {
  public:
    Device(std::unique_ptr<ShaderCompiler> compiler, unsigned threads, uint32_t samples = 1)
        : screen_(std::move(compiler), threads, log_), context_(screen_.create_context({})) {
        REQUIRE(context_);
        pipe::ResourceDesc desc;
        desc.kind = pipe::ResourceKind::Tex2D;
        desc.format = pipe::Format::R8G8B8A8_UNORM;
        desc.width = desc.height = kSize;
        desc.bind = pipe::bind::kColor;
        single_ = screen_.create_resource(desc);
        desc.samples = samples;
        color_ = samples > 1 ? screen_.create_resource(desc) : single_;
        REQUIRE(color_);
    }

    Pixels draw(const Texts& texts, uint8_t planes, pipe::DrawInfo info, pipe::DrawRange range) {
        static constexpr std::string_view kExtensions[] = {
            "GL_EXT_geometry_shader", "GL_EXT_tessellation_shader", "GL_EXT_clip_cull_distance"};
        std::vector<shaders::CompileResult> results;
        std::vector<const shaders::CompiledShader*> stages;
        for (const auto& [stage, text] : texts) {
            shaders::CompileOptions o;
            o.stage = stage;
            o.max_version = 310;
            o.extensions = kExtensions;
            results.push_back(
                shaders::compile("#version 310 es\n#extension GL_EXT_geometry_shader : enable\n"
                                 "#extension GL_EXT_clip_cull_distance : require\n"
                                 "#extension GL_EXT_tessellation_shader : enable\n"
                                 "precision highp float;\n" +
                                     text,
                                 o));
            REQUIRE_MESSAGE(results.back().shader, results.back().log);
        }
        for (const auto& r : results)
            stages.push_back(r.shader.get());
        const shaders::LinkResult r = shaders::link(stages, {});
        REQUIRE_MESSAGE(r.program, r.log);
        pipe::ProgramDesc desc;
        for (unsigned s = 0; s < pipe::kStageCount; ++s)
            desc.stored[s] = r.program->stages[s].stored();
        desc.clip_distances = r.program->clip_distances;
        desc.cull_distances = r.program->cull_distances;
        const auto program = screen_.create_program(desc, log_);
        REQUIRE_MESSAGE(program, messages_);
        context_->bind_program(program.get());
        pipe::RasterDesc raster;
        raster.clip_planes = planes;
        const auto state = screen_.create_raster(raster);
        context_->bind_raster(state.get());
        pipe::RenderPassDesc pass;
        pass.color_count = 1;
        pass.color[0].resource = color_.get();
        pass.color[0].format = color_->desc.format;
        pass.color[0].load = pipe::LoadOp::Clear;
        pass.width = pass.height = kSize;
        constexpr float kHalf = kSize / 2;
        context_->set_viewport({{kHalf, kHalf, 0.5f}, {kHalf, kHalf, 0.5f}});
        context_->begin_render_pass(pass);
        context_->draw(info, {&range, 1});
        context_->end_render_pass();
        CHECK(messages_ == "");
        return pixels();
    }

  private:
    Pixels pixels() {
        pipe::Box box;
        const uint32_t width = color_->desc.samples * kSize;
        box.width = kSize;
        box.height = kSize;
        const pipe::Mapping m = context_->map(*color_, 0, box, pipe::map_flag::kRead);
        REQUIRE(m.data);
        Pixels all;
        for (uint32_t y = 0; y < kSize; ++y)
            for (uint32_t x = 0; x < width; ++x) {
                uint32_t texel;
                std::memcpy(&texel, static_cast<const uint8_t*>(m.data) + y * m.row_stride_B + x * 4, 4);
                all.push_back(texel);
            }
        context_->unmap(*color_, m);
        return all;
    }

    terrazzo::test::Messages messages_;
    const pipe::Log log_ = messages_.log();
    SoftScreen screen_;
    std::unique_ptr<pipe::Context> context_;
    pipe::Ref<pipe::Resource> single_, color_;
};

/// All compilers must draw the same bits.
Pixels drawn(const Texts& texts, uint8_t planes, pipe::Primitive mode, uint32_t count, uint32_t samples = 1) {
    std::vector<std::unique_ptr<ShaderCompiler>> list;
    list.push_back(create_interpreter_compiler());
    list.push_back(create_tier1_compiler());
    for (const unsigned lanes : {4u, 8u, 16u})
        list.push_back(create_jit_compiler(lanes));
    std::erase(list, nullptr);
    pipe::DrawInfo info;
    info.mode = mode;
    info.patch_vertices = 3;
    Pixels first;
    unsigned n = 0;
    for (auto& c : list) {
        const unsigned threads = n++ % 2 ? 3 : 1;
        const Pixels p = Device(std::move(c), threads, samples).draw(texts, planes, info, {0, count, 0});
        if (first.empty()) first = p;
        CAPTURE(n);
        CHECK((p == first));
    }
    return first;
}

const std::pair<Stage, std::string> kWhite = {Stage::Fragment, "out vec4 o; void main() { o = vec4(1); }"};

/// A triangle over the whole picture. In `rest`, `p` is the position.
std::pair<Stage, std::string> covering(const std::string& rest, const std::string& globals = "") {
    return {Stage::Vertex,
            globals +
                "void main() { vec2 p = vec2(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1);\n"
                "gl_Position = vec4(p, 0, 1);\n" +
                rest + "}"};
}

size_t painted(const Pixels& p) {
    return size_t(std::count_if(p.begin(), p.end(), [](uint32_t v) { return v != 0; }));
}
bool at(const Pixels& p, uint32_t x, uint32_t y) {
    return p[y * kSize + x] != 0;
}

Pixels triangle(const std::string& rest, uint8_t planes, const std::string& globals = "") {
    return drawn({covering(rest, globals), kWhite}, planes, pipe::Primitive::Triangles, 3);
}

}  // namespace

TEST_CASE("clip distances: the picture ends at the plane, where it is enabled") {
    const Pixels left = triangle("gl_ClipDistance[0] = -p.x;", 1);
    for (uint32_t x = 0; x < kSize; ++x)
        CHECK(at(left, x, 5) == (x < kSize / 2));
    CHECK(painted(left) == kSize * kSize / 2);
    CHECK(painted(triangle("gl_ClipDistance[0] = -p.x;", 0)) == kSize * kSize);
    CHECK(painted(triangle("gl_ClipDistance[0] = -p.x; gl_ClipDistance[5] = p.y;", 0x21)) ==
          kSize * kSize / 4);
    CHECK(painted(triangle("gl_ClipDistance[0] = -p.x; gl_ClipDistance[5] = p.y;", 0x20)) ==
          kSize * kSize / 2);
    // A plane that the shader does not write, and a plane whose distances are all 0.
    CHECK(painted(triangle("gl_ClipDistance[0] = 0.0;", 0x81)) == kSize * kSize);
    CHECK(painted(triangle("gl_ClipDistance[0] = -1.0;", 1)) == 0);
}

TEST_CASE("clip distances: eight planes form an octagon with the picture's borders") {
    const std::string octagon =
        "for (int i = 0; i < 8; ++i) { float a = float(i) * 0.785398163; gl_ClipDistance[i] = 0.9 - "
        "dot(p, vec2(cos(a), sin(a))); }";
    const Pixels all = triangle(octagon, 0xff, "out float gl_ClipDistance[8];");
    CHECK(painted(all) > 380);
    CHECK(painted(all) < 410);
    CHECK_FALSE(at(all, 2, 2));
    CHECK(at(all, kSize / 2, 2));
    // As many corners as possible: the guard band clips, too.
    const Pixels far = triangle(octagon +
                                    "gl_Position.xyz = vec3(p * 1e5, p.x); for (int i = 0; i < 8; ++i) "
                                    "gl_ClipDistance[i] = gl_ClipDistance[i] * 1e5 + 1e5;",
                                0xff, "out float gl_ClipDistance[8];");
    CHECK(painted(far) == kSize * kSize);
}

TEST_CASE("clip distances: a plane and its negative cover each sample exactly once") {
    for (const uint32_t samples : {1u, 4u})
        for (const char* const plane :
             {"p.x * 0.7 + p.y * 0.4 + 0.1", "p.x - p.y * 0.317", "(p.y + 0.3) * 1e20", "p.x * p.y + 0.4"}) {
            const auto with = [&](const char* sign) {
                // With perspective, and with two triangles that have a common edge.
                return drawn(
                    {{Stage::Vertex,
                      "void main() { vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1 & 1) * 2.0 - 1.0;\n"
                      "gl_Position = vec4(p, 0, 1) * (1.0 + float(gl_VertexID) * 0.3);\n"
                      "gl_ClipDistance[2] = " +
                          std::string(sign) + "(" + plane + "); }"},
                     kWhite},
                    4, pipe::Primitive::TriangleStrip, 4, samples);
            };
            const Pixels a = with(""), b = with("-");
            CHECK(painted(a) > 20);
            CHECK(painted(b) > 20);
            for (size_t i = 0; i < a.size(); ++i)
                CHECK((a[i] != 0) != (b[i] != 0));
        }
}

TEST_CASE("clip distances: points are kept or dropped, lines are clipped") {
    const std::string points =
        "void main() { gl_PointSize = 3.0; float x = float(gl_VertexID) * 0.5 - 0.75;\n"
        "gl_Position = vec4(x, 0, 0, 1); ";
    const auto count = [&](const std::string& rest) {
        return painted(drawn({{Stage::Vertex, points + rest + "}"}, kWhite}, 1, pipe::Primitive::Points, 4));
    };
    CHECK(count("gl_ClipDistance[0] = x;") == 2 * 9);
    CHECK(count("gl_ClipDistance[0] = x + 0.25;") == 3 * 9);  // 0 is inside
    CHECK(count("gl_ClipDistance[0] = uintBitsToFloat(gl_VertexID == 2 ? 0x7fc00000u : 0u);") == 3 * 9);
    CHECK(count("gl_CullDistance[0] = x;") == 2 * 9);
    CHECK(count("gl_CullDistance[0] = uintBitsToFloat(gl_VertexID == 2 ? 0x7fc00000u : 0x80000000u);") ==
          4 * 9);
    const auto line = [&](const std::string& rest) {
        return painted(
            drawn({{Stage::Vertex,
                    "void main() { float x = float(gl_VertexID) * 2.0 - 1.0; gl_Position = vec4(x, "
                    "0.02, 0, 1);" +
                        rest + "}"},
                   kWhite},
                  3, pipe::Primitive::Lines, 2));
    };
    CHECK(line("gl_ClipDistance[0] = x;") == kSize / 2);
    CHECK(line("gl_ClipDistance[1] = -x - 0.5; gl_ClipDistance[0] = 1.0;") == kSize / 4);
    CHECK(line("gl_ClipDistance[1] = -x - 0.5; gl_ClipDistance[0] = x;") == 0);
    CHECK(line("gl_CullDistance[0] = x;") == kSize);
    CHECK(line("gl_CullDistance[2] = -1.0;") == 0);
}

TEST_CASE("clip distances: infinities and NaNs") {
    const std::string inf = "(gl_VertexID == 0 ? 1.0 : -1.0) * uintBitsToFloat(0x7f800000u)";
    const size_t some = painted(triangle("gl_ClipDistance[0] = " + inf + ";", 1));
    CHECK(some > 0);
    CHECK(some < kSize * kSize);
    CHECK(painted(triangle("gl_ClipDistance[0] = uintBitsToFloat(gl_VertexID == 1 ? 0x7fc00000u : 0u);",
                           1)) == 0);
    CHECK(painted(triangle("gl_ClipDistance[0] = uintBitsToFloat(gl_VertexID == 1 ? 0x7fc00000u : 0u);",
                           0)) == kSize * kSize);
    CHECK(painted(triangle("gl_ClipDistance[0] = gl_VertexID == 0 ? uintBitsToFloat(0x7f800000u) : -1.0;",
                           1)) == kSize * kSize);
}

TEST_CASE("cull distances: a primitive is culled if all vertices are negative in one") {
    CHECK(painted(triangle("gl_CullDistance[0] = -1.0;", 0)) == 0);
    CHECK(painted(triangle("gl_CullDistance[0] = float(gl_VertexID - 2);", 0)) == kSize * kSize);
    CHECK(painted(triangle("gl_CullDistance[0] = p.x; gl_CullDistance[7] = -p.x;", 0)) == kSize * kSize);
    CHECK(painted(triangle("gl_CullDistance[0] = 1.0; gl_CullDistance[6] = -2.0;", 0)) == 0);
    CHECK(painted(triangle("gl_ClipDistance[2] = -p.x; gl_CullDistance[4] = 1.0;", 0x4)) ==
          kSize * kSize / 2);
    CHECK(painted(triangle("gl_ClipDistance[2] = 1.0; gl_CullDistance[4] = -1.0;", 0xff)) == 0);
}

TEST_CASE("clip distances: fragments read them interpolated") {
    const Pixels p = drawn(
        {covering(
             "gl_ClipDistance[0] = p.x + 0.5; gl_ClipDistance[1] = p.y; gl_CullDistance[1] = 0.5 - p.y;"),
         {Stage::Fragment,
          "out vec4 o; void main() { o = vec4(gl_ClipDistance[0] * 0.5, gl_CullDistance[1], "
          "gl_ClipDistance[1], 1); }"}},
        1, pipe::Primitive::Triangles, 3);
    const auto close = [](uint32_t texel, int shift, float v) {
        const float got = float(texel >> shift & 255) / 255;
        return std::abs(got - std::clamp(v, 0.0f, 1.0f)) < 0.01f;
    };
    for (uint32_t y = 0; y < kSize; ++y)
        for (uint32_t x = 0; x < kSize; ++x) {
            const float fx = (float(x) + 0.5f) / kSize * 2 - 1, fy = (float(y) + 0.5f) / kSize * 2 - 1;
            const uint32_t t = p[y * kSize + x];
            CHECK(at(p, x, y) == (fx > -0.5f));
            if (fx < -0.5f) continue;
            CHECK(close(t, 0, (fx + 0.5f) * 0.5f));
            CHECK(close(t, 8, 0.5f - fy));
            CHECK(close(t, 16, fy));
        }
}

TEST_CASE("clip distances: of geometry and tessellation stages") {
    const std::string strip =
        "layout(points) in; layout(triangle_strip, max_vertices = 4) out; void main() {\n"
        "for (int i = 0; i < 4; ++i) { vec2 p = vec2(i & 1, i >> 1) * 2.0 - 1.0; "
        "gl_Position = vec4(p, 0, 1); ";
    const auto geometry = [&](const std::string& rest, uint8_t planes) {
        return painted(drawn({{Stage::Vertex,
                               "void main() { gl_ClipDistance[0] = 0.5; gl_CullDistance[1] = -1.0; "
                               "gl_Position = vec4(0); }"},
                              {Stage::Geometry, strip + rest + "EmitVertex(); } }"},
                              kWhite},
                             planes, pipe::Primitive::Points, 1));
    };
    // Only the last stage decides what is clipped and culled.
    CHECK(geometry("", 0xff) == kSize * kSize);
    CHECK(geometry("gl_ClipDistance[1] = p.x;", 2) == kSize * kSize / 2);
    CHECK(geometry("gl_ClipDistance[1] = p.x - 0.5 + gl_in[0].gl_ClipDistance[0];", 2) == kSize * kSize / 2);
    CHECK(geometry("gl_CullDistance[0] = gl_in[0].gl_CullDistance[1];", 0) == 0);
    const Texts tess = {
        {Stage::Vertex,
         "void main() { vec2 p = vec2(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1); "
         "gl_Position = vec4(p, 0, 1); gl_ClipDistance[3] = p.x; }"},
        {Stage::TessControl,
         "layout(vertices = 3) out; void main() { gl_out[gl_InvocationID].gl_Position = "
         "gl_in[gl_InvocationID].gl_Position;\n"
         "gl_out[gl_InvocationID].gl_ClipDistance[0] = gl_in[gl_InvocationID].gl_ClipDistance[3];\n"
         "gl_TessLevelInner[0] = 3.0; gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = "
         "4.0; "
         "}"},
        {Stage::TessEval,
         "layout(triangles) in; void main() { gl_Position = vec4(0); float d = 0.0;\n"
         "for (int i = 0; i < 3; ++i) { gl_Position += gl_in[i].gl_Position * gl_TessCoord[i]; d += "
         "gl_in[i].gl_ClipDistance[0] * gl_TessCoord[i]; } gl_ClipDistance[0] = d; }"},
        kWhite};
    CHECK(painted(drawn(tess, 1, pipe::Primitive::Patches, 3)) == kSize * kSize / 2);
    CHECK(painted(drawn(tess, 0, pipe::Primitive::Patches, 3)) == kSize * kSize);
}

}  // namespace terrazzo::soft::test
