// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Refuses instructions on which the hardware faults, or whose meaning is unknown, before encoding and after
// decoding. Facts: Mesa 25.0.7, ISA.xml, asm.py, va_pack.c, va_validate.c.
#include "drivers/mali/isa/fau.h"
#include "drivers/mali/isa/isa.h"

namespace terrazzo::mali::isa {
namespace {

using terrazzo::isa::refuse;

constexpr unsigned kRegisters = 64;

/// Refuses a modifier that the instruction's row does not have.
bool refuse_foreign_modifier(const Instr& instr, const OpInfo& row, Error* error) {
    for (unsigned i = 0; i < kModCount; i++) {
        const Mod mod = Mod(i);
        if (instr.mods[i] && !row.has(mod)) {
            const char* text = flag_name(mod) ? flag_name(mod) : enumeration(mod)->name(instr.mods[i]);
            return refuse(error, "%s has no modifier %s", row.name, text ? text : "of a reserved value");
        }
    }
    return false;
}

bool validate_modifiers(const Instr& instr, const OpInfo& row, Error* error) {
    if (!kFlowNames.has(uint64_t(instr.flow)))
        return refuse(error, "flow control %u is reserved", unsigned(instr.flow));
    unsigned said = 0;  // modifiers of the row that are not 0
    for (const ModifierInfo& m : row.modifiers()) {
        const uint8_t value = instr.mods[unsigned(m.mod)];
        const terrazzo::isa::Enumeration* values = enumeration(m.mod);
        said += value != 0;
        if (values ? !values->has(value) : value > 1) {
            return refuse(error, "%s: value %u of modifier at bit %u is reserved", row.name, value,
                          m.bits.start);
        }
    }
    unsigned all = 0;
    for (uint8_t value : instr.mods)
        all += value != 0;
    return all == said || refuse_foreign_modifier(instr, row, error);
}

bool validate_dest(const Instr& instr, const OpInfo& row, Error* error) {
    if (!row.has_dest) return instr.dest == Dest{} || refuse(error, "%s has no destination", row.name);
    if (instr.dest.reg >= kRegisters) return refuse(error, "there is no register r%u", instr.dest.reg);
    if (instr.dest.halves < 1 || instr.dest.halves > 3)
        return refuse(error, "%s writes no half of r%u", row.name, instr.dest.reg);
    if (row.size == 64 && (instr.dest.reg % 2 || instr.dest.halves != 3))
        return refuse(error, "%s writes a pair of registers, which starts at an even one", row.name);
    return true;
}

bool validate_staging(const Instr& instr, const OpInfo& row, Error* error) {
    for (unsigned i = 0; i < OpInfo::kMaxStaging; i++) {
        const Staging& s = instr.staging[i];
        if (i >= row.staging_count) {
            if (s != Staging{}) {
                return refuse(error, "%s has no more than %u groups of staging registers", row.name,
                              row.staging_count);
            }
            continue;
        }
        const StagingInfo& info = row.staging_rows[i];
        const unsigned most = unsigned(info.count.max()) + info.bias;
        if (s.count < info.bias || s.count > most) {
            return refuse(error, "%s takes %u to %u staging registers, not %u", row.name, info.bias, most,
                          s.count);
        }
        if (s.count > 1 && s.reg % 2)
            return refuse(error, "%s: staging registers start at an even one, not r%u", row.name, s.reg);
        if (s.reg + s.count > kRegisters || (s.count == 0 && s.reg != 0))
            return refuse(error, "%s: %u staging registers at r%u", row.name, s.count, s.reg);
    }
    return true;
}

bool validate_index(const Operand& operand, const char* name, Error* error) {
    const unsigned kind = unsigned(operand.kind);
    constexpr unsigned kLimit[] = {kRegisters, 256, kConstantCount, 256};
    if (kind >= std::size(kLimit) || operand.index >= kLimit[kind])
        return refuse(error, "%s: operand %u of kind %u does not exist", name, operand.index, kind);
    if (operand.kind == OperandKind::kSpecial ? !special_name(Special(operand.index)) : operand.high_word) {
        return refuse(error, "%s: special value %u of FAU page %u is reserved", name, operand.index % 16,
                      operand.index / 16);
    }
    if (operand.last && operand.kind != OperandKind::kRegister)
        return refuse(error, "%s: only registers have a last use", name);
    return true;
}

bool validate_source(const Operand& operand, const SourceInfo& source, const char* name, Error* error) {
    if (!validate_index(operand, name, error)) return false;
    if ((operand.neg && !source.neg) || (operand.abs && !source.abs) || (operand.invert && !source.invert)) {
        return refuse(error, "%s: source at bit %u has no %s", name, source.field.start,
                      operand.invert && !source.invert ? "not" : "neg or abs");
    }
    if (code_of_swizzle(source.set, operand.swizzle) < 0) {
        return operand.swizzle == Swizzle::kNone
                   ? refuse(error, "%s: source at bit %u needs a lane", name, source.field.start)
                   : refuse(error, "%s: source at bit %u has no .%s", name, source.field.start,
                            swizzle_name(operand.swizzle));
    }
    const bool pair = source.size == 64 && operand.swizzle == Swizzle::kNone;
    const bool numbered = operand.kind == OperandKind::kRegister || operand.kind == OperandKind::kUniform;
    if (pair && (operand.high_word || (numbered && operand.index % 2)))
        return refuse(error, "%s: 64-bit source at bit %u starts at an odd word", name, source.field.start);
    return true;
}

bool validate_immediates(const Instr& instr, const OpInfo& row, Error* error) {
    for (unsigned i = 0; i < OpInfo::kMaxImmediates; i++) {
        if (i >= row.immediate_count) {
            if (instr.imm[i]) return refuse(error, "%s has no immediate %u", row.name, i);
            continue;
        }
        const ImmediateInfo& info = row.immediate_rows[i];
        const int64_t value = instr.imm[i];
        const int64_t half = info.bits.width < 32 ? int64_t{1} << (info.bits.width - 1) : 0;
        const bool fits = info.bits.width == 32 ||
                          (info.is_signed ? value >= -half && value < half : value >= 0 && value < 2 * half);
        if (!fits) {
            return refuse(error, "%s: %lld does not fit into %u bits", row.name, (long long)value,
                          info.bits.width);
        }
    }
    return true;
}

}  // namespace

bool validate(const Instr& instr, Error* error) {
    if (unsigned(instr.op) >= kOpCount) return refuse(error, "there is no operation %u", unsigned(instr.op));
    const OpInfo& row = instr.info();
    if (!validate_modifiers(instr, row, error) || !validate_dest(instr, row, error) ||
        !validate_staging(instr, row, error) || !validate_immediates(instr, row, error))
        return false;
    for (unsigned i = 0; i < OpInfo::kMaxSources; i++) {
        if (i >= row.source_count) {
            if (instr.src[i] != Operand{})
                return refuse(error, "%s has %u sources", row.name, row.source_count);
        } else if (!validate_source(instr.src[i], row.source_rows[i], row.name, error)) {
            return false;
        }
    }
    return validate_fau(instr, error);
}

}  // namespace terrazzo::mali::isa
