// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Translated blocks against interpreted ones: the same bits, for each vector width of the host.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "drivers/common/core/optimise.h"
#include "drivers/common/core/translate.h"
#include "tests/common/core/random_block.h"

using namespace terrazzo;
using core::MicroBlock;
using core::MicroBuilder;
using core::MicroInstr;
using core::MicroOp;
using core::U32;
using core::VectorWidth;
using core_test::RandomLanes;

namespace {

/// Flushes denormal operands and results if requested, and if the host can.
class FloatMode {
  public:
#if defined(__x86_64__)
    explicit FloatMode(bool flush) : before_(_mm_getcsr()) {
        _mm_setcsr(flush ? before_ | 0x8040 : before_);
    }
    ~FloatMode() {
        _mm_setcsr(before_);
    }

  private:
    unsigned before_;
#else
    explicit FloatMode(bool) {}
#endif
};

std::string text_of(const MicroBlock& block) {
    std::string out;
    const auto value = [](const core::Value& v) {
        static const char* const kKinds[] = {"-", "t", "r", "u", "#"};
        return std::string(kKinds[unsigned(v.kind)]) + std::to_string(v.index) + ' ';
    };
    for (const MicroInstr& i : block.code) {
        out += value(i.to) + "= op" + std::to_string(unsigned(i.op)) + " [" + std::to_string(i.imm.first) +
               ' ' + std::to_string(i.imm.bits) + ' ' + std::to_string(unsigned(i.imm.round)) + ' ' +
               std::to_string(unsigned(i.imm.range)) + "] ";
        for (const core::Value& v : i.from)
            out += value(v);
        out += '\n';
    }
    return out;
}

/// "" if the registers are equal; otherwise the first difference.
std::string compare(const MicroBlock& block, const core::Translation& code, const RandomLanes& lanes,
                    bool flush) {
    RandomLanes right = lanes, found = lanes;
    {
        const FloatMode mode(flush);
        core::interpret(block, right.state());
        code.run(found.state());
    }
    for (size_t v = 0; v < right.rows.size(); ++v)
        for (unsigned n = 0; n < wave::kLanes; ++n)
            if (right.rows[v][n] != found.rows[v][n]) {
                char text[160];
                std::snprintf(text, sizeof(text), "row %zu group %zu lane %u: %08x, not %08x (was %08x)%s\n",
                              v / right.row_groups, v % right.row_groups, n, found.rows[v][n],
                              right.rows[v][n], lanes.rows[v][n], flush ? ", flushing" : "");
                return text + text_of(block);
            }
    return {};
}

std::string compare_random(uint32_t seed, VectorWidth width, unsigned most) {
    std::mt19937 random(seed);
    MicroBlock block = core_test::random_block(random, most);
    const RandomLanes lanes(random);
    if (random() % 2) block.row_groups = lanes.row_groups;
    block.group_distance = lanes.group_distance;
    MicroBlock shorter = block;
    if (random() % 2) core::optimise(&shorter);
    const auto code = core::translate(shorter, width);
    if (!code) return "not translated";
    for (const bool flush : {false, true})
        if (std::string problem = compare(block, *code, lanes, flush); !problem.empty()) return problem;
    return {};
}

constexpr VectorWidth kWidths[] = {VectorWidth::Eight, VectorWidth::Sixteen};

}  // namespace

TEST_CASE("translate: each operation alone is as interpreted") {
    for (const VectorWidth width : kWidths) {
        if (!core::has_translator(width)) continue;
        CAPTURE(unsigned(width));
        std::mt19937 random(7);
        for (unsigned op = 0; op < core::kMicroOps; ++op)
            for (unsigned round = 0; round < 40; ++round) {
                MicroBlock block;
                MicroInstr i = core_test::random_instr(random, block, true);
                i.op = MicroOp(op);
                i.to = MicroBuilder::reg(9);
                for (unsigned n = 0; n < 3; ++n)
                    if (i.from[n].kind == core::Value::Kind::Register) i.from[n] = MicroBuilder::reg(n);
                block.code.push_back(i);
                const auto code = core::translate(block, width);
                REQUIRE(code);
                for (unsigned n = 0; n < 20; ++n) {
                    const RandomLanes lanes(random);
                    REQUIRE(compare(block, *code, lanes, n % 2) == "");
                }
            }
    }
}

TEST_CASE("micro: groups with register files of their own have the results of runs one by one") {
    std::mt19937 random(11);
    for (unsigned round = 0; round < 300; ++round) {
        MicroBlock block = core_test::random_block(random, 12);
        const RandomLanes lanes(random);
        block.group_distance = lanes.group_distance;
        RandomLanes all = lanes, single = lanes;
        core::interpret(block, all.state());
        for (unsigned g = 0; g < lanes.groups; ++g) {
            core::LaneState one = single.state();
            one.registers += size_t(g) * lanes.group_distance;
            one.running += g;
            one.groups = 1;
            core::interpret(block, one);
        }
        for (size_t v = 0; v < lanes.rows.size(); ++v)
            for (unsigned n = 0; n < wave::kLanes; ++n)
                REQUIRE(uint32_t(all.rows[v][n]) == uint32_t(single.rows[v][n]));
    }
}

TEST_CASE("translate: random blocks are as interpreted") {
    for (const VectorWidth width : kWidths) {
        if (!core::has_translator(width)) continue;
        CAPTURE(unsigned(width));
        for (uint32_t seed = 0; seed < 1500; ++seed) {
            CAPTURE(seed);
            REQUIRE(compare_random(seed, width, seed % 3 ? 12 : 60) == "");
        }
    }
}

TEST_CASE("translate: more live values than the host has registers") {
    for (const VectorWidth width : kWidths) {
        if (!core::has_translator(width)) continue;
        MicroBlock block;
        MicroBuilder b(&block);
        core::Value values[200];  // more than fit on a page of them
        for (unsigned n = 0; n < std::size(values); ++n)
            values[n] = b.op(MicroOp::Add, b.reg(n % core_test::kRows), b.constant(n));
        core::Value sum = b.constant(0);
        for (const core::Value& v : values)
            sum = b.op(MicroOp::Xor, b.op(MicroOp::Mul, sum, b.constant(3)), v);
        b.write(0, sum);
        const auto code = core::translate(block, width);
        REQUIRE(code);
        std::mt19937 random(1);
        for (unsigned n = 0; n < 10; ++n) {
            const RandomLanes lanes(random);
            CHECK(compare(block, *code, lanes, false) == "");
        }
    }
}

TEST_CASE("translate: no groups, and a block without operations") {
    for (const VectorWidth width : kWidths) {
        if (!core::has_translator(width)) continue;
        MicroBlock block;
        REQUIRE(core::translate(block, width));
        MicroBuilder b(&block);
        b.write(0, b.constant(1));
        const auto code = core::translate(block, width);
        REQUIRE(code);
        U32 row = wave::splat(5);
        const uint16_t running = 0xffff;
        code->run({&row, 1, 0, nullptr, &running});
        CHECK(uint32_t(row[0]) == 5);
        code->run({&row, 1, 1, nullptr, &running});
        CHECK(uint32_t(row[15]) == 1);
    }
}

TEST_CASE("translate: a temporary that was not written, and rows too far apart, are refused") {
    MicroBlock block;
    MicroBuilder b(&block);
    b.write(0, b.op(MicroOp::Add, b.reg(0), {core::Value::Kind::Temporary, 0}));
    CHECK_FALSE(core::translate(block));
    MicroBlock far;
    MicroBuilder(&far).write(1u << 20, MicroBuilder::constant(0));
    far.row_groups = 1u << 10;
    CHECK_FALSE(core::translate(far));
}

TEST_CASE("translate: a block that is too large is refused") {
    MicroBlock block;
    MicroBuilder b(&block);
    for (unsigned n = 0; n < 5000; ++n)
        b.write(0, b.op(MicroOp::Add, b.reg(0), b.constant(1)));
    CHECK_FALSE(core::translate(block));
}
