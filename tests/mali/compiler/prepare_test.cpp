// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The IR before instructions are selected: products of matrices, constant indices.
#include <random>

#include "drivers/mali/compiler/passes.h"
#include "shaders/ir/parse.h"
#include "shaders/ir/print.h"
#include "shaders/passes/walk.h"
#include "tests/mali/compiler/harness.h"

using namespace terrazzo;
using namespace terrazzo::mali::compiler;
using namespace terrazzo::mali::compiler::testing;

namespace {

unsigned count(const ir::Shader& s, ir::Op op) {
    unsigned n = 0;
    ir::for_each(s.body, [&](const ir::Instr* i) { n += i->op == op; });
    return n;
}

struct Prepared {
    std::unique_ptr<ir::Shader> before, after;
};
Prepared vertex(const std::string& body) {
    const auto program = compiled::link(
        "attribute vec4 p; attribute vec3 q; uniform mat4 a, b, c; uniform vec3 w[4]; varying vec4 x;\n" +
            body,
        "precision mediump float; varying vec4 x; void main() { gl_FragColor = x; }");
    REQUIRE(program);
    const ir::Shader& s = *program->stages[size_t(ir::Stage::Vertex)];
    Prepared out{ir::clone(s), ir::clone(s)};
    prepare(*out.after, {});
    return out;
}

void check_same(const Prepared& p) {
    Inputs in;
    std::mt19937 random(7);
    std::uniform_real_distribution<float> value(-2, 2);
    for (unsigned k = 0; k < 8; k++)
        for (unsigned i = 0; i < kLanes; i++)
            in.rows[k][i] = value(random);
    for (unsigned k = 0; k < 64; k++)
        in.uniforms.push_back(std::bit_cast<uint32_t>(value(random)));
    const Result a = interpret(*p.before, in), b = interpret(*p.after, in);
    for (const auto& [slot, row] : a.outputs)
        for (unsigned i = 0; i < kLanes; i++)
            CHECK(near(row[i], b.outputs.at(slot)[i]));
}

}  // namespace

TEST_CASE("mali compiler: a vector is multiplied by one matrix after another") {
    const Prepared two = vertex("void main() { gl_Position = a * b * p; x = p; }");
    CHECK(count(*two.before, ir::Op::FMul) == 80);
    CHECK(count(*two.after, ir::Op::FMul) == 32);
    check_same(two);
    const Prepared point = vertex("void main() { gl_Position = a * b * vec4(q, 1.0); x = p; }");
    CHECK(count(*point.after, ir::Op::FMul) == 28);
    check_same(point);
    const Prepared three = vertex("void main() { gl_Position = a * b * c * p; x = p; }");
    CHECK(count(*three.after, ir::Op::FMul) == 48);
    check_same(three);
}

TEST_CASE("mali compiler: products that have other uses, or are exact, do not change") {
    const Prepared shared = vertex("void main() { mat4 k = a * b; gl_Position = k * p; x = k * p.wzyx; }");
    CHECK(count(*shared.after, ir::Op::FMul) == count(*shared.before, ir::Op::FMul));
    const Prepared exact = vertex("invariant gl_Position; void main() { gl_Position = a * b * p; x = p; }");
    CHECK(ir::print(*exact.after) == ir::print(*exact.before));
    const Prepared sums = vertex("void main() { gl_Position = a * p + b * p.wzyx; x = p * p + p; }");
    CHECK(ir::print(*sums.after) == ir::print(*sums.before));
}

TEST_CASE("mali compiler: constant indices become fixed locations") {
    const Prepared p = vertex(
        "void main() { vec3 s = vec3(0.0); for (int i = 0; i < 4; i++) s += w[i]; gl_Position = p; x = "
        "s.xyzz; }");
    check_same(p);
    ir::for_each(p.after->body, [](const ir::Instr* i) {
        if (i->op == ir::Op::LoadUniform) CHECK(i->operand_count == 0);
    });
    CHECK(count(*p.after, ir::Op::LoadUniform) == 12);
}
