// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The interfaces of a linked program, and the errors of linking.
#include <doctest/doctest.h>

#include "shaders/ir/print.h"
#include "shaders/ir/validate.h"
#include "shaders/link/packing.h"
#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using namespace terrazzo::shaders;
using test::link_pair;

namespace {

constexpr unsigned kVs = unsigned(ir::Stage::Vertex), kFs = unsigned(ir::Stage::Fragment);
const char* const kPlainVertex = "void main() { gl_Position = vec4(0.0); }";
const char* const kPlainFragment = "void main() { gl_FragColor = vec4(0.0); }";

std::string describe(const LinkedProgram& p) {
    std::string s;
    for (const UniformInfo& u : p.uniforms) {
        s += u.name + " x" + std::to_string(u.array_size) + " at " + std::to_string(u.location) + " store " +
             std::to_string(u.storage_dw) + " block " + std::to_string(u.offset_dw[kVs]) + "," +
             std::to_string(u.offset_dw[kFs]) + " slot " + std::to_string(u.sampler_slot[kVs]) + "," +
             std::to_string(u.sampler_slot[kFs]) + "\n";
    }
    return s;
}
std::string attributes(const LinkedProgram& p) {
    std::string s;
    for (const AttributeInfo& a : p.attributes)
        s += a.name + "=" + std::to_string(a.location) + " ";
    return s;
}

}  // namespace

TEST_CASE("link: uniforms") {
    const LinkResult l = link_pair(
        "uniform highp vec4 both; uniform highp mat3 m; uniform highp float dead; uniform bool flag; void "
        "main() { gl_Position = "
        "both + vec4(m[2], float(flag)); float x = dead; }",
        "precision highp float; struct S { float a; vec2 b[2]; }; uniform float w[3]; uniform vec4 both; "
        "uniform S s[2];"
        "uniform sampler2D t[2]; uniform samplerCube c; void main() { gl_FragColor = both * w[2] + "
        "s[1].b[0].xyxy + "
        "texture2D(t[1], vec2(s[0].a)) + textureCube(c, vec3(1.0)); }");
    REQUIRE_MESSAGE(l.program, l.log);
    CHECK(describe(*l.program) ==
          "both x1 at 0 store 0 block 0,3 slot -1,-1\n"
          "m x1 at 1 store 4 block 4,-1 slot -1,-1\n"
          "flag x1 at 2 store 13 block 13,-1 slot -1,-1\n"
          "w[0] x3 at 3 store 14 block -1,0 slot -1,-1\n"
          "s[0].a x1 at 6 store 17 block -1,7 slot -1,-1\n"
          "s[1].b[0] x2 at 7 store 18 block -1,13 slot -1,-1\n"
          "t[0] x2 at 9 store 22 block -1,-1 slot -1,0\n"
          "c x1 at 11 store 24 block -1,-1 slot -1,2\n");
    CHECK(l.program->storage_dw == 25);
    CHECK(l.program->uniform_dw[kVs] == 14);
    CHECK(l.program->uniform_dw[kFs] == 17);
    REQUIRE(l.program->samplers[kFs].size() == 3);
    CHECK(l.program->samplers[kFs][1].uniform == 6);
    CHECK(l.program->samplers[kFs][1].element == 1);
    CHECK(l.program->samplers[kFs][2].type.dim == ir::TexDim::Cube);
    CHECK(l.program->stages[kFs]->info.sampler_count == 3);
}

TEST_CASE("link: gl_DepthRange is three uniforms without a location") {
    const LinkResult l = link_pair(kPlainVertex,
                                   "precision highp float; uniform float x; void main() { gl_FragColor = "
                                   "vec4(gl_DepthRange.far, gl_DepthRange.near, x, 0.0); }");
    REQUIRE_MESSAGE(l.program, l.log);
    std::string names;
    for (const UniformInfo& u : l.program->uniforms)
        names += u.name + "@" + std::to_string(u.location) + " ";
    CHECK(names == "x@0 gl_DepthRange.near@-1 gl_DepthRange.far@-1 ");
}

TEST_CASE("link: attributes") {
    const std::string vertex =
        "attribute vec4 a; attribute mat3 m; attribute vec2 b; attribute float unused; void main() { "
        "gl_Position = a + vec4(m[2], b.x); }";
    const LinkResult l = link_pair(vertex, kPlainFragment);
    REQUIRE_MESSAGE(l.program, l.log);
    CHECK(attributes(*l.program) == "a=3 m=0 b=4 ");
    const AttributeBinding bind[] = {{"b", 0}, {"m", 5}, {"unused", 200}, {"nothing", 1}};
    const LinkResult bound = link_pair(vertex, kPlainFragment, 100, bind);
    REQUIRE_MESSAGE(bound.program, bound.log);
    CHECK(attributes(*bound.program) == "a=1 m=5 b=0 ");
    CHECK(bound.program->stages[kVs]->info.inputs_read == (1u << 0 | 1u << 1 | 1u << 7));
    const AttributeBinding end[] = {{"m", 14}};
    CHECK(link_pair(vertex, kPlainFragment, 100, end).log ==
          "ERROR: attribute 'm' is bound to location 14 and takes 3, but there are 16 locations\n");
    const AttributeBinding split[] = {{"a", 2}, {"b", 5}, {"c", 8}, {"d", 11}, {"e", 13}};
    CHECK(link_pair("attribute vec4 a, b, c, d, e; attribute mat3 m, n, o, p; void main() { gl_Position = a "
                    "+ b + c + d + e + "
                    "vec4(m[0] + n[0] + o[0] + p[0], 0.0); }",
                    kPlainFragment, 100, split)
              .log ==
          "ERROR: too many attributes: 'm' needs 3 of 16 locations and they are taken (17 are needed in "
          "all)\n");
    // Aliases are allowed in ESSL 1.00.
    const AttributeBinding alias[] = {{"a", 3}, {"b", 3}};
    CHECK(link_pair(vertex, kPlainFragment, 100, alias).program);
    CHECK(link_pair("#version 300 es\nin vec4 a; in vec4 b; void main() { gl_Position = a + b; }",
                    "#version 300 es\nvoid main() {}", 300, alias)
              .log == "ERROR: attribute 'b' shares location 3 with another attribute\n");
    // A declaration suffices, whether it is read or not.
    CHECK(link_pair("#version 300 es\nin float a; in vec4 b; void main() { gl_Position = b; }",
                    "#version 300 es\nvoid main() {}", 300, alias)
              .log == "ERROR: attribute 'b' shares location 3 with another attribute\n");
}

TEST_CASE("link: varyings are packed and unused ones are removed") {
    const LinkResult l = link_pair(
        "attribute vec4 a; varying vec3 x; varying float y; varying vec2 z; varying vec4 dead; varying float "
        "silent;\n"
        "void main() { gl_Position = a; x = a.xyz; y = a.w; z = a.xy * 2.0; dead = sin(a); }",
        "precision highp float; varying vec2 z; varying vec3 x; varying float y; varying float silent; "
        "varying vec4 dead;\n"
        "void main() { gl_FragColor = vec4(x.xy, y + silent, z.y); }");
    REQUIRE_MESSAGE(l.program, l.log);
    CHECK(l.program->varying_slots == 1);
    const std::string vertex = ir::print(*l.program->stages[kVs]);
    CHECK(vertex.find("fsin") == std::string::npos);
    CHECK(ir::validate(*l.program->stages[kVs], ir::Phase::AfterLink) == "");
    CHECK(ir::validate(*l.program->stages[kFs], ir::Phase::AfterLink) == "");
}

TEST_CASE("link: errors name the variable and the rule") {
    struct Case {
        std::string vertex, fragment, log;
    };
    const std::string fp = "precision mediump float; ";
    const Case kCases[] = {
        {"varying float v; void main() { v = 1.0; }",
         fp + "varying vec2 v; void main() { gl_FragColor = v.xyxy; }",
         "ERROR: varying 'v' has different types: float in the vertex shader, vec2 in the fragment shader\n"},
        {"varying float v[2]; void main() { v[0] = 1.0; }", fp + "varying float v[3]; void main() {}",
         "ERROR: varying 'v' has different types: float[2] in the vertex shader, float[3] in the fragment "
         "shader\n"},
        {kPlainVertex, fp + "varying vec2 v; void main() { gl_FragColor = v.xyxy; }",
         "ERROR: varying 'v' is used by the fragment shader but not declared by the vertex shader\n"},
        {"invariant varying float v; void main() { v = 1.0; }",
         fp + "varying float v; void main() { gl_FragColor = vec4(v); }",
         "ERROR: varying 'v' is declared invariant in the vertex shader only\n"},
        {kPlainVertex, "invariant gl_FragCoord; void main() { gl_FragColor = gl_FragCoord; }",
         "ERROR: gl_FragCoord is declared invariant but gl_Position is not\n"},
        {"uniform vec4 u; void main() { gl_Position = u; }",
         fp + "uniform vec3 u; void main() { gl_FragColor = u.xyzx; }",
         "ERROR: uniform 'u' has different types: vec4 in the vertex shader, vec3 in the fragment shader\n"},
        {"uniform vec4 u; void main() { gl_Position = u; }",
         fp + "uniform vec4 u; void main() { gl_FragColor = u; }",
         "ERROR: uniform 'u' has different precisions: highp in the vertex shader, mediump in the fragment "
         "shader\n"},
        {"struct S { vec4 a; }; uniform S u; void main() { gl_Position = u.a; }",
         fp + "struct S { vec3 a; }; uniform S u; void main() { gl_FragColor = u.a.xyzx; }",
         "ERROR: uniform 'u' has different types: struct S{vec4 a;} in the vertex shader, struct S{vec3 a;} "
         "in the fragment "
         "shader\n"},
        {"void f() {}", kPlainFragment, "ERROR: the vertex shader has no function main()\n"},
        {"uniform vec4 u[1025]; uniform int i; void main() { gl_Position = u[i]; }", kPlainFragment,
         "ERROR: too many uniforms in the vertex shader: they do not fit in 1024 vectors\n"},
        {kPlainVertex,
         fp + "uniform sampler2D s[17]; uniform int i; void main() { gl_FragColor = texture2D(s[i], "
              "vec2(0.0)); }",
         "ERROR: too many samplers in the fragment shader: 17 are used, 16 are supported\n"},
        {"varying vec4 v[17]; void main() { v[0] = vec4(1.0); }",
         fp + "varying vec4 v[17]; uniform int i; void main() { gl_FragColor = v[i]; }",
         "ERROR: too many varyings: those that the fragment shader uses (v) do not fit in 16 vectors\n"},
        {"#version 300 es\nvoid main() {}", kPlainFragment,
         "ERROR: the shaders are of different versions of the language: 300 and 100\n"},
    };
    for (const Case& c : kCases) {
        CAPTURE(c.vertex);
        CAPTURE(c.fragment);
        const LinkResult l = link_pair(c.vertex, c.fragment, 300);
        CHECK(!l.program);
        CHECK(l.log == c.log);
    }
    CHECK(shaders::link(std::span<const CompiledShader* const>(), LinkOptions{}).log ==
          "ERROR: no vertex shader is attached\nERROR: no fragment shader is attached\n");
    const CompileResult v = test::compile_vertex(kPlainVertex);
    const CompiledShader* twice[] = {v.shader.get(), v.shader.get()};
    CHECK(shaders::link(twice, LinkOptions{}).log ==
          "ERROR: more than one vertex shader is attached\nERROR: no fragment shader is attached\n");
}

TEST_CASE("link: programs that must link") {
    const std::string fp = "precision mediump float; ";
    struct Case {
        std::string vertex, fragment;
    };
    const Case kCases[] = {
        // Precisions of varyings may differ. Different precisions of unused uniforms only cause a warning.
        // Unused declarations are accepted.
        {"varying highp float v; void main() { v = 1.0; }",
         fp + "varying lowp float v; void main() { gl_FragColor = vec4(v); }"},
        {"uniform float u; void main() {}", fp + "uniform float u; void main() { gl_FragColor = vec4(u); }"},
        {kPlainVertex, fp + "varying vec2 v; void main() {}"},
        {"varying float v; void main() {}", fp + "varying float v; void main() { gl_FragColor = vec4(v); }"},
        {"invariant gl_Position; void main() { gl_Position = vec4(0.0); }",
         "invariant gl_FragCoord; void main() { gl_FragColor = gl_FragCoord; }"},
        {"varying vec4 v[15]; varying vec3 a; varying float b; void main() { v[0] = vec4(1.0); }",
         fp + "varying vec4 v[15]; varying vec3 a; varying float b; uniform int i; void main() { "
              "gl_FragColor = v[i] + vec4(a, b); }"},
        {"uniform vec4 u[1024]; uniform int i; void main() { gl_Position = u[0]; }", kPlainFragment},
    };
    for (const Case& c : kCases) {
        const LinkResult l = link_pair(c.vertex, c.fragment);
        CAPTURE(c.vertex);
        CHECK_MESSAGE(l.program, l.log);
    }
}

TEST_CASE("link: an attribute and a varying get their values") {
    const test::Outcome o = test::run_linked(
        "attribute vec4 a; attribute mat2 m; void main() { gl_Position = a + vec4(m[0], m[1]); "
        "gl_PointSize = 3.0; }",
        ir::Stage::Vertex, {});
    // m is at 0 and 1, a at 2; inputs are 100 * slot + component.
    CHECK(o.text() == "200 202 302 304");
    CHECK(o.out[1][0] == 3.0f);
}

TEST_CASE("link: the packing algorithm of ESSL 1.00 appendix A.7") {
    // The specification's example: eight rows.
    GlslType t;
    const auto shape = [&](unsigned columns, unsigned rows, unsigned array) {
        t.columns = uint8_t(columns);
        t.rows = uint8_t(rows);
        return pack_shape(t, array);
    };
    PackItem items[] = {shape(1, 4, 0), shape(3, 3, 0), shape(1, 2, 6), shape(1, 2, 4),
                        shape(1, 2, 0), shape(1, 1, 3), shape(1, 1, 2), shape(1, 1, 0)};
    REQUIRE(pack(items, 8) == false);  // 4 + 3 rows of wide varyings leave too little for eleven pairs
    PackItem example[] = {shape(1, 4, 0), shape(3, 3, 0), shape(1, 2, 2), shape(1, 2, 3),
                          shape(1, 2, 0), shape(1, 1, 3), shape(1, 1, 0), shape(1, 1, 0)};
    REQUIRE(pack(example, 8));
    CHECK(example[0].row == 0);
    CHECK(example[1].row == 1);
    CHECK(example[1].column == 0);
    CHECK((example[3].row == 4 && example[3].column == 0));
    bool used[8][4] = {};
    for (const PackItem& p : example) {
        for (uint32_t r = 0; r < p.rows; ++r) {
            for (uint32_t c = 0; c < p.columns; ++c) {
                CHECK(!used[p.row + r][p.column + c]);
                used[p.row + r][p.column + c] = true;
            }
        }
    }
    CHECK(shape(2, 2, 0).columns == 4);
}
