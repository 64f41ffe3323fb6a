// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Programs with geometry and tessellation stages: which ones link, the errors of the others, and the layout
// of their records.
#include <doctest/doctest.h>

#include "shaders/compile.h"
#include "shaders/ir/stage_buffers.h"

using namespace terrazzo;
using namespace terrazzo::shaders;

namespace {

using ir::Stage;
using Texts = std::vector<std::pair<Stage, std::string>>;

constexpr std::string_view kExtensions[] = {"GL_EXT_geometry_shader", "GL_EXT_geometry_point_size",
                                            "GL_EXT_tessellation_shader"};
constexpr const char* kHead =
    "#version 310 es\n#extension GL_EXT_geometry_shader : enable\n"
    "#extension GL_EXT_tessellation_shader : enable\nprecision highp float;\n";
constexpr const char* kVertex =
    "layout(location = 0) in vec4 a; out vec4 color; out vec2 unused;\n"
    "void main() { gl_Position = a; color = a; unused = a.xy; }";
constexpr const char* kGeometry =
    "layout(triangles, invocations = 2) in; layout(triangle_strip, max_vertices = 3) out;\n"
    "in vec4 color[]; out vec4 shade; flat out int n;\n"
    "void main() { for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; shade = color[i];\n"
    "n = gl_InvocationID + gl_PrimitiveIDIn; EmitVertex(); } EndPrimitive(); }";
constexpr const char* kFragment =
    "in vec4 shade; flat in int n; out vec4 o; void main() { o = shade * float(n); }";
constexpr const char* kControl =
    "layout(vertices = 4) out; in vec4 color[]; out vec4 kept[]; patch out vec3 middle;\n"
    "void main() { kept[gl_InvocationID] = color[gl_InvocationID];\n"
    "gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; barrier();\n"
    "middle = kept[0].xyz + kept[3].xyz; gl_TessLevelOuter[gl_InvocationID] = 2.0; gl_TessLevelInner[0] = "
    "float(gl_PatchVerticesIn); }";
constexpr const char* kEvaluation =
    "layout(quads, fractional_odd_spacing, cw) in; in vec4 kept[]; patch in vec3 middle; out vec4 color;\n"
    "void main() { gl_Position = mix(gl_in[0].gl_Position, gl_in[3].gl_Position, gl_TessCoord.x);\n"
    "color = kept[1] + vec4(middle, gl_TessLevelOuter[1]); }";

LinkResult linked(const Texts& texts) {
    std::vector<CompileResult> results;
    std::vector<const CompiledShader*> stages;
    for (const auto& [stage, text] : texts) {
        CompileOptions o;
        o.stage = stage;
        o.max_version = 310;
        o.extensions = kExtensions;
        results.push_back(compile(kHead + text, o));
        REQUIRE_MESSAGE(results.back().shader, results.back().log);
    }
    for (const CompileResult& r : results)
        stages.push_back(r.shader.get());
    return link(stages, {});
}

const ir::StageRecords& records(const LinkedProgram& p, Stage s) {
    return p.stages[unsigned(s)].stored()->info().records;
}

uint64_t slots(std::initializer_list<ir::VaryingSlot> list) {
    uint64_t mask = 0;
    for (const ir::VaryingSlot s : list)
        mask |= uint64_t(1) << unsigned(s);
    return mask;
}

TEST_CASE("link: a geometry stage reads and writes records") {
    const LinkResult r =
        linked({{Stage::Vertex, kVertex}, {Stage::Geometry, kGeometry}, {Stage::Fragment, kFragment}});
    REQUIRE_MESSAGE(r.program, r.log);
    const ir::StageRecords& g = records(*r.program, Stage::Geometry);
    CHECK(g.in == ir::Shape::Triangles);
    CHECK(g.out == ir::Shape::Triangles);
    CHECK(g.vertices_in == 3);
    CHECK(g.vertices_out == 3);
    CHECK(g.invocations == 2);
    using Slot = ir::VaryingSlot;
    CHECK((g.slots_in & slots({Slot::Position, Slot::Varying0})) == slots({Slot::Position, Slot::Varying0}));
    // The slots that the fragment stage reads, and the flag where strips begin.
    CHECK((g.slots_out & ~(uint64_t(1) << unsigned(ir::EmitSlot::StripStart))) ==
          slots({Slot::Position, Slot::Varying0, ir::VaryingSlot(unsigned(Slot::Varying0) + 1)}));
    // The vertex stage stores no output that is not read.
    CHECK(r.program->stages[unsigned(Stage::Vertex)]->info.outputs_written ==
          slots({Slot::Position, Slot::Varying0}));
}

TEST_CASE("link: tessellation stages share their records; programs are restored from bytes") {
    const LinkResult r = linked({{Stage::Vertex, kVertex},
                                 {Stage::TessControl, kControl},
                                 {Stage::TessEval, kEvaluation},
                                 {Stage::Fragment, "in vec4 color; out vec4 o; void main() { o = color; }"}});
    REQUIRE_MESSAGE(r.program, r.log);
    const ir::StageRecords &c = records(*r.program, Stage::TessControl),
                           &e = records(*r.program, Stage::TessEval);
    CHECK(c.vertices_out == 4);
    CHECK(e.vertices_in == 4);
    CHECK(c.slots_out == e.slots_in);
    CHECK(c.patch_rows == 3);
    CHECK(e.patch_rows == 3);
    CHECK(e.in == ir::Shape::Quads);
    CHECK(e.spacing == ir::Spacing::FractionalOdd);
    CHECK(e.clockwise);
    CHECK(r.program->stages[unsigned(Stage::TessControl)]->info.uses_barriers);
    std::string why;
    const auto back = deserialize(serialize(*r.program), Stages::AtOnce, {}, &why);
    REQUIRE_MESSAGE(back, why);
    CHECK(records(*back, Stage::TessEval) == e);
}

TEST_CASE("link: limits of geometry and tessellation stages") {
    const auto error = [](const Texts& t) {
        const LinkResult r = linked(t);
        CHECK(!r.program);
        return r.log;
    };
    const std::pair<Stage, std::string> vertex = {Stage::Vertex, kVertex},
                                        fragment = {Stage::Fragment,
                                                    "out vec4 o; void main() { o = vec4(1); }"};
    CHECK(
        error({vertex, {Stage::Geometry, "layout(points) in; layout(points) out; void main() {}"}, fragment})
            .find("does not declare") != std::string::npos);
    CHECK(
        error({vertex, {Stage::TessControl, kControl}, fragment}).find("without a tessellation evaluation") !=
        std::string::npos);
    CHECK(error({vertex,
                 {Stage::Geometry,
                  "layout(points) in; layout(points, max_vertices = 1) out; in vec3 color[]; "
                  "void main() { gl_Position = color[0].xyzz; EmitVertex(); }"},
                 fragment})
              .find("different types") != std::string::npos);
    CHECK(error({vertex,
                 {Stage::Geometry,
                  "layout(points) in; layout(points, max_vertices = 256) out; out vec4 much; "
                  "void main() { much = gl_Position = vec4(0); EmitVertex(); }"},
                 fragment})
              .find("too many components") != std::string::npos);
    CHECK(error({vertex,
                 {Stage::TessControl, kControl},
                 {Stage::TessEval, kEvaluation},
                 {Stage::Geometry, "layout(points) in; layout(points, max_vertices = 1) out; void main() {}"},
                 fragment})
              .find("another primitive") != std::string::npos);
}

}  // namespace
