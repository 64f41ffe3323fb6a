// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The changes to a text of ESSL 3.00 before glslang gets it: joined lines, #version after comments, outputs
// that are read. And constants that glslang itself does not fold.
#include <doctest/doctest.h>

#include "shaders/glsl/version_line.h"
#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using namespace terrazzo::shaders;
using glsl::read_version;
using test::run300;

TEST_CASE("read_version: texts that stay unchanged") {
    CHECK(read_version("").version == 100);
    CHECK(read_version("void main() {}").version == 100);
    CHECK(read_version("#version 100\nx \\\ny").version == 100);
    CHECK(read_version("/* c */ #version 100\n").text == "");
    CHECK(read_version("x\n#version 300 es\n").version == 100);
    CHECK(read_version("#version 300 es\nvoid main() {}").version == 300);
    CHECK(read_version("#version 300 es\nvoid main() {}").text == "");
}

TEST_CASE("read_version: lines are joined in 3.00, the others keep their numbers") {
    CHECK(read_version("#version 300 es\na\\\nb\\\r\nc\nd").text == "#version 300 es\nabc\n\n\nd");
    CHECK(read_version("#version 300 es\n\\").text == "");
    CHECK(read_version("#version 300 es\na\\\n").text == "#version 300 es\na");
    CHECK(run300("fl\\\noat x = 1.0; // comment \\\n color = vec4(9.0);\n color = vec4(x);") == "1 1 1 1");
    CHECK(test::compile_fragment("#version 300 es\n#define A \\\n B\nx y;", 300).log.find("0:4:") !=
          std::string::npos);
}

TEST_CASE("read_version: #version may follow comments") {
    const auto moved = read_version("/* a\n b */\n // c\n #version 300 es // d\nx");
    CHECK(moved.version == 300);
    CHECK(moved.added_lines == 2);
    CHECK(moved.text == "#version 300 es\n#line 1\n/* a\n b */\n // c\n  // d\nx");
    CHECK(read_version("\n#version /* a\n */ 300 es /* b\n c */\nx").text ==
          "#version 300 es\n#line 1\n\n\n /* b\n c */\nx");
    const std::string head = "\n/* a */\n#version 300 es\nprecision highp float; out vec4 o;\n";
    CHECK(test::compile_fragment(head + "void main() { o = vec4(1.0); }", 300).shader);
    CHECK(test::compile_fragment(head + "void main() { o = x; }", 300).log.find("0:5: 'x'") !=
          std::string::npos);
    std::string deep = head + "void main() { o = vec4(";
    for (int n = 0; n < 300; ++n)
        deep += "(";
    CHECK(test::compile_fragment(deep, 300).log.find("ERROR: 0:5: Terrazzo: brackets") != std::string::npos);
    CHECK_FALSE(test::compile_fragment("x;\n#version 300 es\nvoid main() {}", 300).shader);
}

namespace {
/// With framebuffer fetch. In the harness all system values are 1.
std::string fetch(const std::string& extension, const std::string& declaration,
                  const std::string& statements) {
    const std::string text = "#version 300 es\n#extension GL_EXT_shader_framebuffer_fetch" + extension +
                             " : require\nprecision highp float; precision highp int;\n" + declaration +
                             "\nvoid main() { " + statements + " }\n";
    const test::Outcome o = test::run_linked(text, ir::Stage::Fragment, {}, 300);
    return o.error.empty() ? o.text() : "FAILED: " + o.error;
}
}  // namespace

TEST_CASE("essl 3.00: inout outputs have the colour buffer's value") {
    const std::string one = "1.4013e-45 1.4013e-45 1.4013e-45 1.4013e-45";  // the word 1, read as a float
    CHECK(fetch("", "inout vec4 color;", "") == one);
    CHECK(fetch("", "layout(location = 0) inout highp vec4 color;",
                "color.y = 2.0; color.w = color.x + 3.0;") == "1.4013e-45 2 1.4013e-45 3");
    CHECK(fetch("", "inout highp ivec4 color;", "color.xyz += 1; color.w = floatBitsToInt(5.0);") ==
          "2.8026e-45 2.8026e-45 2.8026e-45 5");
    CHECK(fetch("", "inout vec4 color[2];", "color[1] = vec4(1.0);") == one);
    CHECK(fetch("", "void f(inout vec4 c) { c += 1.0; } out vec4 color;", "color = vec4(1.0); f(color);") ==
          "2 2 2 2");
    CHECK(fetch("_non_coherent", "layout(noncoherent) inout vec4 color;", "") == one);
    CHECK(fetch("_non_coherent", "layout(noncoherent, location = 0) inout vec4 color;", "") == one);
    CHECK(fetch("_non_coherent", "layout(location = 0, noncoherent) inout vec4 color;", "") == one);
    CHECK(fetch("", "layout(noncoherent) inout vec4 color;", "").substr(0, 6) == "FAILED");
    CHECK(fetch("_non_coherent", "inout vec4 color;", "").substr(0, 6) == "FAILED");
    CHECK(fetch("", "inout highp float gl_FragDepth; out vec4 color;",
                "gl_FragDepth += 0.5; color = vec4(1.0);")
              .find("0:4: 'gl_FragDepth'") != std::string::npos);
    CHECK_FALSE(test::compile_fragment("#version 300 es\ninout highp vec4 c; void main() {}", 300).shader);
}

TEST_CASE("essl 3.00: every built-in function of constants is constant, with the values of run time") {
    const struct {
        const char *type, *function, *constants, *uniforms;
    } kCases[] = {
        {"float", "sinh", "2.0", "u2"},
        {"float", "cosh", "2.0", "u2"},
        {"vec2", "tanh", "vec2(1.0, 2.0)", "v.xy"},
        {"float", "asinh", "2.0", "u2"},
        {"vec3", "acosh", "vec3(1.0, 2.0, 3.0)", "v.xyz"},
        {"float", "atanh", "0.5", "uh"},
        {"float", "round", "2.5", "(u2 + uh)"},
        {"vec4", "roundEven", "vec4(0.5, 1.5, 2.5, -3.5)", "vec4(uh, u1 + uh, u2 + uh, un)"},
        {"vec2", "trunc", "vec2(1.5, -3.5)", "vec2(u1 + uh, un)"},
        {"uint", "packSnorm2x16", "vec2(-3.5, 0.5)", "vec2(un, uh)"},
        {"uint", "packUnorm2x16", "vec2(-3.5, 0.5)", "vec2(un, uh)"},
        {"uint", "packHalf2x16", "vec2(-3.5, 0.5)", "vec2(un, uh)"},
        {"vec2", "unpackSnorm2x16", "0x80000000u", "uv.z"},
        {"vec2", "unpackUnorm2x16", "0x80000000u", "uv.z"},
        {"vec2", "unpackHalf2x16", "0x3c003800u", "(uv.x * 0x3c003800u)"},
        {"int", "floatBitsToInt", "-3.5", "un"},
        {"uvec2", "floatBitsToUint", "vec2(-3.5, 0.5)", "vec2(un, uh)"},
        {"float", "intBitsToFloat", "0x40400000", "(i1 * 0x40400000)"},
        {"float", "uintBitsToFloat", "0x40400000u", "(uv.x * 0x40400000u)"},
        {"float", "determinant", "mat2(1.0, 2.0, 3.0, 4.0)", "m2"},
        {"float", "determinant", "mat4(2.0)", "mat4(u2)"},
        {"mat2", "inverse", "mat2(1.0, 2.0, 3.0, 4.0)", "m2"},
        {"mat4", "inverse", "mat4(2.0)", "mat4(u2)"},
        {"mat3x2", "transpose", "mat2x3(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)", "mat2x3(v.xyz, v.w, w.xy)"},
    };
    for (const auto& c : kCases) {
        const std::string f = c.function, type = c.type;
        std::string same = "all(lessThan(abs(c - r), " + type + "(1e-6)))";
        if (type == "float") same = "abs(c - r) < 1e-6";
        if (type.find("mat") == 0)
            same =
                "all(lessThan(abs(c[0] - r[0]), vec" + type.substr(type.size() == 4 ? 3 : 5, 1) + "(1e-6)))";
        if (type == "int" || type == "uint" || type == "uvec2") same = "c == r";
        CAPTURE(f);
        CHECK(run300(type + " r = " + f + "(" + c.uniforms + "); color = vec4(" + same + ");",
                     "const " + type + " c = " + f + "(" + c.constants + ");") == "1 1 1 1");
    }
    CHECK(run300("float a[int(cosh(0.0)) + int(packUnorm2x16(vec2(0.0)))]; color = vec4(a.length());") ==
          "1 1 1 1");
}

TEST_CASE("essl 3.00: textureQueryLOD if it is enabled, and a shader's own function of this name") {
    const std::string head = "#version 300 es\n", enable = "#extension GL_EXT_texture_query_lod : enable\n",
                      rest = "precision highp float; uniform sampler2D s; in vec2 v; out vec4 o;\n",
                      own = "vec2 textureQueryLOD(sampler2D a, vec2 b) { return texture(a, b).xy; }\n",
                      query = "#define LOD(s) textureQueryLOD(s, v)\nvoid main() { o = vec4(LOD(s), 0, 1); }";
    CHECK(test::compile_fragment(head + enable + rest + query, 300).shader);
    CHECK(test::compile_fragment(head + rest + query, 300).log.find("'textureQueryLOD' : no matching") !=
          std::string::npos);
    CHECK(test::compile_fragment(head + rest + own + query, 300).shader);
    CHECK_FALSE(test::compile_fragment(head + enable + rest + own + query, 300).shader);
    CHECK(test::compile_fragment(
              head + enable + rest + "void main() { o = vec4(textureQueryLOD(s, v.x), 0, 1); }", 300)
              .log.find("'textureQueryLOD' : no matching") != std::string::npos);
    // Khronos' registry has no function with this name.
    CHECK_FALSE(test::compile_fragment(
                    head + enable + rest + "void main() { o = vec4(textureQueryLodEXT(s, v), 0, 1); }", 300)
                    .shader);
}

TEST_CASE("essl 3.00: EXT_texture_shadow_lod overloads texture functions if it is enabled") {
    const std::string
        enable = "#extension GL_EXT_texture_shadow_lod : require\n",
        rest =
            "precision highp float; precision highp sampler2DArrayShadow; precision highp "
            "samplerCubeShadow;\n"
            "uniform sampler2DArrayShadow a; uniform samplerCubeShadow c; uniform sampler2D s;\n"
            "in vec4 v; out vec4 o;\n";
    const auto log = [&](const std::string& head, const std::string& expression) {
        const auto r = test::compile_fragment(
            "#version 300 es\n" + head + rest + "void main() { o = vec4(" + expression + "); }", 300);
        CHECK(!r.shader == !r.log.empty());
        return r.log;
    };
    for (const char* const f :
         {"texture(a, v, v.x)", "textureOffset(a, v, ivec2(1, -8))", "textureOffset(a, v, ivec2(1, 7), v.y)",
          "textureLod(a, v, 2.0)", "textureLod(c, v, v.x)", "textureLodOffset(a, v, 1.0, ivec2(2))"}) {
        CAPTURE(f);
        CHECK(log(enable, f).empty());
        CHECK(log("", f) != "");
        if (std::string_view(f).substr(0, 13) != "textureOffset")
            CHECK(log("", f).find("needs #extension GL_EXT_texture_shadow_lod") != std::string::npos);
        CHECK(log(enable + "#extension GL_EXT_texture_shadow_lod : disable\n", f) != "");
    }
    // The other functions are unchanged.
    for (const char* const f :
         {"texture(s, v.xy)", "texture(s, v.xy, 1.0)", "texture(a, v)", "textureLod(s, v.xy, 1.0)",
          "textureOffset(s, v.xy, ivec2(3))", "textureOffset(s, v.xy, ivec2(3), v.x)"}) {
        CAPTURE(f);
        CHECK(log(enable, f).empty());
        CHECK(log("", f).empty());
    }
    CHECK(log(enable, "textureOffset(a, v, ivec2(8, 0))").find("'texel offset' : value is out of range") !=
          std::string::npos);
    CHECK(log(enable, "textureOffset(s, v.xy, ivec2(v.x))").find("compile-time constant") !=
          std::string::npos);
    CHECK(log(enable, "textureLod(a, v.xyz, 1.0)").find("'textureLod' : no matching") != std::string::npos);
}

TEST_CASE("essl 3.00: a global variable may have a built-in function's name, a function may not") {
    CHECK(
        run300("color = vec4(textureSize * 2.0, min, own.max);",
               "const vec2 textureSize = vec2(1.0, 2.0); float sin[2], min = 3.0; struct exp { float max; }; "
               "const exp own = exp(4.0);") == "2 4 3 4");
    // It hides the function from there on. A name after a dot is a member.
    CHECK(run300("color = vec4(one(), sin, own.cos, 0);",
                 "float one() { return cos(0.0); } struct Own { float cos; }; const Own own = Own(5.0); "
                 "const float "
                 "cos = 3.0, sin = "
                 "cos + 1.0;") == "1 4 5 0");
    const std::string head = "#version 300 es\nprecision highp float; out vec4 o;\n";
    const auto r = test::compile_fragment(
        head + "uniform vec2 textureSize; void main() { o = vec4(textureSize, 0, 1); }", 300);
    REQUIRE(r.shader);
    REQUIRE(r.shader->uniforms.size() == 1);
    CHECK(r.shader->uniforms[0].name == "textureSize");
    CHECK(test::compile_fragment(head + "uniform vec2 sin; void main() { o = vec4(sin(1.0)); }", 300)
              .log.find("'sin'") != std::string::npos);
    CHECK_FALSE(test::compile_fragment(
                    head + "float sin(int x) { return 1.0; } void main() { o = vec4(sin(1)); }", 300)
                    .shader);
}

TEST_CASE("numbers beyond the range of floats become infinite or zero, also in folded constants") {
    CHECK(run300("color = vec4(isinf(1.0e40), isinf(1.0e+40f), isinf(-1.0e40), isinf(1.0e2147483649));") ==
          "1 1 1 1");
    CHECK(run300("color = vec4(1.0e-50 == 0.0, 1e-2147483649 == 0.0, 1.0e-30 == 0.0, isinf(3.0e38));") ==
          "1 1 0 0");
    CHECK(run300("color = vec4(isinf(HUGE), TINY == 0.0, x.e, .5e+1);",
                 "#define HUGE 1e39\n#define TINY 1.0e-60\nstruct E { float e; }; const E x = E(2.0);") ==
          "1 1 2 5");
    const std::string zeros(100, '0');
    CHECK(run300("color = vec4(0." + zeros + "1e101, 1" + zeros + "e-100, 1, 1);") == "1 1 1 1");
}
