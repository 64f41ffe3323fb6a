// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Loops that do not end: they are left, it is reported, and what runs afterwards does not begin again.
#include "drivers/soft/interp/interface.h"
#include "tests/soft/jit_harness.h"

namespace terrazzo::soft::test {

namespace {

using ir::Op;
using ir::Type;
using ir::Value;

/// Position.x = how often the loop turned: as often as attribute 0 says, for ever where that is negative.
std::unique_ptr<ir::Shader> counting() {
    auto s = std::make_unique<ir::Shader>(ir::Stage::Vertex);
    ir::Builder b(*s);
    Value* const limit = b.load_input(Type::I32, 0, 0);
    Value* const zero = b.i32(0);
    const Type results[] = {Type::I32};
    ir::Instr* const loop = b.begin_loop({&zero, 1}, results);
    ir::Region* const body = loop->regions[0];
    b.set_end(body);
    Value* const n = body->args[0];
    ir::Instr* const end = b.begin_if(b.alu(Op::IEq, n, limit));
    b.set_end(end->regions[0]);
    b.brk({&n, 1});
    b.set_end(body);
    Value* const next = b.iadd(n, b.i32(1));
    b.cont({&next, 1});
    b.set_end(s->body);
    b.store_output(uint32_t(ir::VaryingSlot::Position), 0, loop->result());
    REQUIRE(ir::validate(*s) == "");
    return s;
}

}  // namespace

TEST_CASE("hung: an endless loop is left and reported") {
    Compilers compilers;
    const auto pair = compilers.compile(*counting());
    for (const CompiledShader* s : {pair.jit.get(), pair.interpreter.get()}) {
        VertexRun run;
        Hung hung = 0;
        run.hung = &hung;
        for (unsigned v = 0; v < kLanes; ++v)
            run.attributes[0][v][0] = v + 5;
        run.run(*s);
        CHECK(hung == 0);
        for (unsigned v = 0; v < kLanes; ++v)
            CHECK(run.out[0][v] == v + 5);
        run.attributes[0][3][0] = ~0u;
        run.run(*s);
        CHECK(hung == 1);
        // What is still to be done ends at once, and stays reported.
        run.attributes[0][3][0] = 1;
        run.run(*s);
        CHECK(hung == 1);
        CHECK(run.out[0][0] != 5);
        hung = 0;
        run.run(*s);
        CHECK(hung == 0);
        CHECK(run.out[0][0] == 5);
        // Nobody need be told.
        run.hung = nullptr;
        run.attributes[0][3][0] = ~0u;
        run.run(*s);
    }
}

}  // namespace terrazzo::soft::test
