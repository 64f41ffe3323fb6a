// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Uniforms of named programs (OpenGL ES 3.1 section 7.6.1), and additions to uniforms in 3.1.
#include <doctest/doctest.h>

#include "state_tracker/programs/program.h"
#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

constexpr char kVertex[] =
    "#version 300 es\n"
    "in vec4 position; uniform mat2x3 m; uniform uvec2 u[3]; uniform bvec2 b;\n"
    "void main() { gl_Position = position + vec4(m[0] + m[1], u[0].x + u[1].y + u[2].x) + vec4(b, b); }\n";
constexpr char kFragment[] =
    "#version 300 es\n"
    "precision mediump float; uniform sampler2D s; uniform ivec3 i; uniform float f; out vec4 color;\n"
    "void main() { color = texture(s, vec2(f)) + vec4(i, 1); }\n";

struct Named : test::Harness {
    Named()
        : Harness([] {
              ContextConfig c;
              c.version = 31;
              return c;
          }()),
          p(program(kVertex, kFragment)) {
        REQUIRE(linked(p));
    }
    GLuint p;
    GLint at(const char* name) { return GetUniformLocation(ctx, p, name); }
};

}  // namespace

TEST_CASE("uniforms of a program that is not in use") {
    Named h;
    Context& c = h.ctx;
    ProgramUniform1f(c, h.p, h.at("f"), 2.5f);
    GLfloat f = 0;
    GetUniformfv(c, h.p, h.at("f"), &f);
    CHECK(f == 2.5f);
    ProgramUniform3i(c, h.p, h.at("i"), -1, 2, 3);
    GLint i[3] = {};
    GetUniformiv(c, h.p, h.at("i"), i);
    CHECK(i[0] == -1);
    CHECK(i[2] == 3);
    const GLuint u[] = {1, 2, 3, 4};
    ProgramUniform2uiv(c, h.p, h.at("u[1]"), 2, u);
    GLuint got[2] = {};
    GetUniformuiv(c, h.p, h.at("u[2]"), got);
    CHECK(got[0] == 3);
    CHECK(got[1] == 4);
    ProgramUniform2f(c, h.p, h.at("b"), 0.5f, 0);
    GetUniformuiv(c, h.p, h.at("b"), got);
    CHECK(got[0] == 1);
    CHECK(got[1] == 0);
    const GLfloat m[] = {1, 2, 3, 4, 5, 6};
    ProgramUniformMatrix2x3fv(c, h.p, h.at("m"), 1, GL_TRUE, m);
    GLfloat turned[6] = {};
    GetUniformfv(c, h.p, h.at("m"), turned);
    CHECK(turned[0] == 1);
    CHECK(turned[1] == 3);
    CHECK(turned[5] == 6);
    ProgramUniform1i(c, h.p, h.at("s"), 5);
    GetUniformiv(c, h.p, h.at("s"), i);
    CHECK(i[0] == 5);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("the next draw of a program in use has the new value") {
    Named h;
    UseProgram(h.ctx, h.p);
    DrawArrays(h.ctx, GL_POINTS, 0, 1);
    const auto& block = h.pipe().uniforms[size_t(pipe::Stage::Fragment)];
    const auto before = block;
    ProgramUniform1f(h.ctx, h.p, h.at("f"), 7);
    DrawArrays(h.ctx, GL_POINTS, 0, 1);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(block != before);
}

TEST_CASE("errors of glProgramUniform") {
    Named h;
    Context& c = h.ctx;
    const GLuint shader = h.shader(GL_VERTEX_SHADER, kVertex), unlinked = CreateProgram(c);
    ProgramUniform1f(c, 4711, 0, 1);
    CHECK(h.error() == GL_INVALID_VALUE);
    ProgramUniform1f(c, shader, 0, 1);
    CHECK(h.error() == GL_INVALID_OPERATION);
    ProgramUniform1f(c, unlinked, 0, 1);
    CHECK(h.error() == GL_INVALID_OPERATION);
    ProgramUniform1f(c, unlinked, -1, 1);
    CHECK(h.error() == GL_INVALID_OPERATION);
    ProgramUniform1f(c, h.p, -1, 1);
    CHECK(h.error() == GL_NO_ERROR);
    ProgramUniform1f(c, h.p, 1000, 1);
    CHECK(h.error() == GL_INVALID_OPERATION);
    ProgramUniform1i(c, h.p, h.at("f"), 1);
    CHECK(h.error() == GL_INVALID_OPERATION);
    const GLfloat two[] = {1, 2};
    ProgramUniform1fv(c, h.p, h.at("f"), -1, two);
    CHECK(h.error() == GL_INVALID_VALUE);
    ProgramUniform1fv(c, h.p, h.at("f"), 2, two);
    CHECK(h.error() == GL_INVALID_OPERATION);
    ProgramUniform1i(c, h.p, h.at("s"), 1000);
    CHECK(h.error() == GL_INVALID_VALUE);
    ProgramUniformMatrix2fv(c, h.p, h.at("m"), 1, GL_FALSE, two);
    CHECK(h.error() == GL_INVALID_OPERATION);
}

TEST_CASE("compute and geometry shaders need OpenGL ES 3.1") {
    Named h;
    test::Harness old(test::es3());
    for (const GLenum kind : {GL_COMPUTE_SHADER, GL_GEOMETRY_SHADER}) {
        CHECK(CreateShader(h.ctx, kind) != 0);
        CHECK(h.error() == GL_NO_ERROR);
        CHECK(CreateShader(old.ctx, kind) == 0);
        CHECK(old.error() == GL_INVALID_ENUM);
    }
    CHECK(CreateShader(h.ctx, GL_SHADER) == 0);
    CHECK(h.error() == GL_INVALID_ENUM);
}

TEST_CASE("samplers use unit 0 at first, or the unit of their binding") {
    Named h;
    const GLuint p = h.program("#version 310 es\nvoid main() { gl_Position = vec4(0); }\n",
                               "#version 310 es\nprecision mediump float; uniform sampler2D a[3]; "
                               "layout(binding = 4) uniform sampler2D b[3];\n"
                               "out vec4 color;\n"
                               "void main() { color = texture(a[0], vec2(0)) + texture(a[2], vec2(0)) + "
                               "texture(b[0], vec2(0)) + texture(b[2], "
                               "vec2(0)); }\n");
    REQUIRE(h.linked(p));
    const auto unit = [&](const char* name) {
        GLint v = -1;
        GetUniformiv(h.ctx, p, GetUniformLocation(h.ctx, p, name), &v);
        return v;
    };
    CHECK(unit("a") == 0);
    CHECK(unit("a[2]") == 0);
    CHECK(unit("b") == 4);
    CHECK(unit("b[2]") == 6);
}
