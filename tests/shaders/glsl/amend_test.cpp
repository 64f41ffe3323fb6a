// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The changes of amend.cpp to glslang, each rule in both directions.
#include <doctest/doctest.h>

#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using test::run;

namespace {
bool compiles(const std::string& source, int version = 100) {
    return test::compile_fragment(source, version).shader != nullptr;
}
/// Whether `const type x = value;` compiles.
bool constant(const std::string& type, const std::string& value) {
    return compiles(
        "precision highp float; struct S { float a; int v; }; const S s = S(1.0, 2);\n"
        "uniform float u; void main() { const " +
        type + " x = " + value + "; gl_FragColor = vec4(1.0); }");
}
}  // namespace

TEST_CASE("glsl: every built-in function of constants is constant") {
    const struct {
        const char *type, *value;
    } kCases[] = {
        {"float", "radians(1.0)"},
        {"float", "degrees(1.0)"},
        {"float", "atan(1.0, 2.0)"},
        {"float", "pow(2.0, 3.0)"},
        {"float", "inversesqrt(2.0)"},
        {"vec2", "mod(vec2(1.0), 2.0)"},
        {"vec2", "clamp(vec2(1.0), 2.0, 3.0)"},
        {"vec2", "mix(vec2(1.0), vec2(2.0), 0.5)"},
        {"vec2", "smoothstep(0.5, 1.0, vec2(2.0))"},
        {"float", "length(vec2(1.0))"},
        {"float", "distance(vec2(1.0), vec2(2.0))"},
        {"vec3", "cross(vec3(1.0), vec3(2.0))"},
        {"vec3", "normalize(vec3(1.0))"},
        {"vec3", "faceforward(vec3(1.0), vec3(1.0), vec3(1.0))"},
        {"vec3", "reflect(vec3(1.0), vec3(1.0))"},
        {"vec3", "refract(vec3(1.0), vec3(1.0), 0.5)"},
        {"mat2", "matrixCompMult(mat2(1.0), mat2(1.0))"},
        {"mat3", "matrixCompMult(mat3(1.0), mat3(1.0))"},
        {"mat4", "matrixCompMult(mat4(1.0), mat4(1.0))"},
        {"bvec2", "lessThan(vec2(1.0), vec2(2.0))"},
        {"bvec2", "notEqual(bvec2(true), bvec2(false))"},
        {"bool", "any(not(bvec2(true)))"},
    };
    for (const auto& c : kCases) {
        CAPTURE(c.value);
        CHECK(constant(c.type, c.value));
    }
    CHECK_FALSE(constant("float", "sin(u)"));
    CHECK_FALSE(constant("mat2", "matrixCompMult(mat2(u), mat2(1.0))"));
}

TEST_CASE("glsl: matrixCompMult of constants returns the products") {
    CHECK(run("const mat2 a = matrixCompMult(mat2(1.0, 2.0, 3.0, 4.0), mat2(5.0, 0.5, -1.0, 0.25));"
              "gl_FragColor = vec4(a[0], a[1]);") == "5 1 -3 1");
    CHECK(run("const mat2 a = mat2(2.0, 0.0, 0.0, 2.0) * mat2(1.0, 2.0, 3.0, 4.0);"
              "gl_FragColor = vec4(a[0], a[1]);") == "2 4 6 8");
}

TEST_CASE("glsl: the sequence operator is constant only in ESSL 1.00") {
    CHECK(run("const float f = 3.0 + (1.0, 2.0); gl_FragColor = vec4(f);") == "5 5 5 5");
    CHECK(run("float a[(1, 3)]; a[2] = 7.0; gl_FragColor = vec4(a[2]);") == "7 7 7 7");
    CHECK(constant("S", "(1, s)"));
    CHECK_FALSE(constant("float", "(u, 2.0)"));
    CHECK_FALSE(constant("float", "(2.0, u)"));
    CHECK_FALSE(
        compiles("#version 300 es\nprecision highp float; out vec4 c;\n"
                 "void main() { float a[(1, 3)]; c = vec4(a[2]); }",
                 300));
    // The side effects of a sequence happen, whether its result is constant or not.
    CHECK(run("float x = 1.0; float y = (x = 4.0, 2.0); gl_FragColor = vec4(x, y, 0.0, 0.0);") == "4 2 0 0");
}

TEST_CASE("glsl: arrays may be declared by their type") {
    CHECK(run("float[2] x; x[0] = 1.0; x[1] = 2.0; gl_FragColor = vec4(x[0], x[1], 0.0, 0.0);") == "1 2 0 0");
    // Other array features of 3.00 stay forbidden.
    CHECK_FALSE(
        compiles("precision highp float; void main() {"
                 "float x[2] = float[2](1.0, 2.0); gl_FragColor = vec4(x[0]); }"));
}

TEST_CASE("glsl: a definition repeats the precision of its prototype") {
    const std::string head = "precision mediump float;\n", tail = "void main() { gl_FragColor = vec4(f()); }";
    CHECK_FALSE(compiles(head + "float f(); highp float f() { return 3.0; }" + tail));
    CHECK_FALSE(compiles(head + "highp float f(); precision lowp float; float f() { return 3.0; }" + tail));
    CHECK(compiles(head + "float f(); mediump float f() { return 3.0; }" + tail));
    CHECK(compiles(head + "highp float f(); precision highp float; float f() { return 3.0; }" + tail));
    // Overloads are different functions.
    CHECK(
        compiles(head + "float f(); highp float f(float x) { return x; } float f() { return 1.0; }" + tail));
}

TEST_CASE("glsl: gl_FragColor goes to all draw buffers if EXT_draw_buffers or NV_draw_buffers is enabled") {
    const std::string body =
        "precision mediump float; void main() { gl_FragColor = vec4(1.0, 2.0, 3.0, 4.0); }";
    static constexpr std::string_view kNames[] = {"GL_EXT_draw_buffers", "GL_NV_draw_buffers"};
    shaders::CompileOptions o = test::options(ir::Stage::Fragment);
    o.extensions = kNames;
    const auto components = [&](const std::string& head) {
        const shaders::CompileResult r = shaders::compile(head + body, o);
        REQUIRE_MESSAGE(r.shader, r.log);
        REQUIRE(r.shader->outputs.size() >= 1);
        for (const shaders::InterfaceVar& v : r.shader->outputs)
            if (v.name == "gl_FragColor" && v.var) return v.var->count;
        return 0u;
    };
    CHECK(components("") == 4);
    CHECK(components("#extension GL_EXT_draw_buffers : enable\n") == 32);
    CHECK(components("#extension GL_EXT_draw_buffers : disable\n") == 4);
    CHECK(components("#extension GL_NV_draw_buffers : require\n") == 32);
}

TEST_CASE("glsl: gl_FragData accepts any index") {
    CHECK(run("gl_FragData[i0] = vec4(1.0, 2.0, 3.0, 4.0);") == "1 2 3 4");
    CHECK(run("for (int i = 0; i < 2; ++i) gl_FragData[i] = vec4(float(i) + 5.0);") == "5 5 5 5");
}
