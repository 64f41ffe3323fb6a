// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Straight runs: where they end, their needs and results, and that they have the same effect as their steps.
#include <doctest/doctest.h>
#include <random>

#include "tests/adreno/sim/core/runner.h"

using namespace terrazzo::adreno;
using namespace terrazzo::adreno::sim;

namespace {

struct Decoded {
    Runner runner;
    std::shared_ptr<const Program> program;
    explicit Decoded(std::string_view text) : runner(text) {
        terrazzo::window::Window window(runner.space);
        program = decode_program(window, TestSpace::kCode);
    }
    const Run& run(unsigned pc = 0) { return program->runs->from(*program, pc, {}); }
};

// ---- Random programs with few registers, so that their instructions depend on each other ----

class Writer {
  public:
    explicit Writer(unsigned seed) : random_(seed) {}

    std::string program() {
        const unsigned length = 4 + pick(12), careful = pick(3);
        std::string text;
        for (unsigned i = 0; i < length; ++i) {
            text += line() + "\n";
            if (careful) text += "(sy)(ss)(rpt5)nop\n";
        }
        return text + "nop\nnop\nnop\nnop";
    }
    unsigned pick(unsigned n) { return unsigned(random_()) % n; }
    uint32_t value() {
        const auto half = [&] { return 0x3800 + pick(0x800); };
        return pick(2) ? half() << 16 | half() : std::bit_cast<uint32_t>(float(1 + pick(64)) / 16);
    }

  private:
    std::string reg(bool half) {
        const unsigned n = pick(half ? 24 : 14);
        return std::string(half ? "hr" : "r") + std::to_string(n / 4) + "." + "xyzw"[n % 4];
    }
    std::string line() {
        const char* const kFloats[] = {"add.f", "mul.f", "min.f", "max.f", "cmps.f.lt"};
        const char* const kIntegers[] = {"add.u", "sub.s", "and.b", "xor.b", "max.s", "cmps.s.gt"};
        const char* const kSpecials[] = {"rcp", "rsq", "sqrt", "exp2"};
        const bool repeats = pick(8) == 0, half = pick(4) == 0, to_half = pick(6) == 0 ? !half : half;
        std::string text = pick(6) == 0 ? "(sy)" : "";
        text += pick(5) == 0 ? "(ss)" : "";
        text += pick(24) == 0 ? "(jp)" : "";
        const std::string all = text + (repeats ? "(rpt" + std::to_string(1 + pick(3)) + ")" : "");
        const auto source = [&] { return (repeats && pick(2) ? "(r)" : "") + reg(half); };
        switch (pick(16)) {
            case 0:
            case 1:
                return all + kFloats[pick(5)] + " " + reg(to_half) + ", (neg)" + source() + ", " + source();
            case 2:
                return all + kIntegers[pick(6)] + " " + reg(to_half) + ", " + source() + ", " + source();
            case 3:
            case 4:
                return all + (half ? "mad.f16 " : "mad.f32 ") + reg(to_half) + ", " + source() + ", " +
                       source() + ", " + source();
            case 5:
                return all + "cov.f32f16 " + reg(true) + ", " + reg(false);
            case 6:
                return text + kSpecials[pick(4)] + " " + reg(to_half) + ", " + reg(half);
            case 7:
                return text + "cmps.f.lt p0.x, " + reg(half) + ", " + reg(half);
            case 8:
                return text + "sam (f32)(xy)r0.z, " + reg(false) + ", s#0, t#0";
            case 9:
                return text + "br p0.x, #" + std::to_string(1 + pick(3));
            case 10:
                return text + (pick(2) ? "mova a0.x, " + reg(true) : "mov.u32u32 r1.z, c<a0.x + 4>");
            case 11:
                return text + "mov.u32u32 " + reg(false) + ", c" + std::to_string(pick(17)) + ".x";
            case 12:
                return text + "add.u " + reg(false) + ", r48.x, " + reg(false);
            case 13:
            case 14:
                return all + "bary.f " + reg(to_half) + ", " + (repeats && pick(2) ? "(r)" : "") +
                       std::to_string(pick(12)) + ", " + reg(false);
            default:
                return text + "(rpt" + std::to_string(pick(6)) + ")nop";
        }
    }
    std::mt19937 random_;
};

// The wave's state at the end of the program, as one text, so that a difference can be read.
std::string result(const std::string& text, unsigned seed, bool merged, bool stepwise) {
    Writer values(seed);
    Runner r(text, 2);
    r.wave->merged_registers = merged;
    r.wave->demote_constants = seed % 2;
    r.wave->full_registers = 4;
    r.wave->half_registers = 6;
    r.wave->check_defined = stepwise;  // all registers are; such waves have no runs
    r.units.no_planes = seed % 4 == 0 ? 1u << 3 : 0;
    for (unsigned i = 0; i < 24; ++i)
        for (unsigned lane = 0; lane < 32; ++lane) {
            if (i < 16) (void)r.wave->set({uint8_t(i)}, false, lane, values.value());
            if (!merged) (void)r.wave->set({uint8_t(i)}, true, lane, values.value() & 0xffff);
        }
    for (const isa::Reg special : {isa::kA0, isa::kP0, isa::reg(isa::kFirstShared, 0)})
        for (unsigned lane = 0; lane < 32; ++lane)
            (void)r.wave->set(special, false, lane, lane % 2);
    const LaneMask lanes{{seed % 3 ? ~0ull : 0x5555aaaf, 0}};
    const Outcome outcome = r.run(&lanes);
    std::string out = outcome == Outcome::Done ? "done" : to_string(r.fault, TestSpace::kCode);
    const CoreStats& stats = r.core->stats();
    for (const uint64_t n : {r.wave->hazards.now, stats.all(), stats.lane_instructions, stats.idle_cycles})
        out += " " + std::to_string(outcome == Outcome::Done ? n : 0);
    for (unsigned i = 0; i < 24 && outcome == Outcome::Done; ++i)
        for (unsigned lane = 0; lane < 32; ++lane)
            if (lanes.has(lane))
                out += " " + std::to_string(i < 16 ? r.get(i, lane) : 0) + " " +
                       std::to_string(merged ? 0 : r.get(i, lane, true));
    return out;
}

}  // namespace

TEST_CASE("ir3 core: where straight runs end") {
    // Before a unit's instruction, a jump's target, (jp), a shared register, and at the maximum length.
    CHECK(Decoded("add.f r1.x, r0.x, r0.y\nnop\nrcp r1.y, r0.x\nsam (f32)(x)r2.x, r0.x, s#0, t#0")
              .run()
              .steps == 3);
    CHECK(Decoded("add.f r1.x, r0.x, r0.y\n(jp)nop").run().steps == 1);
    // A run contains varyings if their location has planes and rows.
    CHECK(Decoded("(rpt1)bary.f r1.x, (r)3, r0.x\nnop\nbary.f (ei)r63.x, 40, r0.x\nmov.u32u32 r2.x, r0.x")
              .run()
              .planes == 0x18);
    CHECK(Decoded("nop\nbary.f r1.x, 31, r0.x\nflat.b r1.y, 2, 2").run().steps == 2);
    CHECK(Decoded("nop\nbary.f r1.x, 32, r0.x").run().steps == 1);
    CHECK(Decoded("nop\n(rpt1)bary.f r1.x, (r)31, r0.x").run().steps == 1);
    CHECK(Decoded("add.f r1.x, r0.x, r0.y\nadd.u r1.y, r48.x, r0.x").run().steps == 1);
    Decoded loop("nop\nadd.f r1.x, r0.x, r0.y\nbr p0.x, #-1");
    CHECK(loop.run().steps == 1);
    CHECK(loop.run(1).steps == 1);
    // Before an instruction that certainly is too early or lacks (ss).
    CHECK(Decoded("add.f r1.x, r0.x, r0.y\nnop\nadd.f r1.y, r1.x, r0.y").run().steps == 2);
    CHECK(Decoded("rcp r1.x, r0.x\nadd.f r1.y, r1.x, r0.y").run().steps == 1);
    CHECK(Decoded("rcp r1.x, r0.x\nmov.u32u32 r0.x, r0.y").run().steps == 1);
    CHECK(Decoded("rcp r1.x, r0.x\n(ss)add.f r1.y, r1.x, r0.y").run().steps == 2);
    CHECK(Decoded("(rpt1)add.u r1.y, (r)r1.x, 1").run().steps == 0);
    // Before a register that does not exist.
    CHECK(Decoded("nop\n(rpt3)mov.u32u32 r0.x, (r)r47.z").run().steps == 1);
    CHECK(Decoded("nop\n(rpt3)mov.u32u32 r47.z, r0.x").run().steps == 1);
}

TEST_CASE("ir3 core: a footprint beyond the registers does not add registers") {
    for (const char* text : {"(rpt3)mov.u32u32 r0.x, (r)r47.z", "(rpt3)mov.u32u32 r47.z, r0.x"}) {
        Runner r(text);
        r.wave->full_registers = 63;
        const std::string report = r.report();
        CHECK_MESSAGE(report.find("there is not") != std::string::npos, report);
    }
}

TEST_CASE("ir3 core: the needs and results of a straight run") {
    Decoded d(
        "(nop2)add.f r1.x, r0.x, c3.y\nmul.f hr9.x, hr8.y, hr8.z\nrcp r2.x, r0.y\n(rpt1)nop\n(sy)(ss)rsq "
        "r3.x, "
        "r2.x");
    const Run& run = d.run();
    CHECK(run.steps == 5);
    CHECK(run.cycles == 6);
    CHECK(run.stats.instructions[4] == 2);
    CHECK(run.stats.idle_cycles == 2);
    CHECK(run.full_registers == 4);
    CHECK(run.half_registers == 10);
    CHECK(run.constants == 14);
    CHECK((run.constants_before_ss && run.constants_before_sy && run.waits_ss && run.waits_sy));
    // r0.x is read at once, hr8.y in cycle 3, r0.y by another unit in cycle 4. The run itself writes r2.x.
    CHECK(run.early_reads.size() == 6);
    CHECK(run.early_reads[0].cycle == 0);
    CHECK(run.early_reads[2].cycle == 3);
    CHECK(!run.early_reads[4].alu);
    // r1.x can be read by then, except by another unit. The rsq is in flight, the rcp is not.
    CHECK(run.writes.size() == 2);
    UnitSet results, sources;
    results.add(UnitRange{24, 2});
    sources.add(UnitRange{16, 2});
    CHECK(run.results_ss == results);
    CHECK(run.sources_ss == sources);
    CHECK(run.accessed_before_ss.has(16));
    CHECK(!run.accessed_before_ss.has(24));
    CHECK(run.written_before_any.has(16));
}

TEST_CASE("ir3 core: a straight run has the effect of its steps") {
    unsigned done = 0, faults = 0;
    for (unsigned seed = 0; seed < 1500; ++seed) {
        const std::string text = Writer(seed).program();
        const std::string steps = result(text, seed, seed % 4 != 0, true);
        CHECK_MESSAGE(result(text, seed, seed % 4 != 0, false) == steps, text);
        (steps.starts_with("done") ? done : faults) += 1;
    }
    CHECK(done > 400);
    CHECK(faults > 400);
}

TEST_CASE("ir3 core: an endless loop of straight runs ends") {
    Runner r("(rpt2)nop\nadd.u r0.x, r0.x, 1\njump #-2");
    r.core->turn_limit = 1000;
    CHECK(r.report().find("the program does not end") != std::string::npos);
    CHECK(r.wave->flow.turns == 1000);
}
