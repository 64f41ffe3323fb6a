// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Printed code before and after each pass.
#include <doctest/doctest.h>

#include <memory_resource>

#include "drivers/adreno/compiler/passes.h"
#include "drivers/common/backend/liveness.h"
#include "drivers/common/backend/validate.h"
#include "tests/adreno/compiler/lir_text.h"
#include "tests/common/backend/code_text.h"

using namespace terrazzo;
using terrazzo::adreno::compiler::Function;
using terrazzo::adreno::compiler::Ir3;
namespace ir3 = terrazzo::adreno::compiler;
namespace a6 = terrazzo::adreno::isa;

namespace {

struct Code {
    explicit Code(const std::string& text) : f(&arena) {
        std::string why;
        const bool good = backend::parse<Ir3>(text, &f, &why);
        CAPTURE(why);
        REQUIRE(good);
        CHECK(backend::validate(f) == "");
    }
    std::string print() {
        f.link();
        CHECK(f.error == "");
        CHECK(backend::validate(f) == "");
        return backend::print<Ir3>(f);
    }
    /// Machine code, one line for each instruction.
    std::string legalized(ir::Stage stage = ir::Stage::Fragment) {
        f.link();
        ir3::allocate(f, 192, false);
        std::pmr::vector<a6::Instr> out(&arena);
        ir3::legalize(f, stage, &out);
        std::string text;
        for (const a6::Instr& i : out) {
            a6::print(i, &text);
            text += "\n";
        }
        return text;
    }
    std::pmr::monotonic_buffer_resource arena;
    Function f;
};

/// A copy has its own instructions, runs and tables.
void check_copy(const Code& c) {
    std::pmr::monotonic_buffer_resource arena;
    Function copy(c.f, &arena);
    copy.link();
    const std::string text = backend::print<Ir3>(copy);
    CHECK(backend::print<Ir3>(c.f) == text);
    ir3::allocate(copy, 192, false);
    for (backend::Block<Ir3>& b : copy.blocks)
        for (ir3::Inst& i : b.insts)
            Ir3::rewrite_words(
                i, [](backend::Word w, uint32_t) { return w + 1; },
                [](backend::Word w, uint32_t) { return w + 1; });
    CHECK(backend::print<Ir3>(c.f) == text);
}

std::string allocated(const char* text, unsigned registers = 192, bool spills = false) {
    Code c(text);
    ir3::allocate(c.f, registers, spills);
    return c.print();
}

}  // namespace

TEST_CASE("adreno compiler: parsed text prints the same") {
    const char* const text =
        "%8: r x4\n"
        "%12: r x2\n"
        "%15: h x1\n"
        "%16: h x2\n"
        "%20: r x3\n"
        "block0:\n"
        "  mad.f32 %5 = r0 -u3 |t1 sat=1\n"
        "  add.u %6 = %5 #4294967295\n"
        "  mov %12 = k2 dest_type=3 source_type=3\n"
        "  mov %12.1 = p1 dest_type=3 source_type=3\n"
        "  sam %8x3m5 = %12x2 sampler=1 texture=1\n"
        "  mov %15 = %5 dest_type=2 source_type=3\n"
        "  mov s384 = %15 dest_type=4 source_type=4\n"
        "  mov %7 = a16 dest_type=3 source_type=3\n"
        "  mov %16 = h#15360 dest_type=2 source_type=2\n"
        "  mov %20.1 = %7 dest_type=3 source_type=3\n"
        "  atomic.b.add %20+1 = %7 #2 atomic_type=3\n"
        "  ldp %18 = %6 size=1 @16\n"
        "  cmps.u s385 = %6 #0 condition=5\n"
        "  br = -s385 -> block2\n"
        "block1:\n"
        "  kill = s385\n"
        "  jump -> block2\n"
        "block2:\n"
        "  end left=%18,r0\n";
    Code c(text);
    CHECK(backend::print<Ir3>(c.f) == text);
    std::pmr::monotonic_buffer_resource arena;
    for (const char* bad :
         {"block0:\n  add.q %1 = r0\n", "block0:\n  add.f %1 = r0 colour=1\n", "block0:\n  add.f %1 = z9\n",
          "block0:\n  sam %1m99 = r0\n", "block0:\n  add.f %1 = r0 r1 r2 r3 r4\n",
          "block0:\n  br = s385 -> block9\n", "block0:\n  ldp %1 = r0 @99999\n", "block0:\n  mov s0 = r0\n",
          "block0:\n  add.f r500 = r0 r1\n"}) {
        CAPTURE(bad);
        Function f(&arena);
        std::string why;
        CHECK(!backend::parse<Ir3>(bad, &f, &why));
        CHECK(why != "");
    }
}

TEST_CASE("adreno compiler: a copy of a function changes independently") {
    check_copy(
        Code("%12: r x2\nblock0:\n  mov %12 = k2 dest_type=3 source_type=3\n"
             "  add.f %12.1 = r0 #4294967295\n  end left=%12x2,r0\n"));
}

TEST_CASE("adreno compiler: registers") {
    // Halves share registers with full values; moves into runs disappear.
    CHECK(allocated("%9: h x1\n"
                    "%10: h x1\n"
                    "%12: r x2\n"
                    "block0:\n"
                    "  mov %9 = r0 dest_type=0\n"
                    "  mov %10 = r0 dest_type=0\n"
                    "  add.f %7 = r0 u0\n"
                    "  mov %12 = %7 dest_type=3 source_type=3\n"
                    "  add.f %8 = r0 u1\n"
                    "  mov %12.1 = %8 dest_type=3 source_type=3\n"
                    "  add.f %11 = %9 %10\n"
                    "  end left=%12x2,%11\n") ==
          "block0:\n"
          "  mov h2 = r0 dest_type=0\n"
          "  mov h3 = r0 dest_type=0\n"
          "  add.f r2 = r0 u0\n"
          "  add.f r3 = r0 u1\n"
          "  add.f r0 = h2 h3\n"
          "  end left=r2x2,r0\n");
}

TEST_CASE("adreno compiler: spilling") {
    const char* const text =
        "block0:\n"
        "  add.f %10 = r0 u0\n"
        "  mul.f %20 = r0 u1\n"
        "  add.f %30 = r0 u2\n"
        "  add.f %40 = %10 %20\n"
        "  add.f %50 = %40 %30\n"
        "  end left=%50\n";
    // There are enough registers.
    CHECK(allocated(text, 3) ==
          "block0:\n"
          "  add.f r1 = r0 u0\n"
          "  mul.f r2 = r0 u1\n"
          "  add.f r0 = r0 u2\n"
          "  add.f r1 = r1 r2\n"
          "  add.f r2 = r1 r0\n"
          "  end left=r2\n");
    Code c(text);
    ir3::allocate(c.f, 2, false);
    CHECK(c.f.error.starts_with("adreno: "));
    // Values with long lives go to memory. Its address is a register with 0.
    const std::string spilled = allocated(
        "block0:\n"
        "  rcp %10 = r0\n"
        "  rcp %20 = r0\n"
        "  rcp %30 = r0\n"
        "  rcp %40 = r0\n"
        "  rcp %50 = r0\n"
        "  add.f %60 = %40 %50\n"
        "  add.f %70 = %60 %30\n"
        "  add.f %80 = %70 %20\n"
        "  add.f %90 = %80 %10\n"
        "  end left=%90\n",
        4, true);
    CHECK(spilled.find("  mov r") != std::string::npos);
    CHECK(spilled.find("  stp = r") != std::string::npos);
    CHECK(spilled.find("  ldp r") != std::string::npos);
    CHECK(spilled.find(" r4") == std::string::npos);
}

TEST_CASE("adreno compiler: waits") {
    // Nothing to wait for; nops in the instruction before; a separate nop.
    CHECK(Code("block0:\n  add.f %20 = r0 r1\n  add.f %30 = r2 r3\n  end left=%20,%30\n").legalized() ==
          "add.f r0.x, r0.x, r0.y\nadd.f r0.y, r0.z, r0.w\nend\n");
    CHECK(Code("block0:\n  add.f %20 = r0 r1\n  add.f %30 = %20 r3\n  rcp %40 = %30\n  add.f %50 = %40 r0\n  "
               "end left=%50\n")
              .legalized() ==
          "(nop3) add.f r0.y, r0.x, r0.y\n(nop3) add.f r0.z, r0.y, r0.w\n(rpt2)nop\nrcp r0.w, "
          "r0.z\n(ss)add.f r0.x, r0.w, r0.x\nend\n");
    // A write to registers of coordinates waits until these were read. The result of a texture is waited for.
    const std::string coordinates =
        "%20: r x2\n%30: r x2\n%40: r x1\nblock0:\n  mov %20 = u0\n  mov %20.1 = u1\n";
    CHECK(Code(coordinates +
               "  sam %30x2m3 = %20x2\n  mov %40 = u2\n  add.f %50 = %30 %30.1\n  end left=%50,%40\n")
              .legalized() ==
          "mov.f32f32 r0.x, c0.x\nmov.f32f32 r0.y, c0.y\n(rpt5)nop\nsam (f32)(xy)r0.z, r0.x, s#0, "
          "t#0\n(ss)mov.f32f32 r0.x, c0.z\n(sy)add.f r0.y, r0.z, r0.w\nend\n");
    CHECK(Code(coordinates +
               "  sam %30x2m3 = %20x2\n  add.f %50 = %30 %30.1\n  mov %40 = u2\n  end left=%50,%40\n")
              .legalized() ==
          "mov.f32f32 r0.x, c0.x\nmov.f32f32 r0.y, c0.y\n(rpt5)nop\nsam (f32)(xy)r0.z, r0.x, s#0, "
          "t#0\n(sy)add.f r0.x, r0.z, r0.w\nmov.f32f32 r0.y, c0.z\nend\n");
    // Registers that texture units read may be overwritten after (ss), or after a wait for the result.
    const std::string twice = coordinates + "  sam %30x2m3 = %20x2\n  mov %20 = u2\n";
    CHECK(Code(twice + "  add.f %50 = %30 %20\n  end left=%50,%20x2\n")
              .legalized()
              .find("(ss)mov.f32f32 r0.x, c0.z") != std::string::npos);
    CHECK(Code(coordinates +
               "  sam %30x2m3 = %20x2\n  add.f %50 = %30 %30.1\n  mov %20 = u2\n  end left=%50,%20x2\n")
              .legalized()
              .find("(ss)") == std::string::npos);
    // Texture instructions have no (ss): a nop before them has it.
    CHECK(Code("%20: r x2\n%30: r x1\nblock0:\n  rcp %20 = r2\n  rcp %20.1 = r3\n  sam %30x1m1 = %20x2\n  "
               "end left=%30\n")
              .legalized() ==
          "rcp r0.x, r0.z\nrcp r0.y, r0.w\n(ss)nop\nsam (f32)(x)r0.z, r0.x, s#0, t#0\n(sy)end\n");
}

TEST_CASE("adreno compiler: flow") {
    // The last read of varyings ends them. Threads meet at a jump's target. A wait that one path needs is on
    // both.
    CHECK(Code("%10: r x2\nblock0:\n  mov %10 = u0\n  mov %10.1 = u1\n  bary.f %20 = #0 %10x2\n  bary.f %30 "
               "= #1 %10x2\n  cmps.f s385 = %20 %30 condition=0\n  br = -s385 -> block2\nblock1:\n  rcp %20 "
               "= %30\nblock2:\n  add.f %40 = %20 %30\n  end left=%40\n")
              .legalized() ==
          "mov.f32f32 r0.x, c0.x\nmov.f32f32 r0.y, c0.y\n(rpt2)nop\nbary.f r0.z, 0, r0.x\nbary.f (ei)r0.w, "
          "1, r0.x\n(rpt2)nop\n(nop3) cmps.f.lt p0.x, r0.z, r0.w\n(rpt2)nop\nbr !p0.x, #2\nrcp r0.z, "
          "r0.w\n(ss)(jp)add.f r0.x, r0.z, r0.w\nend\n");
    // Varyings that are read in a loop are freed only by the end.
    const std::string loop =
        Code(
            "%10: r x2\n%20: r x1\nblock0:\n  mov %10 = u0\n  mov %10.1 = u1\n  mov %20 = u2\nblock1:\n  "
            "bary.f %30 = #0 %10x2\n  add.f %20 = %20 %30\n  cmps.f s385 = %20 %30 condition=0\n  br = s385 "
            "-> block1\nblock2:\n  end left=%20\n")
            .legalized();
    CHECK(loop.find("(ei)") == std::string::npos);
    CHECK(loop.find("(jp)") != std::string::npos);
    CHECK(loop.find("br p0.x, #-") != std::string::npos);
    // The a630 has no gradients without quads.
    std::string text = "%10: r x8\n%20: r x1\nblock0:\n";
    for (unsigned k = 0; k < 8; k++)
        text += "  mov %10" + (k ? "." + std::to_string(k) : "") + " = u0\n";
    const std::string grad =
        Code(text + "  samgq %20x1m1 = %10x8\n  end left=%20\n").legalized(ir::Stage::Vertex);
    for (const char* op : {"samgp0", "samgp1", "samgp2", "samgp3"})
        CHECK(grad.find(op) != std::string::npos);
}
