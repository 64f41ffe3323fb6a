// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// 64 bits <-> Instr.
#include "drivers/mali/isa/fau.h"
#include "drivers/mali/isa/isa.h"

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
