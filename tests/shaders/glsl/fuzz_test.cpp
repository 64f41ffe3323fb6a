// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texts that are no shaders: 10,000 seeded mutations of ones that are, and some made to exhaust the compiler.
// Each must give a shader that the validator accepts, or a log; never a crash or a hang.
#include <doctest/doctest.h>

#include <cstdlib>

#include "shaders/ir/validate.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/shaders.h"
#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;

namespace {

const fuzz::ShaderText kSeeds[] = {{false, R"(#extension GL_OES_standard_derivatives : enable
precision mediump float;
struct Light { vec3 position; vec4 color[2]; };
uniform Light lights[2]; uniform sampler2D tex; uniform samplerCube cube; varying vec3 normal; varying vec2 uv;
const vec2 kOffset = vec2(0.5, 0.25);
float shade(in vec3 n, const Light l, inout vec4 sum) {
    float d = max(dot(normalize(n), normalize(l.position)), 0.0);
    if (d < 0.1) return 0.0;
    for (int i = 0; i < 2; ++i) { if (i == 1 && d > 0.9) continue; sum += l.color[i] * d; }
    return d;
}
void main() {
    vec4 sum = vec4(0.0); float n = 0.0;
    int i = 0;
    while (i < 2) { n += shade(normal, lights[i], sum); i++; }
    do { n -= 0.25; } while (n > 1.0);
    if (sum.a < 0.01 || n < -1.0) discard;
    mat3 m = mat3(1.0); m[1].xy *= mat2(uv, kOffset);
    gl_FragColor = (n > 0.5 ? texture2D(tex, uv + dFdx(uv)) : textureCube(cube, m * normal)) + sum.zyxw;
}
)"},
                                   {true, R"(#version 100
#define COUNT 4
#define LERP(a, b, t) ((a) * (1.0 - (t)) + (b) * (t))
#if COUNT > 3 && defined(GL_ES)
attribute vec4 position; attribute vec3 normal; attribute mat2 extra;
#else
#error no
#endif
uniform mat4 mvp; uniform mat4 bones[COUNT]; uniform ivec2 which; uniform bool flip;
varying vec3 v_normal; varying vec2 v_uv; invariant gl_Position;
vec4 skin(vec4 p) { vec4 r = vec4(0.0); for (int i = 0; i < COUNT; i++) r += bones[i] * p; return r / float(COUNT); }
void main() {
    vec4 p = skin(position);
    float w[3]; w[0] = p.x; w[1] = p.y; w[2] = p.z;
    p[which.x] = w[which.y]; p.w = flip ? 1.0 : LERP(p.x, p.y, 0.5);
    v_normal = reflect(normal, p.xyz); v_uv = extra * p.xy + vec2(pow(2.0, p.x), mod(p.y, 3.0));
    gl_Position = mvp * p; gl_PointSize = clamp(length(p), 1.0, 8.0);
}
)"},
                                   {false, R"(#version 300 es
precision highp float; precision highp int;
layout(location = 0) out vec4 color; flat in ivec3 id; in vec2 uv; uniform highp usampler2D tex; uniform int mode;
const float table[3] = float[3](1.0, 2.0, 4.0);
void main() {
    uint u = texture(tex, uv).x ^ uint(id.y) << 3u;
    switch (mode) { case 0: color = vec4(table[id.x]); break; case 1: u >>= 1u; default: color = vec4(float(u & 255u)); }
    color.xy += vec2(textureSize(tex, 0)) + floor(uv);
}
)"}};

/// True if it compiled.
bool survives(const std::string& text, ir::Stage stage, int version) {
    const shaders::CompileResult r = shaders::compile(text, test::options(stage, version));
    if (!r.shader) {
        CAPTURE(text);
        REQUIRE(!r.log.empty());
        return false;
    }
    const std::string invalid = ir::validate(*r.shader->ir, ir::Phase::BeforeLink);
    CAPTURE(text);
    REQUIRE(invalid == "");
    const bool vertex = stage == ir::Stage::Vertex;
    const std::string header = r.shader->version >= 300 ? "#version 300 es\n" : "";
    const shaders::CompileResult other = vertex ? test::compile_fragment(header + "void main() {}", version)
                                                : test::compile_vertex(header + "void main() {}", version);
    REQUIRE(other.shader);
    const shaders::CompiledShader* const both[] = {r.shader.get(), other.shader.get()};
    const std::span<const shaders::CompiledShader* const> stages(both, stage == ir::Stage::Compute ? 1 : 2);
    const shaders::LinkResult l = shaders::link(stages, {});
    if (!l.program)
        REQUIRE(!l.log.empty());
    else
        REQUIRE(ir::validate(*l.program->stages[unsigned(stage)], ir::Phase::AfterLink) == "");
    return true;
}

std::string repeat(const std::string& s, unsigned n) {
    std::string r;
    while (n--)
        r += s;
    return r;
}

}  // namespace

namespace {
void mutate_texts(std::span<const fuzz::ShaderText> seeds, unsigned by_default) {
    const char* const count = std::getenv("TERRAZZO_FUZZ_COUNT");
    const char* const seed = std::getenv("TERRAZZO_FUZZ_SEED");
    const unsigned runs = count ? unsigned(std::atoi(count)) : by_default;
    fuzz::Mutator mutate(seed ? uint32_t(std::atoi(seed)) : 20261121u, seeds);
    unsigned compiled = 0;
    for (unsigned n = 0; n < runs; ++n) {
        mutate.next();
        const bool compute = mutate.text.find("local_size") != std::string::npos;
        const ir::Stage stage = compute         ? ir::Stage::Compute
                                : mutate.vertex ? ir::Stage::Vertex
                                                : ir::Stage::Fragment;
        compiled += survives(mutate.text, stage, n % 4 ? 320 : 100);
    }
    // Enough of them must get past the parser to try what lies behind it.
    CHECK(compiled > runs / 20);
}
}  // namespace

TEST_CASE("glsl: mutated texts neither crash nor hang") {
    mutate_texts(kSeeds, 10'000);
}

TEST_CASE("glsl: mutated texts of all versions neither crash nor hang") {
    mutate_texts(fuzz::kShaderSeeds, 10'000);
}

TEST_CASE("glsl: texts made to exhaust the compiler") {
    const std::string begin = "precision highp float; uniform float u; uniform int n;\n";
    const auto body = [&](const std::string& s) {
        return begin + "void main() { float x = u; " + s + " gl_FragColor = vec4(x); }";
    };
    std::string doubling = begin + "float f0(float a) { return a + u; }\n";
    std::string macros = "#define M0 x x\n", calls = "#define F0(a) a a\n", chain = "#define C0 1\n";
    for (int i = 1; i < 40; ++i) {
        const std::string k = std::to_string(i), j = std::to_string(i - 1);
        doubling += "float f" + k + "(float a) { return f" + j + "(a) + f" + j + "(a * 2.0); }\n";
        macros += "#define M" + k + " M" + j + " M" + j + "\n";
        calls += "#define F" + k + "(a) F" + j + "(a a) F" + j + "(a)\n";
    }
    for (int i = 1; i < 5000; ++i)
        chain += "#define C" + std::to_string(i) + " (C" + std::to_string(i - 1) + ")\n";
    const std::string texts[] = {
        "",
        "main",
        std::string(1000, '\0'),
        std::string("void main() {\0}", 15),
        repeat("(", 100'000),
        body("x = " + repeat("(", 5000) + "1.0" + repeat(")", 5000) + ";"),
        body("x = " + repeat("-", 50'000) + "x;"),
        body("x = " + repeat("- ", 50'000) + "x;"),
        body("x = x" + repeat(" + x", 9000) + ";"),
        body("x = x" + repeat(" + x", 200'000) + ";"),
        body("bool b = true" + repeat(" && true", 3000) + ";"),
        body("x = " + repeat("x = ", 3000) + "1.0;"),
        body("x = " + repeat("u > 1.0 ? 1.0 : ", 3000) + "1.0;"),
        body(repeat("if (u > 1.0) ", 3000) + "x = 1.0;"),
        body(repeat("if (u > 1.0) x += 1.0; else ", 3000) + "x = 1.0;"),
        body(repeat("{", 5000) + repeat("}", 5000)),
        body(repeat("for (;;) ", 3000) + "break;"),
        body(repeat("if (u == x) return; ", 2000)),
        body("float a[2000000000]; a[n] = 1.0;"),
        body("float a[100000]; float b[100000]; a[n] = b[n];"),
        body("mat4 a[65536]; a[n][n] = vec4(1.0);"),
        begin + "uniform vec4 big[100000000]; void main() { gl_FragColor = big[n]; }",
        begin + "uniform mat4 big[100000]; void main() { gl_FragColor = big[n][0]; }",
        begin +
            "struct A { vec4 x[1000]; }; struct B { A a[1000]; }; uniform B b[1000]; void main() { "
            "gl_FragColor = "
            "b[n].a[n].x[n]; }",
        begin + "struct A { vec4 x; float y; }; uniform A a[60000]; void main() { gl_FragColor = a[n].x; }",
        doubling + "void main() { gl_FragColor = vec4(f39(u)); }",
        macros + "void main() { M39 }",
        calls + "void main() { F39(1) }",
        chain + body("x = float(C4999);"),
        "#define A A A\nA",
        "#define A B\n#define B A\nA",
        "#define F(x) F(F(x))\nF(F(F(1)))",
        "#define F(x) x\nF(",
        "#define F(x, y) x y\nF((((",
        "#if " + repeat("(", 5000) + "1\n#endif\n",
        "#if " + repeat("!", 50'000) + "1\n#endif\n",
        repeat("#if 1\n", 5000),
        repeat("#endif\n", 100),
        "#line 99999999999999\n",
        "#version 300 es\n" + begin + "out vec4 c; void main() { switch (n) { " + repeat("case 1: ", 500) +
            " } }",
        "#version 999\n",
        "#version 100 es core\n",
        "#version 450\nvoid main() {}",
        "#version",
        "#extension",
        "#extension GL_",
        "#pragma",
        "#error",
        "#define",
        "#undef",
        "#include \"x\"",
        "/*",
        "//",
        "\\",
        "#",
        "##",
        "0x",
        "1e",
        ".",
        "'",
        "\"",
        "void f() { f(); } void main() { f(); }",
        "void f(); void g() { f(); } void f() { g(); } void main() { f(); }",
        "void f(); void main() { f(); }",
        "void main() { main(); }",
        begin + "void main() { gl_FragColor = vec4(1.0)" + repeat(".xyzw", 5000) + "; }",
        begin + "float a, " + repeat("b, ", 5) + repeat("c = 1.0, ", 3000) + "d; void main() {}",
        begin + "void f(" + repeat("float, ", 3000) + "float) {} void main() {}",
    };
    for (const std::string& t : texts) {
        (void)survives(t, ir::Stage::Fragment, 100);
        (void)survives(t, ir::Stage::Fragment, 320);
    }
}
