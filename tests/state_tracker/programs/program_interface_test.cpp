// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Program interfaces: lists, properties and the errors of OpenGL ES 3.1 section 7.3.1.
#include <doctest/doctest.h>

#include <string>

#include "state_tracker/programs/program.h"
#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

constexpr char kVertex[] =
    "#version 300 es\n"
    "layout(location = 2) in vec4 position; uniform mat3 turn[2]; out vec3 captured[2];\n"
    "layout(std140) uniform Place { vec4 offset; mat3 m[2]; } place[2];\n"
    "void main() { gl_Position = position + place[0].offset + place[1].offset;\n"
    "  captured[0] = turn[1] * position.xyz * place[1].m[1] * float(gl_VertexID); captured[1] = vec3(0); }\n";
constexpr char kFragment[] =
    "#version 300 es\n"
    "precision mediump float; uniform sampler2D s; layout(location = 1) out vec4 color[2];\n"
    "void main() { color[0] = texture(s, vec2(0)); color[1] = vec4(1); }\n";

struct Listed : test::Harness {
    Listed()
        : Harness([] {
              ContextConfig c;
              c.version = 32;
              return c;
          }()),
          p(program(kVertex, kFragment)) {
        const char* const names[] = {"captured[0]", "gl_Position"};
        TransformFeedbackVaryings(ctx, p, 2, names, GL_INTERLEAVED_ATTRIBS);
        const GLuint v = shader(GL_VERTEX_SHADER, kVertex), f = shader(GL_FRAGMENT_SHADER, kFragment);
        p = CreateProgram(ctx);
        TransformFeedbackVaryings(ctx, p, 2, names, GL_INTERLEAVED_ATTRIBS);
        AttachShader(ctx, p, v);
        AttachShader(ctx, p, f);
        LinkProgram(ctx, p);
        REQUIRE(linked(p));
    }
    GLuint p;
    GLint of_interface(GLenum interface, GLenum pname) {
        GLint v = -77;
        GetProgramInterfaceiv(ctx, p, interface, pname, &v);
        return v;
    }
    GLuint index(GLenum interface, const char* name) {
        return GetProgramResourceIndex(ctx, p, interface, name);
    }
    GLint property(GLenum interface, const char* name, GLenum property) {
        GLint v = -77;
        GLsizei n = -1;
        GetProgramResourceiv(ctx, p, interface, index(interface, name), 1, &property, 1, &n, &v);
        CHECK(n == 1);
        return v;
    }
    GLint location(GLenum interface, const char* name) {
        return GetProgramResourceLocation(ctx, p, interface, name);
    }
    std::string name(GLenum interface, GLuint i) {
        char text[64] = {};
        GetProgramResourceName(ctx, p, interface, i, sizeof text, nullptr, text);
        return text;
    }
};

}  // namespace

TEST_CASE("interfaces list a program's resources") {
    Listed h;
    CHECK(h.of_interface(GL_UNIFORM, GL_ACTIVE_RESOURCES) == 4);
    CHECK(h.of_interface(GL_UNIFORM, GL_MAX_NAME_LENGTH) == GLint(sizeof "Place.offset"));
    CHECK(h.of_interface(GL_UNIFORM_BLOCK, GL_ACTIVE_RESOURCES) == 2);
    CHECK(h.of_interface(GL_UNIFORM_BLOCK, GL_MAX_NUM_ACTIVE_VARIABLES) == 2);
    CHECK(h.of_interface(GL_PROGRAM_INPUT, GL_ACTIVE_RESOURCES) == 2);
    CHECK(h.of_interface(GL_PROGRAM_OUTPUT, GL_ACTIVE_RESOURCES) == 1);
    CHECK(h.of_interface(GL_PROGRAM_OUTPUT, GL_MAX_NAME_LENGTH) == GLint(sizeof "color[0]"));
    CHECK(h.of_interface(GL_TRANSFORM_FEEDBACK_VARYING, GL_ACTIVE_RESOURCES) == 2);
    CHECK(h.of_interface(GL_SHADER_STORAGE_BLOCK, GL_ACTIVE_RESOURCES) == 0);
    CHECK(h.of_interface(GL_BUFFER_VARIABLE, GL_MAX_NAME_LENGTH) == 0);
    CHECK(h.of_interface(GL_ATOMIC_COUNTER_BUFFER, GL_MAX_NUM_ACTIVE_VARIABLES) == 0);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("resources by name") {
    Listed h;
    CHECK(h.index(GL_UNIFORM, "turn") == h.index(GL_UNIFORM, "turn[0]"));
    CHECK(h.index(GL_UNIFORM, "turn") != GL_INVALID_INDEX);
    CHECK(h.index(GL_UNIFORM, "turn[1]") == GL_INVALID_INDEX);
    CHECK(h.index(GL_UNIFORM_BLOCK, "Place") == h.index(GL_UNIFORM_BLOCK, "Place[0]"));
    CHECK(h.index(GL_UNIFORM_BLOCK, "Place[1]") != GL_INVALID_INDEX);
    CHECK(h.index(GL_UNIFORM_BLOCK, "place") == GL_INVALID_INDEX);
    CHECK(h.name(GL_UNIFORM, h.index(GL_UNIFORM, "turn")) == "turn[0]");
    CHECK(h.name(GL_PROGRAM_OUTPUT, h.index(GL_PROGRAM_OUTPUT, "color")) == "color[0]");
    CHECK(h.name(GL_TRANSFORM_FEEDBACK_VARYING, 0) == "captured[0]");
    CHECK(h.location(GL_UNIFORM, "turn[1]") == h.location(GL_UNIFORM, "turn") + 1);
    CHECK(h.location(GL_UNIFORM, "Place.offset") == -1);
    CHECK(h.location(GL_PROGRAM_INPUT, "position") == 2);
    CHECK(h.location(GL_PROGRAM_INPUT, "gl_VertexID") == -1);
    CHECK(h.location(GL_PROGRAM_OUTPUT, "color[1]") == 2);
    CHECK(h.location(GL_PROGRAM_OUTPUT, "color[2]") == -1);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("properties of resources") {
    Listed h;
    CHECK(h.property(GL_UNIFORM, "turn", GL_TYPE) == GL_FLOAT_MAT3);
    CHECK(h.property(GL_UNIFORM, "turn", GL_ARRAY_SIZE) == 2);
    CHECK(h.property(GL_UNIFORM, "turn", GL_OFFSET) == -1);
    CHECK(h.property(GL_UNIFORM, "turn", GL_MATRIX_STRIDE) == -1);
    CHECK(h.property(GL_UNIFORM, "turn", GL_ATOMIC_COUNTER_BUFFER_INDEX) == -1);
    CHECK(h.property(GL_UNIFORM, "turn", GL_REFERENCED_BY_VERTEX_SHADER) == 1);
    CHECK(h.property(GL_UNIFORM, "turn", GL_REFERENCED_BY_FRAGMENT_SHADER) == 0);
    CHECK(h.property(GL_UNIFORM, "s", GL_REFERENCED_BY_FRAGMENT_SHADER) == 1);
    CHECK(h.property(GL_UNIFORM, "Place.m", GL_OFFSET) == 16);
    CHECK(h.property(GL_UNIFORM, "Place.m", GL_ARRAY_STRIDE) == 48);
    CHECK(h.property(GL_UNIFORM, "Place.m", GL_MATRIX_STRIDE) == 16);
    CHECK(h.property(GL_UNIFORM, "Place.m", GL_BLOCK_INDEX) == GLint(h.index(GL_UNIFORM_BLOCK, "Place")));
    CHECK(h.property(GL_UNIFORM, "Place.m", GL_REFERENCED_BY_VERTEX_SHADER) == 1);
    CHECK(h.property(GL_UNIFORM, "Place.m", GL_REFERENCED_BY_FRAGMENT_SHADER) == 0);
    CHECK(h.property(GL_UNIFORM_BLOCK, "Place", GL_BUFFER_DATA_SIZE) == 112);
    CHECK(h.property(GL_UNIFORM_BLOCK, "Place", GL_NUM_ACTIVE_VARIABLES) == 2);
    CHECK(h.property(GL_UNIFORM_BLOCK, "Place", GL_NAME_LENGTH) == 9);
    UniformBlockBinding(h.ctx, h.p, h.index(GL_UNIFORM_BLOCK, "Place[1]"), 5);
    CHECK(h.property(GL_UNIFORM_BLOCK, "Place[1]", GL_BUFFER_BINDING) == 5);
    CHECK(h.property(GL_PROGRAM_INPUT, "position", GL_REFERENCED_BY_VERTEX_SHADER) == 1);
    CHECK(h.property(GL_PROGRAM_INPUT, "position", GL_REFERENCED_BY_FRAGMENT_SHADER) == 0);
    CHECK(h.property(GL_PROGRAM_OUTPUT, "color", GL_REFERENCED_BY_FRAGMENT_SHADER) == 1);
    CHECK(h.property(GL_PROGRAM_OUTPUT, "color", GL_REFERENCED_BY_COMPUTE_SHADER) == 0);
    CHECK(h.property(GL_PROGRAM_OUTPUT, "color", GL_LOCATION) == 1);
    CHECK(h.property(GL_TRANSFORM_FEEDBACK_VARYING, "gl_Position", GL_TYPE) == GL_FLOAT_VEC4);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("several properties at once, as far as they fit") {
    Listed h;
    const GLenum props[] = {GL_NUM_ACTIVE_VARIABLES, GL_ACTIVE_VARIABLES, GL_BUFFER_DATA_SIZE};
    GLint v[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
    GLsizei n = -1;
    const GLuint block = h.index(GL_UNIFORM_BLOCK, "Place");
    GetProgramResourceiv(h.ctx, h.p, GL_UNIFORM_BLOCK, block, 3, props, 8, &n, v);
    CHECK(n == 4);
    CHECK(v[0] == 2);
    CHECK(v[3] == 112);
    CHECK(v[4] == -1);
    GLint few[3] = {-1, -1, -1};
    GetProgramResourceiv(h.ctx, h.p, GL_UNIFORM_BLOCK, block, 3, props, 2, &n, few);
    CHECK(n == 2);
    CHECK(few[1] == v[1]);
    CHECK(few[2] == -1);
    GetProgramResourceiv(h.ctx, h.p, GL_UNIFORM_BLOCK, block, 3, props, 0, &n, nullptr);
    CHECK(n == 0);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("errors of program interfaces") {
    Listed h;
    Context& c = h.ctx;
    GLint v[4];
    const GLuint s = h.shader(GL_VERTEX_SHADER, kVertex), unlinked = CreateProgram(c);
    GetProgramInterfaceiv(c, 4711, GL_UNIFORM, GL_ACTIVE_RESOURCES, v);
    CHECK(h.error() == GL_INVALID_VALUE);
    GetProgramInterfaceiv(c, s, GL_UNIFORM, GL_ACTIVE_RESOURCES, v);
    CHECK(h.error() == GL_INVALID_OPERATION);
    GetProgramInterfaceiv(c, h.p, GL_TEXTURE_2D, GL_ACTIVE_RESOURCES, v);
    CHECK(h.error() == GL_INVALID_ENUM);
    GetProgramInterfaceiv(c, h.p, GL_UNIFORM, GL_TYPE, v);
    CHECK(h.error() == GL_INVALID_ENUM);
    GetProgramInterfaceiv(c, h.p, GL_ATOMIC_COUNTER_BUFFER, GL_MAX_NAME_LENGTH, v);
    CHECK(h.error() == GL_INVALID_OPERATION);
    GetProgramInterfaceiv(c, h.p, GL_UNIFORM, GL_MAX_NUM_ACTIVE_VARIABLES, v);
    CHECK(h.error() == GL_INVALID_OPERATION);
    CHECK(GetProgramResourceIndex(c, h.p, GL_ATOMIC_COUNTER_BUFFER, "x") == GL_INVALID_INDEX);
    CHECK(h.error() == GL_INVALID_ENUM);
    GLchar text[4];
    GetProgramResourceName(c, h.p, GL_ATOMIC_COUNTER_BUFFER, 0, 4, nullptr, text);
    CHECK(h.error() == GL_INVALID_ENUM);
    GetProgramResourceName(c, h.p, GL_UNIFORM, 99, 4, nullptr, text);
    CHECK(h.error() == GL_INVALID_VALUE);
    GetProgramResourceName(c, h.p, GL_UNIFORM, 0, -1, nullptr, text);
    CHECK(h.error() == GL_INVALID_VALUE);
    const GLenum type = GL_TYPE, size = GL_BUFFER_DATA_SIZE, none = GL_TEXTURE_2D;
    GetProgramResourceiv(c, h.p, GL_UNIFORM, 0, 0, &type, 4, nullptr, v);
    CHECK(h.error() == GL_INVALID_VALUE);
    GetProgramResourceiv(c, h.p, GL_UNIFORM, 0, 1, &type, -1, nullptr, v);
    CHECK(h.error() == GL_INVALID_VALUE);
    GetProgramResourceiv(c, h.p, GL_UNIFORM, 99, 1, &type, 4, nullptr, v);
    CHECK(h.error() == GL_INVALID_VALUE);
    GetProgramResourceiv(c, h.p, GL_UNIFORM, 0, 1, &size, 4, nullptr, v);
    CHECK(h.error() == GL_INVALID_OPERATION);
    GetProgramResourceiv(c, h.p, GL_UNIFORM, 0, 1, &none, 4, nullptr, v);
    CHECK(h.error() == GL_INVALID_ENUM);
    CHECK(GetProgramResourceLocation(c, unlinked, GL_UNIFORM, "u") == -1);
    CHECK(h.error() == GL_INVALID_OPERATION);
    CHECK(GetProgramResourceLocation(c, h.p, GL_UNIFORM_BLOCK, "Place") == -1);
    CHECK(h.error() == GL_INVALID_ENUM);
    GetProgramiv(c, h.p, GL_COMPUTE_WORK_GROUP_SIZE, v);
    CHECK(h.error() == GL_INVALID_OPERATION);
    GetProgramiv(c, h.p, GL_PROGRAM_SEPARABLE, v);
    CHECK(v[0] == 0);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("interfaces of a single stage: varyings, and built-in variables without locations") {
    Listed h;
    const auto create = [&](GLenum type, const char* const text) {
        h.p = CreateShaderProgramv(h.ctx, type, 1, &text);
        REQUIRE(h.linked(h.p));
    };
    create(
        GL_FRAGMENT_SHADER,
        "#version 310 es\nprecision highp float; layout(location = 2) in mat2 m[3]; in vec4 v; out vec4 o;\n"
        "void main() { o = v + m[1][0].xyxy + gl_FragCoord; gl_FragDepth = 0.5; }");
    CHECK(h.of_interface(GL_PROGRAM_INPUT, GL_ACTIVE_RESOURCES) == 3);
    CHECK(h.location(GL_PROGRAM_INPUT, "m") == 2);
    CHECK(h.location(GL_PROGRAM_INPUT, "m[2]") == 6);
    CHECK(h.location(GL_PROGRAM_INPUT, "m[3]") == -1);
    CHECK(h.location(GL_PROGRAM_INPUT, "v") == -1);
    CHECK(h.property(GL_PROGRAM_INPUT, "m", GL_ARRAY_SIZE) == 3);
    CHECK(h.property(GL_PROGRAM_INPUT, "gl_FragCoord", GL_REFERENCED_BY_FRAGMENT_SHADER) == 1);
    CHECK(h.property(GL_PROGRAM_OUTPUT, "gl_FragDepth", GL_LOCATION) == -1);
    CHECK(h.location(GL_PROGRAM_OUTPUT, "o") == 0);
    GLint n = -1;
    GetProgramiv(h.ctx, h.p, GL_ACTIVE_ATTRIBUTES, &n);
    CHECK(n == 0);
    CHECK(GetAttribLocation(h.ctx, h.p, "m") == -1);
    create(
        GL_VERTEX_SHADER,
        "#version 310 es\nlayout(location = 1) out struct { vec4 a; mat3 b; float c; } s; out float d[2];\n"
        "void main() { gl_Position = vec4(1.0); s.a = vec4(1.0); s.b = mat3(1.0); s.c = d[0] = d[1] = 1.0; "
        "}");
    CHECK(h.of_interface(GL_PROGRAM_OUTPUT, GL_ACTIVE_RESOURCES) == 5);
    CHECK(h.location(GL_PROGRAM_OUTPUT, "s.c") == 5);
    CHECK(h.property(GL_PROGRAM_OUTPUT, "s.b", GL_REFERENCED_BY_VERTEX_SHADER) == 1);
    CHECK(h.property(GL_PROGRAM_OUTPUT, "d", GL_NAME_LENGTH) == GLint(sizeof "d[0]"));
    CHECK(h.location(GL_PROGRAM_OUTPUT, "gl_Position") == -1);
    CHECK(GetFragDataLocation(h.ctx, h.p, "s.c") == -1);
}

TEST_CASE("interfaces of a single tessellation stage: arrays of vertices, patches and gl_PerVertex") {
    Listed h;
    const auto create = [&](GLenum type, const std::string& text) {
        const std::string whole = "#version 320 es\nprecision highp float;\n" + text;
        const char* const source = whole.c_str();
        h.p = CreateShaderProgramv(h.ctx, type, 1, &source);
        GLchar log[400] = {};
        GetProgramInfoLog(h.ctx, h.p, sizeof log, nullptr, log);
        INFO(log);
        REQUIRE(h.linked(h.p));
    };
    create(GL_TESS_CONTROL_SHADER,
           "layout(vertices = 3) out; in vec4 v[]; struct S { vec4 a; mat2 b; }; in S s[]; out vec4 o[];\n"
           "patch out vec4 p[2]; void main() { p[0] = p[1] = s[1].a * s[0].b[1].x;\n"
           "o[gl_InvocationID] = v[0]; gl_out[gl_InvocationID].gl_Position = gl_in[1].gl_Position;\n"
           "gl_TessLevelOuter[0] = 2.0; }");
    // gl_InvocationID, gl_Position, v, and two for each of the 32 elements of s.
    CHECK(h.of_interface(GL_PROGRAM_INPUT, GL_ACTIVE_RESOURCES) == 67);
    CHECK(h.property(GL_PROGRAM_INPUT, "v[0]", GL_ARRAY_SIZE) == 32);
    CHECK(h.property(GL_PROGRAM_INPUT, "s[31].b", GL_TYPE) == GL_FLOAT_MAT2);
    CHECK(h.index(GL_PROGRAM_INPUT, "s[32].a") == GL_INVALID_INDEX);
    CHECK(h.property(GL_PROGRAM_INPUT, "gl_InvocationID", GL_TYPE) == GL_INT);
    CHECK(h.property(GL_PROGRAM_INPUT, "gl_PerVertex.gl_Position", GL_IS_PER_PATCH) == 0);
    CHECK(h.index(GL_PROGRAM_INPUT, "gl_PerVertex.gl_PointSize") == GL_INVALID_INDEX);
    CHECK(h.of_interface(GL_PROGRAM_OUTPUT, GL_ACTIVE_RESOURCES) == 4);
    CHECK(h.property(GL_PROGRAM_OUTPUT, "o", GL_ARRAY_SIZE) == 3);
    CHECK(h.property(GL_PROGRAM_OUTPUT, "p", GL_ARRAY_SIZE) == 2);
    CHECK(h.property(GL_PROGRAM_OUTPUT, "p", GL_IS_PER_PATCH) == 1);
    CHECK(h.property(GL_PROGRAM_OUTPUT, "gl_TessLevelOuter", GL_ARRAY_SIZE) == 4);
    CHECK(h.property(GL_PROGRAM_OUTPUT, "gl_PerVertex.gl_Position", GL_TYPE) == GL_FLOAT_VEC4);
    create(GL_TESS_EVALUATION_SHADER,
           "layout(triangles) in; patch in vec4 p; in vec4 v[];\n"
           "void main() { gl_Position = gl_in[2].gl_Position * v[1] * p; }");
    CHECK(h.property(GL_PROGRAM_INPUT, "p", GL_IS_PER_PATCH) == 1);
    CHECK(h.property(GL_PROGRAM_INPUT, "v", GL_IS_PER_PATCH) == 0);
    CHECK(h.index(GL_PROGRAM_OUTPUT, "gl_Position") == 0);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("a stage references the resources that it uses; arrays of arrays have locations") {
    Listed h;
    h.p = h.program(
        "#version 310 es\n"
        "uniform Shared { vec4 x; } s; uniform Other { vec4 y; } o; uniform vec4 a[2][3][4];\n"
        "void main() { gl_Position = s.x + a[1][2][int(s.x.y)]; }",
        "#version 310 es\n"
        "uniform Shared { highp vec4 x; } s; out highp vec4 c;\n"
        "void main() { c = vec4(1); }");
    REQUIRE(h.linked(h.p));
    for (const GLenum interface : {GL_UNIFORM_BLOCK, GL_UNIFORM}) {
        const bool block = interface == GL_UNIFORM_BLOCK;
        const char* const used = block ? "Shared" : "Shared.x";
        CHECK(h.property(interface, used, GL_REFERENCED_BY_VERTEX_SHADER) == 1);
        CHECK(h.property(interface, used, GL_REFERENCED_BY_FRAGMENT_SHADER) == 0);
        CHECK(h.property(interface, block ? "Other" : "Other.y", GL_REFERENCED_BY_VERTEX_SHADER) == 0);
    }
    const GLint first = h.location(GL_UNIFORM, "a[1][2][0]");
    CHECK(first >= 0);
    CHECK(h.location(GL_UNIFORM, "a[1][2]") == first);
    CHECK(GetUniformLocation(h.ctx, h.p, "a[1][2]") == first);
    CHECK(GetUniformLocation(h.ctx, h.p, "a[1][2][3]") == first + 3);
    CHECK(GetUniformLocation(h.ctx, h.p, "a[1]") == -1);
}
