// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Programs of OpenGL ES 3.1, with random arguments, by the rules of commands.cpp: compute shaders, separable
// programs and pipelines, glProgramUniform*, program interfaces, program binaries.
#include <GLES3/gl31.h>

#include <vector>

#include "tests/fuzz/commands.h"

namespace fuzz {

namespace {

using R = Random;

constexpr const char* kComputeTexts[] = {
    "#version 310 es\nlayout(local_size_x = 4, local_size_y = 2) in; shared uint s[8]; uniform uint k; "
    "uniform vec4 u[3];\n"
    "layout(binding = 0) buffer A { uint n; vec4 a[]; }; layout(binding = 1) uniform atomic_uint c;\n"
    "void main() { uint i = gl_LocalInvocationIndex; s[i] = atomicAdd(n, k); barrier();\n"
    "a[s[7u - i] & 63u] += u[i % 3u] * float(atomicCounterIncrement(c)); }",
    "#version 310 es\nlayout(local_size_x = 8) in; layout(r32ui, binding = 0) uniform highp uimage2D m;\n"
    "layout(rgba8, binding = 1) uniform highp writeonly image2D w; uniform ivec2 at;\n"
    "void main() { uvec4 t = imageLoad(m, at + ivec2(gl_GlobalInvocationID.xy)); imageStore(m, at, t + 1u);\n"
    "imageStore(w, imageSize(m) - at, vec4(t) * 0.1); }"};

constexpr const char* kStageTexts[] = {
    "#version 310 es\nin vec4 a; uniform vec4 u[2]; layout(location = 1) out vec4 v; void main() {\n"
    "gl_Position = a + u[gl_VertexID & 1]; v = a; gl_PointSize = 2.0; }",
    "#version 310 es\nin vec4 a; layout(location = 1) flat out struct { vec4 p; ivec2 q; } s; void main() {\n"
    "gl_Position = a; s.p = a; s.q = ivec2(a.xy); }",
    "#version 310 es\nprecision highp float; layout(location = 1) in vec4 v; uniform vec4 u[2]; out vec4 o;\n"
    "layout(binding = 0) buffer A { uint n; vec4 a[]; }; void main() { o = v + u[1]; a[n & 7u] = o; }",
    "#version 310 es\nprecision highp float; layout(location = 1) in vec4 w; uniform sampler2D t; out vec4 "
    "o;\n"
    "void main() { o = texture(t, w.xy) + gl_FragCoord; }"};

void compute_program(R& r) {
    const GLuint p = glCreateProgram(), s = glCreateShader(GL_COMPUTE_SHADER);
    const char* const text = kComputeTexts[r.below(2)];
    glShaderSource(s, 1, &text, nullptr);
    glCompileShader(s);
    glAttachShader(p, s);
    glDeleteShader(s);
    if (r.one_in(4)) glProgramParameteri(p, GL_PROGRAM_SEPARABLE, GL_TRUE);
    glLinkProgram(p);
    glUseProgram(p);
    glDispatchCompute(r.below(4), r.below(3), r.one_in(20) ? r.bits() | 1u << 20 : 1);
    if (r.one_in(3)) glDispatchComputeIndirect(GLintptr(r.count(8)) * 4);
    if (r.one_in(2)) glDeleteProgram(p);
}

void separable_program(R& r) {
    const uint32_t n = r.below(4);
    const GLenum type = r.one_in(12) ? GL_COMPUTE_SHADER : n < 2 ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER;
    const GLuint p = glCreateShaderProgramv(type, r.one_in(20) ? -1 : 1, &kStageTexts[n]);
    if (r.one_in(3)) glDeleteProgram(p);
}

void pipelines(R& r) {
    GLuint name = r.name();
    switch (r.below(8)) {
        case 0:
            return glGenProgramPipelines(1, &name);
        case 1:
            return glDeleteProgramPipelines(1, &name);
        case 2:
            return glBindProgramPipeline(name);
        case 3:
            return glActiveShaderProgram(name, r.name());
        case 4:
            return glValidateProgramPipeline(name);
        case 5: {
            char text[40];
            glGetProgramPipelineInfoLog(name, r.bounded(40), nullptr, text);
            return glGetProgramPipelineiv(
                name, r.pick({GL_ACTIVE_PROGRAM, GL_VERTEX_SHADER, GL_INFO_LOG_LENGTH}), r.array<GLint>());
        }
        default:
            return glUseProgramStages(
                name,
                r.one_in(20) ? r.bits()
                             : r.pick({GL_VERTEX_SHADER_BIT, GL_FRAGMENT_SHADER_BIT, GL_ALL_SHADER_BITS}),
                r.name());
    }
}

/// Two programs in a pipeline that usually fit together, and a draw with it.
void draw_pipeline(R& r) {
    GLuint name = 0;
    const GLuint v = glCreateShaderProgramv(GL_VERTEX_SHADER, 1, &kStageTexts[r.below(2)]);
    const GLuint f = glCreateShaderProgramv(GL_FRAGMENT_SHADER, 1, &kStageTexts[2 + r.below(2)]);
    glGenProgramPipelines(1, &name);
    glUseProgramStages(name, GL_VERTEX_SHADER_BIT, v);
    if (!r.one_in(4)) glUseProgramStages(name, GL_FRAGMENT_SHADER_BIT, f);
    glUseProgram(0);
    glBindProgramPipeline(name);
    glProgramUniform4fv(v, glGetUniformLocation(v, "u"), r.bounded(3), r.array<GLfloat>());
    glDrawArrays(GL_POINTS, r.bounded(40), r.bounded(60));
    if (r.one_in(2)) glDeleteProgram(v);
    if (r.one_in(2)) glDeleteProgram(f);
    if (r.one_in(2)) glDeleteProgramPipelines(1, &name);
}

void program_uniforms(R& r) {
    const GLuint p = r.name();
    const GLint at = r.one_in(20) ? GLint(r.bits()) : GLint(r.below(6));
    const GLsizei n = r.bounded(4);
    switch (r.below(6)) {
        case 0:
            return glProgramUniform1i(p, at, GLint(r.below(20)));
        case 1:
            return glProgramUniform4fv(p, at, n, r.array<GLfloat>());
        case 2:
            return glProgramUniform2iv(p, at, n, r.array<GLint>());
        case 3:
            return glProgramUniform1ui(p, at, r.bits());
        case 4:
            return glProgramUniformMatrix3x4fv(p, at, n, r.boolean(), r.array<GLfloat>());
        default:
            return glProgramUniformMatrix2fv(p, at, n, r.boolean(), r.array<GLfloat>());
    }
}

void interfaces(R& r) {
    const GLuint p = r.name(), i = r.below(5);
    const GLenum interface =
        r.pick({GL_UNIFORM, GL_UNIFORM_BLOCK, GL_PROGRAM_INPUT, GL_PROGRAM_OUTPUT, GL_BUFFER_VARIABLE,
                GL_SHADER_STORAGE_BLOCK, GL_ATOMIC_COUNTER_BUFFER, GL_TRANSFORM_FEEDBACK_VARYING});
    const char* const names[] = {"u", "u[1]", "a", "A", "v", "s.p", "gl_Position", "u[99999999999]"};
    const char* const name = names[r.below(8)];
    auto* const out = r.array<GLint>();
    char text[32];
    switch (r.below(5)) {
        case 0:
            return glGetProgramInterfaceiv(
                p, interface, r.pick({GL_ACTIVE_RESOURCES, GL_MAX_NAME_LENGTH, GL_MAX_NUM_ACTIVE_VARIABLES}),
                out);
        case 1:
            glGetProgramResourceIndex(p, interface, name);
            return;
        case 2:
            return glGetProgramResourceName(p, interface, i, r.bounded(32), nullptr, text);
        case 3:
            glGetProgramResourceLocation(p, interface, name);
            return;
        default: {
            const GLenum properties[] = {r.pick({GL_NAME_LENGTH, GL_TYPE, GL_ACTIVE_VARIABLES}),
                                         r.pick({GL_LOCATION, GL_OFFSET, GL_BUFFER_BINDING}),
                                         r.pick({GL_REFERENCED_BY_COMPUTE_SHADER, GL_TOP_LEVEL_ARRAY_SIZE})};
            return glGetProgramResourceiv(p, interface, i, r.bounded(3), properties, r.bounded(60), nullptr,
                                          out);
        }
    }
}

/// Gets the binary of a program, sometimes changes it, and loads it into another program.
void binaries(R& r) {
    std::vector<unsigned char> bytes(16384);
    GLsizei length = 0;
    GLenum format = 0;
    glGetProgramBinary(r.name(), r.one_in(10) ? r.bounded(16384) : 16384, &length, &format, bytes.data());
    if (length > 0 && r.one_in(3)) bytes[r.below(uint32_t(length))] ^= uint8_t(1 + r.below(255));
    glProgramBinary(r.name(), format, bytes.data(), r.one_in(10) ? r.bounded(uint32_t(length)) : length);
}

const Command kCommands[] = {
    {6, "compute programs", compute_program},
    {4, "separable programs", separable_program},
    {10, "pipelines", pipelines},
    {4, "draw with a pipeline", draw_pipeline},
    {8, "glProgramUniform", program_uniforms},
    {10, "program interfaces", interfaces},
    {2, "program binaries", binaries},
};

}  // namespace

std::span<const Command> program_commands() {
    return kCommands;
}

}  // namespace fuzz
