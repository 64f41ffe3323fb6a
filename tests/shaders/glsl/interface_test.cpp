// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The lists of a compiled shader for the linker, and the IR of small shaders as text.
#include <doctest/doctest.h>

#include "shaders/ir/print.h"
#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using namespace terrazzo::shaders;

namespace {
std::string describe(const std::vector<InterfaceVar>& list) {
    std::string s;
    for (const InterfaceVar& v : list) {
        static constexpr const char* kPrecision[] = {"", "lowp ", "mediump ", "highp "};
        s += std::string(v.invariant ? "invariant " : "") + kPrecision[unsigned(v.precision)] + v.name;
        if (v.array_size) s += std::string("[").append(std::to_string(v.array_size)) + "]";
        s += std::string(" ").append(std::to_string(v.type.columns)) + "x" + std::to_string(v.type.rows) +
             " @" + std::to_string(v.first_component) + (v.statically_used ? "\n" : " unused\n");
    }
    return s;
}
}  // namespace

TEST_CASE("glsl: uniforms are listed with GL's names") {
    const CompileResult r = test::compile_fragment(
        "precision mediump float; struct In { float f; vec3 g[2]; }; struct S { In i[2]; lowp mat2 m; bool "
        "b; };\n"
        "uniform S s[2]; uniform highp vec4 plain; uniform float list[3]; uniform sampler2D tex[2];\n"
        "void main() { gl_FragColor = plain * s[1].i[0].f + texture2D(tex[0], s[0].i[1].g[1].xy); }");
    REQUIRE(r.shader);
    CHECK(describe(r.shader->uniforms) ==
          "mediump s[0].i[0].f 1x1 @0\nmediump s[0].i[0].g[2] 1x3 @0\nmediump s[0].i[1].f 1x1 @1\nmediump "
          "s[0].i[1].g[2] 1x3 @6\n"
          "lowp s[0].m 2x2 @0\ns[0].b 1x1 @0\nmediump s[1].i[0].f 1x1 @2\nmediump s[1].i[0].g[2] 1x3 @12\n"
          "mediump s[1].i[1].f 1x1 @3\nmediump s[1].i[1].g[2] 1x3 @18\nlowp s[1].m 2x2 @4\ns[1].b 1x1 @1\n"
          "highp plain 1x4 @0\nmediump list[3] 1x1 @0 unused\nlowp tex[2] 1x1 @0\n");
    CHECK(r.shader->uniforms[0].declared_type ==
          "struct S{struct In{float f;vec3[2] g;}[2] i;mat2 m;bool b;}[2]");
    CHECK(r.shader->uniforms.back().type.base == BaseType::Sampler);
}

TEST_CASE("glsl: attributes, varyings and outputs are listed") {
    const CompileResult r = test::compile_vertex(
        "attribute vec4 a; attribute mat3 m; attribute float no; invariant varying vec2 v[2]; varying float "
        "w;\n"
        "invariant gl_Position; void main() { gl_Position = a; v[1] = m[0].xy; gl_PointSize = 1.0; }");
    REQUIRE(r.shader);
    CHECK(describe(r.shader->inputs) == "highp a 1x4 @0\nhighp m 3x3 @0\nhighp no 1x1 @0 unused\n");
    CHECK(describe(r.shader->outputs) ==
          "invariant highp v[2] 1x2 @0\nhighp w 1x1 @0 unused\ninvariant highp gl_Position 1x4 @0\n"
          "mediump gl_PointSize 1x1 @0\n");
    const CompileResult pragma =
        test::compile_vertex("#pragma STDGL invariant(all)\nvarying float w; void main() { w = 1.0; }");
    REQUIRE(pragma.shader);
    CHECK(pragma.shader->outputs[0].invariant);
}

TEST_CASE("glsl: names with two underscores keep them") {
    const CompileResult r = test::compile_vertex(
        "#define VALUE__X 2.0\nattribute vec4 __a; uniform vec4 u__b; void main() { gl_Position = __a * u__b "
        "* VALUE__X; }");
    REQUIRE(r.shader);
    CHECK(r.shader->inputs[0].name == "__a");
    CHECK(r.shader->uniforms[0].name == "u__b");
    CHECK(r.log.find("WARNING: 0:2: '__a' : identifiers containing consecutive underscores are reserved") !=
          std::string::npos);
}

TEST_CASE("glsl: a single assignment needs no variable") {
    const CompileResult r = test::compile_fragment(
        "precision mediump float;\nvarying vec2 v;\nuniform float k;\nvoid main() {\n  float x = v.x * k;\n"
        "  gl_FragColor = vec4(x);\n}");
    REQUIRE(r.shader);
    CHECK(ir::print(*r.shader->ir) == R"(fragment {
  var v0 "v" f32[2] input mediump
  var v1 "k" f32[1] uniform mediump
  var v2 "gl_FragColor" f32[4] output mediump
  var v3 "gl_FragColor" f32[4] local mediump
  %0: i32 = const 0
  %1: f32 = load_var v0[0] !5
  %2: f32 = load_var v1[0] !5
  %3: f32 = fmul.mediump %1, %2 !5
  store_var v3[0], %3 !6
  store_var v3[1], %3 !6
  store_var v3[2], %3 !6
  store_var v3[3], %3 !6
  %4: f32 = load_var v3[0]
  store_var.mediump v2[0], %4
  %5: f32 = load_var v3[1]
  store_var.mediump v2[1], %5
  %6: f32 = load_var v3[2]
  store_var.mediump v2[2], %6
  %7: f32 = load_var v3[3]
  store_var.mediump v2[3], %7
}
)");
}

TEST_CASE("glsl: precision and invariance become flags") {
    const auto text = [](const CompileResult& r) { return r.shader ? ir::print(*r.shader->ir) : r.log; };
    const std::string mixed =
        text(test::compile_fragment("precision mediump float; uniform float a; uniform highp float b; void "
                                    "main() { float x = a + a; float y = a * b;"
                                    " gl_FragColor = vec4(x - y > a / b); }"));
    CHECK(mixed.find("fadd.mediump") != std::string::npos);
    CHECK(mixed.find("fmul %") != std::string::npos);
    CHECK(mixed.find("fdiv %") != std::string::npos);
    CHECK(mixed.find("flt %") != std::string::npos);
    const std::string exact = text(test::compile_vertex(
        "attribute vec4 a; invariant gl_Position; void main() { gl_Position = a * a; }"));
    CHECK(exact.find("fmul.exact") != std::string::npos);
}
