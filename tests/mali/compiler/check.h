// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A compiled shader on the warp executor, compared with the IR interpreter: the same outputs for random
// inputs.
#pragma once

#include <random>

#include "shaders/passes/pair_halves.h"
#include "tests/mali/compiler/harness.h"

namespace terrazzo::mali::compiler::testing {

using compiled::kHead;
using compiled::kVertex;
using compiled::random_inputs;
using compiled::set_uniform;

/// Compares with `meaning`, within the difference `relative`.
inline void check_fragment(const shaders::LinkedProgram& program, const ir::Shader& meaning,
                           Options::Halves halves, float relative, float low, float high) {
    const Binary b = compile(*program.stages[size_t(ir::Stage::Fragment)], Part::Fragment,
                             {.halves = halves, .validate = true});
    REQUIRE(b.error == "");
    CAPTURE(mali::isa::disassemble(b.code));
    for (unsigned seed = 1; seed < 4; seed++) {
        Inputs in = random_inputs(seed, program.uniform_dw[size_t(ir::Stage::Fragment)], low, high);
        set_uniform(program, ir::Stage::Fragment, in, "n", seed + 1);
        set_uniform(program, ir::Stage::Fragment, in, "z", seed & 1);
        const Result expected = interpret(meaning, in), got = execute(b, in);
        REQUIRE(got.error == "");
        REQUIRE(expected.error == "");
        CHECK(got.alive == expected.alive);
        for (const auto& output : expected.outputs) {
            const unsigned at = output.first;
            const Row& row = output.second;
            for (unsigned i = 0; i < kLanes; i++) {
                if (!(expected.alive >> i & 1)) continue;
                CAPTURE(at);
                CAPTURE(i);
                CAPTURE(row[i]);
                CAPTURE(got.outputs.at(at)[i]);
                CHECK(near(row[i], got.outputs.at(at)[i], relative));
            }
        }
    }
}

/// The shader as written; and with 16-bit operations, compared with the interpreter's result for those.
inline void check_fragment(const std::string& body, float low = -2, float high = 2) {
    CAPTURE(body);
    const auto program = compiled::link(kVertex, kHead + body);
    REQUIRE(program);
    const ir::Shader& s = *program->stages[size_t(ir::Stage::Fragment)];
    check_fragment(*program, s, Options::Halves::Never, 1.0f / 4096, low, high);
    const auto narrow = ir::clone(s);
    if (ir::use_halves(*narrow))
        check_fragment(*program, *narrow, Options::Halves::Always, 1.0f / 512, low, high);
}

/// Both parts of the vertex shader.
inline void check_vertex(const shaders::LinkedProgram& program) {
    const ir::Shader& s = *program.stages[size_t(ir::Stage::Vertex)];
    const Binary position = compile(s, Part::Position, kValidated),
                 varying = compile(s, Part::Varying, kValidated);
    REQUIRE(position.error == "");
    REQUIRE(varying.error == "");
    CHECK(has_varying_part(s));
    CHECK(position.info.writes_point_size);
    Inputs in;
    std::mt19937 random(5);
    std::uniform_real_distribution<float> value(0.5f, 2);
    for (const auto& attribute : program.attributes)
        for (unsigned c = 0; c < 4; c++)
            for (unsigned i = 0; i < kLanes; i++)
                in.rows[unsigned(attribute.location) * 4 + c][i] = value(random) * (i % 3 ? 1.0f : -1.0f);
    for (uint32_t k = 0; k < program.uniform_dw[size_t(ir::Stage::Vertex)]; k++)
        in.uniforms.push_back(std::bit_cast<uint32_t>(value(random)));
    const Result expected = interpret(s, in);
    const Result p = execute(position, in), v = execute(varying, in);
    CAPTURE(mali::isa::disassemble(position.code));
    CAPTURE(mali::isa::disassemble(varying.code));
    REQUIRE(p.error == "");
    REQUIRE(v.error == "");
    for (unsigned i = 0; i < kLanes; i++) {
        const float w = expected.outputs.at(3)[i];
        for (unsigned c = 0; c < 3; c++)
            CHECK(near(p.outputs.at(1000 + c)[i],
                       expected.outputs.at(c)[i] / w * Machine::kViewport[c] + Machine::kViewport[3 + c]));
        CHECK(near(p.outputs.at(1003)[i], 1 / w));
    }
    for (const auto& output : expected.outputs) {
        const unsigned at = output.first;
        const Row& row = output.second;
        const unsigned base = unsigned(ir::VaryingSlot::Varying0) * 4;
        for (unsigned i = 0; at >= base && i < kLanes; i++)
            CHECK(near(v.outputs.at(1000 + at - base)[i], row[i]));
    }
}

}  // namespace terrazzo::mali::compiler::testing
