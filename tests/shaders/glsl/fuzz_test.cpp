// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texts that are no programs: 20,000 seeded mutations of valid ones, and some that try to exhaust the
// compiler. Each must result in a shader that the validator accepts, or in a log; never in a crash or a hang.
#include <doctest/doctest.h>

#include <cstdlib>

#include "shader_seeds.h"
#include "shaders/ir/validate.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/program_texts.h"
#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;

namespace {

constexpr ir::Stage kIrStages[fuzz::kStages] = {ir::Stage::Vertex,   ir::Stage::TessControl,
                                                ir::Stage::TessEval, ir::Stage::Geometry,
                                                ir::Stage::Fragment, ir::Stage::Compute};

/// Null if it does not compile; then the log has the reason.
std::shared_ptr<const shaders::CompiledShader> compile(std::string_view text, ir::Stage stage, int version) {
    const shaders::CompileResult r = shaders::compile(text, test::options(stage, version));
    const std::string shown(text);
    CAPTURE(shown);
    if (r.shader)
        REQUIRE(ir::validate(*r.shader->ir, ir::Phase::BeforeLink) == "");
    else
        REQUIRE(!r.log.empty());
    return r.shader;
}

/// True if all stages compiled.
bool survives(const fuzz::ProgramTexts& program, int version) {
    std::vector<std::shared_ptr<const shaders::CompiledShader>> compiled;
    std::vector<const shaders::CompiledShader*> stages;
    std::vector<unsigned> which;
    for (size_t s = 0; s < fuzz::kStages; ++s) {
        if (program.texts[s].empty()) continue;
        compiled.push_back(compile(program.texts[s], kIrStages[s], version));
        if (!compiled.back()) return false;
        stages.push_back(compiled.back().get());
        which.push_back(unsigned(kIrStages[s]));
    }
    const shaders::LinkResult l = shaders::link(stages, {});
    if (!l.program) REQUIRE(!l.log.empty());
    for (size_t i = 0; l.program && i < which.size(); ++i)
        REQUIRE(ir::validate(*l.program->stages[which[i]], ir::Phase::AfterLink) == "");
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
    const unsigned runs = count ? unsigned(std::atoi(count)) : 20'000;
    fuzz::Mutator mutate(seed ? uint32_t(std::atoi(seed)) : 20261121u, fuzz::kShaderSeeds);
    unsigned compiled = 0;
    for (unsigned n = 0; n < runs; ++n) {
        mutate.next();
        compiled += survives(fuzz::split_program(mutate.text), n % 4 ? 320 : 100);
    }
    // Enough texts must pass the parser to test the code that follows it.
    CHECK(compiled > runs / 20);
}

TEST_CASE("glsl: macros that leave calls open neither crash nor hang") {
    fuzz::Mutator mutate(20261129u, fuzz::kShaderSeeds);
    unsigned compiled = 0;
    constexpr unsigned kRuns = 20'000;
    for (unsigned n = 0; n < kRuns; ++n) {
        const std::string text =
            mutate.macro_lines() + (n % 2 ? mutate.macro_lines() : "") + "void main() {}\n";
        compiled += compile(text, ir::Stage::Fragment, 100) != nullptr;
    }
    CHECK(compiled > kRuns / 50);
}

TEST_CASE("glsl: texts that try to exhaust the compiler") {
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
        fuzz::ProgramTexts program = fuzz::split_program("");
        program[fuzz::Stage::Fragment] = t;
        (void)survives(program, 100);
        (void)survives(program, 320);
    }
}
