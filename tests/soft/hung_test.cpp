// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Endless loops: they are left and reported, and later work does not start them again.
#include <bit>
#include <chrono>
#include <thread>

#include "drivers/soft/interp/interface.h"
#include "drivers/soft/screen/time_limit.h"
#include "tests/soft/jit_harness.h"

namespace terrazzo::soft::test {

namespace {

using ir::Op;
using ir::Type;
using ir::Value;

/// Position.x is the number of iterations: as many as attribute 0, or endless if that is negative.
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
        Watch watch;
        run.watch = &watch;
        for (unsigned v = 0; v < kLanes; ++v)
            run.attributes[0][v][0] = v + 5;
        run.run(*s);
        CHECK_FALSE(is_stopped(watch));
        for (unsigned v = 0; v < kLanes; ++v)
            CHECK(run.out[0][v] == v + 5);
        run.attributes[0][3][0] = ~0u;
        run.run(*s);
        CHECK(is_stopped(watch));
        // The remaining work ends at once, and is still reported.
        run.attributes[0][3][0] = 1;
        run.run(*s);
        CHECK(is_stopped(watch));
        CHECK(run.out[0][0] != 5);
        watch.stop = 0;
        run.run(*s);
        CHECK_FALSE(is_stopped(watch));
        CHECK(run.out[0][0] == 5);
    }
}

namespace {

/// Says stop at the n-th query.
struct Impatient : Watch {
    explicit Impatient(unsigned n) : left(n) {
        look = [](Watch* w) {
            Impatient& self = *static_cast<Impatient*>(w);
            ++self.asked;
            if (self.left && --self.left == 0) terrazzo::soft::stop(*w);
        };
    }
    unsigned left, asked = 0;
};

}  // namespace

TEST_CASE("hung: loops check the clock, which does not change their results") {
    Compilers compilers;
    const auto pair = compilers.compile(*counting());
    for (const CompiledShader* s : {pair.jit.get(), pair.interpreter.get()}) {
        VertexRun run;
        Impatient patient(0);
        run.watch = &patient;
        for (unsigned v = 0; v < kLanes; ++v)
            run.attributes[0][v][0] = kTurnsPerLook * 3 + v;
        run.run(*s);
        CHECK(patient.asked >= 3);
        CHECK_FALSE(is_stopped(patient));
        for (unsigned v = 0; v < kLanes; ++v)
            CHECK(run.out[0][v] == kTurnsPerLook * 3 + v);
        // Short loops do not check it.
        patient.asked = 0;
        for (unsigned v = 0; v < kLanes; ++v)
            run.attributes[0][v][0] = v;
        run.run(*s);
        CHECK(patient.asked <= 1);

        Impatient impatient(2);
        run.watch = &impatient;
        run.attributes[0][3][0] = ~0u;
        run.run(*s);
        CHECK(is_stopped(impatient));
        CHECK(impatient.asked < 8);  // less than the whole budget
    }
}

TEST_CASE("hung: every loop is noticed, with any other loops") {
    CHECK(turns_per_look(1) == kTurnsPerLook);
    uint32_t last = kTurnsPerLook;
    for (uint32_t n = 1; n < 1u << 20; n *= 3) {
        const uint32_t turns = turns_per_look(n);
        CHECK(std::has_single_bit(turns));
        CHECK(turns <= last);
        last = turns;
    }
    CHECK(last == 1);
}

TEST_CASE("time limit: a piece of work begins at its first check") {
    TimeLimit limit(20'000'000);
    Watch& w = limit.watch();
    using std::chrono::milliseconds;
    const auto pause = [] { std::this_thread::sleep_for(milliseconds(50)); };
    w.look(&w);
    pause();
    w.look(&w);
    CHECK_FALSE(limit.stopped());  // there is no work
    limit.begin_draw();
    pause();
    w.look(&w);
    CHECK_FALSE(limit.stopped());  // the first check
    limit.end_draw();
    limit.begin_draw();
    pause();
    w.look(&w);
    CHECK_FALSE(limit.stopped());  // another piece of work
    pause();
    limit.begin_tiles();
    w.look(&w);
    CHECK(limit.stopped());
    limit.end_draw();
    limit.forgive();
    CHECK_FALSE(limit.stopped());
    w.look(&w);
    CHECK_FALSE(limit.stopped());
    pause();
    w.look(&w);
    CHECK(limit.stopped());  // the tiles
}

TEST_CASE("time limit: an abandoned context has a limit from then on, and keeps it") {
    TimeLimit limit(pipe::kNoTimeLimit_ns);
    Watch& w = limit.watch();
    limit.begin_tiles();
    w.look(&w);
    limit.abandon();
    limit.abandon();
    w.look(&w);
    CHECK_FALSE(limit.stopped());
    std::this_thread::sleep_for(std::chrono::nanoseconds(pipe::kAbandonedLimit_ns * 5 / 4));
    w.look(&w);
    CHECK(limit.stopped());
    limit.forgive();
    CHECK(limit.stopped());
}

TEST_CASE("time limit: patience checks the clock once for an amount of work") {
    Impatient watch(3);
    Patience patience(100);
    unsigned n = 0;
    while (patience.goes_on(watch, 10))
        ++n;
    CHECK(n == 29);
    CHECK(watch.asked == 3);
    Impatient other(0);
    Patience large(100);
    CHECK(large.goes_on(other, UINT32_MAX));
    CHECK(large.goes_on(other, UINT32_MAX));
    CHECK(other.asked == 2);
}

}  // namespace terrazzo::soft::test
