// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Operators, constructors, indexing, structures and arrays, executed and compared with numbers worked out by
// hand.
#include <doctest/doctest.h>

#include "tests/shaders/glsl/harness.h"

using terrazzo::test::run;

namespace {
struct Case {
    std::string statements;
    std::string expected;
    std::string globals;
};
void check(std::initializer_list<Case> cases) {
    for (const Case& c : cases) {
        CAPTURE(c.statements);
        CHECK(run(c.statements, c.globals) == c.expected);
    }
}
}  // namespace

TEST_CASE("glsl: arithmetic operators") {
    check({
        {"gl_FragColor = v + w * u2 - uh;", "10.5 13.5 16.5 19.5"},
        {"gl_FragColor = vec4(un / u2, u1 - un, -un, u2 * un);", "-1.75 4.5 3.5 -7"},
        {"gl_FragColor = vec4(7 / i2, i3 * iv.y, i1 - i3, -iv.w);", "3 -6 -2 -7"},
        {"gl_FragColor = 2.0 / v;", "2 1 0.666667 0.5"},
        {"int a = i3; a += i2; a *= 3; a -= 1; a /= 2; gl_FragColor = vec4(a);", "7 7 7 7"},
        {"float x = u1; float y = x++ + ++x; gl_FragColor = vec4(x, y, x--, --x);", "3 4 3 1"},
        {"int i = i0; ivec2 q = ivec2(i++, i++); q++; gl_FragColor = vec4(q, i, 0);", "1 2 2 0"},
        {"vec4 q = v; q.zx *= vec2(2.0, 3.0); q.w /= u2; gl_FragColor = q;", "3 2 6 2"},
        {"vec4 q = v; q.wzyx = q; gl_FragColor = q;", "4 3 2 1"},
        {"vec4 q = v; q.xy = q.yx + q.zw; gl_FragColor = q;", "5 5 3 4"},
        {"float a, b, c; a = b = c = u2; gl_FragColor = vec4(a, b, c, (a += 1.0, a * 2.0));", "2 2 2 6"},
    });
}

TEST_CASE("glsl: matrices") {
    check({
        {"gl_FragColor = m4 * v;", "90 100 110 120"},
        {"gl_FragColor = v * m4;", "30 70 110 150"},
        {"mat2 a = m2 * m2; gl_FragColor = vec4(a[0], a[1]);", "7 10 15 22"},
        {"mat2 a = m2 + m2 * u2; gl_FragColor = vec4(a[0], a[1]);", "3 6 9 12"},
        {"mat2 a = matrixCompMult(m2, m2) / u2; gl_FragColor = vec4(a[0], a[1]);", "0.5 2 4.5 8"},
        {"mat2 a = 1.0 - m2; gl_FragColor = vec4(a[0], a[1]);", "0 -1 -2 -3"},
        {"mat3 a = m3; a *= m3; gl_FragColor = vec4(a[0], a[2].z);", "30 36 42 150"},
        {"vec3 p = v.xyz; p *= m3; gl_FragColor = vec4(p, 0.0);", "14 32 50 0"},
        {"mat2 a = mat2(u2); gl_FragColor = vec4(a[0], a[1]);", "2 0 0 2"},
        {"mat2 a = mat2(v.xy, v.zw); a[1].y++; a[0] = a[1]; gl_FragColor = vec4(a[0], a[1]);", "3 5 3 5"},
        {"mat2 a = mat2(v); a[i1][i0] = 9.0; gl_FragColor = vec4(a[0], a[i1]);", "1 2 9 4"},
        {"mat2 a = mat2(v.xyz, i3); a = -a; --a; gl_FragColor = vec4(a[0], a[1]);", "-2 -3 -4 -4"},
        {"gl_FragColor = vec4(m4[i2][i1], m3[i1].z, m4[3].yw);", "10 6 14 16"},
        {"gl_FragColor = vec4(m2 == mat2(v), m2 != mat2(w), m2 == m2, m3 != m3);", "1 1 1 0"},
    });
}

TEST_CASE("glsl: constructors and conversions") {
    check({
        {"gl_FragColor = vec4(int(un), int(u2 + 0.9), float(i3), t);", "-3 2 3 1"},
        {"gl_FragColor = vec4(bool(uh), bool(i0), bvec2(v.x, 0.0));", "1 0 1 0"},
        {"gl_FragColor = vec4(v.xy, w);", "1 2 5 6"},
        {"gl_FragColor = vec4(vec3(u2), 1);", "2 2 2 1"},
        {"gl_FragColor = vec4(ivec2(v.zw), vec2(iv));", "3 4 1 -2"},
        {"ivec3 a = ivec3(t, u2, i3); gl_FragColor = vec4(a, 0);", "1 2 3 0"},
        {"gl_FragColor = vec4(m2);", "1 2 3 4"},
    });
}

TEST_CASE("glsl: comparison and logic") {
    check({
        {"gl_FragColor = vec4(u1 < u2, i2 >= i3, un <= un, iv.y > 0);", "1 0 1 0"},
        {"gl_FragColor = vec4(v == vec4(1, 2, 3, 4), v != w, iv == iv, t != f);", "1 1 1 1"},
        {"gl_FragColor = vec4(t && f, t || f, t ^^ t, !f);", "0 1 0 1"},
        {"gl_FragColor = vec4(lessThan(v.xy, vec2(2.0)), equal(iv.xy, ivec2(1)));", "1 0 1 0"},
        {"gl_FragColor = vec4(any(bvec2(f, t)), all(bvec2(f, t)), not(bvec2(f, t)));", "1 0 1 0"},
        {"float n = 0.0; bool b = f && (n++ > 0.0); b = t || (n++ > 0.0); b = t && (n++ >= 0.0);"
         "gl_FragColor = vec4(n, b, 0, 0);",
         "1 1 0 0"},
        {"float n = 0.0; float r = t ? (n += 1.0) : (n += 10.0); r += f ? n++ : u2; gl_FragColor = vec4(n, "
         "r, 0, 0);",
         "1 3 0 0"},
        {"gl_FragColor = t ? v : w; gl_FragColor.x = f ? 1.0 : t ? 7.0 : 8.0;", "7 2 3 4"},
    });
}

TEST_CASE("glsl: indexing") {
    check({
        {"gl_FragColor = vec4(v[i2], w[3], arr[i3], arr[1]);", "3 8 40 20"},
        {"gl_FragColor = vec4(arr[i3 + 5], arr[-i3], v.zyx[i0], v[7 - i3]);", "40 10 3 4"},
        {"float a[3]; a[0] = 1.0; a[1] = 2.0; a[2] = 3.0; a[i1] += 5.0; gl_FragColor = vec4(a[0], a[i1], "
         "a[2], 0);",
         "1 7 3 0"},
        {"vec3 a[2]; for (int i = 0; i < 2; ++i) for (int j = 0; j < 3; ++j) a[i][j] = float(i * 10 + j);"
         "gl_FragColor = vec4(a[1].zy, a[i1][i0], a[0].y);",
         "12 11 10 1"},
        {"vec4 q = v; q[i1] = 9.0; q.wz[i0] = 5.0; gl_FragColor = q;", "1 9 3 5"},
        {"mat4 a = m4; a[i2] = v; a[i0].yz = w.xy; gl_FragColor = vec4(a[0].xyz, a[2].w);", "1 5 6 4"},
        {"vec2 a[3]; a[0] = a[1] = a[2] = v.xy; a[i2].y++; a[i1 + 1].x *= 4.0;"
         "gl_FragColor = vec4(a[0], a[2]);",
         "1 2 4 3"},
        {"const vec4 k = vec4(2.0, 4.0, 8.0, 16.0); gl_FragColor = vec4(k[i1], k[i3], k[0], k.z);",
         "4 16 2 8"},
        {"gl_FragColor = vec4(vec3(u1, u2, un)[i1], (v + w)[i2], (m2 * 2.0)[i1]);", "2 10 6 8"},
    });
}

TEST_CASE("glsl: structures and arrays of them") {
    check({
        {"gl_FragColor = vec4(s.a, s.b, s.c[2]);", "1 2 3 6"},
        {"gl_FragColor = vec4(ss[1].a, ss[i1].b.y, ss[i1].c[i2], ss[0].c[1]);", "11 13 16 5"},
        {"S q; q.a = ss[i1].a; q.b = ss[i1].b; q.c[i2] = 14.0; q.b.x = 1.0; gl_FragColor = vec4(q.a, q.b, "
         "q.c[2]);",
         "11 1 13 14"},
        {"S q[2]; q[i0].c[i1] = 3.0; q[1].c[i1] = 5.0; q[i1].a = 2.0; gl_FragColor = vec4(q[0].c[1], "
         "q[i1].c[1], q[1].a, 0);",
         "3 5 2 0"},
        {"N q = N(M(u1, v.xy), 3); N r[2]; r[i1] = q; r[0] = r[1]; r[0].m.b.x = 5.0; gl_FragColor = "
         "vec4(r[i0].m.b, "
         "r[1].m.b.x, r[i0].n);",
         "5 2 1 3", "struct M { float a; vec2 b; }; struct N { M m; int n; };"},
        {"T a = T(u1, v.xy); T b = a; b.q.y = 9.0; gl_FragColor = vec4(a == b, a != b, a == T(1.0, vec2(1.0, "
         "2.0)), b.q.y);",
         "0 1 1 9", "struct T { float p; vec2 q; };"},
        {"O o = O(T(u2, v.zw), mat2(v)); o.t.q.x += 1.0; gl_FragColor = vec4(o.t.p, o.t.q, o.m[1][0]);",
         "2 4 4 3", "struct T { float p; vec2 q; }; struct O { T t; mat2 m; };"},
        {"gl_FragColor = vec4(get(v).q, get(w).p, 0);", "2 3 6 0",
         "struct T { float p; vec2 q; }; T get(vec4 a) { return T(a.y, a.yz); }"},
        {"T a[2]; a[0] = T(vec2(1.0), 3); a[1] = T(vec2(2.0), 4); T b = a[i1]; gl_FragColor = vec4(b.x, "
         "a[i0].n, b.n);",
         "2 2 3 4", "struct T { vec2 x; int n; };"},
    });
}

TEST_CASE("glsl: globals, constants and initialisers") {
    check({
        {"gl_FragColor = vec4(g, k, h);", "2 3 4 5",
         "float g = 2.0; const float k = 3.0; vec2 h = vec2(4.0, 5.0);"},
        {"g += 1.0; add(); gl_FragColor = vec4(g);", "13 13 13 13",
         "float g = 2.0; void add() { g += 10.0; }"},
        {"gl_FragColor = vec4(k[1], l, 0);", "2 4 3 0",
         "const vec2 k = vec2(1.0, 2.0); const vec2 l = k.yx * 2.0 + "
         "vec2(0.0, 1.0);"},
        {"float x = 1.0; { float x = 5.0; x++; } gl_FragColor = vec4(x);", "1 1 1 1"},
        {"float x = u2; float y = x; x = 7.0; gl_FragColor = vec4(x, y, 0, 0);", "7 2 0 0"},
    });
}
