// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How much memory a shader's arrays and structures may need. The sum of private memory has a limit. Texts
// that multiply values, types or lists of names are refused in time, with a message that has the limit.
#include <sys/resource.h>

#include <fstream>
#include <functional>

#include "doctest/doctest.h"
#include "shaders/ir/private_memory.h"
#include "tests/shaders/glsl/harness.h"

namespace terrazzo::test {

namespace {

const char* const kVertex = "attribute vec4 p; void main() { gl_Position = p; }";

std::string fragment(const std::string& globals, const std::string& statements) {
    return "precision highp float; uniform float u; uniform int k;\n" + globals +
           "\nvoid main() { float r = 0.;\n" + statements + "\ngl_FragColor = vec4(r); }\n";
}

/// `n` float arrays of this size, each written and read with an index that is not constant.
std::string arrays(unsigned n, uint32_t size) {
    std::string s, name;
    for (unsigned i = 0; i < n; ++i) {
        name = "t" + std::to_string(i);
        s += "float " + name + "[" + std::to_string(size) + "]; " + name + "[k] = u; r += " + name +
             "[k+1];\n";
    }
    return fragment("", s);
}

/// The log of the failure. Empty if it linked.
std::string build(const std::string& text, int version = 100) {
    const shaders::CompileResult c = compile_fragment(text, version);
    if (!c.shader) return c.log;
    const shaders::LinkResult linked = link_pair(kVertex, text, version);
    return linked.program ? "" : linked.log;
}

bool says(const std::string& log, const char* what) {
    INFO(log.substr(0, 300));
    CHECK(log.find(what) != std::string::npos);
    return log.find(what) != std::string::npos;
}

bool names_the_limit(const std::string& log) {
    return log.find(std::to_string(ir::kMaxPrivateScalars)) != std::string::npos;
}

size_t peak_B() {
    rusage u{};
    getrusage(RUSAGE_SELF, &u);
    return size_t(u.ru_maxrss) << 10;
}

/// The additional memory of the process at its peak. The counter is reset first if the system allows it.
size_t peak_of(const std::function<void()>& f) {
    const auto status_B = [](const char* name) {
        std::ifstream status("/proc/self/status");
        std::string word;
        size_t kib = 0;
        while (status >> word)
            if (word == name) status >> kib;
        return kib << 10;
    };
    std::ofstream("/proc/self/clear_refs") << "5\n";
    const size_t before_B = status_B("VmRSS:");
    f();
    const size_t peak_B = status_B("VmHWM:");
    return peak_B > before_B ? peak_B - before_B : 0;
}

std::string rows(unsigned n, const std::string& row) {
    std::string all;
    while (n--)
        all += row;
    return all;
}

}  // namespace

TEST_CASE("front end: a compilation takes at most 512 MiB, for any text") {
    constexpr size_t kMost_B = size_t(512) << 20;
    const std::string inverses = "mat4 m = mat4(vec4(u), vec4(k), vec4(u, 1., 2., u), vec4(2., u, k, 0.));\n";
    std::string constants =
        "struct A { float x[64]; }; struct B { A x[64]; }; struct C { B x[64]; };\n"
        "const A a = A(float[64](" +
        rows(63, "1.,") +
        "2.));\n"
        "const B b = B(A[64](" +
        rows(63, "a,") + "a));\n";
    for (unsigned n = 0; n < 2000; ++n)
        constants += "const C c" + std::to_string(n) + " = C(B[64](" + rows(63, "b,") + "b));\n";
    const struct {
        const char* name;
        std::string text;
        int version;
        const char* says;  // null if it compiles and links
    } kCases[] = {
        {"inverses", fragment("", inverses + rows(2000, "m = inverse(m);\n") + "r = m[0][0];"), 300, nullptr},
        {"too many inverses", fragment("", inverses + rows(20'000, "m = inverse(m);\n") + "r = m[0][0];"),
         300, "600000 values"},
        {"statements", fragment("", rows(100'000, "r = r * u + 1.;")), 100, nullptr},
        {"too many statements", fragment("", rows(150'000, "r = r + u;")), 100, nullptr},
        {"words", fragment("", rows(249'000, "r=u;")), 100, nullptr},
        {"constants", fragment(constants, "r = c3.x[1].x[2].x[3];"), 300, "288 MiB"},
    };
    for (const auto& c : kCases) {
        CAPTURE(c.name);
        std::string text = c.text, log;
        if (c.version == 300)
            text = "#version 300 es\nout highp vec4 color;\n#define gl_FragColor color\n" + text;
        const size_t taken_B = peak_of([&] {
            const shaders::CompileResult f = compile_fragment(text, c.version);
            log = f.log;
            if (!f.shader) return;
            const std::string vertex = "void main() { gl_Position = vec4(0.); }";
            const auto v =
                compile_vertex(c.version == 300 ? "#version 300 es\n" + vertex : vertex, c.version);
            const shaders::CompiledShader* const both[] = {v.shader.get(), f.shader.get()};
            const shaders::LinkResult linked = shaders::link(both, {});
            log = linked.log;
        });
        if (c.says)
            says(log, c.says);
        else
            CHECK(log == "");
        CHECK(taken_B < kMost_B);
    }
}

TEST_CASE("private memory: the sum of a stage's arrays is limited, not only each array") {
    CHECK(build(arrays(1, ir::kMaxPrivateScalars)) == "");
    CHECK(build(arrays(4, ir::kMaxPrivateScalars / 4)) == "");
    CHECK(build(arrays(1, ir::kMaxPrivateScalars + 1)) ==
          "ERROR: Terrazzo: the fragment shader's arrays have 65537 scalars together; the limit is 65536\n");
    CHECK(names_the_limit(build(arrays(4, 65536))));
    CHECK(names_the_limit(build(arrays(1, 200000))));
    CHECK(names_the_limit(build(arrays(30, 4096))));
    // Unused arrays do not count.
    CHECK(build(fragment("", "float t[65536]; float s[65536]; s[k] = u; r = u;")) == "");
    // Nor do arrays whose indices are constant: they become values.
    CHECK(build(fragment("", "float t[4000]; t[3999] = u; r = t[3999] + t[7];")) == "");
}

TEST_CASE("private memory: arrays of structures in large numbers") {
    std::string s;
    for (unsigned n = 0; n < 24; ++n) {
        const std::string t = "s" + std::to_string(n);
        s += "S " + t + "[1000]; " + t + "[k].m[k] = mat4(u); r += " + t + "[k+1].m[k][1][2] + " + t +
             "[k].v.x;\n";
    }
    CHECK(names_the_limit(build(fragment("struct S { mat4 m[15]; vec4 v; float f[4]; };", s))));
}

namespace {

/// Structures of 2^18 scalars without arrays, which ESSL 1.00 copies, and functions that return them.
std::string large_structures() {
    std::string s = "struct A { mat4 m0";
    for (int n = 1; n < 16; ++n)
        s += ", m" + std::to_string(n);
    s += "; };\n";
    const auto of = [&](char name, char type, int count) {
        s += std::string("struct ") + name + " { " + type + " m0";
        for (int n = 1; n < count; ++n)
            s += ", m" + std::to_string(n);
        s += "; };\n";
    };
    of('B', 'A', 16);
    of('C', 'B', 16);
    of('S', 'C', 4);
    s += "float n; C f(C s) { n += 1.; s.m0.m0.m0 = mat4(n); return s; }\n"
         "B g(B s, float by) { n += by; s.m0.m0 = mat4(n); return s; }\n";
    return s;
}

}  // namespace

TEST_CASE("front end: copies of large values are limited") {
    const size_t before_B = peak_B();
    const std::string large = large_structures();
    const std::string end = "r = a0.m0.m0.m0.m0[1][2];";
    std::string copies = "S a0; n = 0.; a0.m0.m0.m0.m0 = mat4(u);\n", stores = copies;
    for (unsigned n = 1; n < 1000; ++n) {
        copies += "S a" + std::to_string(n) + " = a" + std::to_string(n - 1) + ";\n";
        stores += "a0 = a0;\n";
    }
    says(build(fragment(large, copies + end)), "scalars");
    says(build(fragment(large, stores + end)), "scalars");
    // A selection between values with more scalars than an instruction has results.
    CHECK(build(fragment(large, "B b; n = 0.; b = u > 0. ? g(b, 1.) : g(b, 2.); r = b.m0.m0[1][2] + n;")) ==
          "");
    CHECK(build(fragment(large, "C c; n = 0.; c = u > 0. ? f(c) : f(c); r = c.m0.m0.m0[1][2] + n;")) == "");
    CHECK(peak_B() - before_B < (size_t(1) << 30));
}

TEST_CASE("front end: types and the lists of an interface are limited") {
    const size_t before_B = peak_B();
    std::string members, structures, uses;
    for (unsigned n = 0; n < 8000; ++n)
        members += "float member_" + std::to_string(n) + ";";
    structures = "struct A {" + members + "};\n";
    for (unsigned n = 0; n < 2000; ++n) {
        structures += "struct B" + std::to_string(n) + " { A a; };\n";
        uses += "B" + std::to_string(n) + " b" + std::to_string(n) + "; b" + std::to_string(n) +
                ".a.member_0 = u;\n";
    }
    says(build(fragment(structures, uses)), "more than");
    CHECK(build(fragment("struct A {" + members + "}; uniform A a;", "r = a.member_1;")).find("interface") !=
          std::string::npos);
    CHECK(peak_B() - before_B < (size_t(1) << 30));
}

TEST_CASE("front end: structures that double at each level are refused when they are too large") {
    std::string s = "struct S0 { float x; };\n", constants = "const S0 c0 = S0(1.);\n", path;
    for (unsigned n = 1; n < 60; ++n) {
        const std::string i = std::to_string(n), before = std::to_string(n - 1);
        s += "struct S" + i + " { S" + before + " a; S" + before + " b; };\n";
        constants += "const S" + i + " c" + i + " = S" + i + "(c" + before + ", c" + before + ");\n";
        path += ".a";
        if (n == 12)
            CHECK(build(fragment(s + constants, "S12 v; v" + path + ".x = 1.; r = c12" + path + ".x;")) ==
                  "");
    }
    says(build(fragment(s, "S59 v; v" + path + ".x = 1.; r = v" + path + ".x;")), "16384");
    says(build(fragment(s + constants, "r = c59" + path + ".x;")), "16384");
}

TEST_CASE("front end: expanded macros have the limits of a text without macros") {
    std::string s = "#define M0(x) x\n", negations = "#define N0 !\n", brackets = "#define B0 (\n";
    for (unsigned n = 1; n <= 17; ++n) {
        const std::string now = std::to_string(n), before = std::to_string(n - 1);
        s += "#define M" + now + "(x) M" + before + "(x)+M" + before + "(x)\n";
        negations += "#define N" + now + " N" + before + " N" + before + "\n";
        brackets += "#define B" + now + " B" + before + " B" + before + "\n";
    }
    says(build(s + fragment("", "r = M17(u);")), "100000 operators");
    CHECK(build(s + fragment("", "r = M8(u);")) == "");
    says(build(negations + fragment("", "r = N9 u;")), "200 signs");
    CHECK(build(negations + "#if N17 1\n#endif\n" + fragment("", "")) == "");
    says(build(brackets + fragment("", "r = B9 u;")), "200 deep");
    says(build(brackets + "#if B9 1\n#endif\n" + fragment("", "")), "200 deep");
}

}  // namespace terrazzo::test
