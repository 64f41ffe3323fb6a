// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// gl_ClipDistance and gl_CullDistance (EXT_clip_cull_distance): where they may be declared and used, their
// sizes, and their slots in linked stages.
#include <doctest/doctest.h>

#include <algorithm>

#include "shaders/ir/print.h"
#include "shaders/ir/stage_buffers.h"
#include "shaders/ir/validate_linked.h"
#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using namespace terrazzo::shaders;
using ir::Stage;

namespace {

constexpr std::string_view kExtensions[] = {"GL_EXT_clip_cull_distance", "GL_EXT_geometry_shader",
                                            "GL_EXT_tessellation_shader", "GL_EXT_shader_io_blocks"};

CompileResult compiled(Stage stage, const std::string& text, int version = 310, bool enable = true) {
    CompileOptions o = test::options(stage, 320);
    o.extensions = kExtensions;
    std::string all = "#version " + std::to_string(version) + " es\n";
    if (enable) all += "#extension GL_EXT_clip_cull_distance : require\n";
    if (version == 310)
        all +=
            "#extension GL_EXT_geometry_shader : enable\n#extension GL_EXT_tessellation_shader : enable\n"
            "#extension GL_EXT_shader_io_blocks : enable\n";
    return compile(all + "precision highp float;\n" + text, o);
}

using Texts = std::vector<std::pair<Stage, std::string>>;
LinkResult linked(const Texts& texts, int version = 310, LinkOptions options = {}) {
    std::vector<CompileResult> results;
    std::vector<const CompiledShader*> stages;
    for (const auto& [stage, text] : texts) {
        results.push_back(compiled(stage, text, version));
        if (!results.back().shader) return {nullptr, "COMPILE: " + results.back().log};
    }
    for (const CompileResult& r : results)
        stages.push_back(r.shader.get());
    return link(stages, options);
}

const std::string kFragment = "out vec4 o; void main() { o = vec4(1.0); }";
LinkResult vertex(const std::string& text, int version = 300) {
    return linked({{Stage::Vertex, text}, {Stage::Fragment, kFragment}}, version);
}

/// "clip cull slots" of the linked program, or the log.
std::string sizes(const LinkResult& r) {
    if (!r.program) return r.log;
    return std::to_string(r.program->clip_distances) + " " + std::to_string(r.program->cull_distances) + " " +
           std::to_string(r.program->distance_slots);
}

bool says(const std::string& log, const char* what) {
    if (log.find(what) != log.npos) return true;
    MESSAGE(log);
    return false;
}

}  // namespace

TEST_CASE("clip distances: sizes are declared, or follow from constant indices") {
    for (const int version : {300, 310, 320}) {
        CHECK(sizes(vertex("void main() { gl_Position = vec4(1.0); }", version)) == "0 0 0");
        CHECK(sizes(vertex("void main() { gl_Position = vec4(1.0); gl_ClipDistance[0] = 1.0; }", version)) ==
              "1 0 1");
        CHECK(sizes(vertex("const int k = 4; void main() { gl_ClipDistance[k + 1] = 1.0; "
                           "gl_ClipDistance[2] = 3.0; gl_Position = vec4(1.0); }",
                           version)) == "6 0 2");
        CHECK(
            sizes(vertex("out highp float gl_ClipDistance[3]; out float gl_CullDistance[5];\n"
                         "uniform int n; void main() { gl_Position = vec4(1.0); for (int i = 0; i < n; ++i) "
                         "gl_ClipDistance[i] = float(i); gl_CullDistance[n] = 2.0; }",
                         version)) == "3 5 2");
        // Declared but never written: no clipping and no culling.
        CHECK(sizes(vertex("out highp float gl_ClipDistance[3]; void main() { gl_Position = vec4(1.0); "
                           "gl_CullDistance[0] = 1.0; }",
                           version)) == "0 1 1");
        CHECK(sizes(vertex("out highp float gl_ClipDistance[gl_MaxClipDistances]; void main() {\n"
                           "gl_Position = vec4(float(gl_MaxCullDistances + "
                           "gl_MaxCombinedClipAndCullDistances)); gl_ClipDistance = "
                           "float[8](1.,2.,3.,4.,5.,6.,7.,8.); }",
                           version)) == "8 0 2");
    }
    CHECK(sizes(vertex("out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; float "
                       "gl_CullDistance[3]; };\n"
                       "void main() { gl_Position = vec4(1.0); gl_ClipDistance[1] = 1.0; "
                       "gl_CullDistance[gl_VertexID] = 1.0; }",
                       320)) == "2 3 2");
    CHECK(sizes(vertex("#define CLIP(i) gl_ClipDistance[i]\nvoid main() { CLIP(2) = 1.0; }")) == "3 0 1");
}

TEST_CASE("clip distances: errors") {
    const auto log = [](const std::string& text, Stage stage = Stage::Vertex, int version = 300) {
        return compiled(stage, text, version).log;
    };
    CHECK(says(compiled(Stage::Vertex, "void main() { gl_ClipDistance[0] = 1.0; }", 300, false).log,
               "'gl_ClipDistance' : undeclared identifier"));
    CHECK(says(compiled(Stage::Vertex, "void main() { int i = gl_MaxClipDistances; }", 300, false).log,
               "'gl_MaxClipDistances' : undeclared identifier"));
    CHECK(says(log("uniform int i; void main() { gl_ClipDistance[i] = 1.0; }"), "gl_ClipDistance"));
    CHECK(says(log("void main() { gl_ClipDistance[0] = 1.0; int n = gl_ClipDistance.length(); }"),
               "ERROR: 0:4"));
    CHECK(says(log("void main() { gl_ClipDistance[8] = 1.0; }"), "array index out of range '8'"));
    CHECK(says(log("out float gl_CullDistance[9]; void main() {}"),
               "'gl_CullDistance' : has 9 elements; the limit is 8"));
    CHECK(says(log("void main() { gl_ClipDistance[4] = 1.0; gl_CullDistance[3] = 1.0; }"),
               "'gl_ClipDistance' and 'gl_CullDistance' have 9 elements together"));
    CHECK(says(log("out vec2 gl_ClipDistance[2]; void main() {}"), "gl_ClipDistance"));
    CHECK(
        says(log("out float gl_ClipDistance; void main() {}"), "'gl_ClipDistance' : is an array of floats"));
    CHECK(says(log("flat out float gl_ClipDistance[2]; void main() {}"), "no interpolation qualifier"));
    CHECK(says(log("in float gl_ClipDistance[2]; void main() {}"), "vertex input arrays"));
    CHECK(says(log("uniform float gl_ClipDistance[2]; void main() {}"), "are reserved"));
    CHECK(says(log("void main() { float gl_ClipDistance = 1.0; gl_Position = vec4(gl_ClipDistance); }",
                   Stage::Vertex, 310),
               "are reserved"));
    CHECK(says(log("void main() { gl_ClipDistance[0] = 1.0; }\nout float gl_ClipDistance[2];\nvoid f() { "
                   "gl_ClipDistance[1] = 1.0; }"),
               "undeclared identifier"));
    CHECK(says(log("void main() { gl_ClipDistance[0] = 1.0; }", Stage::Fragment), "gl_ClipDistance"));
    CHECK(says(log("out float gl_ClipDistance[2]; void main() {}", Stage::Fragment),
               "the stage has no such output"));
}

TEST_CASE("clip distances: stages must agree about sizes") {
    const auto pair = [](const std::string& v, const std::string& f) {
        return sizes(
            linked({{Stage::Vertex, v + "void main() { gl_Position = vec4(1.0); gl_ClipDistance[1] = "
                                        "1.0; gl_CullDistance[0] = 1.0; }"},
                    {Stage::Fragment, f}},
                   300));
    };
    const std::string reads =
        "out vec4 o; void main() { o = vec4(gl_ClipDistance[0] + gl_CullDistance[0]); }";
    CHECK(pair("", reads) == "2 1 1");  // each stage has the size of its indices
    CHECK(pair("out float gl_ClipDistance[2];", "in float gl_ClipDistance[2];" + reads) == "2 1 1");
    CHECK(says(pair("out float gl_ClipDistance[3];", "in float gl_ClipDistance[2];" + reads),
               "gl_ClipDistance has different sizes: 3 in the vertex shader, 2 in the fragment shader"));
    CHECK(says(pair("out float gl_ClipDistance[2];", reads), "gl_ClipDistance has different sizes"));
    CHECK(says(pair("", "in float gl_CullDistance[2];" + reads), "gl_CullDistance has different sizes"));
    CHECK(says(pair("out float gl_CullDistance[6];",
                    "in float gl_ClipDistance[7]; out vec4 o; void main() { o "
                    "= vec4(gl_ClipDistance[3]); }"),
               "ERROR"));
    CHECK(says(pair("", "out vec4 o; void main() { o = vec4(gl_ClipDistance[7]); }"),
               "have too many elements"));
    LinkOptions without;
    without.limits.distances = 0;
    CHECK(says(
        linked({{Stage::Vertex, "void main() { gl_ClipDistance[0] = 1.0; }"}, {Stage::Fragment, kFragment}},
               300, without)
            .log,
        "0 are supported together"));
}

TEST_CASE("clip distances: cull distances follow clip distances, and reads beyond them are 0") {
    const LinkResult r =
        linked({{Stage::Vertex,
                 "out float gl_ClipDistance[3]; in vec4 a; void main() { gl_Position = a;\n"
                 "gl_ClipDistance[0] = a.x; gl_ClipDistance[2] = a.y; gl_CullDistance[1] = a.z; }"},
                {Stage::Fragment,
                 "out vec4 o; void main() { o = vec4(gl_CullDistance[0], gl_CullDistance[1], 0, "
                 "gl_CullDistance[2]); }"}},
               300);
    REQUIRE_MESSAGE(r.program, r.log);
    CHECK(sizes(r) == "3 2 2");
    std::string why;
    const auto back = deserialize(serialize(*r.program), Stages::AtOnce, {}, &why);
    REQUIRE_MESSAGE(back, why);
    CHECK(back->clip_distances == 3);
    CHECK(back->cull_distances == 2);
    const std::string v = ir::print(*back->stages[unsigned(Stage::Vertex)]);
    // Slot 2 has the first four distances: those that are not written are 0.
    for (const char* const store :
         {"store_output 2.x", "store_output 2.y", "store_output 2.z", "store_output 2.w", "store_output 3.x"})
        CHECK(says(v, store));
    const std::string f = ir::print(*back->stages[unsigned(Stage::Fragment)]);
    CHECK(says(f, "load_input 2.w"));
    CHECK(says(f, "load_input 3.x"));
    CHECK(f.find("load_input 3.y") == f.npos);
}

TEST_CASE("clip distances: through geometry and tessellation stages") {
    const Texts texts = {
        {Stage::Vertex,
         "void main() { gl_Position = vec4(1.0); gl_ClipDistance[1] = 1.0; gl_CullDistance[0] = "
         "3.0; }"},
        {Stage::TessControl,
         "layout(vertices = 2) out; void main() { gl_out[gl_InvocationID].gl_Position = "
         "gl_in[gl_InvocationID].gl_Position;\n"
         "gl_out[gl_InvocationID].gl_ClipDistance[1] = gl_in[gl_InvocationID].gl_ClipDistance[1];\n"
         "gl_out[gl_InvocationID].gl_ClipDistance[0] = gl_in[0].gl_CullDistance[0]; }"},
        {Stage::TessEval,
         "layout(isolines) in; void main() { gl_Position = gl_in[0].gl_Position; "
         "gl_ClipDistance[2] = gl_in[1].gl_ClipDistance[1]; }"},
        {Stage::Geometry,
         "layout(lines) in; layout(line_strip, max_vertices = 2) out;\n"
         "in gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[3]; } gl_in[];\n"
         "out gl_PerVertex { vec4 gl_Position; float gl_CullDistance[4]; };\n"
         "void main() { for (int i = 0; i < 2; ++i) { gl_Position = gl_in[i].gl_Position; gl_CullDistance[i] "
         "= "
         "gl_in[i].gl_ClipDistance[i]; EmitVertex(); } }"},
        {Stage::Fragment,
         "in float gl_CullDistance[4]; out vec4 o; void main() { o = "
         "vec4(gl_CullDistance[0]); }"}};
    Texts sized = texts;
    const LinkResult r = linked(texts);
    REQUIRE_MESSAGE(r.program, r.log);
    CHECK(sizes(r) == "0 4 1");
    const auto& g = r.program->stages[unsigned(Stage::Geometry)]->info.records;
    CHECK((g.slots_in & ir::distance_mask(2)) == ir::distance_mask(1));
    CHECK((g.slots_out & ir::distance_mask(2)) == ir::distance_mask(1));
    CHECK(deserialize(serialize(*r.program)));
    sized.pop_back();
    sized.erase(sized.begin() + 1, sized.end());
    sized.push_back({Stage::Fragment, kFragment});
    CHECK(sizes(linked(sized)) == "2 1 1");
}

TEST_CASE("clip distances: captured and listed") {
    LinkOptions o;
    const std::vector<std::string> captured = {"gl_CullDistance[1]", "gl_ClipDistance"};
    o.capture = captured;
    const LinkResult r =
        linked({{Stage::Vertex,
                 "out float gl_ClipDistance[3]; out float gl_CullDistance[2]; void main() { gl_Position = "
                 "vec4(1.0); gl_ClipDistance[1] = 1.0; gl_CullDistance[1] = 4.0; }"},
                {Stage::Fragment, kFragment}},
               300, o);
    REQUIRE_MESSAGE(r.program, r.log);
    const auto& out = r.program->stream_output.outputs;
    REQUIRE(out.size() == 2);
    CHECK((out[0].slot == 3 && out[0].component == 0 && out[0].count == 1));
    CHECK((out[1].slot == 2 && out[1].component == 0 && out[1].count == 3));
    CHECK(deserialize(serialize(*r.program)));
    LinkOptions alone;
    alone.separable = true;
    const LinkResult v = linked({{Stage::Vertex, "void main() { gl_ClipDistance[1] = 1.0; }"}}, 310, alone);
    REQUIRE_MESSAGE(v.program, v.log);
    CHECK(std::any_of(v.program->outputs.begin(), v.program->outputs.end(),
                      [](const OutputInfo& i) { return i.name == "gl_ClipDistance" && i.array_size == 2; }));
}

TEST_CASE("clip distances: a program from a binary must keep the limits") {
    const LinkResult r = vertex("void main() { gl_Position = vec4(1.0); gl_ClipDistance[3] = 1.0; }");
    REQUIRE(r.program);
    const auto changed = [&](auto&& change, const Limits& limits = {}) {
        LinkedProgram p = *r.program;
        change(p);
        std::string why;
        CHECK_FALSE(deserialize(serialize(p), Stages::AtOnce, limits, &why));
        return why;
    };
    CHECK(says(changed([](LinkedProgram& p) { p.cull_distances = 5; }), "clip and cull distances: 9"));
    CHECK(says(changed([](LinkedProgram& p) { p.clip_distances = 255; }), "clip and cull distances"));
    CHECK(says(changed([](LinkedProgram& p) { p.distance_slots = 3; }), "vectors of distances: 3"));
    CHECK(says(changed([](LinkedProgram& p) { p.distance_slots = 0; }), "other inputs and outputs"));
    Limits without;
    without.distances = 0;
    CHECK(says(changed([](LinkedProgram&) {}, without), "the limit is 0"));
}
