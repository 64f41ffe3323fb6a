// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shaders, programs and uniforms: errors, deletion semantics, relinking, values.
#include "state_tracker/programs/program.h"

#include <doctest/doctest.h>
#include <xxhash.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

#include "shaders/cache/cache.h"
#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

const char* const kVertex = "attribute vec4 position; void main() { gl_Position = position; }";
const char* const kFragment = "precision mediump float; void main() { gl_FragColor = vec4(1.0); }";

/// Uniforms of every kind; the shader uses all of them.
struct UniformHarness : test::Harness {
    GLuint p;
    UniformHarness()
        : p(program(
              "attribute vec4 position; uniform mat4 m4; uniform vec2 weights[3]; uniform float f;\n"
              "void main() { gl_Position = m4 * position + vec4(weights[0] + weights[1] + weights[2], f, f); "
              "}",
              "precision highp float; uniform ivec3 i3; uniform bool flag; uniform bvec2 b2; uniform vec3 "
              "v3;\n"
              "uniform sampler2D tex; uniform samplerCube cube; uniform mat2 m2; uniform float f;\n"
              "struct Light { vec4 color; float power; }; uniform Light lights[2];\n"
              "void main() { gl_FragColor = texture2D(tex, v3.xy) + textureCube(cube, v3) + vec4(i3, 1) +\n"
              "  lights[0].color * lights[0].power + lights[1].color * lights[1].power + vec4(m2[0], m2[1]) "
              "+ f;\n"
              "  if (flag && b2.x && b2.y) gl_FragColor = vec4(0); }")) {
        REQUIRE(linked(p));
        UseProgram(ctx, p);
    }
    GLint at(const char* name) { return GetUniformLocation(ctx, p, name); }
};

}  // namespace

TEST_CASE("program errors that need objects") {
    test::Harness h;
    Context& c = h.ctx;
    GLuint v = h.shader(GL_VERTEX_SHADER, kVertex), f = h.shader(GL_FRAGMENT_SHADER, kFragment);
    GLuint p = CreateProgram(c), unlinked = CreateProgram(c);
    GLint n;
    GLchar text[8];
    GLsizei length;
    GLenum type;
    GLfloat value[16];
    GLuint names[4];
    AttachShader(c, p, v);
    AttachShader(c, p, f);
    LinkProgram(c, p);
    REQUIRE(h.linked(p));
    REQUIRE(h.error() == GL_NO_ERROR);
#define FAILS(code, ...)          \
    do {                          \
        (void)(__VA_ARGS__);      \
        CAPTURE(#__VA_ARGS__);    \
        CHECK(h.error() == code); \
    } while (0)
    // A name of the other kind, and an unused name.
    FAILS(GL_INVALID_OPERATION, CompileShader(c, p));
    FAILS(GL_INVALID_OPERATION, DeleteShader(c, p));
    FAILS(GL_INVALID_OPERATION, ShaderSource(c, p, 0, nullptr, nullptr));
    FAILS(GL_INVALID_OPERATION, GetShaderiv(c, p, GL_SHADER_TYPE, &n));
    FAILS(GL_INVALID_VALUE, GetShaderiv(c, 99, GL_SHADER_TYPE, &n));
    FAILS(GL_INVALID_OPERATION, GetShaderInfoLog(c, p, 8, &length, text));
    FAILS(GL_INVALID_VALUE, GetShaderInfoLog(c, 99, 8, &length, text));
    FAILS(GL_INVALID_OPERATION, GetShaderSource(c, p, 8, &length, text));
    FAILS(GL_INVALID_VALUE, GetShaderSource(c, 99, 8, &length, text));
    FAILS(GL_INVALID_OPERATION, ShaderBinary(c, 1, &p, 0, nullptr, 0));
    FAILS(GL_INVALID_OPERATION, LinkProgram(c, v));
    FAILS(GL_INVALID_OPERATION, UseProgram(c, v));
    FAILS(GL_INVALID_OPERATION, ValidateProgram(c, v));
    FAILS(GL_INVALID_OPERATION, DeleteProgram(c, v));
    FAILS(GL_INVALID_OPERATION, GetProgramiv(c, v, GL_LINK_STATUS, &n));
    FAILS(GL_INVALID_VALUE, GetProgramiv(c, 99, GL_LINK_STATUS, &n));
    FAILS(GL_INVALID_OPERATION, GetProgramInfoLog(c, v, 8, &length, text));
    FAILS(GL_INVALID_VALUE, GetProgramInfoLog(c, 99, 8, &length, text));
    FAILS(GL_INVALID_OPERATION, GetAttachedShaders(c, v, 4, &length, names));
    FAILS(GL_INVALID_VALUE, GetAttachedShaders(c, 99, 4, &length, names));
    FAILS(GL_INVALID_OPERATION, AttachShader(c, v, f));
    FAILS(GL_INVALID_OPERATION, AttachShader(c, p, p));
    FAILS(GL_INVALID_VALUE, AttachShader(c, p, 99));
    FAILS(GL_INVALID_OPERATION, AttachShader(c, p, v));  // already attached
    FAILS(GL_INVALID_OPERATION,
          AttachShader(c, p, CreateShader(c, GL_VERTEX_SHADER)));  // a second shader of its type
    FAILS(GL_INVALID_VALUE, DetachShader(c, p, 99));
    FAILS(GL_INVALID_OPERATION, DetachShader(c, v, v));
    FAILS(GL_INVALID_OPERATION, DetachShader(c, unlinked, v));  // not attached
    FAILS(GL_INVALID_OPERATION, BindAttribLocation(c, v, 0, "a"));
    FAILS(GL_INVALID_VALUE, BindAttribLocation(c, p, 16, "a"));
    FAILS(GL_INVALID_OPERATION, BindAttribLocation(c, p, 0, "gl_a"));
    FAILS(GL_INVALID_OPERATION, GetAttribLocation(c, v, "a"));
    FAILS(GL_INVALID_VALUE, GetAttribLocation(c, 99, "a"));
    FAILS(GL_INVALID_OPERATION, GetAttribLocation(c, unlinked, "a"));
    FAILS(GL_INVALID_OPERATION, GetUniformLocation(c, v, "a"));
    FAILS(GL_INVALID_VALUE, GetUniformLocation(c, 99, "a"));
    FAILS(GL_INVALID_OPERATION, GetUniformLocation(c, unlinked, "a"));
    FAILS(GL_INVALID_OPERATION, GetActiveAttrib(c, v, 0, 8, &length, &n, &type, text));
    FAILS(GL_INVALID_VALUE, GetActiveAttrib(c, 99, 0, 8, &length, &n, &type, text));
    FAILS(GL_INVALID_OPERATION, GetActiveUniform(c, v, 0, 8, &length, &n, &type, text));
    FAILS(GL_INVALID_VALUE, GetActiveUniform(c, 99, 0, 8, &length, &n, &type, text));
    FAILS(GL_INVALID_OPERATION, GetUniformfv(c, v, 0, value));
    FAILS(GL_INVALID_VALUE, GetUniformfv(c, 99, 0, value));
    FAILS(GL_INVALID_OPERATION, GetUniformiv(c, unlinked, 0, &n));
    FAILS(GL_INVALID_OPERATION, GetUniformfv(c, p, 0, value));  // no such location
    FAILS(GL_INVALID_OPERATION, GetUniformfv(c, p, -1, value));
    // Arguments.
    FAILS(GL_INVALID_VALUE, ShaderSource(c, v, -1, nullptr, nullptr));
    FAILS(GL_INVALID_ENUM, GetShaderiv(c, v, GL_LINK_STATUS, &n));
    FAILS(GL_INVALID_VALUE, GetShaderInfoLog(c, v, -1, &length, text));
    FAILS(GL_INVALID_VALUE, GetShaderSource(c, v, -1, &length, text));
    FAILS(GL_INVALID_ENUM, GetProgramiv(c, p, GL_SHADER_TYPE, &n));
    FAILS(GL_INVALID_VALUE, GetProgramInfoLog(c, p, -1, &length, text));
    FAILS(GL_INVALID_VALUE, GetAttachedShaders(c, p, -1, &length, names));
    FAILS(GL_INVALID_VALUE, GetActiveAttrib(c, p, 1, 8, &length, &n, &type, text));
    FAILS(GL_INVALID_VALUE, GetActiveAttrib(c, p, 0, -1, &length, &n, &type, text));
    FAILS(GL_INVALID_VALUE, GetActiveUniform(c, p, 0, 8, &length, &n, &type, text));
    FAILS(GL_INVALID_OPERATION, UseProgram(c, unlinked));
    // OES_get_program_binary
    GLubyte binary[4] = {};
    FAILS(GL_INVALID_OPERATION, GetProgramBinary(c, unlinked, 4, &length, &type, binary));
    FAILS(GL_INVALID_OPERATION, GetProgramBinary(c, p, 4, &length, &type, binary));
    FAILS(GL_INVALID_VALUE, GetProgramBinary(c, p, -1, &length, &type, binary));
    FAILS(GL_INVALID_VALUE, GetProgramBinary(c, 99, 4, &length, &type, binary));
    FAILS(GL_INVALID_ENUM, ProgramBinary(c, p, 0xBAD, binary, 4));
    FAILS(GL_INVALID_VALUE, ProgramBinary(c, 99, kProgramBinaryFormat, binary, 4));
#undef FAILS
}

TEST_CASE("uniform errors") {
    UniformHarness h;
    Context& c = h.ctx;
    const GLint ints[16] = {};
    const GLfloat floats[64] = {};
    struct {
        const char* what;
        GLenum code;
        std::function<void()> call;
    } const rows[] = {
        {"an unknown location", GL_INVALID_OPERATION, [&] { Uniform1f(c, 12345, 0); }},
        {"a negative location", GL_INVALID_OPERATION, [&] { Uniform1f(c, -2, 0); }},
        {"location -1 is ignored", GL_NO_ERROR, [&] { Uniform4f(c, -1, 0, 0, 0, 0); }},
        {"count", GL_INVALID_VALUE, [&] { Uniform1fv(c, h.at("f"), -1, floats); }},
        {"a size that differs", GL_INVALID_OPERATION, [&] { Uniform2f(c, h.at("f"), 0, 0); }},
        {"ints for floats", GL_INVALID_OPERATION, [&] { Uniform1i(c, h.at("f"), 0); }},
        {"floats for ints", GL_INVALID_OPERATION, [&] { Uniform3f(c, h.at("i3"), 0, 0, 0); }},
        {"floats for a sampler", GL_INVALID_OPERATION, [&] { Uniform1f(c, h.at("tex"), 0); }},
        {"two ints for a sampler", GL_INVALID_OPERATION, [&] { Uniform2i(c, h.at("tex"), 0, 0); }},
        {"a negative unit", GL_INVALID_VALUE, [&] { Uniform1i(c, h.at("tex"), -1); }},
        {"a unit there is none of", GL_INVALID_VALUE, [&] { Uniform1i(c, h.at("tex"), 32); }},
        {"an array for no array", GL_INVALID_OPERATION, [&] { Uniform1fv(c, h.at("f"), 2, floats); }},
        {"an array for no array, ints", GL_INVALID_OPERATION, [&] { Uniform3iv(c, h.at("i3"), 2, ints); }},
        {"a vector for a matrix", GL_INVALID_OPERATION, [&] { Uniform4fv(c, h.at("m4"), 1, floats); }},
        {"a matrix for a vector", GL_INVALID_OPERATION,
         [&] { UniformMatrix2fv(c, h.at("v3"), 1, GL_FALSE, floats); }},
        {"another matrix", GL_INVALID_OPERATION,
         [&] { UniformMatrix3fv(c, h.at("m4"), 1, GL_FALSE, floats); }},
        {"transpose", GL_INVALID_VALUE, [&] { UniformMatrix4fv(c, h.at("m4"), 1, GL_TRUE, floats); }},
        {"a matrix array for none", GL_INVALID_OPERATION,
         [&] { UniformMatrix4fv(c, h.at("m4"), 2, GL_FALSE, floats); }},
        {"floats for a bool", GL_NO_ERROR, [&] { Uniform1f(c, h.at("flag"), 2); }},
        {"ints for a bool", GL_NO_ERROR, [&] { Uniform2i(c, h.at("b2"), 2, 0); }},
        {"more than the array has", GL_NO_ERROR, [&] { Uniform2fv(c, h.at("weights[1]"), 30, floats); }},
        {"nothing", GL_NO_ERROR, [&] { Uniform2fv(c, h.at("weights"), 0, nullptr); }},
    };
    for (const auto& r : rows) {
        CAPTURE(r.what);
        r.call();
        CHECK(h.error() == r.code);
    }
}

TEST_CASE("uniform locations by name") {
    UniformHarness h;
    CHECK(h.at("weights") >= 0);
    CHECK(h.at("weights[0]") == h.at("weights"));
    CHECK(h.at("weights[2]") == h.at("weights") + 2);
    CHECK(h.at("lights[1].color") >= 0);
    CHECK(h.at("lights[1].color") != h.at("lights[0].color"));
    for (const char* bad : {"weights[3]", "weights[-1]", "weights[]", "weights[01]", "weights[1",
                            "weights[99999999999]", "weights[ 1]", "f[0]", "lights", "lights[0]",
                            "lights.color", "gl_Position", "position", "nothing", "", "]", "[0]"})
        CHECK_MESSAGE(h.at(bad) == -1, bad);
    CHECK(GetAttribLocation(h.ctx, h.p, "position") >= 0);
    CHECK(GetAttribLocation(h.ctx, h.p, "nothing") == -1);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("uniform values are read back, converted to the requested type") {
    UniformHarness h;
    Context& c = h.ctx;
    GLfloat f[16] = {};
    GLint n[16] = {};
    Uniform1f(c, h.at("f"), 2.5f);
    GetUniformfv(c, h.p, h.at("f"), f);
    GetUniformiv(c, h.p, h.at("f"), n);
    CHECK(f[0] == 2.5f);
    CHECK(n[0] == 3);
    Uniform3i(c, h.at("i3"), -1, 2, 3);
    GetUniformfv(c, h.p, h.at("i3"), f);
    GetUniformiv(c, h.p, h.at("i3"), n);
    CHECK(f[0] == -1);
    CHECK(n[2] == 3);
    Uniform2f(c, h.at("b2"), -0.0f, 0.5f);
    GetUniformiv(c, h.p, h.at("b2"), n);
    CHECK(n[0] == 0);
    CHECK(n[1] == 1);
    const GLfloat w[] = {1, 2, 3, 4, 5, 6, 7, 8};
    Uniform2fv(c, h.at("weights[1]"), 4, w);  // only two elements are left
    GetUniformfv(c, h.p, h.at("weights[2]"), f);
    CHECK(f[0] == 3);
    CHECK(f[1] == 4);
    GetUniformfv(c, h.p, h.at("weights"), f);
    CHECK(f[0] == 0);
    GLfloat m[16];
    for (int i = 0; i < 16; ++i)
        m[i] = float(i);
    UniformMatrix4fv(c, h.at("m4"), 1, GL_FALSE, m);
    GetUniformfv(c, h.p, h.at("m4"), f);
    CHECK(std::memcmp(f, m, sizeof m) == 0);
    Uniform1i(c, h.at("cube"), 5);
    GetUniformiv(c, h.p, h.at("cube"), n);
    CHECK(n[0] == 5);
    // KHR_robustness
    GetnUniformfv(c, h.p, h.at("m4"), 63, f);
    CHECK(h.error() == GL_INVALID_OPERATION);
    GetnUniformfv(c, h.p, h.at("m4"), 64, f);
    GetnUniformiv(c, h.p, h.at("i3"), 12, n);
    CHECK(n[0] == -1);
    GLuint u[3];
    GetnUniformuiv(c, h.p, h.at("i3"), 12, u);
    CHECK(u[0] == ~0u);
    GetnUniformiv(c, h.p, h.at("i3"), -1, n);
    CHECK(h.error() == GL_INVALID_OPERATION);
}

TEST_CASE("active attributes and uniforms are listed") {
    UniformHarness h;
    GLint count = 0, longest = 0;
    GetProgramiv(h.ctx, h.p, GL_ACTIVE_UNIFORMS, &count);
    GetProgramiv(h.ctx, h.p, GL_ACTIVE_UNIFORM_MAX_LENGTH, &longest);
    CHECK(longest == GLint(std::strlen("lights[0].color")) + 1);
    int found = 0;
    for (GLint i = 0; i < count; ++i) {
        char name[64];
        GLsizei length = -1;
        GLint size = -1;
        GLenum type = 0;
        GetActiveUniform(h.ctx, h.p, GLuint(i), 64, &length, &size, &type, name);
        CHECK(size_t(length) == std::strlen(name));
        std::string n = name;
        if (n == "weights[0]") found += type == GL_FLOAT_VEC2 && size == 3;
        if (n == "m4") found += type == GL_FLOAT_MAT4 && size == 1;
        if (n == "tex") found += type == GL_SAMPLER_2D;
        if (n == "cube") found += type == GL_SAMPLER_CUBE;
        if (n == "b2") found += type == GL_BOOL_VEC2;
        if (n == "lights[1].power") found += type == GL_FLOAT;
    }
    CHECK(found == 6);
    GetProgramiv(h.ctx, h.p, GL_ACTIVE_ATTRIBUTES, &count);
    CHECK(count == 1);
    char name[4];
    GLsizei length;
    GLint size;
    GLenum type;
    GetActiveAttrib(h.ctx, h.p, 0, 4, &length, &size, &type, name);
    CHECK(std::string(name) == "pos");  // truncated at bufSize
    CHECK(length == 3);
    CHECK(type == GL_FLOAT_VEC4);
    GetActiveAttrib(h.ctx, h.p, 0, 0, &length, nullptr, nullptr, nullptr);
    CHECK(length == 0);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("shaders live until they are detached") {
    test::Harness h;
    GLuint v = h.shader(GL_VERTEX_SHADER, kVertex), p = CreateProgram(h.ctx);
    AttachShader(h.ctx, p, v);
    DeleteShader(h.ctx, v);
    CHECK(IsShader(h.ctx, v) == GL_TRUE);
    GLint status = 0;
    GetShaderiv(h.ctx, v, GL_DELETE_STATUS, &status);
    CHECK(status == 1);
    DetachShader(h.ctx, p, v);
    CHECK(IsShader(h.ctx, v) == GL_FALSE);
    // The end of a program releases its shaders.
    v = h.shader(GL_VERTEX_SHADER, kVertex);
    AttachShader(h.ctx, p, v);
    DeleteShader(h.ctx, v);
    CHECK(IsShader(h.ctx, v) == GL_TRUE);
    DeleteProgram(h.ctx, p);
    CHECK(IsProgram(h.ctx, p) == GL_FALSE);
    CHECK(IsShader(h.ctx, v) == GL_FALSE);
    DeleteShader(h.ctx, 0);
    DeleteProgram(h.ctx, 0);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("programs live while any context uses them") {
    test::Harness h;
    auto other = Context::create(h.screen, &h.ctx, {});
    GLuint p = h.simple_program();
    UseProgram(h.ctx, p);
    UseProgram(*other, p);
    DeleteProgram(h.ctx, p);
    GLint status = 0;
    GetProgramiv(h.ctx, p, GL_DELETE_STATUS, &status);
    CHECK(status == 1);
    UseProgram(h.ctx, 0);
    CHECK(IsProgram(h.ctx, p) == GL_TRUE);
    other.reset();
    CHECK(IsProgram(h.ctx, p) == GL_FALSE);
    CHECK(h.integer(GL_CURRENT_PROGRAM) == 0);
}

TEST_CASE("a program in use survives a relink that fails") {
    test::Harness h;
    GLuint p = CreateProgram(h.ctx), v = h.shader(GL_VERTEX_SHADER, kVertex);
    GLuint f = h.shader(GL_FRAGMENT_SHADER,
                        "precision mediump float; uniform vec4 c; void main() { gl_FragColor = c; }");
    AttachShader(h.ctx, p, v);
    AttachShader(h.ctx, p, f);
    LinkProgram(h.ctx, p);
    REQUIRE(h.linked(p));
    UseProgram(h.ctx, p);
    pipe::Ref<Executable> installed = h.ctx.executable;
    GLint c = GetUniformLocation(h.ctx, p, "c");
    DetachShader(h.ctx, p, f);
    LinkProgram(h.ctx, p);
    CHECK(!h.linked(p));
    GLint length = 0;
    GetProgramiv(h.ctx, p, GL_INFO_LOG_LENGTH, &length);
    CHECK(length > 1);
    CHECK(h.ctx.executable == installed);
    Uniform4f(h.ctx, c, 1, 2, 3, 4);
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.pipe().count("draw") == 1);
    // Once it is no longer in use, it cannot be used again.
    UseProgram(h.ctx, 0);
    UseProgram(h.ctx, p);
    CHECK(h.error() == GL_INVALID_OPERATION);
    // A successful link makes it usable again, with a new executable.
    AttachShader(h.ctx, p, f);
    LinkProgram(h.ctx, p);
    UseProgram(h.ctx, p);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.ctx.executable != installed);
    pipe::Ref<Executable> second = h.ctx.executable;
    LinkProgram(h.ctx, p);
    CHECK(h.ctx.executable != second);  // installed at once if the program is current
}

TEST_CASE("shader queries") {
    test::Harness h;
    GLuint s = CreateShader(h.ctx, GL_FRAGMENT_SHADER);
    GLint v = -1;
    auto get = [&](GLenum pname) {
        GetShaderiv(h.ctx, s, pname, &v);
        return v;
    };
    CHECK(get(GL_SHADER_TYPE) == GL_FRAGMENT_SHADER);
    CHECK(get(GL_COMPILE_STATUS) == 0);
    CHECK(get(GL_DELETE_STATUS) == 0);
    CHECK(get(GL_INFO_LOG_LENGTH) == 0);
    CHECK(get(GL_SHADER_SOURCE_LENGTH) == 0);
    const char* strings[] = {"precision mediump float;XXX", "void main() { gl_FragColor = vec4(0); }"};
    const GLint lengths[] = {24, -1};
    ShaderSource(h.ctx, s, 2, strings, lengths);
    CHECK(get(GL_SHADER_SOURCE_LENGTH) == 24 + 39 + 1);
    char text[100];
    GLsizei length;
    GetShaderSource(h.ctx, s, 100, &length, text);
    CHECK(std::string(text) == "precision mediump float;void main() { gl_FragColor = vec4(0); }");
    GetShaderSource(h.ctx, s, 10, &length, text);
    CHECK(std::string(text) == "precision");
    CHECK(length == 9);
    CompileShader(h.ctx, s);
    CHECK(get(GL_COMPILE_STATUS) == 1);
    // A length that includes the NUL at the string's end.
    const char* counted[] = {"precision mediump float;\0\0", "void main() { gl_FragColor = vec4(0); }"};
    const GLint with_nul[] = {26, 40};
    ShaderSource(h.ctx, s, 2, counted, with_nul);
    CHECK(get(GL_SHADER_SOURCE_LENGTH) == 24 + 39 + 1);
    CompileShader(h.ctx, s);
    CHECK(get(GL_COMPILE_STATUS) == 1);
    const char* within[] = {"void main()\0{}"};
    const GLint all[] = {14};
    ShaderSource(h.ctx, s, 1, within, all);
    CompileShader(h.ctx, s);
    CHECK(get(GL_COMPILE_STATUS) == 0);
    ShaderSource(h.ctx, s, 2, strings, lengths);
    CompileShader(h.ctx, s);
    const char* bad[] = {"void main() { x = 1; }"};
    ShaderSource(h.ctx, s, 1, bad, nullptr);
    CHECK(get(GL_COMPILE_STATUS) == 1);  // until the next compilation
    CompileShader(h.ctx, s);
    CHECK(get(GL_COMPILE_STATUS) == 0);
    CHECK(get(GL_INFO_LOG_LENGTH) > 1);
    GetShaderInfoLog(h.ctx, s, 100, &length, text);
    CHECK(std::string(text).find("ERROR") == 0);
    GLint range[2], precision;
    GetShaderPrecisionFormat(h.ctx, GL_FRAGMENT_SHADER, GL_HIGH_FLOAT, range, &precision);
    CHECK(range[0] == 127);
    CHECK(precision == 23);
    GetShaderPrecisionFormat(h.ctx, GL_VERTEX_SHADER, GL_MEDIUM_INT, range, &precision);
    CHECK(range[0] == 31);
    CHECK(range[1] == 30);
    CHECK(precision == 0);
    ReleaseShaderCompiler(h.ctx);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("programs validate, list their shaders and report why they do not link") {
    test::Harness h;
    GLuint p = CreateProgram(h.ctx), v = h.shader(GL_VERTEX_SHADER, kVertex);
    LinkProgram(h.ctx, p);
    CHECK(!h.linked(p));
    char text[200];
    GetProgramInfoLog(h.ctx, p, 200, nullptr, text);
    CHECK(std::string(text) ==
          "ERROR: no vertex shader is attached\nERROR: no fragment shader is attached\n");
    AttachShader(h.ctx, p, v);
    AttachShader(h.ctx, p, CreateShader(h.ctx, GL_FRAGMENT_SHADER));
    GLuint names[3] = {};
    GLsizei count = 0;
    GetAttachedShaders(h.ctx, p, 1, &count, names);
    CHECK(count == 1);
    CHECK(names[0] == v);
    CHECK(names[1] == 0);
    LinkProgram(h.ctx, p);
    GetProgramInfoLog(h.ctx, p, 200, nullptr, text);
    CHECK(std::string(text).find("is attached, but not compiled") != std::string::npos);
    ValidateProgram(h.ctx, p);
    GLint status = -1;
    GetProgramiv(h.ctx, p, GL_VALIDATE_STATUS, &status);
    CHECK(status == 0);
    GLuint good = h.simple_program();
    ValidateProgram(h.ctx, good);
    GetProgramiv(h.ctx, good, GL_VALIDATE_STATUS, &status);
    CHECK(status == 1);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("samplers of two kinds on one unit: no draw") {
    UniformHarness h;
    Uniform1i(h.ctx, h.at("tex"), 3);
    Uniform1i(h.ctx, h.at("cube"), 3);
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.error() == GL_INVALID_OPERATION);
    ValidateProgram(h.ctx, h.p);
    GLint status = -1;
    GetProgramiv(h.ctx, h.p, GL_VALIDATE_STATUS, &status);
    CHECK(status == 0);
    Uniform1i(h.ctx, h.at("cube"), 4);
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.pipe().count("draw") == 1);
}

TEST_CASE("attribute locations are bound at the next link") {
    test::Harness h;
    GLuint p = CreateProgram(h.ctx);
    AttachShader(h.ctx, p, h.shader(GL_VERTEX_SHADER, kVertex));
    AttachShader(h.ctx, p, h.shader(GL_FRAGMENT_SHADER, kFragment));
    BindAttribLocation(h.ctx, p, 3, "position");
    BindAttribLocation(h.ctx, p, 7, "position");
    LinkProgram(h.ctx, p);
    CHECK(GetAttribLocation(h.ctx, p, "position") == 7);
    BindAttribLocation(h.ctx, p, 2, "position");
    CHECK(GetAttribLocation(h.ctx, p, "position") == 7);
    LinkProgram(h.ctx, p);
    CHECK(GetAttribLocation(h.ctx, p, "position") == 2);
}

TEST_CASE("a program's binary restores the program; damaged ones do not link") {
    UniformHarness h;
    GLint size = 0;
    GetProgramiv(h.ctx, h.p, GL_PROGRAM_BINARY_LENGTH_OES, &size);
    REQUIRE(size > 0);
    std::vector<uint8_t> bytes(static_cast<size_t>(size));
    GLsizei length = 0;
    GLenum format = 0;
    GetProgramBinary(h.ctx, h.p, size, &length, &format, bytes.data());
    CHECK(length == size);
    CHECK(GLint(format) == h.integer(GL_PROGRAM_BINARY_FORMATS_OES));
    GLuint q = CreateProgram(h.ctx);
    ProgramBinary(h.ctx, q, format, bytes.data(), length);
    CHECK(h.linked(q));
    CHECK(GetUniformLocation(h.ctx, q, "weights[1]") == h.at("weights[1]"));
    UseProgram(h.ctx, q);
    Uniform1i(h.ctx, GetUniformLocation(h.ctx, q, "cube"), 1);
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.error() == GL_NO_ERROR);
    bytes[bytes.size() / 2] ^= 0x5a;
    ProgramBinary(h.ctx, q, format, bytes.data(), length);
    CHECK(!h.linked(q));
    ProgramBinary(h.ctx, q, format, nullptr, 0);
    CHECK(!h.linked(q));
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("a second context finds its programs in the cache") {
    char folder[] = "/tmp/terrazzo-test-XXXXXX";
    REQUIRE(mkdtemp(folder));
    setenv("TERRAZZO_SHADER_CACHE", folder, 1);
    ContextConfig config;
    config.shader_cache = true;
    for (int run = 0; run < 2; ++run) {
        test::Harness h(config);
        GLuint p = h.simple_program();
        CHECK(h.linked(p));
        CHECK(GetUniformLocation(h.ctx, p, "color") >= 0);
        CHECK(h.ctx.share->cache->counts().disk_hits == (run == 0 ? 0 : 3));
        CHECK(h.ctx.share->cache->counts().misses == (run == 0 ? 3 : 0));
        // Both shaders are known to compile, but not this program: they are compiled now.
        GLuint q = CreateProgram(h.ctx);
        AttachShader(
            h.ctx, q,
            h.shader(GL_VERTEX_SHADER, "attribute vec4 position; void main() { gl_Position = position; }"));
        AttachShader(h.ctx, q, h.shader(GL_FRAGMENT_SHADER, kFragment));
        BindAttribLocation(h.ctx, q, GLuint(5 + run), "position");
        LinkProgram(h.ctx, q);
        CHECK(h.linked(q));
        CHECK(GetAttribLocation(h.ctx, q, "position") == 5 + run);
        // Texts that do not compile are never cached.
        GLuint bad = h.shader(GL_VERTEX_SHADER, "void main() { nothing; }");
        GLint status = -1;
        GetShaderiv(h.ctx, bad, GL_COMPILE_STATUS, &status);
        CHECK(status == 0);
    }
    unsetenv("TERRAZZO_SHADER_CACHE");
    std::filesystem::remove_all(folder);
}

TEST_CASE("programs that link are dumped once, as text that shader-db and piglit read") {
    char folder[] = "/tmp/terrazzo-test-XXXXXX";
    REQUIRE(mkdtemp(folder));
    ContextConfig config;
    config.shader_dump = std::string(folder) + "/deep";
    {
        test::Harness h(config);
        GLuint p = CreateProgram(h.ctx);
        AttachShader(h.ctx, p,
                     h.shader(GL_FRAGMENT_SHADER,
                              "uniform lowp vec4 c\n[1];\nvoid main() { gl_FragColor = c[0]; }\n"));
        AttachShader(h.ctx, p, h.shader(GL_VERTEX_SHADER, "void main() { gl_Position = vec4(0); }"));
        for (int times = 0; times < 2; ++times)
            LinkProgram(h.ctx, p);
        CHECK(h.linked(p));
        LinkProgram(h.ctx, CreateProgram(h.ctx));  // it does not link
    }
    std::vector<std::filesystem::path> files;
    for (const auto& f : std::filesystem::directory_iterator(config.shader_dump))
        files.push_back(f.path());
    REQUIRE(files.size() == 1);
    CHECK(files[0].extension() == ".shader_test");
    std::ifstream file(files[0]);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    CHECK(text ==
          "[require]\nGLSL ES >= 1.00\n\n[vertex shader]\nvoid main() { gl_Position = vec4(0); }\n"
          "\n[fragment shader]\nuniform lowp vec4 c\n [1];\nvoid main() { gl_FragColor = c[0]; }\n");
    std::filesystem::remove_all(folder);
}

TEST_CASE("a cached program with invalid stages is built again") {
    char folder[] = "/tmp/terrazzo-test-XXXXXX";
    REQUIRE(mkdtemp(folder));
    setenv("TERRAZZO_SHADER_CACHE", folder, 1);
    ContextConfig config;
    config.shader_cache = true;
    {
        test::Harness h(config);
        CHECK(h.linked(h.simple_program()));
    }
    // The last bytes of the largest entry (the program) are the fragment shader's remarks, and that there is
    // no compute shader. The damage claims one more line than there is.
    std::filesystem::path largest;
    for (const auto& f : std::filesystem::recursive_directory_iterator(folder))
        if (f.is_regular_file() && (largest.empty() || f.file_size() > std::filesystem::file_size(largest)))
            largest = f.path();
    const std::string hex = largest.parent_path().filename().string() + largest.filename().string();
    shaders::CacheKey key;
    for (size_t n = 0; n < key.bytes.size(); ++n)
        key.bytes[n] = uint8_t(std::stoul(hex.substr(2 * n, 2), nullptr, 16));
    shaders::ShaderCache cache({.memory_limit_B = 0, .folder = folder});
    auto value = cache.get(key);
    REQUIRE(value);
    constexpr size_t kLog_B = 4, kHash_B = 16, kHeader_B = 24;
    (*value)[value->size() - 2] ^= 0x80;
    const uint64_t hash = XXH3_64bits(value->data() + kLog_B + kHeader_B, value->size() - kLog_B - kHeader_B);
    std::memcpy(value->data() + kLog_B + kHash_B, &hash, sizeof hash);
    cache.put(key, *value);
    for (const bool device_looks : {false, true}) {
        test::Harness h(config);
        if (device_looks) h.screen.fail_after = 0;  // like a device that has no code for it
        GLuint p = h.simple_program();
        CHECK(h.linked(p));
        CHECK(GetUniformLocation(h.ctx, p, "color") >= 0);
        CHECK(h.ctx.share->cache->counts().disk_hits == 3);
    }
    test::Harness h(config);  // the cache is complete again
    h.screen.fail_after = 0;
    CHECK_FALSE(h.linked(h.simple_program()));
    unsetenv("TERRAZZO_SHADER_CACHE");
    std::filesystem::remove_all(folder);
}

TEST_CASE("a device without room for a program fails the link") {
    test::Harness h;
    GLuint p = CreateProgram(h.ctx);
    AttachShader(h.ctx, p, h.shader(GL_VERTEX_SHADER, kVertex));
    AttachShader(h.ctx, p, h.shader(GL_FRAGMENT_SHADER, kFragment));
    h.screen.fail_after = 0;
    LinkProgram(h.ctx, p);
    CHECK(!h.linked(p));
    LinkProgram(h.ctx, p);
    CHECK(h.linked(p));
}
