// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What geometry and tessellation stages cannot do is refused with the reason; tests/pipe_conformance has what they can.
#include "tests/adreno/driver/open_scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

namespace {

using Stage = ir::Stage;
using Texts = std::vector<std::pair<Stage, std::string>>;

pipe::Ref<pipe::Program> link_stages(DriverScene& s, const Texts& texts,
                                     std::vector<std::string> capture = {}) {
    shaders::CompileOptions options;
    options.max_version = 320;
    std::vector<std::shared_ptr<const shaders::CompiledShader>> compiled;
    std::vector<const shaders::CompiledShader*> stages;
    for (const auto& [stage, text] : texts) {
        options.stage = stage;
        const auto one = shaders::compile("#version 320 es\nprecision highp float;\n" + text, options);
        REQUIRE_MESSAGE(one.shader, one.log);
        compiled.push_back(one.shader);
        stages.push_back(one.shader.get());
    }
    shaders::LinkOptions link_options;
    link_options.capture = capture;
    const shaders::LinkResult linked = shaders::link(stages, link_options);
    REQUIRE_MESSAGE(linked.program, linked.log);
    pipe::ProgramDesc d;
    for (const auto& [stage, text] : texts)
        d.stages[unsigned(stage)] = linked.program->stages[unsigned(stage)].get();
    if (!capture.empty()) d.stream_output = &linked.program->stream_output;
    auto p = s.screen->create_program(d, s.log());
    REQUIRE_MESSAGE(p, s.messages);
    return p;
}

constexpr const char* kVertex =
    "layout(location = 0) in vec4 position; layout(location = 1) in vec4 color; out vec4 v;"
    "void main() { gl_Position = position; v = color; }";
constexpr const char* kFragment = "in vec4 c; out vec4 o; void main() { o = c; }";
/// Levels of a uniform for all edges; the domain is a rectangle between the patch's two corners.
constexpr const char* kControl =
    "layout(vertices = 2) out; in vec4 v[]; out vec4 t[]; patch out float share; uniform float level;"
    "void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; "
    "t[gl_InvocationID] = v[gl_PatchVerticesIn - 1];"
    "  if (gl_InvocationID == 1) { share = float(gl_PrimitiveID & 1);"
    "  for (int i = 0; i < 4; ++i) gl_TessLevelOuter[i] = level; gl_TessLevelInner[0] = gl_TessLevelInner[1] "
    "= level; } }";
constexpr const char* kEvaluation =
    "layout(quads, ccw) in; in vec4 t[]; patch in float share; out vec4 c;"
    "void main() { gl_Position = vec4(mix(gl_in[0].gl_Position.xy, gl_in[1].gl_Position.xy, "
    "gl_TessCoord.xy), 0.0, 1.0);"
    "  c = vec4(t[0].rg, share, 1.0); }";

}  // namespace

TEST_CASE("tessellation: patches need it, and it needs patches; what the stages cannot is refused") {
    DriverScene s = open_scene(32, 32);
    s.begin();
    s.draw(pipe::Primitive::Patches, {s.at(0, 0), s.at(1, 1), s.at(0, 1)});
    CHECK(s.messages.find("patches are drawn by programs with tessellation") != std::string::npos);
    s.messages.clear();
    const auto program = link_stages(s, {{Stage::Vertex, kVertex},
                                         {Stage::TessControl, kControl},
                                         {Stage::TessEval, kEvaluation},
                                         {Stage::Fragment, kFragment}});
    s.context->bind_program(program.get());
    s.draw(pipe::Primitive::Triangles, {s.at(0, 0), s.at(1, 1), s.at(0, 1)});
    CHECK(s.messages.find("patches are drawn by programs with tessellation") != std::string::npos);
    (void)s.pixels();
    // Storage would be written once for each vertex that may come out.
    shaders::CompileOptions options;
    options.max_version = 320;
    std::vector<std::shared_ptr<const shaders::CompiledShader>> compiled;
    std::vector<const shaders::CompiledShader*> stages;
    const Texts texts = {{Stage::Vertex, kVertex},
                         {Stage::Geometry,
                          "layout(points) in; layout(points, max_vertices = 1) out; layout(std430, binding = "
                          "0) buffer B { int n; }; in vec4 v[]; out vec4 c;"
                          "void main() { atomicAdd(n, 1); c = v[0]; gl_Position = v[0]; EmitVertex(); }"},
                         {Stage::Fragment, kFragment}};
    for (const auto& [stage, text] : texts) {
        options.stage = stage;
        compiled.push_back(
            shaders::compile("#version 320 es\nprecision highp float;\n" + text, options).shader);
        REQUIRE(compiled.back());
        stages.push_back(compiled.back().get());
    }
    shaders::LinkOptions link_options;
    link_options.limits.later_stages_store = s.screen->caps().later_stages_store;
    const auto refused = shaders::link(stages, link_options);
    CHECK(!refused.program);
    CHECK(refused.log.find("storage") != std::string::npos);
    link_options.limits.later_stages_store = true;
    const auto linked = shaders::link(stages, link_options);
    REQUIRE(linked.program);
    pipe::ProgramDesc d;
    for (const auto& [stage, text] : texts)
        d.stages[unsigned(stage)] = linked.program->stages[unsigned(stage)].get();
    std::string log;
    const pipe::Log to{[](void* data, pipe::Severity, std::string_view text) {
                           static_cast<std::string*>(data)->append(text);
                       },
                       &log};
    CHECK(!s.screen->create_program(d, to));
    CHECK(log.find("geometry shader: it reads or writes storage buffers or images") != std::string::npos);
}
