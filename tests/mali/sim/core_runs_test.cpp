// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Straight code runs as one block. That has no visible effect: faults, counters and limits are those of
// single instructions. Also the facts in instructions' rows that blocks use.
#include <cstring>

#include "drivers/common/core/translate.h"
#include "drivers/mali/isa/fau.h"
#include "drivers/mali/sim/core/lower.h"
#include "tests/mali/sim/core_fixture.h"

using namespace terrazzo::mali::sim;
using namespace terrazzo::mali::sim::testing;
namespace wave = terrazzo::wave;
namespace micro = terrazzo::core;
namespace rows = terrazzo::mali::isa;

TEST_CASE_FIXTURE(CoreFixture, "core: a fault in straight code names its instruction") {
    set(4, wave::splat(7));
    CHECK(run("MOV.i32 r5, r4\nIADD.u32 r6, r5, r4\nMOV.i32 r7, r9\nMOV.i32 r8, r4\nNOP.end\n") ==
          Outcome::Fault);
    CHECK(fault.pc == ArraySpace::kCode + 16);
    CHECK(fault.instruction == "MOV.i32 r7, r9");
    CHECK(fault.reason == "r9 was never written");
    // Earlier instructions have run, later ones have not.
    CHECK(lane(warp.r[6], 3) == 14);
    CHECK(!(warp.defined >> 8 & 1));
    CHECK(core.stats().instructions == 2);
}

TEST_CASE_FIXTURE(CoreFixture, "core: the last instruction of straight code faults after the others") {
    set(4, wave::splat(7));
    CHECK(run("MOV.i32 r5, r4\nSTORE.i32.slot0.wait0 @r6, r4, offset:0\nNOP.end\n") == Outcome::Fault);
    CHECK(fault.reason == "r6 was never written");
    CHECK(fault.pc == ArraySpace::kCode + 8);
    CHECK(lane(warp.r[5], 0) == 7);
    // An unknown instruction.
    CHECK(run("MOV.i32 r5, r4\nFPCLASS.f32 r6, r5\nNOP.end\n") == Outcome::Fault);
    CHECK(fault.reason == "what it computes is not known");
    CHECK(fault.instruction == "FPCLASS.f32 r6, r5");
}

TEST_CASE_FIXTURE(CoreFixture, "core: limits and counters are exact in straight code") {
    const std::string moves = "MOV.i32 r1, 0x0\nMOV.i32 r2, r1\nMOV.i32 r3, r2\nMOV.i32 r4, r3\n";
    REQUIRE(run(moves + "NOP.end\n", 0x00f1) == Outcome::Done);
    CHECK(core.stats().instructions == 5);
    CHECK(core.stats().lane_instructions == 25);
    core.turn_limit = 5;
    CHECK(run(moves + "NOP.end\n") == Outcome::Done);
    warp = {};
    core.turn_limit = 3;
    CHECK(run(moves + "NOP.end\n") == Outcome::Fault);
    CHECK(fault.reason == "the program does not end");
    CHECK(fault.pc == ArraySpace::kCode + 24);
    CHECK(warp.defined == 0xe);
}

TEST_CASE_FIXTURE(CoreFixture, "core: jumps may go to any instruction of straight code") {
    set(1, U32{});
    U32 skipped;
    for (unsigned i = 0; i < kWarpLanes; ++i)
        skipped[i] = i % 4;
    set(2, skipped);
    REQUIRE(run("BRANCHZI.eq 0x0, r2\nIADD_IMM.i32 r1, r1, #0x1\nIADD_IMM.i32 r1, r1, #0x1\n"
                "IADD_IMM.i32 r1, r1, #0x1\nIADD_IMM.i32 r1, r1, #0x1\nNOP.end\n") == Outcome::Done);
    for (unsigned i = 0; i < kWarpLanes; ++i)
        CHECK(lane(warp.r[1], i) == 4 - i % 4);
}

TEST_CASE_FIXTURE(CoreFixture, "core: straight code that reads many values of the hardware") {
    for (unsigned i = 0; i < warp.special.size(); ++i)
        warp.special[i] = uint64_t(1000 + i) << 32 | i;
    std::string text;
    for (unsigned i = 0; i < 8; ++i)
        for (const char* word : {"0", "1"})
            text += "MOV.i32 r" + std::to_string(2 * i + (*word == '1')) + ", blend_descriptor_" +
                    std::to_string(i) + ".w" + word + "\n";
    REQUIRE(run(text + "MOV.i32 r16, lane_id.w0\nMOV.i32 r17, program_counter.w0\nNOP.end\n") ==
            Outcome::Done);
    const auto first = unsigned(rows::Special::kBlendDescriptor0);
    for (unsigned i = 0; i < 8; ++i) {
        CHECK(lane(warp.r[2 * i], 5) == first + i);
        CHECK(lane(warp.r[2 * i + 1], 5) == 1000 + first + i);
    }
    CHECK(lane(warp.r[16], 9) == 9);
    CHECK(lane(warp.r[17], 9) == ArraySpace::kCode + 8 * 18);
}

namespace {

// A valid instruction with random sources and modifiers.
bool random_instr(rows::Op op, std::mt19937& random, rows::Instr* out) {
    rows::Instr i = rows::make(op);
    const rows::OpInfo& info = i.info();
    i.dest.reg = uint8_t(2 * (random() % 4));
    if (info.size != 64) i.dest.halves = uint8_t(1 + random() % 3);
    for (unsigned s = 0; s < info.source_count; ++s) {
        const rows::SourceInfo& row = info.source_rows[s];
        rows::Operand& o = i.src[s];
        if (random() % 4)
            o = rows::Operand::reg(uint8_t(random() % 8));
        else if (random() % 2)
            o = rows::Operand::uniform(uint8_t(random() % 4));
        else
            o = rows::Operand::constant(uint8_t(random() % 32));
        while (!rows::swizzle_of_code(row.set, random() % 16, &o.swizzle)) {
        }
        if (row.size == 64) o.index &= uint8_t(~1u);
        o.neg = row.neg.width && random() % 2;
        o.abs = row.abs.width && random() % 2;
        o.invert = row.invert.width && random() % 2;
    }
    for (const rows::ModifierInfo& m : info.modifiers())
        i.mods[unsigned(m.mod)] = uint8_t(random() & m.bits.max());
    for (unsigned k = 0; k < info.immediate_count; ++k)
        i.imm[k] = int32_t(random() & info.immediate_rows[k].bits.max());
    *out = i;
    return rows::validate(i, nullptr);
}

// The problem with a block of one instruction.
std::string mistake(const micro::MicroBlock& block, const rows::Instr& i, size_t presets) {
    std::vector<bool> written(block.temporaries);
    for (const micro::MicroInstr& m : block.code) {
        for (const Value& v : m.from) {
            if (v.kind == Value::Kind::Temporary && !written[v.index]) return "reads what it has not written";
            if (v.kind == Value::Kind::Register && v.index >= kPresetRow + presets)
                return "reads no register";
        }
        if (m.to.kind == Value::Kind::Temporary) written[m.to.index] = true;
        const unsigned last = i.dest.reg + (i.info().size == 64);
        if (m.to.kind == Value::Kind::Register && (m.to.index < i.dest.reg || m.to.index > last))
            return "writes another register";
    }
    return block.code.empty() ? "does nothing" : "";
}

// The registers in which the block and its translation differ; -1: none.
int differing_row(const micro::MicroBlock& block, std::mt19937& random) {
    const std::unique_ptr<micro::Translation> code = micro::translate(block);
    REQUIRE(code);
    for (unsigned round = 0; round < 4; ++round) {
        U32 interpreted[kRegisterRows], translated[kRegisterRows];
        for (unsigned r = 0; r < kRegisterRows; ++r) {
            for (unsigned i = 0; i < kWarpLanes; ++i)
                interpreted[r][i] = random() % 3 ? random() : 0x7f800000u >> random() % 32;
            translated[r] = interpreted[r];
        }
        const uint32_t uniforms[4] = {uint32_t(random()), 0x3c003c00u, 0x3f800000u, 0x80000000u};
        const auto running = uint16_t(round % 2 ? random() : 0xffff);
        micro::interpret(block, {interpreted, 1, 1, uniforms, &running});
        code->run({translated, 1, 1, uniforms, &running});
        for (unsigned r = 0; r < kRegisterRows; ++r)
            if (std::memcmp(&interpreted[r], &translated[r], sizeof(U32)) != 0) return int(r);
    }
    return -1;
}

}  // namespace

TEST_CASE("core: each arithmetic instruction has a row, with the same result translated and interpreted") {
    std::mt19937 random(3);
    unsigned known = 0, unknown = 0;
    for (unsigned op = 0; op < rows::kOpCount; ++op) {
        const rows::OpInfo& info = rows::info(rows::Op(op));
        if (info.message != rows::Message::kNone || !info.has_dest) continue;
        CAPTURE(info.name);
        unsigned valid = 0;
        for (unsigned round = 0; round < 4000 && valid < 40; ++round) {
            rows::Instr i;
            if (!random_instr(rows::Op(op), random, &i)) continue;
            ++valid;
            if (const char* why = why_unknown(i)) {
                CHECK(std::string(why).ends_with("is not known"));
                ++unknown;
                continue;
            }
            micro::MicroBlock block;
            std::vector<Preset> presets;
            Lowering l(i, 0x1000, &block, &presets);
            lower(l);
            CHECK(mistake(block, i, presets.size()) == "");
            CHECK(presets.size() <= 3);
            if (micro::has_translator(micro::VectorWidth::Host)) CHECK(differing_row(block, random) == -1);
            ++known;
        }
        CHECK(valid == 40);
    }
    CHECK(known > 6000);
    CHECK(unknown >= 7 * 40);
}

TEST_CASE_FIXTURE(CoreFixture, "core: straight code has the effect of its instructions one by one") {
    std::mt19937 random(21);
    const uint32_t uniforms[4] = {5, 0x3c003c00u, 0x3f800000u, 0x80000000u};
    unsigned done = 0, faults = 0, bundles = 0;
    for (unsigned program = 0; program < 600; ++program) {
        CAPTURE(program);
        std::memset(space.code_.data(), 0, space.code_.size());
        for (size_t n = 0; n < 24;) {
            rows::Instr i = rows::make(n == 23 ? rows::Op::kNop : rows::Op::kBranchz);
            if (n == 23) {
                i.flow = rows::Flow::kEnd;
            } else if (random() % 8 == 0) {
                i.src[0] = rows::Operand::reg(uint8_t(random() % 8));
                i.set_immediate(rows::Imm::kOffset, int32_t(random() % std::min<size_t>(4, 24 - n)));
                i.set_eq(random() % 2);
                if (random() % 2) i.flow = rows::Flow::kReconverge;
            } else {
                const auto op = rows::Op(random() % rows::kOpCount);
                const rows::OpInfo& info = rows::info(op);
                if (info.message != rows::Message::kNone || !info.has_dest) continue;
                if (!random_instr(op, random, &i) || (why_unknown(i) && random() % 16)) continue;
                for (unsigned s = 0; s < info.source_count; ++s)
                    i.src[s].last = i.src[s].kind == rows::OperandKind::kRegister && random() % 200 == 0;
            }
            uint64_t word;
            if (!rows::encode(i, &word, nullptr)) continue;
            std::memcpy(&space.code_[8 * n++], &word, 8);
        }
        warp = {};
        for (unsigned r = 0; r < 10; ++r)
            for (unsigned l = 0; l < kWarpLanes; ++l)
                warp.r[r][l] = random() % 4 ? random() : 0;
        warp.defined = random() % 16 ? 0x3ff : 0x37f;
        warp.fau = uniforms;
        Core::start(warp, ArraySpace::kCode, random() % 2 ? 0xffff : 1 + random() % 0xffff);
        Warp one = warp;
        Core single(space, no_units), blocks(space, no_units);
        single.single_steps = true;
        CoreFault other;
        fault = {};
        const Outcome outcome = blocks.run(warp, &fault);
        REQUIRE(single.run(one, &other) == outcome);
        CHECK(fault.reason == other.reason);
        CHECK(fault.pc == other.pc);
        CHECK(fault.lane == other.lane);
        CHECK(fault.instruction == other.instruction);
        CHECK(warp.defined == one.defined);
        CHECK(blocks.stats().lane_instructions == single.stats().lane_instructions);
        CHECK(std::memcmp(warp.r, one.r, sizeof(U32) * kRegisters) == 0);
        (outcome == Outcome::Done ? done : faults)++;
        // Likewise for a bundle of warps.
        Warp bundle[kMostBundled], alone[kMostBundled];
        for (unsigned w = 0; w < kMostBundled; ++w) {
            bundle[w].defined = 0x3ff;
            for (unsigned r = 0; r < 10; ++r)
                for (unsigned l = 0; l < kWarpLanes; ++l)
                    bundle[w].r[r][l] = r % 2 && random() % 2 ? random() : uint32_t(program % 3);
            bundle[w].fau = uniforms;
            Core::start(bundle[w], ArraySpace::kCode, 0xffff);
            alone[w] = bundle[w];
        }
        fault = other = {};
        Outcome expected = Outcome::Done;
        for (unsigned w = 0; w < kMostBundled && expected == Outcome::Done; ++w)
            expected = single.run(alone[w], &other);
        REQUIRE(blocks.run(bundle, &fault) == expected);
        CHECK(fault.reason == other.reason);
        CHECK(fault.pc == other.pc);
        CHECK(fault.lane == other.lane);
        for (unsigned w = 0; w < kMostBundled && expected == Outcome::Done; ++w)
            CHECK(std::memcmp(bundle[w].r, alone[w].r, sizeof(U32) * kRegisters) == 0);
        bundles += expected == Outcome::Done;
    }
    CHECK(done > 200);
    CHECK(faults > 50);
    CHECK(bundles > 200);
}

namespace {

// Four warps, run together and one after the other.
struct BundleFixture : CoreFixture {
    ArraySpace other_space;
    Core other{other_space, no_units};
    Warp bundle[kMostBundled], single[kMostBundled];
    CoreFault bundle_fault, single_fault;

    // All registers from r0 to r7 are defined.
    void set(unsigned warp, unsigned reg, U32 value) {
        for (Warp* w : {&bundle[warp], &single[warp]}) {
            w->r[reg] = value;
            w->defined |= 0xff;
        }
    }
    void set_address(unsigned warp, unsigned reg, uint64_t va) {
        U32 low;
        for (unsigned i = 0; i < kWarpLanes; ++i)
            low[i] = uint32_t(va) + 64 * warp + 4 * i;
        set(warp, reg, low);
        set(warp, reg + 1, wave::splat(uint32_t(va >> 32)));
    }
    // Whether both had the same effect. A fault of the warps one by one ends the run.
    Outcome run_both(const std::string& text, uint32_t helpers = 0) {
        load(text);
        other_space.code_ = space.code_;
        Outcome expected = Outcome::Done;
        for (unsigned n = 0; n < kMostBundled; ++n) {
            core.start(bundle[n], ArraySpace::kCode, 0xffff, helpers >> n);
            core.start(single[n], ArraySpace::kCode, 0xffff, helpers >> n);
            if (expected == Outcome::Done) expected = other.run(single[n], &single_fault);
        }
        CHECK(core.run(bundle, &bundle_fault) == expected);
        if (expected == Outcome::Fault) {
            CHECK(bundle_fault.pc == single_fault.pc);
            CHECK(bundle_fault.lane == single_fault.lane);
            CHECK(bundle_fault.reason == single_fault.reason);
            CHECK(bundle_fault.instruction == single_fault.instruction);
            return expected;
        }
        CHECK(space.data_ == other_space.data_);
        CHECK(core.stats().instructions == other.stats().instructions);
        CHECK(core.stats().lane_instructions == other.stats().lane_instructions);
        CHECK(core.stats().messages == other.stats().messages);
        for (unsigned n = 0; n < kMostBundled; ++n) {
            CAPTURE(n);
            CHECK(bundle[n].defined == single[n].defined);
            for (unsigned r = 0; r < kRegisters; ++r)
                for (unsigned i = 0; i < kWarpLanes; ++i)
                    REQUIRE(lane(bundle[n].r[r], i) == lane(single[n].r[r], i));
        }
        return expected;
    }
};

}  // namespace

TEST_CASE_FIXTURE(BundleFixture, "core: a bundle has the results of its warps one after the other") {
    for (unsigned n = 0; n < kMostBundled; ++n) {
        set_address(n, 0, ArraySpace::kData);
        set(n, 2, wave::splat(n));
        set(n, 3, U32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
    }
    const std::string store = "IADD.u32 r4, r4, r2\nSTORE.i32.slot0.wait0 @r4, r0, offset:0\n";
    const std::string end = "MOV.i32 r6, lane_id.w0\nNOP.end\n";
    SUBCASE("straight code") {
        CHECK(run_both("IADD.u32 r4, r2, r3\n" + store + end) == Outcome::Done);
        CHECK(run_both("LOAD.i32.unsigned.slot1.wait1 @r5, r0, offset:0\nIADD.u32 r4, r5, r3\n" + store +
                       end) == Outcome::Done);
    }
    SUBCASE("all warps take a branch, or none") {
        CHECK(run_both("MOV.i32 r4, 0x0\nBRANCHZ.eq r4, offset:1\nMOV.i32 r2, r3\n" + store + end) ==
              Outcome::Done);
        CHECK(run_both("MOV.i32 r4, 0x0\nBRANCHZ r4, offset:1\nMOV.i32 r2, r3\n" + store + end) ==
              Outcome::Done);
    }
    SUBCASE("some warps take a branch") {
        CHECK(run_both("BRANCHZ.eq r2, offset:1\nMOV.i32 r2, r3\nIADD.u32 r4, r2, r3\n" + store + end) ==
              Outcome::Done);
    }
    SUBCASE("some threads take a branch") {
        CHECK(run_both("BRANCHZ.eq r3, offset:2\nMOV.i32 r2, r3\n" + store + "NOP.reconverge\n" + end) ==
              Outcome::Done);
    }
    SUBCASE("helpers end") {
        CHECK(run_both("IADD.u32.discard r4, r2, r3\n" + store + end, 0x8421a) == Outcome::Done);
        // The first warp has no other threads.
        CHECK(run_both("IADD.u32.discard r4, r2, r3\n" + store + end, 0xffff) == Outcome::Done);
    }
}

TEST_CASE_FIXTURE(BundleFixture, "core: a bundle's fault is that of its first warp with one") {
    for (unsigned n = 0; n < kMostBundled; ++n) {
        set_address(n, 0, n == 2 ? 0x50000 : ArraySpace::kData);
        set_address(n, 2, ArraySpace::kData);
    }
    const std::string text =
        "LOAD.i32.unsigned.slot0.wait0 @r4, r0, offset:0\nMOV.i32 r5, r4\n"
        "LOAD.i32.unsigned.slot0.wait0 @r6, r2, offset:0\nNOP.end\n";
    SUBCASE("the third warp alone") {
        CHECK(run_both(text) == Outcome::Fault);
        CHECK(bundle_fault.pc == ArraySpace::kCode);
    }
    SUBCASE("the second one later than the third one") {
        set_address(1, 2, 0x60000);
        CHECK(run_both(text) == Outcome::Fault);
        CHECK(bundle_fault.pc == ArraySpace::kCode + 16);
    }
    SUBCASE("all") {
        CHECK(run_both("MOV.i32 r5, r9\nNOP.end\n") == Outcome::Fault);
        CHECK(bundle_fault.reason == "r9 was never written");
    }
}
