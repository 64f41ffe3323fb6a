// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Statements and functions, executed and compared with numbers worked out by hand.
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
        CAPTURE(c.globals);
        CHECK(run(c.statements, c.globals) == c.expected);
    }
}
}  // namespace

TEST_CASE("glsl: if and loops") {
    check({
        {"float x = 0.0; if (t) x = 1.0; else x = 2.0; if (f) { x += 10.0; } gl_FragColor = vec4(x);",
         "1 1 1 1"},
        {"float x = 0.0; for (int i = 0; i < i3; ++i) x += float(i) + 1.0; gl_FragColor = vec4(x);",
         "6 6 6 6"},
        {"float x = 0.0; int i = 0; while (i < 4) { i++; if (i == 2) continue; x += float(i); } gl_FragColor "
         "= vec4(x, i, "
         "0, 0);",
         "8 4 0 0"},
        {"int n = 0; do { n++; } while (n < i3); gl_FragColor = vec4(n);", "3 3 3 3"},
        {"int n = 5; do { n++; if (n > 3) continue; n += 100; } while (n < i3); gl_FragColor = vec4(n);",
         "6 6 6 6"},
        {"int n = 0; for (;;) { if (++n > 6) break; } gl_FragColor = vec4(n);", "7 7 7 7"},
        {"int n = 0; for (int i = 0; i < 5; ++i) { for (int j = 0; j < 5; ++j) { if (j == i2) break; if (j "
         "== i1) continue;"
         " n++; } if (i == 3) break; } gl_FragColor = vec4(n);",
         "4 4 4 4"},
        {"int n = 0; for (int i = 0, j = 10; i < j; ++i, --j) n++; gl_FragColor = vec4(n);", "5 5 5 5"},
        {"int n = 0; while (bool go = n < i3) { n++; if (!go) n = 100; } gl_FragColor = vec4(n);", "3 3 3 3"},
        {"int n = 0; for (int i = 10; bool go = i > 7; --i) n += i; gl_FragColor = vec4(n);", "27 27 27 27"},
        {"for (int i = 0; i < 0; ++i) { gl_FragColor = v; } gl_FragColor = w; if (false) gl_FragColor = v;",
         "5 6 7 8"},
        {"float x = 0.0; for (float y = 0.0; y < 1.0; y += 0.25) { x += y; } gl_FragColor = vec4(x);",
         "1.5 1.5 1.5 1.5"},
    });
}

TEST_CASE("glsl: functions") {
    check({
        {"gl_FragColor = vec4(add(u1, u2), add(add(u1, u1), un), 0, 0);", "3 -1.5 0 0",
         "float add(float a, float b) { return a + b; }"},
        {"float a = u1, b = u2; swap(a, b); gl_FragColor = vec4(a, b, 0, 0);", "2 1 0 0",
         "void swap(inout float a, inout float b) { float c = a; a = b; b = c; }"},
        {"vec4 q = v; f1(q.y, q.zw); gl_FragColor = q;", "1 9 8 7",
         "void f1(out float a, out vec2 b) { a = 9.0; b = vec2(8.0, 7.0); }"},
        {"float a[3]; a[0] = 1.0; a[1] = 2.0; a[2] = 3.0; gl_FragColor = vec4(sum(a, i2), a[0], a[1], a[2]);",
         "6 1 2 3",
         "float sum(float a[3], int n) { float s = 0.0; for (int i = 0; i <= n; ++i) s += a[i]; a[0] = "
         "100.0; return s; }"},
        {"S q; q.a = 1.0; q.b = v.yz; change(q); gl_FragColor = vec4(q.a, q.b, q.c[1]);", "9 2 7 8",
         "void change(inout S p) { p.a = 9.0; p.b.y = 7.0; p.c[i1] = 8.0; }"},
        {"float x = 1.0; gl_FragColor = vec4(f1(x, x), x, 0, 0);", "4 3 0 0",
         "float f1(float a, inout float b) { b += 2.0; return a + b; }"},
        {"int i = 0; float a[2]; a[0] = a[1] = 0.0; put(a[i++]); gl_FragColor = vec4(a[0], a[1], i, 0);",
         "5 0 1 0", "void put(inout float x) { x += 5.0; }"},
        {"gl_FragColor = vec4(h(u2), 0, 0, 0);", "8 0 0 0",
         "float f1(float a) { return a * 2.0; } float g1(float a) { return f1(a) + f1(a); } float h(float a) "
         "{ return "
         "g1(a); }"},
        {"gl_FragColor = vec4(f1(1), f1(1.0), f1(v.xy), 0);", "10 20 30 0",
         "float f1(int a) { return 10.0; } float f1(float a) { return 20.0; } float f1(vec2 a) { return "
         "30.0; }"},
        {"gl_FragColor = pick(tex, u2) + pick(texs[1], uh);", "22.5 2.5 -2 0",
         "vec4 pick(sampler2D smp, float x) { return texture2D(smp, vec2(x)); }"},
        {"f1(2.0); gl_FragColor = vec4(g);", "2 2 2 2", "float g; void f1(float) { g = 2.0; }"},
        {"gl_FragColor = late(u2);", "4 6 8 10",
         "vec4 late(float x); vec4 late2() { return late(1.0); }"
         " vec4 late(float x) { return v * x + 2.0; }"},
    });
}

TEST_CASE("glsl: early returns") {
    check({
        {"gl_FragColor = vec4(f1(u1), f1(u2), f1(un), f1(5.0));", "10 20 30 20",
         "float f1(float a) { if (a < 0.0) return 30.0; if (a > 1.5) { return 20.0; } return 10.0; }"},
        {"gl_FragColor = vec4(f1(u1), f1(u2), f1(un), f1(5.0));", "1 2 0 7",
         "float f1(float a) { float r = 0.0; if (a > 0.0) { if (a > 1.5) { if (a > 3.0) return 7.0; r = 2.0; "
         "} else r = 1.0; "
         "} return r; }"},
        {"gl_FragColor = vec4(find(20.0), find(40.0), find(5.0), 0);", "1 3 -1 0",
         "float find(float x) { for (int i = 0; i < 4; ++i) if (arr[i] == x) return float(i); return -1.0; "
         "}"},
        {"gl_FragColor = vec4(find(20.0), find(99.0), n, 0);", "101 -1 24 0",
         "float n = 0.0; float find(float x) { for (int j = 0; j < 2; ++j) { for (int i = 0; i < 4; ++i) { "
         "n++; if (j == 1 && "
         "arr[i] == x) return float(j * 100 + i); } n++; n++; n++; } n += 1.0; return -1.0; }"},
        {"gl_FragColor = v; if (t) { gl_FragColor = w; if (t) return; gl_FragColor = v; } gl_FragColor = "
         "vec4(0.0);",
         "5 6 7 8"},
        {"gl_FragColor = v; if (f) return; gl_FragColor.x = 9.0; for (int i = 0; i < 3; ++i) { "
         "gl_FragColor.y += 1.0; if (i == "
         "i1) return; } gl_FragColor = w;",
         "9 4 3 4"},
        {"gl_FragColor = vec4(f1(t), f1(f), 0, 0);", "5 7 0 0",
         "float f1(bool a) { if (a) { return 5.0; } else { return 7.0; } return 8.0; }"},
        {"gl_FragColor = vec4(f1(), 0, 0, 0);", "3 0 0 0",
         "float f1() { float x = 0.0; while (true) { x++; if (x > 2.5) { return x; } } return -1.0; }"},
    });
}

TEST_CASE("glsl: discard") {
    check({
        {"gl_FragColor = v; if (t) discard;", "discarded"},
        {"gl_FragColor = v; if (f) discard;", "1 2 3 4"},
        {"for (int i = 0; i < 4; ++i) { if (i == i2) discard; } gl_FragColor = v;", "discarded"},
        {"for (;;) { for (;;) { discard; } } gl_FragColor = v;", "discarded"},
        {"for (;;) { quit(t); } gl_FragColor = v;", "discarded", "void quit(bool b) { if (b) discard; }"},
        {"int n = 0; while (n < 3) { n++; quit(f); } gl_FragColor = vec4(n);", "3 3 3 3",
         "void quit(bool b) { if (b) discard; }"},
        {"gl_FragColor = vec4(value(u1), value(u2), 0, 0);", "1 2 0 0",
         "float value(float x) { if (x < 0.0) discard; return x; }"},
        {"gl_FragColor = vec4(value(u1));", "discarded", "float value(float x) { discard; return x; }"},
    });
}

TEST_CASE("glsl: switch of ESSL 3.00") {
    using namespace terrazzo;
    const auto result = [](int x) {
        const std::string source =
            "#version 300 es\nprecision highp float; uniform int x; out vec4 color; void main() {"
            "float r = 0.0; switch (x) { case 0: r = 1.0; break; case 1: case 2: r = 2.0; break; default: r "
            "= 9.0; }"
            "float q = 0.0; switch (x) { case 0: q += 1.0; case 1: q += 2.0; if (x == 1) break; q += 4.0; "
            "default: q += 8.0;"
            " case 7: q += 16.0; }"
            "float c = 0.0; for (int i = 0; i < 4; ++i) { switch (i) { case 1: continue; case 2: if (x == 2) "
            "break; c += 100.0;"
            " default: c += 1.0; } c += 10.0; }"
            "color = vec4(r, q, c, 1.0); }";
        const test::UniformValues u = {{"x", test::ints({x})}};
        const test::Outcome a = test::run_linked(source, ir::Stage::Fragment, u, 300);
        return a.error.empty() ? a.text() : a.error;
    };
    CHECK(result(0) == "1 31 133 1");
    CHECK(result(1) == "2 2 133 1");
    CHECK(result(2) == "2 24 32 1");
    CHECK(result(7) == "9 16 133 1");
}
