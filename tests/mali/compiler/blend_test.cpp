// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Several render targets, framebuffer fetch and blend shaders, on the warp executor, compared with the IR
// interpreter.
#include <random>

#include "drivers/common/blend/shader.h"
#include "shaders/ir/builder.h"
#include "tests/mali/compiler/harness.h"

using namespace terrazzo;
using namespace terrazzo::mali::compiler;
using namespace terrazzo::mali::compiler::testing;
using mali::compiler::testing::Machine;

namespace {

const char* const kVertex =
    "attribute vec4 p; attribute vec4 q; varying vec4 a; varying vec4 b;\n"
    "void main() { a = p; b = q; gl_Position = p; }";
const char* const kHead =
    "#extension GL_EXT_draw_buffers : enable\n"
    "#extension GL_EXT_shader_framebuffer_fetch : enable\n"
    "#extension GL_EXT_blend_func_extended : enable\n"
    "precision highp float; varying vec4 a; varying vec4 b; uniform vec4 u; uniform float w[8];\n";

Inputs random_inputs(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> value(-2, 2);
    Inputs in;
    for (unsigned k = 0; k < 8; k++)
        for (unsigned i = 0; i < kLanes; i++)
            in.rows[unsigned(ir::VaryingSlot::Varying0) * 4 + k][i] = value(random);
    for (unsigned k = 0; k < 32; k++)
        for (unsigned i = 0; i < kLanes; i++)
            in.tile[k][i] = value(random);
    for (unsigned k = 0; k < 12; k++)
        in.uniforms.push_back(std::bit_cast<uint32_t>(value(random)));
    in.frag_x.fill(1);
    return in;
}

void compare(const Rows& expected, const Rows& got, unsigned from, unsigned to) {
    for (unsigned at = from; at < to; at++) {
        CAPTURE(at);
        if (!expected.count(at)) continue;
        REQUIRE(got.count(at));
        for (unsigned i = 0; i < kLanes; i++) {
            CAPTURE(i);
            CHECK(near(expected.at(at)[i], got.at(at)[i]));
        }
    }
}

Binary fragment(const std::string& body, Result* expected, const Inputs& in) {
    const auto program = compiled::link(kVertex, kHead + body);
    REQUIRE(program);
    const ir::Shader& s = *program->stages[size_t(ir::Stage::Fragment)];
    *expected = interpret(s, in);
    Binary b = compile(s, Part::Fragment, kValidated);
    REQUIRE(b.error == "");
    return b;
}

}  // namespace

TEST_CASE("mali compiler: several render targets, with and without framebuffer fetch") {
    unsigned seed = 1;
    for (const char* body : {
             "void main() { gl_FragData[0] = a; gl_FragData[1] = b; }",
             "void main() { gl_FragData[2] = a; gl_FragData[0] = a * b + u; gl_FragData[3] = vec4(w[0], "
             "w[7], 0.5, a.x); }",
             "void main() { for (int i = 0; i < 8; i++) gl_FragData[i] = a * w[i] + b * float(i); }",
             "void main() { gl_FragColor = a.wzyx; }",
             "void main() { gl_FragColor = gl_LastFragData[0] * a + b; }",
             "void main() { gl_FragData[0] = gl_LastFragData[1]; gl_FragData[1] = gl_LastFragData[0] + a; }",
             "void main() { vec4 c = gl_LastFragData[0]; if (c.x > 0.0) c = c * a; else c += b; gl_FragColor "
             "= c; }",
         }) {
        CAPTURE(body);
        const Inputs in = random_inputs(seed++);
        Result expected;
        const Binary b = fragment(body, &expected, in);
        CAPTURE(mali::isa::disassemble(b.code));
        const Result got = execute(b, in);
        REQUIRE(got.error == "");
        compare(expected.outputs, got.outputs, 0, 32);
        CHECK(b.info.colors_read == (std::strstr(body, "LastFragData[1]") ? 3u
                                     : std::strstr(body, "Last")          ? 1u
                                                                          : 0u));
    }
}

TEST_CASE("mali compiler: channels that a render target's format lacks") {
    Inputs in = random_inputs(50);
    in.target_channels =
        0xffffffff & ~(8u | 6u << 4 | 14u << 8);  // no alpha; neither green nor blue; only red
    Result expected;
    const Binary b = fragment(
        "void main() { gl_FragData[0] = gl_LastFragData[0].wxyz + gl_LastFragData[1]; gl_FragData[1] = "
        "gl_LastFragData[2]; gl_FragData[2] = gl_LastFragData[3]; }",
        &expected, in);
    Inputs whole = in;
    for (unsigned i = 0; i < kLanes; i++) {
        whole.tile[3][i] = whole.tile[11][i] = 1;
        whole.tile[5][i] = whole.tile[6][i] = whole.tile[9][i] = whole.tile[10][i] = 0;
    }
    (void)fragment(
        "void main() { gl_FragData[0] = gl_LastFragData[0].wxyz + gl_LastFragData[1]; gl_FragData[1] = "
        "gl_LastFragData[2]; gl_FragData[2] = gl_LastFragData[3]; }",
        &expected, whole);
    const Result got = execute(b, in);
    REQUIRE(got.error == "");
    compare(expected.outputs, got.outputs, 0, 12);
}

TEST_CASE("mali compiler: blend shaders") {
    const char* const bodies[] = {
        "void main() { gl_FragColor = a; }",
        "void main() { gl_FragColor = a * a.w + gl_LastFragData[0] * (1.0 - a.w); }",
        "void main() { gl_FragColor = vec4(0.25, 0.5, 0.75, 1.0) * a - gl_LastFragData[0]; }",
        "void main() { gl_FragColor = a * b + gl_LastFragData[0] * (vec4(1.0) - b); }",
        "void main() { vec4 d = gl_LastFragData[0]; gl_FragColor = vec4(mix(2.0 * a.rgb * d.rgb, vec3(1.0) - "
        "a.rgb, "
        "step(0.5, d.rgb)), max(a.a, d.a)); }",
        "void main() { vec4 d = gl_LastFragData[0]; gl_FragColor = d.w > 0.0 ? clamp(sqrt(abs(d)) - a * "
        "0.37, 0.0, 1.0) : "
        "a.wxyz; }",
    };
    unsigned seed = 100;
    for (const char* body : bodies)
        for (const uint32_t target : {0u, 5u}) {
            CAPTURE(body);
            Inputs in = random_inputs(seed++);
            const auto program = compiled::link(kVertex, kHead + std::string(body));
            REQUIRE(program);
            const ir::Shader& s = *program->stages[size_t(ir::Stage::Fragment)];
            const Binary blend = compile_blend(s, {target, Machine::kConversion + target, 4}, kValidated);
            REQUIRE(blend.error == "");
            CHECK(blend.info.fau.empty());
            CAPTURE(mali::isa::disassemble(blend.code));
            // The input is another shader's output.
            Result source;
            const bool two = target == 0;
            const Binary giver =
                fragment(two ? "void main() { gl_FragColor = a; gl_SecondaryFragColorEXT = b; }"
                             : "void main() { for (int i = 0; i < 8; i++) gl_FragData[i] = i == 5 ? a : "
                               "b * w[i]; }",
                         &source, in);
            CHECK(giver.info.second_color == two);
            if (!two && std::strstr(body, "* b")) continue;
            in.blend[target] = &blend;
            CAPTURE(mali::isa::disassemble(giver.code));
            Inputs there = in;
            for (unsigned c = 0; c < 4; c++)
                there.tile[c] = in.tile[target * 4 + c];
            const Result expected = interpret(s, there), got = execute(giver, in);
            REQUIRE(got.error == "");
            for (unsigned c = 0; c < 4; c++)
                for (unsigned i = 0; i < kLanes; i++)
                    CHECK(near(expected.outputs.at(c)[i], got.outputs.at(target * 4 + c)[i]));
            // The other targets have their own colours.
            if (!two) {
                compare(source.outputs, got.outputs, 0, 20);
                compare(source.outputs, got.outputs, 24, 32);
            }
        }
}

TEST_CASE("mali compiler: blend shaders of multisampled targets access the fragment's sample") {
    class Samples : public Machine {
      public:
        explicit Samples(const Inputs& in) : Machine(in, in.uniforms) {}
        uint32_t sample(unsigned lane) const override { return lane % 4; }
        void prepare(mali::sim::Warp& warp, Memory&) override {
            for (unsigned i = 0; i < kLanes; i++)
                warp.r[kSampleRegister][i] = 0xe0u << 16 | sample(i) << 16 | 1u << sample(i);
        }
    };
    const auto program = compiled::link(
        kVertex,
        kHead + std::string("void main() { gl_FragColor = a * a.w + gl_LastFragData[0] * (1.0 - a.w); }"));
    REQUIRE(program);
    const ir::Shader& s = *program->stages[size_t(ir::Stage::Fragment)];
    const Binary blend =
        compile_blend(s, {.conversion = Machine::kConversion, .multisampled = true}, kValidated);
    REQUIRE(blend.error == "");
    CAPTURE(mali::isa::disassemble(blend.code));
    // More live values than registers that the blend shader keeps: the sample must stay in its register.
    std::string sum = "a";
    for (unsigned k = 0; k < 12; k++)
        sum = "(" + sum + " * b.yzwx + u.wxyz * " + std::to_string(k) + ".5)";
    const auto given = compiled::link(kVertex, kHead + ("void main() { gl_FragColor = " + sum) + "; }");
    const ir::Shader& g = *given->stages[size_t(ir::Stage::Fragment)];
    const Binary giver = compile(g, Part::Fragment, {.per_sample = true, .validate = true});
    REQUIRE(giver.error == "");
    CHECK((giver.info.preload >> kSampleRegister & 1) != 0);
    CAPTURE(mali::isa::disassemble(giver.code));
    Inputs in = random_inputs(77);
    const Result source = interpret(g, in);
    in.blend[0] = &blend;
    Inputs there = in;
    for (unsigned c = 0; c < 4; c++)
        there.rows[unsigned(ir::VaryingSlot::Varying0) * 4 + c] = source.outputs.at(c);
    Samples machine(in);
    const Result expected = interpret(s, there), got = execute(giver, in, machine);
    REQUIRE(got.error == "");
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < kLanes; i++)
            CHECK(near(expected.outputs.at(c)[i], got.outputs.at(c)[i]));
}

TEST_CASE("mali compiler: every advanced blend equation fits into a blend shader's registers") {
    for (const pipe::Format f : {pipe::Format::R8G8B8A8_UNORM, pipe::Format::B5G6R5_UNORM,
                                 pipe::Format::R16G16B16A16_FLOAT, pipe::Format::R8G8B8A8_SNORM})
        for (unsigned e = 1; e <= unsigned(pipe::AdvancedBlend::HslLuminosity); ++e)
            for (const uint8_t mask : {15, 14, 11, 8, 5, 1}) {
                CAPTURE(pipe::format_name(f));
                CAPTURE(e);
                CAPTURE(unsigned(mask));
                blend::ShaderDesc d{.format = f, .write_mask = uint8_t(mask & blend::stored_channels(f))};
                d.desc.enable = true;
                d.desc.advanced = pipe::AdvancedBlend(e);
                const auto shader = blend::create_shader(d);
                for (const bool half : {false, true})
                    for (const bool multisampled : {false, true})
                        CHECK(compile_blend(*shader, {.half_source = half, .multisampled = multisampled},
                                            kValidated)
                                  .error == "");
            }
}

TEST_CASE("mali compiler: shaders that cannot be blend shaders are refused") {
    const auto program = compiled::link(kVertex, kHead + std::string("void main() { gl_FragColor = a; }"));
    REQUIRE(program);
    CHECK(compile_blend(*program->stages[size_t(ir::Stage::Fragment)], {}).error == "");
    CHECK(compile_blend(*program->stages[size_t(ir::Stage::Vertex)], {}).error != "");
    // There are 64 entries with 64 bits each.
    for (const uint32_t at_dw : {124u, 125u}) {
        ir::Shader s(ir::Stage::Fragment);
        ir::Builder b(s);
        for (unsigned c = 0; c < 4; c++)
            b.store_output(unsigned(ir::FragSlot::Color0), c, b.load_uniform(ir::Type::F32, at_dw + c));
        CHECK((compile_blend(s, {}).error == "") == (at_dw == 124));
    }
}
