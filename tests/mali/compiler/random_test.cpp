// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Random fragment shaders with many live variables, branches and loops. The executor faults on a register
// that was not written or not waited for; wrong registers give wrong colours.
#include <random>

#include "tests/common/compiler/shader_generator.h"
#include "tests/mali/compiler/harness.h"

using namespace terrazzo;
using namespace terrazzo::mali::compiler;
using namespace terrazzo::mali::compiler::testing;

namespace {

class Generator : compiled::ShaderGenerator {
  public:
    Generator(unsigned seed, unsigned variables) : compiled::ShaderGenerator(seed), variables_(variables) {}
    std::string shader() {
        std::string s =
            "precision highp float; varying vec4 a; varying vec4 b; uniform vec4 u; uniform vec4 w[3]; "
            "uniform sampler2D t;\n"
            "void main() {\n";
        for (unsigned i = 0; i < variables_; i++)
            s += "float x" + std::to_string(i) + " = " +
                 (variables_ > 64 ? std::string("fract(") + "ab"[i % 2] + "." + "xyzw"[i / 2 % 4] + " * " +
                                        std::to_string(i) + ".25)"
                                  : leaf(1)) +
                 ";\n";
        for (unsigned i = 0; i < 8; i++)
            s += statement(2);
        s += "vec4 sum = vec4(0.0);\n";
        for (unsigned i = 0; i < variables_; i++)
            s += "sum = sum * 0.5 + vec4(x" + std::to_string(i) + ", x" + std::to_string(pick(variables_)) +
                 ", 0.25, a.x);\n";
        return s + "gl_FragColor = sum; }\n";
    }

  private:
    std::string variable(unsigned) override { return "x" + std::to_string(pick(variables_)); }
    std::string leaf(unsigned) override {
        static const char* const kLeaves[] = {"a.x", "a.y",    "a.w",    "b.x", "b.z",   "u.x",
                                              "u.w", "w[1].y", "w[2].z", "0.5", "-1.25", "2.0"};
        return kLeaves[pick(std::size(kLeaves))];
    }
    std::string other(unsigned which, unsigned, unsigned, const std::string& p,
                      const std::string& q) override {
        switch (which) {
            case 0:
                return "sin(clamp(" + p + ", -8.0, 8.0))";
            case 1:
                return "(" + p + " * 0.5)";
            case 2:
                return "(1.0 / (1.0 + abs(" + p + ")))";
            default:
                return "texture2D(t, clamp(vec2(" + p + ", " + q + "), -4.0, 4.0))." + "xyzw"[pick(4)];
        }
    }
    std::string assignment() override {
        const std::string to = variable(1);
        return to + " = clamp(" + expression(1, 2, 4) + ", -64.0, 64.0);\n";
    }
    // Rounding errors are too small for these thresholds.
    std::string condition() override {
        const char of = "ab"[pick(2)];
        return std::string("floor(") + of + ".x * 4.0) > " + std::to_string(int(pick(5)) - 2) + ".5";
    }
    std::string turns() override { return "floor(b.y * 2.0) + 3.5"; }
    unsigned variables_;
};

/// Words for which no register was free.
uint32_t check(unsigned seed, unsigned variables) {
    const std::string text = Generator(seed, variables).shader();
    CAPTURE(seed);
    CAPTURE(text);
    const auto program = compiled::link(
        "attribute vec4 p; attribute vec4 q; varying vec4 a; varying vec4 b; void main() { a = p; b = q; "
        "gl_Position = p; }",
        text);
    REQUIRE(program);
    const ir::Shader& s = *program->stages[size_t(ir::Stage::Fragment)];
    const Binary b = compile(s, Part::Fragment, kValidated);
    REQUIRE(b.error == "");
    CHECK(compile(s, Part::Fragment).code == b.code);
    Inputs in;
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> value(-1, 1);
    for (unsigned k = 0; k < 8; k++)
        for (unsigned i = 0; i < kLanes; i++)
            in.rows[unsigned(ir::VaryingSlot::Varying0) * 4 + k][i] = value(random);
    for (uint32_t k = 0; k < program->uniform_dw[size_t(ir::Stage::Fragment)]; k++)
        in.uniforms.push_back(std::bit_cast<uint32_t>(value(random)));
    in.frag_x.fill(1);
    const Result expected = interpret(s, in), got = execute(b, in);
    REQUIRE(got.error == "");
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < kLanes; i++) {
            CAPTURE(expected.outputs.at(c)[i]);
            CAPTURE(got.outputs.at(c)[i]);
            CHECK(near(expected.outputs.at(c)[i], got.outputs.at(c)[i], 1.0f / 256));
        }
    return b.info.statistics.spilled_words;
}

}  // namespace

TEST_CASE("mali compiler: random shaders") {
    for (unsigned seed = 1; seed <= 60; seed++)
        CHECK(check(seed, 4 + seed % 24) == 0);
}

TEST_CASE("mali compiler: random shaders that need more registers than there are") {
    // Some of them do not need more.
    unsigned spilled = 0;
    for (unsigned seed = 61; seed <= 72; seed++)
        spilled += check(seed, 80 + seed % 30) > 0;
    CHECK(spilled >= 10);
}
