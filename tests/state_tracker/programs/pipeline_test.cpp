// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Program pipelines: objects, their errors (OpenGL ES 3.1 section 7.4), and what a draw uses from each
// program.
#include "state_tracker/programs/pipeline.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

constexpr char kVertex[] =
    "#version 310 es\n"
    "in vec4 position; uniform vec4 u; layout(location = 1) out vec4 a; out float b;\n"
    "void main() { gl_Position = position + u; a = position.yxwz; b = position.y; }\n";
constexpr char kFragment[] =
    "#version 310 es\n"
    "precision highp float; uniform float u; layout(location = 1) in vec4 other; in float b; out vec4 "
    "color;\n"
    "void main() { color = other * u + b; }\n";

struct Pipelines : test::Harness {
    Pipelines()
        : Harness([] {
              ContextConfig c;
              c.version = 31;
              return c;
          }()),
          v(create(GL_VERTEX_SHADER, kVertex)),
          f(create(GL_FRAGMENT_SHADER, kFragment)) {
        REQUIRE(linked(v));
        REQUIRE(linked(f));
        GenProgramPipelines(ctx, 1, &name);
    }
    GLuint create(GLenum type, const char* const text) { return CreateShaderProgramv(ctx, type, 1, &text); }
    void use(GLuint vertex, GLuint fragment) {
        UseProgramStages(ctx, name, GL_VERTEX_SHADER_BIT, vertex);
        UseProgramStages(ctx, name, GL_FRAGMENT_SHADER_BIT, fragment);
        BindProgramPipeline(ctx, name);
    }
    GLint value(GLenum pname) {
        GLint n = -77;
        GetProgramPipelineiv(ctx, name, pname, &n);
        return n;
    }
    float uniform(pipe::Stage s, size_t i) {
        const auto& block = pipe().uniforms[size_t(s)];
        float out = -77;
        if (i < block.size()) std::memcpy(&out, &block[i], 4);
        return out;
    }
    GLuint v, f, name = 0;
};

}  // namespace

TEST_CASE("a pipeline draws with the uniforms of its programs") {
    Pipelines h;
    Context& c = h.ctx;
    h.use(h.v, h.f);
    ProgramUniform4f(c, h.v, GetUniformLocation(c, h.v, "u"), 1, 2, 3, 4);
    ProgramUniform1f(c, h.f, GetUniformLocation(c, h.f, "u"), 5);
    DrawArrays(c, GL_POINTS, 0, 1);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.uniform(pipe::Stage::Vertex, 3) == 4);
    CHECK(h.uniform(pipe::Stage::Fragment, 0) == 5);
    ActiveShaderProgram(c, h.name, h.f);
    Uniform1f(c, GetUniformLocation(c, h.f, "u"), 6);
    DrawArrays(c, GL_POINTS, 0, 1);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.uniform(pipe::Stage::Fragment, 0) == 6);
    ValidateProgramPipeline(c, h.name);
    CHECK(h.value(GL_VALIDATE_STATUS) == 1);
    CHECK(h.value(GL_INFO_LOG_LENGTH) == 0);
}

TEST_CASE("a program in use overrides the pipeline") {
    Pipelines h;
    Context& c = h.ctx;
    const GLuint p =
        h.program("#version 300 es\nin vec4 a; uniform float u; void main() { gl_Position = a * u; }",
                  "#version 300 es\nprecision highp float; out vec4 o; void main() { o = vec4(1); }");
    h.use(h.v, h.f);
    UseProgram(c, p);
    Uniform1f(c, GetUniformLocation(c, p, "u"), 9);
    DrawArrays(c, GL_POINTS, 0, 1);
    CHECK(h.uniform(pipe::Stage::Vertex, 0) == 9);
    UseProgram(c, 0);
    ProgramUniform4f(c, h.v, GetUniformLocation(c, h.v, "u"), 7, 2, 3, 4);
    DrawArrays(c, GL_POINTS, 0, 1);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.uniform(pipe::Stage::Vertex, 0) == 7);
}

TEST_CASE("stages that do not fit together draw nothing") {
    Pipelines h;
    Context& c = h.ctx;
    const GLuint wrong =
        h.create(GL_FRAGMENT_SHADER,
                 "#version 310 es\nprecision highp float; layout(location = 1) in vec2 other; "
                 "out vec4 color; void main() { color = other.xyxy; }");
    REQUIRE(h.linked(wrong));
    h.use(h.v, wrong);
    ValidateProgramPipeline(c, h.name);
    CHECK(h.value(GL_VALIDATE_STATUS) == 0);
    CHECK(h.value(GL_INFO_LOG_LENGTH) > 0);
    char log[16] = {};
    GLsizei length = 0;
    GetProgramPipelineInfoLog(c, h.name, sizeof log, &length, log);
    CHECK(length == 15);
    DrawArrays(c, GL_POINTS, 0, 1);
    CHECK(h.error() == GL_INVALID_OPERATION);
    h.use(h.v, h.f);
    DrawArrays(c, GL_POINTS, 0, 1);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("an output without an input, and different precisions, do not match between programs") {
    Pipelines h;
    Context& c = h.ctx;
    for (const char* const inputs :
         {"in float b;", "layout(location = 1) in mediump vec4 other; in float b;"}) {
        const GLuint f =
            h.create(GL_FRAGMENT_SHADER, (std::string("#version 310 es\nprecision highp float; ") + inputs +
                                          " out vec4 color; void main() { color = vec4(b); }")
                                             .c_str());
        REQUIRE(h.linked(f));
        h.use(h.v, f);
        ValidateProgramPipeline(c, h.name);
        CHECK(h.value(GL_VALIDATE_STATUS) == 0);
        DrawArrays(c, GL_POINTS, 0, 1);
        CHECK(h.error() == GL_INVALID_OPERATION);
    }
}

TEST_CASE("a pipeline without a fragment stage draws: its outputs may be captured") {
    Pipelines h;
    Context& c = h.ctx;
    h.use(h.v, 0);
    ProgramUniform4f(c, h.v, GetUniformLocation(c, h.v, "u"), 1, 2, 3, 4);
    DrawArrays(c, GL_POINTS, 0, 1);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.uniform(pipe::Stage::Vertex, 3) == 4);
}

TEST_CASE("separable programs from binaries draw in pipelines") {
    Pipelines h;
    Context& c = h.ctx;
    std::vector<uint8_t> bytes;
    GLenum format = 0;
    const auto save = [&](GLuint p) {
        GLint size = 0;
        GetProgramiv(c, p, GL_PROGRAM_BINARY_LENGTH, &size);
        bytes.resize(size_t(size));
        GetProgramBinary(c, p, size, nullptr, &format, bytes.data());
        REQUIRE(h.error() == GL_NO_ERROR);
    };
    const auto load = [&](size_t size_B) {
        const GLuint p = CreateProgram(c);
        ProgramParameteri(c, p, GL_PROGRAM_SEPARABLE, GL_TRUE);
        ProgramBinary(c, p, format, bytes.data(), GLint(size_B));
        return p;
    };
    save(h.v);
    const GLuint v = load(bytes.size());
    REQUIRE(h.linked(v));
    for (size_t size = 0; size < bytes.size(); size += 7)
        CHECK(!h.linked(load(size)));
    for (size_t at = bytes.size() - 40; at < bytes.size(); ++at) {
        bytes[at] ^= 0x55;
        (void)load(bytes.size());  // the text is not parsed before a pipeline needs it
        bytes[at] ^= 0x55;
    }
    save(h.f);
    const GLuint f = load(bytes.size());
    REQUIRE(h.linked(f));
    h.use(v, f);
    ProgramUniform4f(c, v, GetUniformLocation(c, v, "u"), 1, 2, 3, 4);
    ProgramUniform1f(c, f, GetUniformLocation(c, f, "u"), 5);
    DrawArrays(c, GL_POINTS, 0, 1);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.uniform(pipe::Stage::Vertex, 3) == 4);
    CHECK(h.uniform(pipe::Stage::Fragment, 0) == 5);
}

TEST_CASE("a binary whose text is no shader, or has other uniforms, does not draw wrong pixels") {
    Pipelines h;
    Context& c = h.ctx;
    GLint size = 0;
    GetProgramiv(c, h.v, GL_PROGRAM_BINARY_LENGTH, &size);
    std::string bytes(size_t(size), 0);
    GLenum format = 0;
    GetProgramBinary(c, h.v, size, nullptr, &format, bytes.data());
    const auto draw_with = [&](std::string_view from, std::string_view to) {
        std::string changed = bytes;
        const size_t at = changed.rfind(from);
        REQUIRE(at != changed.npos);
        changed.replace(at, from.size(), to);
        const GLuint p = CreateProgram(c);
        ProgramParameteri(c, p, GL_PROGRAM_SEPARABLE, GL_TRUE);
        ProgramBinary(c, p, format, changed.data(), GLint(changed.size()));
        REQUIRE(h.linked(p));
        ProgramUniform4f(c, p, GetUniformLocation(c, p, "u"), 1, 2, 3, 4);
        h.use(p, h.f);
        DrawArrays(c, GL_POINTS, 0, 1);
        return h.error();
    };
    CHECK(draw_with("void main", "vode main") == GL_INVALID_OPERATION);
    CHECK(draw_with("position + u;", "position * a;") == GL_NO_ERROR);
    CHECK(draw_with("uniform vec4 u; ", "uniform mat4 u; ") == GL_INVALID_OPERATION);
    CHECK(draw_with("position + u;", "position    ;") == GL_NO_ERROR);
}

TEST_CASE("the pipeline draws with the latest link of a stage's program") {
    Pipelines h;
    Context& c = h.ctx;
    h.use(h.v, h.f);
    DrawArrays(c, GL_POINTS, 0, 1);
    const GLuint s =
        h.shader(GL_FRAGMENT_SHADER,
                 "#version 310 es\nprecision highp float; uniform vec3 w; out vec4 color;\n"
                 "layout(location = 1) in vec4 other; in float b; void main() { color = w.xyzz; }");
    AttachShader(c, h.f, s);
    LinkProgram(c, h.f);
    REQUIRE(h.linked(h.f));
    ProgramUniform3f(c, h.f, GetUniformLocation(c, h.f, "w"), 1, 2, 3);
    DrawArrays(c, GL_POINTS, 0, 1);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.uniform(pipe::Stage::Fragment, 2) == 3);
}

TEST_CASE("pipeline objects") {
    Pipelines h;
    Context& c = h.ctx;
    CHECK(!IsProgramPipeline(c, h.name));
    CHECK(h.value(GL_ACTIVE_PROGRAM) == 0);
    CHECK(IsProgramPipeline(c, h.name));
    h.use(h.v, h.f);
    CHECK(h.value(GL_VERTEX_SHADER) == GLint(h.v));
    CHECK(h.value(GL_FRAGMENT_SHADER) == GLint(h.f));
    CHECK(h.value(GL_COMPUTE_SHADER) == 0);
    // A program of a stage lives until the pipeline releases it.
    DeleteProgram(c, h.v);
    CHECK(IsProgram(c, h.v));
    UseProgramStages(c, h.name, GL_ALL_SHADER_BITS, 0);
    CHECK(!IsProgram(c, h.v));
    DeleteProgram(c, h.f);
    CHECK(!IsProgram(c, h.f));
    DeleteProgramPipelines(c, 1, &h.name);
    CHECK(!IsProgramPipeline(c, h.name));
    DrawArrays(c, GL_POINTS, 0, 1);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("errors of pipelines") {
    Pipelines h;
    Context& c = h.ctx;
    GLint n;
    GenProgramPipelines(c, -1, nullptr);
    CHECK(h.error() == GL_INVALID_VALUE);
    DeleteProgramPipelines(c, -1, nullptr);
    CHECK(h.error() == GL_INVALID_VALUE);
    BindProgramPipeline(c, 4711);
    CHECK(h.error() == GL_INVALID_OPERATION);
    UseProgramStages(c, 4711, GL_VERTEX_SHADER_BIT, h.v);
    CHECK(h.error() == GL_INVALID_OPERATION);
    UseProgramStages(c, h.name, 0x80000000u, h.v);
    CHECK(h.error() == GL_INVALID_VALUE);
    UseProgramStages(c, h.name, GL_VERTEX_SHADER_BIT, 4711);
    CHECK(h.error() == GL_INVALID_VALUE);
    const GLuint whole = h.simple_program(), unlinked = CreateProgram(c);
    UseProgramStages(c, h.name, GL_VERTEX_SHADER_BIT, whole);
    CHECK(h.error() == GL_INVALID_OPERATION);
    UseProgramStages(c, h.name, GL_VERTEX_SHADER_BIT, unlinked);
    CHECK(h.error() == GL_INVALID_OPERATION);
    ActiveShaderProgram(c, h.name, unlinked);
    CHECK(h.error() == GL_INVALID_OPERATION);
    ActiveShaderProgram(c, 4711, whole);
    CHECK(h.error() == GL_INVALID_OPERATION);
    GetProgramPipelineiv(c, 4711, GL_ACTIVE_PROGRAM, &n);
    CHECK(h.error() == GL_INVALID_OPERATION);
    GetProgramPipelineiv(c, h.name, GL_TEXTURE_2D, &n);
    CHECK(h.error() == GL_INVALID_ENUM);
    GetProgramPipelineInfoLog(c, h.name, -1, nullptr, nullptr);
    CHECK(h.error() == GL_INVALID_VALUE);
    GetProgramPipelineInfoLog(c, 4711, 0, nullptr, nullptr);
    CHECK(h.error() == GL_INVALID_VALUE);
    ValidateProgramPipeline(c, 4711);
    CHECK(h.error() == GL_INVALID_OPERATION);
    const char* const text = kVertex;
    CHECK(CreateShaderProgramv(c, GL_TEXTURE_2D, 1, &text) == 0);
    CHECK(h.error() == GL_INVALID_ENUM);
    CHECK(CreateShaderProgramv(c, GL_VERTEX_SHADER, -1, &text) == 0);
    CHECK(h.error() == GL_INVALID_VALUE);
    Uniform1f(c, 0, 1);
    CHECK(h.error() == GL_INVALID_OPERATION);
    const GLuint broken = h.create(GL_VERTEX_SHADER, "#version 310 es\nvoid main() { x; }");
    CHECK(!h.linked(broken));
    ProgramParameteri(c, whole, GL_PROGRAM_SEPARABLE, 2);
    CHECK(h.error() == GL_INVALID_VALUE);
}

TEST_CASE("a pipeline's programs must be separable and complete, and later stages need a vertex stage") {
    Pipelines h;
    Context& c = h.ctx;
    const auto draw = [&] {
        DrawArrays(c, GL_POINTS, 0, 1);
        return h.error();
    };
    const GLuint both = h.program("#version 310 es\nvoid main() { gl_Position = vec4(0); }",
                                  "#version 310 es\nout highp vec4 c; void main() { c = vec4(1); }");
    ProgramParameteri(c, both, GL_PROGRAM_SEPARABLE, 1);
    GLint separable = -1;
    GetProgramiv(c, both, GL_PROGRAM_SEPARABLE, &separable);
    CHECK(separable == 0);  // the value at the last link
    LinkProgram(c, both);
    GetProgramiv(c, both, GL_PROGRAM_SEPARABLE, &separable);
    CHECK(separable == 1);
    h.use(0, both);
    CHECK(draw() == GL_INVALID_OPERATION);
    h.use(both, both);
    CHECK(draw() == GL_NO_ERROR);
    ProgramParameteri(c, both, GL_PROGRAM_SEPARABLE, 0);
    LinkProgram(c, both);
    ValidateProgramPipeline(c, h.name);
    CHECK(h.value(GL_VALIDATE_STATUS) == 0);
    CHECK(draw() == GL_INVALID_OPERATION);
    h.use(0, h.f);
    CHECK(draw() == GL_NO_ERROR);  // undefined, and no error
    const GLuint later = h.create(GL_GEOMETRY_SHADER,
                                  "#version 310 es\n#extension GL_EXT_geometry_shader : require\n"
                                  "layout(points) in; layout(points, max_vertices = 1) out;\n"
                                  "void main() { gl_Position = vec4(0); EmitVertex(); }\n");
    REQUIRE(h.linked(later));
    UseProgramStages(c, h.name, GL_GEOMETRY_SHADER_BIT, later);
    CHECK(draw() == GL_INVALID_OPERATION);
    // Alone it draws nothing, and accepts points.
    UseProgram(c, later);
    CHECK(draw() == GL_NO_ERROR);
    DrawArrays(c, GL_TRIANGLES, 0, 3);
    CHECK(h.error() == GL_INVALID_OPERATION);
    const GLuint half = h.create(GL_TESS_CONTROL_SHADER,
                                 "#version 310 es\n#extension GL_EXT_tessellation_shader : require\n"
                                 "layout(vertices = 3) out; void main() { gl_TessLevelOuter[0] = 1.0; }\n");
    REQUIRE(h.linked(half));
    UseProgram(c, half);
    DrawArrays(c, GL_PATCHES, 0, 3);
    CHECK(h.error() == GL_INVALID_OPERATION);
}
