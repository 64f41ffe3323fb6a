// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// 16-bit floats: random mediump shaders after use_halves(), in the IR interpreter and as code on the virtual
// GPU; which operations are paired; which stay wide.
#include <algorithm>
#include <random>

#include "shaders/ir/print.h"
#include "shaders/ir/validate.h"
#include "shaders/passes/pair_halves.h"
#include "tests/common/compiler/shader_generator.h"
#include "tests/mali/compiler/harness.h"

using namespace terrazzo;
using namespace terrazzo::mali::compiler;
using namespace terrazzo::mali::compiler::testing;
using mali::compiler::testing::Machine;
using mali::isa::Op;

namespace {

constexpr Options kAlways{.halves = Options::Halves::Always, .validate = true},
    kNever{.halves = Options::Halves::Never, .validate = true};

/// All vectors of an expression have one length, so that there are operations to pair.
class Generator : compiled::ShaderGenerator {
  public:
    using compiled::ShaderGenerator::ShaderGenerator;
    std::string shader() {
        std::string s =
            "precision mediump float; varying vec4 a; varying vec4 b; varying highp vec2 at; uniform vec4 u; "
            "uniform vec3 w[3]; uniform float k; uniform sampler2D t;\nvoid main() {\n";
        for (unsigned n = 1; n <= 4; n++)
            for (unsigned i = 0; i < 3; i++)
                s += type(n) + name(n, i) + " = " + leaf(n) + ";\n";
        for (unsigned i = 0; i < 6; i++)
            s += statement(2);
        return s + "gl_FragColor = clamp(v40 * 0.5 + vec4(v30, v10) * 0.25 + vec4(v20, v21), -8.0, 8.0); }\n";
    }

  private:
    static constexpr unsigned kOthers = 4;
    static std::string type(unsigned n) { return n == 1 ? "float " : "vec" + std::to_string(n) + " "; }
    static std::string name(unsigned n, unsigned i) { return "v" + std::to_string(n) + std::to_string(i); }
    std::string swizzle(unsigned n, unsigned of) {
        std::string s = ".";
        for (unsigned i = 0; i < n; i++)
            s += "xyzw"[pick(3) ? i % of : pick(of)];
        return s;
    }
    std::string leaf(unsigned n) override {
        switch (pick(8)) {
            case 0:
            case 1:
                return "a" + swizzle(n, 4);
            case 2:
                return "b" + swizzle(n, 4);
            case 3:
                return "u" + swizzle(n, 4);
            case 4: {
                const std::string row = std::to_string(pick(3));
                return "w[" + row + "]" + swizzle(n, 3);
            }
            case 5:
                return "texture2D(t, at)" + swizzle(n, 4);
            case 6:
                return "texture2D(t, at * 0.5)" + swizzle(n, 4);
            default: {
                static const char* const kConstants[] = {"0.5", "1.0", "-1.25", "2.0", "0.1"};
                return (n == 1 ? "float(" : "vec" + std::to_string(n) + "(") + kConstants[pick(5)] + ")";
            }
        }
    }
    std::string variable(unsigned n) override { return name(n, pick(3)); }
    std::string other(unsigned which, unsigned n, unsigned depth, const std::string& p,
                      const std::string& q) override {
        switch (which) {
            case 0:
                return "mix(" + p + ", " + q + ", " + expression(1, 0, 0) + ")";
            case 1:
                return "(" + p + " * " + variable(1) + ")";
            case 2:
                return "(b.x * 4.0 > " + std::to_string(int(pick(5)) - 2) + ".5 ? " + p + " : " + q + ")";
            default: {
                if (n != 1) return "(-" + p + ")";
                const std::string left = expression(3, depth - 1, kOthers);
                return "dot(" + left + ", " + variable(3) + ")";
            }
        }
    }
    // Repeated squares of larger values would multiply a rounding error without limit.
    std::string assignment() override {
        const unsigned n = 1 + pick(4);
        const std::string to = variable(n);
        return to + " = clamp(" + expression(n, 2, kOthers) + ", -1.0, 1.0);\n";
    }
    std::string condition() override { return "b.y * 4.0 > 0.5"; }
    std::string turns() override { return "b.z * 2.0 + 3.5"; }
};

std::shared_ptr<const shaders::LinkedProgram> link_fragment(const std::string& text) {
    return compiled::link(
        // No two varyings have the same value.
        "attribute vec4 p; attribute vec4 q; varying vec4 a; varying vec4 b; varying highp vec2 at; void "
        "main() { a = p; b = q; at = p.zw + q.xy; gl_Position = p; }",
        text);
}

Inputs random_inputs(unsigned seed, uint32_t uniform_dw) {
    Inputs in;
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> value(-1, 1);
    for (unsigned k = 0; k < 12; k++)
        for (unsigned i = 0; i < kLanes; i++)
            in.rows[unsigned(ir::VaryingSlot::Varying0) * 4 + k][i] = value(random);
    // Comparisons have the same result in 16 bits.
    for (unsigned k = 4; k < 8; k++)
        for (float& v : in.rows[unsigned(ir::VaryingSlot::Varying0) * 4 + k])
            v = std::round(v * 512) / 512;
    for (uint32_t k = 0; k < uniform_dw; k++)
        in.uniforms.push_back(std::bit_cast<uint32_t>(value(random)));
    in.frag_x.fill(1);
    return in;
}

}  // namespace

TEST_CASE("mali compiler: random mediump shaders in 16 bits") {
    unsigned with_halves = 0;
    for (unsigned seed = 1; seed <= 150; seed++) {
        const std::string text = Generator(seed).shader();
        CAPTURE(seed);
        CAPTURE(text);
        const auto program = link_fragment(text);
        REQUIRE(program);
        const ir::Shader& s = *program->stages[size_t(ir::Stage::Fragment)];
        const auto halves = ir::clone(s);
        with_halves += ir::use_halves(*halves);
        const auto planned = ir::clone(*halves);
        std::pmr::monotonic_buffer_resource memory;
        (void)ir::plan_halves(*planned, &memory);
        CHECK(ir::validate(*planned) == "");
        const Binary b = compile(s, Part::Fragment, kAlways);
        REQUIRE(b.error == "");
        CHECK(compile(s, Part::Fragment, kAlways).code == b.code);
        const Inputs in = random_inputs(seed, program->uniform_dw[size_t(ir::Stage::Fragment)]);
        const Result expected = interpret(*halves, in), wide = interpret(s, in), got = execute(b, in);
        REQUIRE(got.error == "");
        for (unsigned c = 0; c < 4; c++)
            for (unsigned i = 0; i < kLanes; i++) {
                CAPTURE(c);
                CAPTURE(i);
                // Sums are fused in other places, and results are stored as halves.
                CHECK(near(expected.outputs.at(c)[i], got.outputs.at(c)[i], 1.0f / 512));
                CHECK(near(wide.outputs.at(c)[i], got.outputs.at(c)[i], 1.0f / 32));
            }
    }
    CHECK(with_halves > 140);
}

TEST_CASE("mali compiler: two halves in one instruction") {
    const auto program = link_fragment(
        "precision mediump float; varying vec4 a; varying vec4 b; uniform vec4 u; uniform sampler2D t; "
        "varying highp "
        "vec2 at; void main() { gl_FragColor = texture2D(t, at) * a * u + b; }");
    REQUIRE(program);
    const ir::Shader& s = *program->stages[size_t(ir::Stage::Fragment)];
    const Binary b = compile(s, Part::Fragment), wide = compile(s, Part::Fragment, kNever);
    CHECK(count(b, Op::kFmaV2f16) == 4);
    CHECK(count(b, Op::kMkvecV2i16) == 0);
    CHECK(count(b, Op::kLdVarBufImmF16) == 2);
    CHECK(count(b, Op::kLdVarBufImmF32) == 1);
    CHECK(b.info.half_colors == 1);
    CHECK_FALSE(b.info.reads_uniform_buffer);
    for (const UniformWord& w : {UniformWord{UniformWord::Kind::Halves, 0 | 1 << 16},
                                 UniformWord{UniformWord::Kind::Halves, 2 | 3 << 16}})
        CHECK(std::count(b.info.fau.begin(), b.info.fau.end(), w) == 1);
    CHECK(b.info.statistics.instructions + 4 == wide.info.statistics.instructions);
    CHECK(wide.info.half_colors == 0);
}

/// Uniforms for which no uniform word is left are loaded from memory, in each branch that reads them.
TEST_CASE("mali compiler: more uniforms of halves than uniform words") {
    std::string up, down;
    for (int i = 0; i < 90; i++) {
        up += " s += w[" + std::to_string(i) + "] * 0.03125;";
        down += " s -= w[" + std::to_string(89 - i) + "] * 0.03125;";
    }
    const auto program = link_fragment(
        "precision mediump float; varying vec4 a; varying highp vec2 at; uniform vec4 w[90]; void main() { "
        "vec4 s = a; if (at.x > 0.5) {" +
        up + " } else {" + down + " } gl_FragColor = s * 0.25; }");
    REQUIRE(program);
    const ir::Shader& s = *program->stages[size_t(ir::Stage::Fragment)];
    const Binary b = compile(s, Part::Fragment, kAlways);
    REQUIRE(b.error == "");
    CHECK(count(b, Op::kFmaV2f16) >= 100);
    CHECK(b.info.reads_uniform_buffer);
    for (unsigned seed = 1; seed < 5; seed++) {
        const Inputs in = random_inputs(seed, program->uniform_dw[size_t(ir::Stage::Fragment)]);
        const Result expected = interpret(s, in), got = execute(b, in);
        REQUIRE(got.error == "");
        for (unsigned c = 0; c < 4; c++)
            for (unsigned i = 0; i < kLanes; i++)
                CHECK(near(expected.outputs.at(c)[i], got.outputs.at(c)[i], 1.0f / 64));
    }
}

TEST_CASE("mali compiler: halves from loops and ifs stay two in a word") {
    const auto program = link_fragment(
        "precision mediump float; varying vec4 a; varying highp vec2 at; uniform vec4 u; void main() { "
        "vec4 s = u; for (int i = 0; i < 20; i++) { if (float(i) > at.x) break; s = s.yxwz * 0.5 + a; "
        "if (at.y > 0.5) s = max(s.xyzw, a * a) + a.wzyx; } gl_FragColor = s; }");
    REQUIRE(program);
    const ir::Shader& s = *program->stages[size_t(ir::Stage::Fragment)];
    const Binary b = compile(s, Part::Fragment, kAlways);
    REQUIRE(b.error == "");
    CAPTURE(mali::isa::disassemble(b.code));
    CHECK(count(b, Op::kFmaV2f16) == 4);
    CHECK(count(b, Op::kFmaxV2f16) == 2);
    CHECK(count(b, Op::kV2f32ToV2f16) == 0);
    CHECK(count(b, Op::kMkvecV2i16) == 0);
    for (unsigned seed = 1; seed < 5; seed++) {
        const Inputs in = random_inputs(seed, program->uniform_dw[size_t(ir::Stage::Fragment)]);
        const Result expected = interpret(s, in), got = execute(b, in);
        REQUIRE(got.error == "");
        for (unsigned c = 0; c < 4; c++)
            for (unsigned i = 0; i < kLanes; i++)
                CHECK(near(expected.outputs.at(c)[i], got.outputs.at(c)[i], 1.0f / 128));
    }
}

TEST_CASE("mali compiler: values that stay in 32 bits") {
    const auto code = [](const std::string& text) {
        const auto program = link_fragment(
            "varying mediump vec4 a; varying mediump vec4 b; varying highp vec2 at; "
            "uniform sampler2D t; uniform mediump vec4 u;\n" +
            text);
        REQUIRE(program);
        return compile(*program->stages[size_t(ir::Stage::Fragment)], Part::Fragment, kAlways);
    };
    const auto halves = [](const Binary& b) {
        return count(b, Op::kFmaV2f16) + count(b, Op::kFaddV2f16) + count(b, Op::kLdVarBufImmF16) +
               count(b, Op::kV2f32ToV2f16);
    };
    // Positions, highp, fractions and angles; powers.
    CHECK(halves(code("void main() { gl_FragColor = texture2D(t, a.xy * 0.5 + u.xy); }")) == 0);
    CHECK(halves(code("void main() { highp vec2 x = at * at; gl_FragColor = vec4(x, x * x); }")) == 0);
    CHECK(halves(code("void main() { gl_FragColor = fract(a * 7.0); }")) == 0);
    CHECK(halves(code("void main() { gl_FragColor = pow(a * b, u); }")) == 0);
    // Values out of range.
    CHECK(halves(code("void main() { gl_FragColor = a * 100000.0; }")) == 0);
    // A length is the root of a sum in 32 bits; its vector may be narrow.
    const Binary b = code("void main() { gl_FragColor = vec4(normalize(a.xyz) * b.xyz, 1.0); }");
    CHECK(count(b, Op::kFrsqF32) == 1);
    CHECK(count(b, Op::kFmaF32) == 3);
    CHECK(count(b, Op::kLdVarBufImmF16) == 2);
    CHECK(count(b, Op::kLdVarBufImmF32) == 0);
}

/// What the shader declares mediump may be rounded where that saves moves.
TEST_CASE("mali compiler: colours that are given as halves") {
    const auto halves = [](const std::string& text, const Options& options = {.validate = true}) {
        const bool es3 = text.find("out ") != text.npos;
        const auto program = es3 ? compiled::link(
                                       "#version 300 es\nin vec4 p; out highp vec4 a; void main() { a = "
                                       "p; gl_Position = p; }",
                                       "#version 300 es\nprecision highp float; in vec4 a;\n" + text)
                                 : link_fragment("precision highp float; varying vec4 a;\n" + text);
        REQUIRE(program);
        const Binary b = compile(*program->stages[size_t(ir::Stage::Fragment)], Part::Fragment, options);
        REQUIRE(b.error == "");
        return b.info.half_colors;
    };
    CHECK(halves("out mediump vec4 c; void main() { c = vec4(a.x, 0, 0, 1); }") == 1);
    CHECK(halves("out mediump vec4 c; void main() { c = vec4(a.x, a.x, a.x, 1); }") == 1);
    CHECK(halves("out mediump vec4 c; void main() { c = vec4(0); }") == 1);
    CHECK(halves("out mediump vec4 c; void main() { c = vec4(a.x, 0, 0, 1); }", kNever) == 0);
    // Two conversions in place of one move.
    CHECK(halves("out mediump vec4 c; void main() { c = vec4(a.xyz, 1); }") == 0);
    CHECK(halves("out highp vec4 c; void main() { c = vec4(a.x, 0, 0, 1); }") == 0);
    // Constants that halves represent exactly, and others.
    CHECK(halves("out highp vec4 c; void main() { c = vec4(0.5, 0, 2, 1); }") == 1);
    CHECK(halves("out highp vec4 c; void main() { c = vec4(0.1, 0, 2, 1); }") == 0);
    CHECK(halves("void main() { gl_FragColor = vec4(a.x, 0, 0, 1); }") == 0);
    // gl_FragColor has no precision of its own: the assigned values decide.
    CHECK(halves("void main() { mediump float d = a.x; gl_FragColor = vec4(d, 0, 0, 1); }") == 1);
    CHECK(
        halves("void main() { mediump float d = a.x; gl_FragColor.xyz = vec3(d); gl_FragColor.w = 1.0; }") ==
        1);
    CHECK(halves("void main() { mediump float d = a.x; gl_FragColor = vec4(d); gl_FragColor.x += a.y; }") ==
          0);
    CHECK(halves("void put(out\nhighp vec4 c) { c = vec4(a.x, 0, 0, 1); } "
                 "void main() { put(gl_FragColor); }") == 0);
    // Half of a word, but a highp colour.
    CHECK(halves("uniform highp uvec2 u; out highp vec4 c; void main() { "
                 "c = vec4(unpackHalf2x16(u.x), unpackHalf2x16(u.y).x, a.x); }") == 0);
}

TEST_CASE("mali compiler: the test of alpha reads the colour's register, and may end the thread") {
    const auto code = [](const std::string& text) {
        const auto program = link_fragment("precision mediump float; uniform vec4 u;\n" + text);
        REQUIRE(program);
        const Binary b = compile(*program->stages[size_t(ir::Stage::Fragment)], Part::Fragment, kValidated);
        REQUIRE(b.error == "");
        return b;
    };
    // Two words, ATEST, BLEND, and a call of two instructions.
    const Binary constant = code("void main() { gl_FragColor = vec4(55.0, 55.0, 55.0, 0.75); }");
    CHECK(constant.info.statistics.instructions == 6);
    CHECK(constant.info.half_colors == 1);
    CHECK(code("void main() { gl_FragColor = vec4(u.x); }").info.statistics.instructions == 6);
    // NOP and ATEST.
    CHECK(code("void main() {}").info.statistics.instructions == 2);
    const Result got = execute(constant, random_inputs(3, 0));
    REQUIRE(got.error == "");
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < kLanes; i++)
            CHECK(got.outputs.at(c)[i] == (c < 3 ? 55.0f : 0.75f));
}

TEST_CASE("mali compiler: a blend shader takes a colour of halves") {
    const auto giver = link_fragment(
        "precision mediump float; varying vec4 a; varying vec4 b; void main() { gl_FragColor = a * b + b; }");
    const auto blender = compiled::link(
        "attribute vec4 p; varying vec4 c; void main() { c = p; gl_Position = p; }",
        "#extension GL_EXT_shader_framebuffer_fetch : require\nprecision highp float; varying vec4 c; "
        "void main() { gl_FragColor = max(c, gl_LastFragData[0]) - c.wzyx * 0.5; }");
    REQUIRE(giver);
    REQUIRE(blender);
    const ir::Shader& source = *giver->stages[size_t(ir::Stage::Fragment)];
    const ir::Shader& equation = *blender->stages[size_t(ir::Stage::Fragment)];
    const Binary b = compile(source, Part::Fragment, kAlways);
    CHECK(b.info.half_colors == 1);
    const Binary blend = compile_blend(equation, {0, Machine::kConversion, 4, true}, kValidated);
    REQUIRE(blend.error == "");
    Inputs in = random_inputs(11, 0);
    for (unsigned c = 0; c < 4; c++)
        in.tile[c] = in.rows[unsigned(ir::VaryingSlot::Varying0) * 4 + 8 + c];
    in.blend[0] = &blend;
    Inputs there = in;
    const Result color = interpret(source, in);
    for (unsigned c = 0; c < 4; c++)
        there.rows[unsigned(ir::VaryingSlot::Varying0) * 4 + c] = color.outputs.at(c);
    const Result expected = interpret(equation, there), got = execute(b, in);
    REQUIRE(got.error == "");
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < kLanes; i++)
            CHECK(near(expected.outputs.at(c)[i], got.outputs.at(c)[i], 1.0f / 256));
}
