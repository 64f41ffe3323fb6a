// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Programs with geometry and tessellation stages, from texts.
#pragma once

#include "tests/common/driver_scene.h"

namespace terrazzo::test {

using Stage = ir::Stage;
using Texts = std::vector<std::pair<Stage, std::string>>;

inline pipe::Ref<pipe::Program> link_stages(DriverScene& s, const Texts& texts,
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

inline constexpr const char* kStageVertex =
    "layout(location = 0) in vec4 position; layout(location = 1) in vec4 color; out vec4 v;"
    "void main() { gl_Position = position; v = color; }";
inline constexpr const char* kStageFragment = "in vec4 c; out vec4 o; void main() { o = c; }";
/// All edges have the level of a uniform. The domain becomes a rectangle between the patch's two corners.
inline constexpr const char* kStageControl =
    "layout(vertices = 2) out; in vec4 v[]; out vec4 t[]; patch out float share; uniform float level;"
    "void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; "
    "t[gl_InvocationID] = v[gl_PatchVerticesIn - 1];"
    "  if (gl_InvocationID == 1) { share = float(gl_PrimitiveID & 1);"
    "  for (int i = 0; i < 4; ++i) gl_TessLevelOuter[i] = level; gl_TessLevelInner[0] = gl_TessLevelInner[1] "
    "= level; } }";
inline constexpr const char* kStageEvaluation =
    "layout(quads, ccw) in; in vec4 t[]; patch in float share; out vec4 c;"
    "void main() { gl_Position = vec4(mix(gl_in[0].gl_Position.xy, gl_in[1].gl_Position.xy, "
    "gl_TessCoord.xy), 0.0, 1.0);"
    "  c = vec4(t[0].rg, share, 1.0); }";

}  // namespace terrazzo::test
