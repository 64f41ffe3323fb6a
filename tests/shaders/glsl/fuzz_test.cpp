// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texts that are no shaders: 10,000 seeded mutations of ones that are, and some made to exhaust the compiler.
// Each must give a shader that the validator accepts, or a log; never a crash or a hang.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <random>

#include "shaders/ir/validate.h"
#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;

namespace {

const char* const kSeeds[] = {
    R"(#extension GL_OES_standard_derivatives : enable
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
)",
    R"(#version 100
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
)",
    R"(#version 300 es
precision highp float; precision highp int;
layout(location = 0) out vec4 color; flat in ivec3 id; in vec2 uv; uniform highp usampler2D tex; uniform int mode;
const float table[3] = float[3](1.0, 2.0, 4.0);
void main() {
    uint u = texture(tex, uv).x ^ uint(id.y) << 3u;
    switch (mode) { case 0: color = vec4(table[id.x]); break; case 1: u >>= 1u; default: color = vec4(float(u & 255u)); }
    color.xy += vec2(textureSize(tex, 0)) + floor(uv);
}
)"};

const char* const kPieces[] = {"(",
                               ")",
                               "{",
                               "}",
                               "[",
                               "]",
                               ";",
                               ",",
                               "?",
                               ":",
                               "=",
                               "==",
                               "+",
                               "-",
                               "*",
                               "/",
                               "%",
                               "&&",
                               "||",
                               "!",
                               "~",
                               "<<",
                               "++",
                               "--",
                               ".x",
                               ".xyzw",
                               ".zzzz",
                               "[0]",
                               "[i]",
                               "[99999999]",
                               "[-1]",
                               "0",
                               "1",
                               "-1",
                               "1.0",
                               "1e39",
                               "0x7fffffff",
                               "4294967296",
                               "true",
                               "float",
                               "vec2",
                               "vec4",
                               "mat3",
                               "mat4",
                               "int",
                               "ivec3",
                               "bvec2",
                               "void",
                               "struct",
                               "struct S",
                               "uniform",
                               "varying",
                               "attribute",
                               "const",
                               "in",
                               "out",
                               "inout",
                               "highp",
                               "lowp",
                               "precision",
                               "if",
                               "else",
                               "for",
                               "while",
                               "do",
                               "switch",
                               "case 1:",
                               "default:",
                               "break;",
                               "continue;",
                               "return",
                               "discard;",
                               "main",
                               "gl_Position",
                               "gl_FragColor",
                               "gl_FragData",
                               "gl_FragData[1]",
                               "gl_DepthRange.far",
                               "gl_MaxDrawBuffers",
                               "texture2D",
                               "texture2DProjLod",
                               "sin",
                               "atan",
                               "mix",
                               "lights",
                               "lights[1]",
                               "color",
                               "uv",
                               "normal",
                               "sum",
                               "\n#if 1\n",
                               "\n#endif\n",
                               "\n#else\n",
                               "\n#define A A A\n",
                               "\n#define F(x) x x\n",
                               "A",
                               "F(F(1))",
                               "\n#undef COUNT\n",
                               "\n#line 7\n",
                               "\n#pragma STDGL invariant(all)\n",
                               "\n#extension all : warn\n",
                               "\n#version 300 es\n",
                               "\\",
                               "//",
                               "/*",
                               "*/",
                               "'",
                               "\"",
                               "@",
                               "$",
                               "\x80",
                               "\xff",
                               "__",
                               "gl_",
                               "invariant",
                               "sampler2D",
                               "float[3](1.0, 2.0, 3.0)",
                               "layout(location = 3)",
                               "flat"};

class Mutator {
  public:
    explicit Mutator(uint32_t seed) : random_(seed) {}
    std::string text;
    ir::Stage stage = ir::Stage::Vertex;

    void next() {
        const size_t seed = below(std::size(kSeeds));
        stage = (seed == 1) == (below(20) != 0) ? ir::Stage::Vertex : ir::Stage::Fragment;
        text = kSeeds[seed];
        // Half of the texts keep their form: only words of one kind change places.
        const bool gentle = below(2);
        for (size_t n = 1 + below(gentle ? 2 : 6); n > 0; --n)
            gentle ? exchange(text) : mutate(text);
    }

  private:
    size_t below(size_t n) { return n ? random_() % n : 0; }
    /// A place between words, where changes are likelier to parse.
    size_t place(const std::string& s) {
        size_t at = below(s.size() + 1);
        while (at < s.size() && std::isalnum(static_cast<unsigned char>(s[at])))
            ++at;
        return at;
    }
    static unsigned kind(char c) {
        if (std::isdigit(static_cast<unsigned char>(c))) return 1;
        if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') return 2;
        return std::string_view("+-*/<>=&|").find(c) != std::string_view::npos ? 3 : 0;
    }
    /// A whole word of some kind: name, number, operator.
    std::string_view word(const std::string& s, unsigned wanted) {
        for (unsigned tries = 0; tries < 200; ++tries) {
            size_t at = below(s.size());
            if (kind(s[at]) == 0 || (wanted && kind(s[at]) != wanted)) continue;
            const unsigned k = kind(s[at]);
            const auto inside = [&](size_t i) {
                return kind(s[i]) == k || (k < 3 && (kind(s[i]) == 1 || kind(s[i]) == 2));
            };
            while (at > 0 && inside(at - 1))
                --at;
            size_t end = at;
            while (end < s.size() && inside(end))
                ++end;
            return std::string_view(s).substr(at, end - at);
        }
        return std::string_view(s).substr(0, 0);
    }
    /// Puts one word in the place of another of its kind.
    void exchange(std::string& s) {
        const std::string_view to = word(s, below(4) ? 1 + 2 * unsigned(below(2)) : 0);
        if (to.empty()) return;
        static const char* const kTypes[] = {"float", "vec2", "vec3", "vec4", "int",
                                             "ivec2", "mat2", "mat3", "mat4", "bool"};
        std::string with(word(s, kind(to[0])));
        if (std::find(std::begin(kTypes), std::end(kTypes), to) != std::end(kTypes))
            with = kTypes[below(std::size(kTypes))];
        s.replace(size_t(to.data() - s.data()), to.size(), with);
    }
    void mutate(std::string& s) {
        const size_t at = place(s), length = std::min(s.size() - at, 1 + below(below(4) ? 12 : 200));
        switch (below(7)) {
            case 0:
                s.erase(at, length);
                break;
            case 1:
                s.insert(at, std::string(" ") + kPieces[below(std::size(kPieces))] + " ");
                break;
            case 2:
                s.insert(at, s.substr(place(s), length));
                break;
            case 3:
                s.replace(at, length, kPieces[below(std::size(kPieces))]);
                break;
            case 4:
                if (!s.empty()) s[below(s.size())] = char(random_());
                break;
            case 5: {
                const std::string other = kSeeds[below(std::size(kSeeds))];
                s.insert(at, other.substr(place(other), length * 3));
                break;
            }
            case 6: {
                const size_t from = place(s);
                const std::string part = s.substr(from, length);
                for (unsigned n = 1 + below(below(8) ? 4 : 300); n > 0 && s.size() < 60'000; --n)
                    s.insert(at, part);
                break;
            }
        }
    }
    std::mt19937 random_;
};

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
    const shaders::CompiledShader* stages[] = {r.shader.get(), other.shader.get()};
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

TEST_CASE("glsl: mutated texts neither crash nor hang") {
    const char* const count = std::getenv("TERRAZZO_FUZZ_COUNT");
    const char* const seed = std::getenv("TERRAZZO_FUZZ_SEED");
    const unsigned runs = count ? unsigned(std::atoi(count)) : 10'000;
    Mutator mutate(seed ? uint32_t(std::atoi(seed)) : 20261121u);
    unsigned compiled = 0;
    for (unsigned n = 0; n < runs; ++n) {
        mutate.next();
        compiled += survives(mutate.text, mutate.stage, n % 4 ? 300 : 100);
    }
    // Enough of them must get past the parser to try what lies behind it.
    CHECK(compiled > runs / 20);
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
