// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Instr -> 64 bits.
#include "drivers/mali/isa/fau.h"
#include "drivers/mali/isa/isa.h"
#include "drivers/mali/isa/swizzle.h"

namespace terrazzo::mali::isa {

bool encode(const Instr& instr, Word* out, Error* error) {
    if (!validate(instr, error)) return false;
    const OpInfo& row = instr.info();
    Word word = row.opcode.value | row.control.value | kFlowBits.put(uint64_t(instr.flow));
    unsigned page = 0;
    for (unsigned i = 0; i < row.source_count; i++) {
        const SourceInfo& source = row.source_rows[i];
        const Operand& operand = instr.src[i];
        page |= fau_page(operand);  // the same for all that have one
        word |= source.field.put(encode_operand(operand)) | source.neg.put(operand.neg) |
                source.abs.put(operand.abs) | source.invert.put(operand.invert) |
                source.swizzle.put(uint64_t(code_of_swizzle(source.set, operand.swizzle)));
    }
    word |= kPageBits.put(page);
    for (const ModifierInfo& m : row.modifiers())
        word |= m.bits.put(instr.mods[unsigned(m.mod)]);
    if (row.has_dest) word |= kDestRegister.put(instr.dest.reg) | kDestHalves.put(instr.dest.halves);
    for (unsigned i = 0; i < row.staging_count; i++) {
        const StagingInfo& s = row.staging_rows[i];
        word |= s.base.put(instr.staging[i].reg) | s.count.put(uint64_t(instr.staging[i].count - s.bias));
    }
    for (unsigned i = 0; i < row.immediate_count; i++)
        word |= row.immediate_rows[i].bits.put(uint64_t(int64_t(instr.imm[i])));
    *out = word;
    return true;
}

}  // namespace terrazzo::mali::isa
