// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What drivers/common/backend/value_numbering.h needs of ir3.
#include "drivers/adreno/compiler/value_numbering.h"

namespace terrazzo::adreno::compiler {

namespace {

struct Numbered : Ir3, backend::OperationOfOperands<Numbered, Inst> {
    static constexpr uint32_t kShareWithin = 64;
    /// Arithmetic, without reads of other threads, memory or varyings.
    static bool is_computed(const Inst& i) {
        const isa::OpInfo& row = i.proto.info();
        const bool is_alu = row.unit == isa::Unit::kAlu || row.unit == isa::Unit::kSfu;
        return is_alu && row.category >= 1 && row.category <= 4 && !row.traits && row.dest_count == 1 &&
               i.dest != kNoWord && !i.data_count && !i.dest_mask && i.proto.op != isa::Op::kMovmsk;
    }
    static bool is_repeatable(const Inst& i) { return compiler::is_repeatable(i); }
    static uint64_t operand_bits(const Ref& r) {
        return uint64_t(r.kind) << 3 | r.half << 2 | r.neg << 1 | r.abs;
    }
};

}  // namespace

void number_values(Function& f, backend::Share constants) {
    backend::number_values<Numbered>(f, constants);
}

}  // namespace terrazzo::adreno::compiler
