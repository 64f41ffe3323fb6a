// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Instr -> text.
#include <cinttypes>

#include "drivers/mali/isa/isa.h"
#include "drivers/mali/isa/names.h"
#include "drivers/mali/isa/swizzle.h"

namespace terrazzo::mali::isa {
namespace {

using terrazzo::isa::append;

void print_modifiers(const Instr& instr, const OpInfo& row, std::string* out) {
    for (const ModifierInfo& m : row.modifiers()) {
        const uint8_t value = instr.mods[unsigned(m.mod)];
        if (const terrazzo::isa::Enumeration* values = enumeration(m.mod)) {
            if (!values->is_default(value)) {
                append(out, ".%s", values->has(value) ? values->name(value) : "reserved");
            }
        } else if (value) {
            append(out, ".%s", flag_name(m.mod));
        }
    }
    if (!kFlowNames.is_default(uint64_t(instr.flow))) {
        append(out, ".%s",
               kFlowNames.has(uint64_t(instr.flow)) ? kFlowNames.name(uint64_t(instr.flow)) : "reserved");
    }
}

void print_dest(const Dest& dest, std::string* out) {
    append(out, "r%u%s", dest.reg, dest.halves == 3 ? "" : dest.halves == 1 ? ".h0" : ".h1");
}

void print_staging(const Staging& staging, std::string* out) {
    *out += '@';
    for (unsigned i = 0; i < staging.count; i++) {
        append(out, "%sr%u", i ? ":" : "", staging.reg + i);
    }
}

void print_operand(const Operand& operand, std::string* out) {
    switch (operand.kind) {
        case OperandKind::kRegister:
            append(out, "%sr%u", operand.last ? "^" : "", operand.index);
            break;
        case OperandKind::kUniform:
            append(out, "u%u", operand.index);
            break;
        case OperandKind::kConstant:
            if (find_constant(constant_table(operand.index)) == int(operand.index)) {
                append(out, "0x%" PRIX32, constant_table(operand.index));
            } else {
                append(out, "imm%u", operand.index);  // a second entry of the same value
            }
            break;
        case OperandKind::kSpecial: {
            const char* name = special_name(Special(operand.index));
            append(out, "%s.w%u", name ? name : "reserved", unsigned(operand.high_word));
            break;
        }
    }
    *out += operand.neg ? ".neg" : "";
    *out += operand.abs ? ".abs" : "";
    if (operand.swizzle != Swizzle::kNone) {
        append(out, ".%s", swizzle_name(operand.swizzle));
    }
    *out += operand.invert ? ".not" : "";
}

void print_immediate(const ImmediateInfo& info, int32_t value, std::string* out) {
    if (info.name == Imm::kConstant) {
        append(out, "#0x%" PRIX32, uint32_t(value));
    } else if (info.is_signed) {
        append(out, "%s:%" PRId32, immediate_name(info.name), value);
    } else {
        append(out, "%s:0x%" PRIX32, immediate_name(info.name), uint32_t(value));
    }
}

}  // namespace

const char* immediate_name(Imm name) {
    switch (name) {
        case Imm::kConstant:
            return "constant";
        case Imm::kIndex:
            return "index";
        case Imm::kOffset:
            return "offset";
        case Imm::kShift:
            return "shift";
        case Imm::kTable:
            return "table";
        case Imm::kTarget:
            return "target";
    }
    return "";
}

void print(const Instr& instr, std::string* out) {
    const OpInfo& row = instr.info();
    *out += row.name;
    print_modifiers(instr, row, out);
    const char* separator = " ";
    const auto separate = [&] {
        *out += separator;
        separator = ", ";
    };
    if (row.has_dest) {
        separate();
        print_dest(instr.dest, out);
    }
    for (unsigned i = 0; i < row.staging_count; i++) {
        separate();
        print_staging(instr.staging[i], out);
    }
    for (unsigned i = 0; i < row.source_count; i++) {
        separate();
        print_operand(instr.src[i], out);
    }
    for (unsigned i = 0; i < row.immediate_count; i++) {
        separate();
        print_immediate(row.immediate_rows[i], instr.imm[i], out);
    }
}

}  // namespace terrazzo::mali::isa
