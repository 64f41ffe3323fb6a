// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// 64 bits -> Instr.
#include "drivers/mali/isa/fau.h"
#include "drivers/mali/isa/isa.h"
#include "drivers/mali/isa/swizzle.h"

namespace terrazzo::mali::isa {
namespace {

using terrazzo::isa::refuse;

bool decode_sources(Word word, const OpInfo& row, Instr* out, Error* error) {
    const unsigned page = unsigned(kPageBits.get(word));
    bool paged = false;
    for (unsigned i = 0; i < row.source_count; i++) {
        const SourceInfo& source = row.source_rows[i];
        Operand operand = decode_operand(uint8_t(source.field.get(word)), page);
        if (!swizzle_of_code(source.set, source.swizzle.get(word), &operand.swizzle)) {
            return refuse(error, "%s: swizzle %llu at bit %u is reserved", row.name,
                          (unsigned long long)source.swizzle.get(word), source.swizzle.start);
        }
        operand.neg = source.neg.get(word);
        operand.abs = source.abs.get(word);
        operand.invert = source.invert.get(word);
        paged |= operand.kind == OperandKind::kUniform || operand.kind == OperandKind::kSpecial;
        if (operand.kind == OperandKind::kConstant && page != 0)
            return refuse(error, "%s: the constants are in FAU page 0, not %u", row.name, page);
        out->src[i] = operand;
    }
    if (page != 0 && !paged)
        return refuse(error, "%s selects FAU page %u and reads nothing of it", row.name, page);
    return true;
}

}  // namespace

bool decode(Word word, Instr* out, Error* error) {
    Op op;
    if (!find_op(word, &op)) {
        return refuse(error, "no instruction has opcode 0x%03llx with these bits",
                      (unsigned long long)kOpcodeBits.get(word));
    }
    const OpInfo& row = info(op);
    if (!row.control.matches(word)) {
        return refuse(error, "%s: fixed bits %016llx are %016llx", row.name,
                      (unsigned long long)row.control.mask, (unsigned long long)(word & row.control.mask));
    }
    if (word & ~row.used) {
        return refuse(error, "%s: reserved bits %016llx are set", row.name,
                      (unsigned long long)(word & ~row.used));
    }
    Instr instr;
    instr.op = op;
    instr.flow = Flow(kFlowBits.get(word));
    for (const ModifierInfo& m : row.modifiers())
        instr.mods[unsigned(m.mod)] = uint8_t(m.bits.get(word));
    if (row.has_dest) instr.dest = {uint8_t(kDestRegister.get(word)), uint8_t(kDestHalves.get(word))};
    for (unsigned i = 0; i < row.staging_count; i++) {
        const StagingInfo& s = row.staging_rows[i];
        instr.staging[i] = {uint8_t(s.base.get(word)), uint8_t(s.count.get(word) + s.bias)};
    }
    for (unsigned i = 0; i < row.immediate_count; i++) {
        const ImmediateInfo& imm = row.immediate_rows[i];
        instr.imm[i] = int32_t(imm.is_signed ? imm.bits.get_signed(word) : int64_t(imm.bits.get(word)));
    }
    if (!decode_sources(word, row, &instr, error) || !validate(instr, error)) return false;
    *out = instr;
    return true;
}

}  // namespace terrazzo::mali::isa
