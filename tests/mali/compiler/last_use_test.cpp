// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Marks of last uses: every mark is correct, because the virtual GPU runs the code. Every missing mark would
// be wrong, because with it the virtual GPU faults.
#include "tests/mali/compiler/harness.h"

using namespace terrazzo;
using namespace terrazzo::mali::compiler;
using namespace terrazzo::mali::compiler::testing;

namespace {

constexpr const char* kVertex =
    "attribute vec4 p, q; varying vec4 a, b; uniform mat4 m;\n"
    "void main() { gl_Position = m * p; a = p * q + m[1]; b = a / (q + 2.0); }\n";
constexpr const char* kHead =
    "precision highp float; varying vec4 a, b; uniform vec4 u; uniform int n; uniform sampler2D t;\n";

Inputs inputs(unsigned first) {
    Inputs in;
    for (unsigned slot = 0; slot < 2; slot++)
        for (unsigned c = 0; c < 4; c++)
            for (unsigned i = 0; i < kLanes; i++)
                in.rows[(first + slot) * 4 + c][i] = 0.25f + 0.125f * float((i * 7 + slot * 3 + c) % 16);
    for (unsigned k = 0; k < 64; k++)
        in.uniforms.push_back(std::bit_cast<uint32_t>(0.5f + float(k) / 8));
    return in;
}

/// Adds each missing mark in turn. Returns the number of missing marks.
unsigned mark_too_much(const Binary& b, const Inputs& in) {
    unsigned tried = 0;
    for (size_t k = 0; k < b.code.size(); k++) {
        mali::isa::Instr i;
        if (!mali::isa::decode(b.code[k], &i, nullptr)) continue;
        // Registers that a blend shader might still read; this one does not.
        if (i.op == mali::isa::Op::kBlend) break;
        for (unsigned n = 0; n < i.info().source_count; n++) {
            if (i.src[n].kind != mali::isa::OperandKind::kRegister || i.src[n].last) continue;
            Binary wrong = b;
            mali::isa::Instr w = i;
            w.src[n].last = true;
            REQUIRE(mali::isa::encode(w, &wrong.code[k], nullptr));
            std::string text;
            mali::isa::print(w, &text);
            CAPTURE(text);
            const Result got = execute(wrong, in);
            const bool found = got.error.find("its last use") != std::string::npos ||
                               got.error.find("in flight") != std::string::npos;
            CHECK(found);
            tried++;
        }
    }
    return tried;
}

unsigned count_last(const Binary& b) {
    unsigned last = 0;
    for (const uint64_t word : b.code) {
        mali::isa::Instr i;
        if (!mali::isa::decode(word, &i, nullptr)) continue;
        for (unsigned n = 0; n < i.info().source_count; n++)
            last += i.src[n].last;
    }
    return last;
}

}  // namespace

TEST_CASE("mali compiler: every last use is marked, and nothing else") {
    const struct {
        const char* body;
        unsigned least_last, least_other;
    } cases[] = {
        {"void main() { gl_FragColor = a * b + u; }", 8, 2},
        {"void main() { vec4 x = a * a; gl_FragColor = x * b + x.wzyx * texture2D(t, x.xy); }", 15, 6},
        // Some threads take each path.
        {"void main() { vec4 x = a; if (x.x > 1.0) { x = x * b + x.yzwx; if (x.y < 2.0) x *= a; } else x -= "
         "b; "
         "gl_FragColor = x * u.x + b; }",
         4, 8},
    };
    for (const auto& c : cases) {
        CAPTURE(c.body);
        const auto program = compiled::link(kVertex, kHead + std::string(c.body));
        REQUIRE(program);
        const Binary b = compile(*program->stages[size_t(ir::Stage::Fragment)], Part::Fragment, kValidated);
        REQUIRE(b.error == "");
        CAPTURE(mali::isa::disassemble(b.code));
        const Inputs in = inputs(unsigned(ir::VaryingSlot::Varying0));
        CHECK(execute(b, in).error == "");
        CHECK(count_last(b) >= c.least_last);
        CHECK(mark_too_much(b, in) >= c.least_other);
    }
    const auto program = compiled::link(kVertex, kHead + std::string(cases[0].body));
    REQUIRE(program);
    for (const Part part : {Part::Position, Part::Varying}) {
        const Binary b = compile(*program->stages[size_t(ir::Stage::Vertex)], part, kValidated);
        REQUIRE(b.error == "");
        CAPTURE(mali::isa::disassemble(b.code));
        CHECK(execute(b, inputs(0)).error == "");
        CHECK(count_last(b) >= 8);
        CHECK(mark_too_much(b, inputs(0)) >= 8);
    }
}
