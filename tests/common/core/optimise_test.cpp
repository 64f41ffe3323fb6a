// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What is removed, what must stay, and that random blocks compute the same results.
#include <doctest/doctest.h>

#include <string>

#include "drivers/common/core/optimise.h"
#include "tests/common/core/random_block.h"

using namespace terrazzo;
using core::MicroBlock;
using core::MicroBuilder;
using core::MicroInstr;
using core::MicroOp;
using core::Value;

namespace {

std::string after(MicroBlock block) {
    core::optimise(&block);
    std::string out;
    const auto value = [](const Value& v) {
        static const char* const kKinds[] = {"-", "t", "r", "u", "#"};
        return kKinds[unsigned(v.kind)] + (v.kind == Value::Kind::None ? "" : std::to_string(v.index));
    };
    const auto name = [](MicroOp op) -> std::string {
        switch (op) {
            case MicroOp::Copy:
                return "copy";
            case MicroOp::Add:
                return "add";
            case MicroOp::Sub:
                return "sub";
            case MicroOp::FloatAdd:
                return "fadd";
            case MicroOp::FloatToHalf:
                return "tohalf";
            case MicroOp::HalfToFloat:
                return "fromhalf";
            case MicroOp::Insert:
                return "insert";
            case MicroOp::ExtractUnsigned:
                return "extract";
            default:
                return "op" + std::to_string(unsigned(op));
        }
    };
    for (const MicroInstr& i : block.code) {
        out += value(i.to) + "=" + name(i.op);
        for (const Value& v : i.from)
            if (!(v == Value{Value::Kind::Constant, 0}) && v.kind != Value::Kind::None) out += " " + value(v);
        out += "; ";
    }
    return out;
}

}  // namespace

TEST_CASE("optimise: needed operations stay") {
    {
        // r1 is read after r0 was computed from it, and each is written once more.
        MicroBlock block;
        MicroBuilder b(&block);
        const Value old = b.op(MicroOp::Copy, b.reg(0));
        b.write(0, b.reg(1));
        b.write(1, old);
        CHECK(after(block) == "t0=copy r0; t1=copy r1; r0=copy t1; r1=copy t0; ");
    }
    {
        // Operations on constant floats are not evaluated.
        MicroBlock block;
        MicroBuilder b(&block);
        b.write(0, b.op(MicroOp::FloatAdd, b.constant(1), b.constant(2)));
        CHECK(after(block) == "t0=fadd #1 #2; r0=copy t0; ");
    }
    {
        // -0 + 0 is 0, and a NaN becomes quiet: adding 0 does not copy a float.
        MicroBlock block;
        MicroBuilder b(&block);
        b.write(0, b.op(MicroOp::FloatAdd, b.reg(1), b.constant(0)));
        CHECK(after(block) == "t0=fadd r1; r0=copy t0; ");
    }
    {
        // A bit field that is half of another one.
        MicroBlock block;
        MicroBuilder b(&block);
        b.write(0, b.extract(false, b.insert(b.reg(1), b.reg(2), 0, 16), 8, 16));
        CHECK(after(block) == "t0=insert r1 r2; t1=extract t0; r0=copy t1; ");
    }
}

TEST_CASE("optimise: reads of a written register use the computed value; only the last write stays") {
    MicroBlock block;
    MicroBuilder b(&block);
    b.write(0, b.op(MicroOp::Add, b.reg(1), b.reg(2)));
    b.write(3, b.op(MicroOp::Sub, b.reg(0), b.reg(1)));
    b.write(0, b.op(MicroOp::Copy, b.reg(3)));
    b.op(MicroOp::Add, b.reg(5), b.reg(6));  // is never read
    CHECK(after(block) == "t0=add r1 r2; t1=sub t0 r1; r3=copy t1; r0=copy t1; ");
}

TEST_CASE("optimise: equal operations are one, until a register changes") {
    MicroBlock block;
    MicroBuilder b(&block);
    b.write(0, b.op(MicroOp::Add, b.reg(1), b.reg(2)));
    b.write(3, b.op(MicroOp::Add, b.reg(1), b.reg(2)));
    b.write(1, b.constant(7));
    b.write(4, b.op(MicroOp::Add, b.reg(1), b.reg(2)));
    CHECK(after(block) == "t0=add r1 r2; r0=copy t0; r3=copy t0; r1=copy #7; t1=add #7 r2; r4=copy t1; ");
}

TEST_CASE("optimise: integers of constants, and operations that change nothing") {
    MicroBlock block;
    MicroBuilder b(&block);
    b.write(0, b.op(MicroOp::Add, b.op(MicroOp::ShiftLeft, b.constant(3), b.constant(4)), b.constant(1)));
    b.write(1, b.op(MicroOp::Or, b.op(MicroOp::And, b.reg(2), b.constant(~0u)), b.constant(0)));
    b.write(3, b.op(MicroOp::Select, b.constant(1), b.uniform(4), b.reg(5)));
    b.write(6, b.reg(6));
    CHECK(after(block) == "r0=copy #49; t0=copy r2; r1=copy t0; r3=copy u4; ");
}

TEST_CASE("optimise: halves that were just combined are not extracted") {
    MicroBlock block;
    MicroBuilder b(&block);
    const auto half = [&](Value v) { return b.op(MicroOp::FloatToHalf, v); };
    const auto pair = [&](Value low, Value high) {
        return b.insert(b.insert(b.reg(0), low, 0, 16), high, 16, 16);
    };
    const Value first = half(b.reg(1)), second = half(b.reg(2));
    b.write(0, pair(first, second));
    const Value low = b.op(MicroOp::HalfToFloat, b.extract(false, b.reg(0), 0, 16));
    const Value high = b.op(MicroOp::HalfToFloat, b.extract(false, b.reg(0), 16, 16));
    const Value sum = half(b.op(MicroOp::FloatAdd, low, high));
    b.write(0, pair(sum, second));
    CHECK(after(block) ==
          "t0=tohalf r1; t1=tohalf r2; t2=fromhalf t0; t3=fromhalf t1; t4=fadd t2 t3; t5=tohalf t4; "
          "t6=insert t5 t1; r0=copy t6; ");
}

TEST_CASE("optimise: a part of a register is read before the register is written") {
    // The low half of r3 comes from r1, which changes in between.
    MicroBlock block;
    MicroBuilder b(&block);
    b.write(3, b.insert(b.reg(1), b.reg(2), 16, 16));
    b.write(1, b.constant(7));
    b.write(4, b.extract(false, b.reg(3), 0, 16));
    CHECK(after(block) == "t0=insert r1 r2; r3=copy t0; t1=extract r1; r4=copy t1; r1=copy #7; ");
}

TEST_CASE("optimise: random blocks compute the same") {
    size_t before = 0, now = 0;
    for (uint32_t seed = 0; seed < 4000; ++seed) {
        std::mt19937 random(seed);
        const MicroBlock block = core_test::random_block(random, 60);
        core_test::RandomLanes right(random), found = right;
        MicroBlock shorter = block;
        core::optimise(&shorter);
        before += block.code.size(), now += shorter.code.size();
        core::interpret(block, right.state());
        core::interpret(shorter, found.state());
        CAPTURE(seed);
        bool same = true;
        for (size_t v = 0; v < right.rows.size(); ++v)
            same &= wave::bits_of(right.rows[v] ^ found.rows[v]) == 0;
        REQUIRE(same);
    }
    CHECK(now < before);
}
