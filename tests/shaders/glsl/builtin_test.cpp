// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Built-in functions: exact ones are compared with numbers worked out by hand, the others with the C library.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>

#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using test::run;

namespace {
struct Case {
    std::string statements;
    std::string expected;
};
void check(std::initializer_list<Case> cases) {
    for (const Case& c : cases) {
        CAPTURE(c.statements);
        CHECK(run(c.statements) == c.expected);
    }
}
}  // namespace

TEST_CASE("glsl: common functions") {
    check({
        {"gl_FragColor = vec4(abs(un), sign(un), floor(un), ceil(un));", "3.5 -1 -4 -3"},
        {"gl_FragColor = vec4(fract(un), mod(un, u2), mod(v.zw, u2));", "0.5 0.5 1 0"},
        {"gl_FragColor = vec4(min(v.xy, 1.5), max(v.z, w.x), clamp(un, u1, u2));", "1 1.5 5 1"},
        {"gl_FragColor = mix(v, w, vec4(0.0, 0.5, 1.0, 2.0));", "1 4 7 12"},
        {"gl_FragColor = vec4(mix(v.xy, w.xy, uh), step(u2, vec2(1.0, 2.0)));", "3 4 0 1"},
        {"gl_FragColor = smoothstep(1.0, 3.0, vec4(0.0, 1.5, 2.0, 5.0));", "0 0.15625 0.5 1"},
    });
}

TEST_CASE("glsl: geometric, matrix and relational functions") {
    check({
        {"gl_FragColor = vec4(length(v.zw), distance(v.xy, vec2(4.0, 6.0)), dot(v, w), length(un));",
         "5 5 70 3.5"},
        {"gl_FragColor = vec4(cross(v.xyz, w.xyz), dot(u2, uh));", "-4 8 -4 1"},
        {"gl_FragColor = vec4(normalize(v.zw), normalize(un), normalize(vec2(0.0, 2.0)).y);", "0.6 0.8 -1 1"},
        {"gl_FragColor = vec4(faceforward(v.xy, vec2(1.0), vec2(-1.0)), faceforward(v.xy, vec2(1.0), "
         "vec2(1.0)));",
         "1 2 -1 -2"},
        {"gl_FragColor = vec4(reflect(vec2(1.0, -1.0), vec2(0.0, 1.0)), reflect(v.xy, vec2(1.0, 0.0)));",
         "1 1 -1 2"},
        {"gl_FragColor = vec4(refract(vec2(0.0, -1.0), vec2(0.0, 1.0), 0.5), refract(vec2(1.0, 0.0), "
         "vec2(0.0, 1.0), 2.0));",
         "0 -1 0 0"},
        {"mat2 a = matrixCompMult(m2, mat2(v)); gl_FragColor = vec4(a[0], a[1]);", "1 4 9 16"},
        {"gl_FragColor = vec4(lessThanEqual(v.xy, vec2(1.0)), greaterThan(iv.xy, ivec2(0)));", "1 0 1 0"},
        {"gl_FragColor = vec4(notEqual(v.xy, vec2(1.0)), greaterThanEqual(iv.xy, ivec2(1)));", "0 1 1 0"},
        {"gl_FragColor = vec4(equal(bvec2(t, f), bvec2(t)), notEqual(bvec2(t, f), bvec2(t)));", "1 0 0 1"},
    });
}

TEST_CASE("glsl: textures") {
    // The harness returns (x + 10 * unit, y, lod or bias or gradient, third coordinate).
    check({
        {"gl_FragColor = texture2D(tex, v.xy);", "1 2 -1 0"},
        {"gl_FragColor = texture2D(tex, v.xy, u2);", "1 2 2 0"},
        {"gl_FragColor = texture2DProj(tex, vec3(6.0, 4.0, 2.0));", "3 2 -1 0"},
        {"gl_FragColor = texture2DProj(tex, vec4(6.0, 4.0, 9.0, 2.0), uh);", "3 2 0.5 0"},
        {"gl_FragColor = textureCube(cube, v.yzw);", "2 3 -1 4"},
        {"gl_FragColor = textureCube(cube, v.yzw, uh);", "2 3 0.5 4"},
        {"gl_FragColor = texture2DLodEXT(tex, v.xy, u2);", "1 2 2 0"},
        {"gl_FragColor = texture2DProjLodEXT(tex, vec3(6.0, 4.0, 2.0), u2);", "3 2 2 0"},
        {"gl_FragColor = texture2DGradEXT(tex, v.xy, w.xy, w.zw);", "1 2 13 0"},
        {"gl_FragColor = textureCubeLodEXT(cube, v.xyz, un);", "1 2 -3.5 3"},
        {"gl_FragColor = texture2D(texs[1], v.xy) + texture2D(tex, v.xy);", "22 4 -2 0"},
        {"gl_FragColor = texture2D(texs[i1], v.xy);", "11 2 -1 0"},
    });
    const std::string vertex =
        "uniform sampler2D s; void main() { gl_Position = texture2D(s, vec2(3.0, 4.0)) + "
        "texture2DLod(s, vec2(1.0), 2.0); }";
    const test::Outcome o = test::run_linked(vertex, ir::Stage::Vertex, {});
    CHECK(o.error == "");
    CHECK(o.text() == "4 5 2 0");
}

TEST_CASE("glsl: derivatives and built-in variables") {
    check({
        {"gl_FragColor = vec4(dFdx(gl_FragCoord.x), dFdy(gl_FragCoord.y * 3.0), fwidth(gl_FragCoord.xy));",
         "1 3 1 1"},
        {"gl_FragColor = gl_FragCoord;", "0.5 0.5 0.25 1"},
        {"gl_FragColor = vec4(gl_PointCoord, gl_FrontFacing, 0);", "0.5 0.5 1 0"},
        {"gl_FragColor = vec4(gl_MaxVertexAttribs, gl_MaxDrawBuffers, gl_MaxVaryingVectors, "
         "gl_MaxTextureImageUnits);",
         "16 8 16 16"},
        {"gl_FragData[0] = v; gl_FragData[1] = w;", "1 2 3 4"},
        {"gl_FragDepthEXT = uh; gl_FragColor = v;", "1 2 3 4"},
    });
}

TEST_CASE("glsl: angle and exponential functions follow the C library") {
    struct Function {
        const char* call;
        double (*f)(double);
        double low, high, tolerance;  // relative; absolute below 1
    };
    static const Function kFunctions[] = {
        {"radians(x)", [](double x) { return x * M_PI / 180; }, -720, 720, 1e-6},
        {"degrees(x)", [](double x) { return x * 180 / M_PI; }, -10, 10, 1e-6},
        {"sin(x)", std::sin, -10, 10, 1e-6},
        {"cos(x)", std::cos, -10, 10, 1e-6},
        {"tan(x)", std::tan, -1.5, 1.5, 2e-6},
        {"asin(x)", std::asin, -1, 1, 1e-6},
        {"acos(x)", std::acos, -1, 1, 1e-6},
        {"atan(x)", std::atan, -30, 30, 1e-6},
        {"atan(x, -2.0)", [](double x) { return std::atan2(x, -2.0); }, -5, 5, 1e-6},
        {"atan(3.0, x)", [](double x) { return std::atan2(3.0, x); }, -5, 5, 1e-6},
        {"exp(x)", std::exp, -20, 20, 4e-6},
        {"log(x)", std::log, 0.001, 1000, 1e-6},
        {"exp2(x)", std::exp2, -20, 20, 1e-6},
        {"log2(x)", std::log2, 0.001, 1000, 1e-6},
        {"pow(x, 2.5)", [](double x) { return std::pow(x, 2.5); }, 0.01, 100, 4e-6},
        {"sqrt(x)", std::sqrt, 0, 1000, 1e-6},
        {"inversesqrt(x)", [](double x) { return 1 / std::sqrt(x); }, 0.001, 1000, 1e-6},
    };
    static const Function kFunctions300[] = {
        {"sinh(x)", std::sinh, -10, 10, 4e-6},   {"cosh(x)", std::cosh, -10, 10, 4e-6},
        {"tanh(x)", std::tanh, -10, 10, 2e-6},   {"asinh(x)", std::asinh, -2000, 2000, 2e-6},
        {"acosh(x)", std::acosh, 1, 2000, 4e-6}, {"atanh(x)", std::atanh, -0.99, 0.99, 4e-6},
        {"trunc(x)", std::trunc, -5, 5, 0},      {"roundEven(x)", std::nearbyint, -5, 5, 0},
    };
    const auto check_function = [](const Function& f, bool es3) {
        const std::string source = std::string(es3 ? "#version 300 es\nout highp vec4 color;" : "") +
                                   "precision highp float; uniform float x; void main() { " +
                                   (es3 ? "color" : "gl_FragColor") + " = vec4(" + f.call + "); }";
        for (int n = 0; n <= 40; ++n) {
            const float x = float(f.low + (f.high - f.low) * n / 40);
            const test::Outcome o =
                test::run_linked(source, ir::Stage::Fragment, {{"x", test::floats({x})}}, es3 ? 300 : 100);
            REQUIRE(o.error == "");
            CAPTURE(f.call);
            CAPTURE(x);
            const double want = f.f(double(x));
            CHECK(std::abs(double(o.out[0][0]) - want) <= f.tolerance * std::max(1.0, std::abs(want)));
        }
    };
    for (const Function& f : kFunctions)
        check_function(f, false);
    for (const Function& f : kFunctions300)
        check_function(f, true);
}

TEST_CASE("glsl: functions of ESSL 3.00") {
    const auto result = [](const std::string& statements, const std::string& globals = "") {
        const std::string source =
            "#version 300 es\nprecision highp float; precision highp int; out vec4 color;\n"
            "uniform uint a, b; uniform int i; uniform float x; uniform vec2 p; uniform mat3 m;\n" +
            globals + "void main() { " + statements + " }";
        const test::UniformValues u = {
            {"a", test::ints({100})},        {"b", test::ints({7})},
            {"i", test::ints({-9})},         {"x", test::floats({2.75f})},
            {"p", test::floats({0.5f, -1})}, {"m", test::floats({2, 0, 0, 0, 4, 1, 0, 0, 5})}};
        const test::Outcome o = test::run_linked(source, ir::Stage::Fragment, u, 300);
        return o.error.empty() ? o.text() : o.error;
    };
    CHECK(result("color = vec4(a / b, a % b, a >> 2, ~a & 15u);") == "14 2 25 11");
    CHECK(result("color = vec4(a ^ b, a | b, i >> 1, i << 2);") == "99 103 -5 -36");
    CHECK(result("color = vec4(uint(x), a > b, float(a - 101u) > 4e9, int(a) + i);") == "2 1 1 91");
    CHECK(result("float w; float f = modf(x, w); color = vec4(f, w, isnan(x), isinf(x / 0.0));") ==
          "0.75 2 0 1");
    CHECK(result("color = vec4(mix(x, 1.0, true), mix(p, vec2(3), bvec2(true, false)), round(x));") ==
          "1 3 -1 3");
    CHECK(result("color = vec4(determinant(m), inverse(m)[1]);") == "40 0 0.25 -0.05");
    CHECK(result("mat2x3 t = outerProduct(vec3(1, 2, 3), p); color = vec4(t[0], t[1].z); color.y += "
                 "transpose(t)[2].x;") == "0.5 2.5 1.5 -3");
    CHECK(result("color = vec4(floatBitsToInt(x) == 0x40300000, intBitsToFloat(0x3f800000), "
                 "unpackHalf2x16(packHalf2x16(p)));") == "1 1 0.5 -1");
    CHECK(result("color = vec4(unpackSnorm2x16(packSnorm2x16(p)), unpackUnorm2x16(packUnorm2x16(p)));") ==
          "0.500015 -1 0.500008 0");
    CHECK(result("float t[3] = float[](1.0, 2.0, 4.0); t[i + 10] *= x; float s[3] = t; color = vec4(s[0], "
                 "s[1], s == t, t.length());") == "1 5.5 1 3");
    CHECK(result(
              "color = vec4(k[i + 11], k[0], f(vec2[2](p, p * 2.0)), 0);",
              "const float k[3] = float[3](5.0, 6.0, 7.0); float f(vec2 q[2]) { return q[1].x + q[0].y; }") ==
          "7 5 0 0");
    CHECK(result("S s[2] = S[2](S(1.0, vec2[2](p, p)), S(2.0, vec2[2](p + 1.0, p))); S t = s[i + 10]; color "
                 "= vec4(t.a, t.b[0], "
                 "s[0].b[1].y);",
                 "struct S { float a; vec2 b[2]; };") == "2 1.5 0 -1");
}
