// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compiled shaders on the virtual core have the IR interpreter's results.
#include "tests/agx/compiler/harness.h"

namespace terrazzo::agx::compiler::testing {
namespace {

std::string text_of(const Binary& b) {
    return isa::disassemble(b.code);
}

/// Returns the words that were spilled.
uint32_t check_body(const std::string& body, float low = -2, float high = 2) {
    CAPTURE(body);
    const auto program = compiled::link(compiled::kVertex, compiled::kHead + body);
    REQUIRE(program);
    const ir::Shader& s = *program->stages[size_t(ir::Stage::Fragment)];
    const Binary b = compile(s, kValidated);
    REQUIRE(b.error == "");
    CAPTURE(text_of(b));
    for (unsigned seed = 1; seed < 4; seed++) {
        Inputs in =
            compiled::random_inputs(seed, program->uniform_dw[size_t(ir::Stage::Fragment)], low, high);
        compiled::set_uniform(*program, ir::Stage::Fragment, in, "n", seed + 1);
        compiled::set_uniform(*program, ir::Stage::Fragment, in, "z", seed & 1);
        const Result expected = interpret(s, in), got = execute(s, b, in);
        REQUIRE(got.error == "");
        REQUIRE(expected.error == "");
        CHECK(got.alive == expected.alive);
        for (const auto& [at, row] : expected.outputs)
            for (unsigned i = 0; i < kLanes; i++) {
                if (!(expected.alive >> i & 1)) continue;
                const float want = row[i], have = got.outputs.at(at)[i];
                CAPTURE(i);
                CAPTURE(want);
                CAPTURE(have);
                CHECK(compiled::near(want, have));
            }
    }
    return b.info.statistics.spilled_words;
}

TEST_CASE("agx compiler: each operation") {
    for (unsigned n = 0; n < unsigned(ir::Op::Count_); n++) {
        const auto op = ir::Op(n);
        const ir::OpInfo& row = ir::op_info(op);
        if (row.sig == ir::Sig::Any || !row.pure() || op == ir::Op::Undef) continue;
        for (const compiled::Of of : {compiled::Of::Words, compiled::Of::Bools}) {
            if (of == compiled::Of::Bools && row.sig != ir::Sig::IntOrBool) continue;
            CAPTURE(row.text);
            const auto s = compiled::shader_of(op, of);
            const Binary b = compile(*s, kValidated);
            REQUIRE(b.error == "");
            CAPTURE(text_of(b));
            compiled::check_op(op, of, *s, compiled::Denormals::Flushed,
                               [&](const Inputs& in) { return execute(*s, b, in); });
        }
    }
}

TEST_CASE("agx compiler: arithmetic in fragment shaders") {
    for (const char* body :
         {"void main() { gl_FragColor = vec4(0.25, 1.0, 0.0, 0.5); }",
          "void main() { gl_FragColor = a * u + w[2]; }",
          "void main() { gl_FragColor = -a * abs(b) + abs(u - a); }",
          "void main() { gl_FragColor = m * a + b; }",
          "void main() { gl_FragColor = clamp(a, 0.0, 1.0) + clamp(a * b, -0.5, 0.5); }",
          "void main() { gl_FragColor = floor(a * 3.0) + ceil(b) + fract(a * 7.0); }",
          "void main() { gl_FragColor = sign(a) + step(a, b) + mod(a, 0.7); }",
          "void main() { gl_FragColor = mix(a, b, u.x) + smoothstep(-1.0, 1.0, a); }",
          "void main() { gl_FragColor = sqrt(abs(a)) + inversesqrt(abs(b) + 0.1); }",
          "void main() { gl_FragColor = pow(abs(a) + 0.1, b) + exp(b) + log(abs(a) + 0.2); }",
          "void main() { gl_FragColor = sin(a * 5.0) + cos(b * 3.0) + tan(a * 0.5); }",
          "void main() { gl_FragColor = atan(a, b) + asin(clamp(a, -1.0, 1.0)); }",
          "void main() { gl_FragColor = vec4(normalize(a.xyz), length(b)) + vec4(dot(a, b), cross(a.xyz, "
          "b.xyz)); }",
          "void main() { gl_FragColor = vec4(greaterThan(a, b)) + vec4(equal(floor(a), floor(b))); }",
          "void main() { gl_FragColor = vec4(a.x > b.x && a.y < b.y, a.z > 0.0 || z, !z, a.x != b.x); }",
          "void main() { gl_FragColor = gl_FragCoord * u; }",
          "void main() { gl_FragColor = gl_FrontFacing ? a : b; }",
          "void main() { ivec4 i = ivec4(a * 100.0), k = ivec4(b * 9.0); gl_FragColor = vec4(i / (k + 1000)) "
          "+ "
          "vec4(i / k) + vec4(i + k * n - 3); }",
          "void main() { gl_FragColor = a; gl_FragDepthEXT = b.x; }"})
        check_body(body);
}

TEST_CASE("agx compiler: control flow") {
    for (const char* body :
         {"void main() { if (a.x > 0.0) gl_FragColor = a; else gl_FragColor = b; }",
          "void main() { vec4 c = u; if (a.x > 0.0) { c = sin(a); if (b.y > 0.0) c += exp2(b); } else { c *= "
          "b; } "
          "gl_FragColor = c; }",
          "void main() { vec4 c = u; for (int i = 0; i < 200; i++) { if (float(i) > a.x * 40.0) break; c += "
          "sin(b * "
          "float(i)); } gl_FragColor = c * 0.01; }",
          "void main() { vec4 c = u, d = a; for (int i = 0; i < 100; i++) { if (i > n * 20) break; if (c.x > "
          "d.x) "
          "continue; vec4 e = c; c = d * 0.5; d = e + b * 0.1; } gl_FragColor = c + d; }",
          "void main() { float s = 0.0; for (int i = 0; i < 50; i++) { for (int k = 0; k < 60; k++) { if (k "
          "> n + i) "
          "break; s += a.x; if (s > 10.0) { s -= b.y * b.y * 11.0; if (b.x > 0.0) continue; else if (b.z > "
          "a.z) "
          "break; } } if (s < -20.0) break; } gl_FragColor = vec4(s, s * 0.5, a.x, 1.0); }",
          "void main() { if (a.x > b.x) discard; gl_FragColor = a; }",
          "void main() { vec4 c = a; if (a.x > 0.3) { if (a.y > 0.2) discard; c = b * b; } gl_FragColor = c; "
          "}",
          "void main() { gl_FragColor = w[n] + a; }",
          "void main() { vec4 k[4]; k[0] = a; k[1] = b; k[2] = u; k[3] = a * b; gl_FragColor = k[n]; }",
          "void main() { vec4 k[40]; for (int i = 0; i < 40; i++) k[i] = a * float(i) + b; k[n * 7] = u; "
          "vec4 c = "
          "vec4(0.0); for (int i = 0; i < 40; i++) c = c * 0.5 + k[int(mod(float(i * 7 + n), 40.0))]; "
          "gl_FragColor = c; }",
          "vec4 f(vec4 x) { if (x.x > 0.5) return x * 2.0; return x - 1.0; } void main() { gl_FragColor = "
          "f(a) + "
          "f(f(b)); }"})
        check_body(body);
}

TEST_CASE("agx compiler: textures") {
    for (const char* body :
         {"void main() { gl_FragColor = texture2D(t, a.xy); }",
          "void main() { gl_FragColor = texture2D(t, a.xy, b.x) + texture2D(t, a.zw).wzyx; }",
          "void main() { gl_FragColor = texture2DLodEXT(t, a.xy, b.x) + textureCube(cube, b.xyz); }",
          "void main() { gl_FragColor = texture2DGradEXT(t, a.xy, b.xy, b.zw); }",
          "void main() { gl_FragColor.x = texture2D(t, texture2D(t, a.xy).xy).y; }"})
        // A level has 16 bits.
        check_body(body, 0.5f, 0.5f);
}

TEST_CASE("agx compiler: more live values than registers") {
    std::string many = "void main() { ", sum = "0.0", product = "1.0";
    for (int i = 0; i < 150; i++) {
        const std::string x = "x" + std::to_string(i);
        many += "float " + x + " = sin(a." + "xyzw"[i % 4] + " * " + std::to_string(i) + ".5 + b." +
                "xyzw"[i / 4 % 4] + ");\n";
        sum += " + " + x;
        product += " * (1.25 - x" + std::to_string(149 - i) + " * 0.5)";
    }
    CHECK(check_body(many + "gl_FragColor = vec4(" + sum + ", " + product + ", 0.0, 1.0); }") > 0);
}

TEST_CASE("agx compiler: a vertex shader's words") {
    const auto program = compiled::link(
        "attribute vec4 p; attribute vec3 q; uniform mat4 m; varying vec4 a; varying vec2 b;\n"
        "void main() { a = p * 2.0; b = q.zx; gl_Position = m * p; gl_PointSize = q.y; }",
        "precision highp float; varying vec4 a; varying vec2 b; void main() { gl_FragColor = a + b.xyxy; }");
    REQUIRE(program);
    const ir::Shader& s = *program->stages[size_t(ir::Stage::Vertex)];
    const Binary b = compile(s, kValidated);
    REQUIRE(b.error == "");
    CAPTURE(text_of(b));
    const Inputs in = compiled::random_inputs(3, program->uniform_dw[size_t(ir::Stage::Vertex)], -2, 2);
    const Result expected = interpret(s, in), got = execute(s, b, in);
    REQUIRE(got.error == "");
    CHECK(b.info.smooth_words == 6);
    CHECK(b.info.output_words == 11);
    CHECK(b.info.writes_point_size);
    for (unsigned i = 0; i < kLanes; i++) {
        const float z = expected.outputs.at(2)[i], w = expected.outputs.at(3)[i];
        CHECK(compiled::near(got.outputs.at(2)[i], (z + w) / 2));
        CHECK(compiled::near(got.outputs.at(3)[i], w));
        CHECK(compiled::near(got.outputs.at(10)[i], expected.outputs.at(4)[i]));
        for (unsigned n = 0; n < ir::kMaxVaryings; n++)
            for (unsigned c = 0; c < b.info.outputs[n].count; c++)
                CHECK(compiled::near(
                    got.outputs.at(b.info.outputs[n].word + c)[i],
                    expected.outputs.at((unsigned(ir::VaryingSlot::Varying0) + n) * 4 + c)[i]));
    }
}

}  // namespace
}  // namespace terrazzo::agx::compiler::testing
