// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Unsupported geometry and tessellation stages are refused with the reason. tests/pipe_conformance tests the
// supported ones.
#include "tests/adreno/driver/open_scene.h"
#include "tests/common/stage_programs.h"

using namespace terrazzo;
using namespace terrazzo::test;

TEST_CASE("tessellation: patches need it, and it needs patches; unsupported stages are refused") {
    DriverScene s = open_scene(32, 32);
    s.begin();
    s.draw(pipe::Primitive::Patches, {s.at(0, 0), s.at(1, 1), s.at(0, 1)});
    CHECK(s.messages.has("patches are drawn by programs with tessellation"));
    s.messages.clear();
    const auto program = link_stages(s, {{Stage::Vertex, kStageVertex},
                                         {Stage::TessControl, kStageControl},
                                         {Stage::TessEval, kStageEvaluation},
                                         {Stage::Fragment, kStageFragment}});
    s.context->bind_program(program.get());
    s.draw(pipe::Primitive::Triangles, {s.at(0, 0), s.at(1, 1), s.at(0, 1)});
    CHECK(s.messages.has("patches are drawn by programs with tessellation"));
    (void)s.pixels();
    // A store would run once for each vertex that the stage may emit.
    shaders::CompileOptions options;
    options.max_version = 320;
    std::vector<std::shared_ptr<const shaders::CompiledShader>> compiled;
    std::vector<const shaders::CompiledShader*> stages;
    const Texts texts = {{Stage::Vertex, kStageVertex},
                         {Stage::Geometry,
                          "layout(points) in; layout(points, max_vertices = 1) out; layout(std430, binding = "
                          "0) buffer B { int n; }; in vec4 v[]; out vec4 c;"
                          "void main() { atomicAdd(n, 1); c = v[0]; gl_Position = v[0]; EmitVertex(); }"},
                         {Stage::Fragment, kStageFragment}};
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
    CHECK(log.find("geometry shader: it uses storage buffers or images") != std::string::npos);
}
