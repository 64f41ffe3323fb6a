// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "shaders/passes/clamp_indices.h"
#include "shaders/passes/walk.h"
#include "tests/shaders/glsl/harness.h"
#include "tests/shaders/passes/check_pass.h"

using namespace terrazzo::ir;
using terrazzo::ir::test::after;
using terrazzo::ir::test::unchanged;

TEST_CASE("clamp_indices: clamped indices stay unchanged") {
    unchanged(clamp_indices, R"(vertex {
  var v0 "x" f32[12] local
  %0: i32 = load_sysval vertex_id.x
  %1: i32 = const 0
  %2: i32 = const 2
  %3: i32 = const 4
  %4: i32 = imax %0, %1
  %5: i32 = imin %4, %2
  %6: i32 = imul %5, %3
  %7: f32 = load_var v0[3 + %6]
  store_var v0[3 + %6], %7
  %8: f32 = load_uniform 5 + %5 of 3
}
)");
}

TEST_CASE("clamp_indices: indices that may be larger are clamped to the last element") {
    CHECK(after(clamp_indices, R"(vertex {
  var v0 "x" f32[12] local
  %0: i32 = load_sysval vertex_id.x
  %1: i32 = const 15
  %2: i32 = iand %0, %1
  %3: f32 = load_var v0[3 + %2]
  store_var v0[0 + %0], %3
  %4: f32 = load_uniform 5 + %2 of 15
}
)") == R"(vertex {
  var v0 "x" f32[12] local
  %0: i32 = load_sysval vertex_id.x
  %1: i32 = const 15
  %2: i32 = iand %0, %1
  %3: i32 = const 8
  %4: i32 = umin %2, %3
  %5: f32 = load_var v0[3 + %4]
  %6: i32 = const 11
  %7: i32 = umin %0, %6
  store_var v0[0 + %7], %5
  %8: i32 = const 14
  %9: i32 = umin %2, %8
  %10: f32 = load_uniform 5 + %9 of 15
}
)");
}

TEST_CASE("clamp_indices: sums, products and minima that may overflow or be negative are not trusted") {
    for (const char* index :
         {"iadd %0, %1", "imul %0, %1", "imin %0, %1", "imax %0, %2", "ishl %1, %0", "isub %1, %0"}) {
        const auto s = test::shader_of(std::string(R"(vertex {
  var v0 "x" f32[4] local
  %0: i32 = load_sysval vertex_id.x
  %1: i32 = const 2
  %2: i32 = const -1
  %3: i32 = )") + index + "\n  %4: f32 = load_var v0[0 + %3]\n}\n");
        CAPTURE(index);
        CHECK(clamp_indices(*s));
    }
}

TEST_CASE("clamp_indices: indices from the front end need no clamp") {
    const auto r = terrazzo::test::link_pair(
        "attribute vec4 a; attribute vec3 b; struct S { mat3 m[2]; vec4 v; }; uniform S s[3]; uniform mat4 "
        "bones[20];"
        "uniform ivec4 i; varying vec4 v; void main() { float t[7]; for (int k = 0; k < 7; k++) t[k] = a[i[k "
        "- k / 4 * 4]];"
        " vec3 c = s[i.x].m[i.y][i.z]; v = s[i.w].v * t[i.x + i.y]; v[i.x] += c[i.y];"
        " t[i.x] = b.x; gl_Position = bones[int(b.z)] * a * t[int(b.x)]; }",
        "precision highp float; varying vec4 v; uniform vec4 table[9]; void main() { vec4 c[4]; c[0] = v; "
        "c[1] = v.yxzw;"
        " c[2] = table[int(v.x)]; c[3] = v; c[int(v.w)].y = 1.0; gl_FragColor = c[int(v.x * 3.0)] + "
        "c[int(v.y)]; }");
    REQUIRE_MESSAGE(r.program, r.log);
    unsigned indexed = 0;
    for (const auto& stage : r.program->stages) {
        if (!stage) continue;
        const auto s = clone(*stage);
        for_each(s->body, [&](Instr* i) {
            indexed += (i->op == Op::LoadUniform || i->op == Op::LoadVar) && i->operand_count;
        });
        CHECK(!clamp_indices(*s));
    }
    CHECK(indexed > 20);
}
