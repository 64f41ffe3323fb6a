// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "agx_emitters.h"

#include "tests/common/compiler/emitter_cases.h"

namespace terrazzo::tests::agx {
namespace {

/// A selector's use of the emitters.
struct Selector : Program, Emitters<Selector> {
    /// Mesa 25.0.7, agx_nir_lower_*: a square root; a clamp; a sum of products.
    void select() {
        const Ref x = Ref::uniform(0), y = Ref::reg(2, 32).with(isa::kDiscard);
        const Ref root = fmul32({rsqrt_special({x}), x});
        const Ref clamped = fcmpsel({root, y, root, y}, isa::FloatCondition::kLtn);
        fmadd32({clamped, y.with(isa::kNeg), Ref::immediate(0x38)});
        bitop({x, y}, isa::TruthTable::kXor);
        convert({Ref::uniform(5, 16)}, isa::Conversion::kU16ToF, isa::Round::kEven);
        quad_shuffle_xor({clamped, Ref::immediate(1)});
    }
    friend Emitters<Selector>;
};

}  // namespace

TEST_CASE("agx emitters: the emitters generated from the text of rows agree with the table") {
    static_assert(tests::counts_sources<Ref>());
    tests::check_emitters(kEmittedOps, [](const isa::OpInfo& row) {
        return row.dest_count == 1 && !row.is(isa::kReadsMemory) && !row.is(isa::kWritesMemory);
    });
}

TEST_CASE("agx emitters: a selector's code") {
    Selector s;
    s.select();
    CHECK(s.sound);
    CHECK(isa::disassemble(s.units) ==
          "rsqrt_special r0, u0\n"
          "fmul32 r1, r0, u0\n"
          "fcmpsel.ltn r2, r1, r1.discard, r1, r1.discard\n"
          "fmadd32 r3, r2, r1.discard.neg, 1.5\n"
          "bitop.xor r4, u0, r1.discard\n"
          "convert.u16_to_f.rte r5, u2h\n"
          "quad_shuffle_xor r6, r2, 1\n");
}

}  // namespace terrazzo::tests::agx
