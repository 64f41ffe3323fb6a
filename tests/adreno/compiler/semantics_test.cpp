// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Each arithmetic operation of the IR, shaders with several of the IR's features, and random ones: compiled
// code on the virtual GPU's core compared with the IR interpreter, with random inputs.
#include "shaders/passes/mediump_to_16.h"
#include "shaders/passes/pipeline.h"
#include "tests/adreno/compiler/execute.h"
#include "tests/common/compiler/op_cases.h"
#include "tests/common/compiler/shader_generator.h"

using namespace terrazzo;
using namespace terrazzo::adreno::compiler;
using namespace terrazzo::adreno::compiler::testing;

namespace {

/// `s`: the stage, or a changed copy of it.
void check_stage(const shaders::LinkedProgram& program, const ir::Shader& s, Options options,
                 float relative = 1.0f / 2048, float low = -2, float high = 2) {
    options.validate = true;
    const ir::Stage stage = s.stage;
    const Binary b = compile(s, options);
    REQUIRE(b.error == "");
    CAPTURE(adreno::isa::disassemble(b.code));
    for (unsigned seed = 1; seed < 4; seed++) {
        Inputs in = compiled::random_inputs(seed, program.uniform_dw[size_t(stage)], low, high);
        compiled::set_uniform(program, stage, in, "n", seed + 1);
        compiled::set_uniform(program, stage, in, "z", seed & 1);
        const Result expected = compiled::interpret(s, in), got = execute(b, in);
        REQUIRE(got.error == "");
        REQUIRE(expected.error == "");
        CHECK(got.alive == expected.alive);
        for (const auto& output : expected.outputs) {
            const auto& at = output.first;
            const auto& row = output.second;
            REQUIRE(got.outputs.count(at));
            for (unsigned i = 0; i < kLanes; i++) {
                if (!(expected.alive >> i & 1)) continue;
                CAPTURE(at);
                CAPTURE(i);
                CAPTURE(row[i]);
                CAPTURE(got.outputs.at(at)[i]);
                CHECK(compiled::near(row[i], got.outputs.at(at)[i], relative));
            }
        }
    }
}

void check_fragment(const std::string& body, const Options& options = {.halves = false}) {
    CAPTURE(body);
    const auto program = compiled::link(compiled::kVertex, compiled::kHead + body);
    REQUIRE(program);
    check_stage(*program, *program->stages[size_t(ir::Stage::Fragment)], options);
}

/// Generates shaders that read varyings and uniforms.
class Generator : compiled::ShaderGenerator {
  public:
    using ShaderGenerator::ShaderGenerator;
    std::string shader() {
        std::string text = "void main() { vec4 x0 = a, x1 = b, x2 = u, x3 = a * b;\n";
        for (unsigned k = 0; k < 8; k++)
            text += statement(2);
        return text + "gl_FragColor = x0 + x1 * x2 - x3; }";
    }

  protected:
    std::string part(const std::string& name, unsigned n) {
        static constexpr const char* kParts[] = {".x", ".yz", ".wxy", ""};
        return name + kParts[n - 1];
    }
    std::string variable(unsigned n) override { return part("x" + std::to_string(pick(4)), n); }
    std::string leaf(unsigned n) override {
        static constexpr const char* kNames[] = {"a", "b", "u", "w[1]", "w[n]"};
        return pick(4)
                   ? part(kNames[pick(5)], n)
                   : (n == 1 ? "float(" : "vec" + std::to_string(n) + "(") + std::to_string(pick(5)) + ".25)";
    }
    std::string other(unsigned which, unsigned n, unsigned, const std::string& p,
                      const std::string& q) override {
        if (which == 0) return "(" + p + " / (abs(" + q + ") + 1.0))";
        if (which == 1 && n == 4) return "texture2D(t, (" + p + ").xy)";
        return "floor(" + p + " * 0.01)";
    }
    std::string assignment() override {
        const unsigned n = 1 + pick(4);
        std::string value = expression(n, 2, 3);
        // Values that grow in each iteration would leave the range of floats.
        return "x" + std::to_string(pick(4)) +
               (n == 4   ? ""
                : n == 3 ? ".xyz"
                : n == 2 ? ".zw"
                         : ".y") +
               " = clamp(" + value + ", -50.0, 50.0);\n";
    }
    std::string condition() override { return pick(2) ? "a.x > 0.0" : "float(n) + b.y > 2.0"; }
    std::string turns() override { return "a.w * 2.0 + 4.0"; }
};

}  // namespace

TEST_CASE("adreno compiler: each arithmetic operation of the IR on its own, random operands") {
    unsigned ran = 0;
    for (unsigned k = unsigned(ir::Op::Mov); k <= unsigned(ir::Op::UnpackHalfHigh); k++) {
        const auto op = ir::Op(k);
        if (ir::op_info(op).flags & ir::op_flag::D) continue;
        for (const compiled::Of of : {compiled::Of::Words, compiled::Of::Bools, compiled::Of::Halves}) {
            if (of == compiled::Of::Bools && ir::op_info(op).sig != ir::Sig::IntOrBool) continue;
            CAPTURE(ir::op_info(op).text);
            CAPTURE(int(of));
            const auto s = compiled::shader_of(op, of);
            // Fields that go beyond a half: widen_16 does not support them, and GLSL does not have them.
            const bool field = op == ir::Op::IBitfieldExtract || op == ir::Op::UBitfieldExtract;
            if (ir::validate(*s) != "" || (field && of == compiled::Of::Halves)) continue;
            const Binary b = compile(*s, {.validate = true});
            REQUIRE(b.error == "");
            CAPTURE(adreno::isa::disassemble(b.code));
            compiled::check_op(op, of, *s, compiled::Denormals::Flushed,
                               [&](const Inputs& in) { return execute(b, in); });
            ran++;
        }
    }
    CHECK(ran > 80);
}

TEST_CASE("adreno compiler: shaders have the interpreter's results") {
    for (const std::string& body : std::initializer_list<std::string>{
             "void main() { gl_FragColor = a.x > b.x ? a : b; if (a.y > 0.3) discard; }",
             "void main() { gl_FragColor = floor(a) / b + pow(abs(a), b) + inversesqrt(abs(b)) + sin(a) * "
             "cos(b) + "
             "min(a, b) * max(a, u) + clamp(a + 0.25, 0.0, 1.0); gl_FragDepthEXT = a.x; }",
             "void main() { ivec4 i = ivec4(a * 9.0), k = ivec4(b * 5.0); i = i / k + i * n - k; "
             "gl_FragColor = vec4(i) + "
             "float(z) + vec4(i.x < k.y || k.z == n, i.x != k.x, -abs(a.xy)); }",
             "void main() { gl_FragColor = texture2D(t, a.xy) + textureCube(cube, b.xyz) + texture2D(t, "
             "b.xy, 1.5) + "
             "texture2DGradEXT(t, a.xy, b.xy, u.xy) + gl_FragCoord * u; }",
             "void main() { vec4 k[40]; for (int i = 0; i < 40; i++) k[i] = a * float(i) + b; k[n * 7] = u; "
             "gl_FragColor = k[n * "
             "3] + w[n]; }",
             "void main() { vec4 c = u; for (int i = 0; i < 50; i++) { if (float(i) > a.x * 9.0 + 20.0) "
             "break; if (c.x > b.x) { "
             "c = c * 0.5 + texture2D(t, c.xy); continue; } c += sin(b * float(i)); } gl_FragColor = c; }",
             "void main() { gl_FragColor = gl_FrontFacing ? m * a : a * m; }",
         }) {
        check_fragment(body);
        check_fragment(body, {.halves = false, .max_registers = 20});
    }
}

TEST_CASE("adreno compiler: values that are the same for a whole draw are computed in the preamble") {
    for (const std::string& body : std::initializer_list<std::string>{
             "void main() { vec4 l = normalize(u * w[0] + 1.5); gl_FragColor = a * l + dot(l, u) * b + "
             "sqrt(abs(w[1])) * float(n * n) * a.x; }",
             "void main() { bool k = u.x > w[0].y, l = w[1].z < u.y * 2.0; gl_FragColor = k ? a : b; if (k "
             "!= l && a.x > "
             "0.5) discard; }",
             "void main() { if (a.x > 0.0) gl_FragColor = a * pow(abs(u), w[1]); else gl_FragColor = b / (u "
             "+ 4.0) - "
             "w[n]; }",
             "uniform vec4 big[120]; void main() { gl_FragColor = a * (big[119] + u * big[n]) + b * (big[7] "
             "* u); }",
             "void main() { mediump vec4 x = a; gl_FragColor = x * (u * 0.25 + w[1]) - u * 0.3; }",
         }) {
        for (const bool halves : {false, true}) {
            CAPTURE(body);
            const auto program = compiled::link(compiled::kVertex, compiled::kHead + body);
            REQUIRE(program);
            const ir::Shader& s = *program->stages[size_t(ir::Stage::Fragment)];
            const Statistics with = compile(s, {.halves = halves}).info.statistics,
                             without = compile(s, {.halves = halves, .preamble = false}).info.statistics;
            CHECK(with.preamble > 4);
            CHECK(without.preamble == 0);
            CHECK(with.instructions < without.instructions);
            check_stage(*program, s, {.halves = halves}, halves ? 1.0f / 64 : 1.0f / 2048);
        }
    }
    // A preamble would save nothing: there is none.
    const auto plain = compiled::link(
        compiled::kVertex, std::string(compiled::kHead) + "void main() { gl_FragColor = a * u + w[1]; }");
    REQUIRE(plain);
    CHECK(compile(*plain->stages[size_t(ir::Stage::Fragment)]).info.statistics.preamble == 0);
}

TEST_CASE("adreno compiler: arrays of numbers are in constants") {
    std::string array = "vec4 k[40]; ";
    for (int k = 0; k < 40; k++)
        array += "k[" + std::to_string(k) + "] = vec4(" + std::to_string(k * 0.5) + ", -1.25, " +
                 std::to_string(k - 3) + ", 7.5); ";
    const auto reads_tables = [](const Binary& b) {
        for (const uint64_t word : b.code)
            if (adreno::isa::Instr i; adreno::isa::decode(word, &i, nullptr) &&
                                      i.op == adreno::isa::Op::kMov &&
                                      i.src[0].kind == adreno::isa::SrcKind::kRelativeConstant)
                return true;
        return false;
    };
    for (const std::string& rest : std::initializer_list<std::string>{
             "gl_FragColor = k[int(clamp(a.x * 9.0 + 20.0, 0.0, 39.0))] + k[n] * b;",
             "k[n] = a; gl_FragColor = k[int(clamp(b.x + 2.0, 0.0, 39.0))] + k[n];"}) {
        const std::string body = "void main() { " + array + rest + " }";
        check_fragment(body);
        const auto program = compiled::link(compiled::kVertex, compiled::kHead + body);
        REQUIRE(program);
        const Binary b = compile(*program->stages[size_t(ir::Stage::Fragment)]);
        CHECK(reads_tables(b) == (rest[0] != 'k'));
        CHECK((b.info.private_B == 0) == (rest[0] != 'k'));
    }
}

TEST_CASE("adreno compiler: numbers that do not fit into constants are in registers") {
    std::string body = "uniform vec4 many[155]; void main() { float s = many[n].x + many[154].y;\n";
    for (unsigned i = 0; i < 600; i++)
        body +=
            "s = s * " + std::to_string(0.37 + i * 0.001) + " + a.x * " + std::to_string(i + 0.013) + ";\n";
    check_fragment(body + "gl_FragColor = vec4(s * 0.001); }");
    const auto program =
        compiled::link(compiled::kVertex, compiled::kHead + body + "gl_FragColor = vec4(s); }");
    REQUIRE(program);
    const Binary b = compile(*program->stages[size_t(ir::Stage::Fragment)]);
    CHECK(b.error == "");
    CHECK(b.info.constants.vec4s * 4 <= kMaxConstants_dw);
    // The largest array that fits with 620 uniforms.
    CHECK(b.info.constants.immediates.size() > 100);
}

TEST_CASE("adreno compiler: mediump values are in half registers") {
    for (const std::string& body : std::initializer_list<std::string>{
             "void main() { mediump vec4 x = a, y = b; gl_FragColor = min(max(x * y + x, y - x), vec4(x.x, "
             "x.w, y.y, y.z) * x) * "
             "(1.0 / (2.0 + abs(y.x))); }",
             "void main() { mediump vec4 x = a; if (b.x > 0.0) x = x * u + b; else x -= texture2D(t, a.xy); "
             "if (x.x < -1.0) discard; "
             "gl_FragColor = clamp(x, 0.0, 1.0) + abs(x) * 0.25; }",
             "void main() { mediump vec4 x = a; for (int i = 0; i < 9; i++) { if (float(i) > b.x * 4.0 + "
             "5.0) break; x = x * 0.5 + "
             "texture2D(t, a.xy * 0.3); } gl_FragColor = x.x > 0.0 ? x : -x; }",
         }) {
        CAPTURE(body);
        const auto program = compiled::link(compiled::kVertex, compiled::kHead + body);
        REQUIRE(program);
        const auto narrow = ir::clone(*program->stages[size_t(ir::Stage::Fragment)]);
        REQUIRE(ir::mediump_to_16(*narrow));
        ir::clean_up(*narrow);
        narrow->renumber();
        const Binary b = compile(*narrow, {.halves = false});
        bool half = false;
        for (const uint64_t word : b.code)
            if (adreno::isa::Instr i; adreno::isa::decode(word, &i, nullptr))
                half |= i.info().dest_count && i.dst[0].half;
        CHECK(half);
        check_stage(*program, *narrow, {.halves = false}, 1.0f / 256);
        check_stage(*program, *narrow, {.halves = false, .max_registers = 20}, 1.0f / 256);
    }
}

TEST_CASE("adreno compiler: mediump inputs and textures are halves, and outputs are halves") {
    const std::string head =
        "precision mediump float; varying vec4 a; varying highp vec4 b; uniform highp vec4 u; uniform "
        "sampler2D t;\n";
    // The shader; its number of registers; whether its colour consists of halves.
    const struct {
        const char* body;
        unsigned registers;
        bool half;
    } cases[] = {
        {"void main() { gl_FragColor = a; }", 1, true},
        {"void main() { gl_FragColor = vec4(a.xyz, 0.3712); }", 1, true},
        {"void main() { gl_FragColor = texture2D(t, b.xy); }", 1, true},
        {"void main() { gl_FragColor = b.x > 0.0 ? a : texture2D(t, b.xy); }", 2, true},
        // One 32-bit component is rounded, because the other three are halves.
        {"void main() { gl_FragColor = vec4(a.xyz, b.x * u.x + u.y); }", 2, true},
        {"void main() { gl_FragColor = vec4(b.xyz * u.xyz, a.x); }", 2, false},
        {"void main() { gl_FragColor = b; }", 2, false},
    };
    for (const auto& c : cases) {
        CAPTURE(c.body);
        const auto program = compiled::link(compiled::kVertex, head + c.body);
        REQUIRE(program);
        const ir::Shader& s = *program->stages[size_t(ir::Stage::Fragment)];
        const Binary b = compile(s, {.validate = true});
        REQUIRE(b.error == "");
        CAPTURE(adreno::isa::disassemble(b.code));
        CHECK(b.info.full_registers <= c.registers);
        REQUIRE(b.info.outputs.size() == 1);
        CHECK(b.info.outputs[0].half == c.half);
        check_stage(*program, s, {}, 1.0f / 256);
        CHECK(!compile(s, {.halves = false}).info.outputs[0].half);
    }
}

TEST_CASE("adreno compiler: values of render targets") {
    for (const std::string body :
         {"void main() { gl_FragColor = gl_LastFragData[0] * a + b; }",
          "void main() { vec4 c = texture2D(t, a.xy); if (gl_LastFragData[0].x > a.x) c.yz += "
          "gl_LastFragData[0].zw * gl_FragCoord.x; gl_FragColor = c; }"}) {
        check_fragment(body);
        const auto program = compiled::link(compiled::kVertex, compiled::kHead + body);
        REQUIRE(program);
        const Info info = compile(*program->stages[size_t(ir::Stage::Fragment)]).info;
        CHECK(info.colors_read == 1);
        CHECK(info.color_number(0) == uint32_t(std::bit_width(info.textures)));
        CHECK(info.per_sample);
    }
}

TEST_CASE("adreno compiler: a preamble's condition selects between halves after it") {
    const auto program = compiled::link(compiled::kVertex,
                                        "precision mediump float; varying vec4 a; uniform highp vec4 u;\n"
                                        "void main() { bool c = max(u.x, 0.25) * u.y + u.z < min(u.w, 0.5);\n"
                                        "gl_FragColor = vec4(c ? a.x : a.y, c ? a.z : a.w, a.xy); }");
    REQUIRE(program);
    const ir::Shader& s = *program->stages[size_t(ir::Stage::Fragment)];
    const Binary b = compile(s, {.validate = true});
    REQUIRE(b.error == "");
    CAPTURE(adreno::isa::disassemble(b.code));
    CHECK(adreno::isa::disassemble(b.code).find("stc") != std::string::npos);
    check_stage(*program, s, {}, 1.0f / 256);
}

TEST_CASE("adreno compiler: vertex shaders") {
    const auto program = compiled::link(
        "attribute vec4 p; attribute vec3 q; uniform mat4 m; uniform float s; varying vec4 a; varying vec4 "
        "b; void main() { "
        "gl_Position = m * p; gl_PointSize = s + q.y; a = normalize(p); if (q.x > 0.0) b = q.xyzx; else b = "
        "p * s; }",
        "precision highp float; varying vec4 a; varying vec4 b; void main() { gl_FragColor = a + b; }");
    REQUIRE(program);
    check_stage(*program, *program->stages[size_t(ir::Stage::Vertex)], {});
}

TEST_CASE("adreno compiler: random shaders") {
    for (unsigned seed = 1; seed <= 60; seed++) {
        CAPTURE(seed);
        const std::string body = Generator(seed).shader();
        check_fragment(body);
        if (seed % 4 == 0) check_fragment(body, {.halves = false, .max_registers = 24});
    }
}
