// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What drivers/common/backend/value_numbering.h must know of Valhall.
#include "drivers/mali/compiler/value_numbering.h"

namespace terrazzo::mali::compiler {

namespace {

struct Numbered : Valhall, backend::OperationOfOperands<Numbered, Inst> {
    static constexpr uint32_t kShareWithin = 48;
    /// Arithmetic on whole words: what reads other threads or memory, and halves of a word, are not.
    static bool is_computed(const Inst& i) {
        const isa::OpInfo& row = i.proto.info();
        return row.message == isa::Message::kNone && !row.traits && i.dest != kNoWord && !i.written_count &&
               !i.read_count && !i.also_read_count && i.proto.dest.halves == 3 &&
               i.proto.op != isa::Op::kClperI32;
    }
    static bool is_repeatable(const Inst& i) { return compiler::is_repeatable(i); }
    static uint64_t operand_bits(const Ref& r) {
        return uint64_t(r.swizzle) << 8 | uint64_t(r.kind) << 4 | r.high << 3 | r.neg << 2 | r.abs << 1 |
               r.invert;
    }
};

}  // namespace

void number_values(Function& f, backend::Share constants) {
    backend::number_values<Numbered>(f, constants);
}

}  // namespace terrazzo::mali::compiler
