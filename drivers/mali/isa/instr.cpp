// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Properties of one instruction. Facts of waits and costs: Mesa 25.0.7, va_mark_last.c, va_insert_flow.c,
// va_perf.c.
#include "drivers/mali/isa/fau.h"
#include "drivers/mali/isa/isa.h"

namespace terrazzo::mali::isa {
namespace {

/// The smallest value that has a name.
uint8_t first_value(const terrazzo::isa::Enumeration& values) {
    uint8_t value = 0;
    while (!values.has(value))
        value++;
    return value;
}

/// The staging registers that are written (`written`) or read.
Staging find_staging(const Instr& instr, bool written) {
    const OpInfo& row = instr.info();
    for (unsigned i = 0; i < row.staging_count; i++)
        if (written ? row.staging_rows[i].writes : row.staging_rows[i].reads) return instr.staging[i];
    return {};
}

unsigned varying_components(const Instr& instr) {
    const bool by_type = instr.op == Op::kLdVarBufF16 || instr.op == Op::kLdVarBufImmF16;
    const RegisterFormat format = instr.register_format();
    const bool halves = by_type || format == RegisterFormat::kF16 || format == RegisterFormat::kS16 ||
                        format == RegisterFormat::kU16;
    return (unsigned(instr.vector_size()) + 1) * (halves ? 1 : 2);
}

}  // namespace

Instr make(Op op) {
    Instr instr;
    instr.op = op;
    const OpInfo& row = info(op);
    for (const ModifierInfo& m : row.modifiers()) {
        if (const terrazzo::isa::Enumeration* values = enumeration(m.mod)) {
            instr.mods[unsigned(m.mod)] =
                values->has_default() ? values->default_value() : first_value(*values);
        }
    }
    for (unsigned i = 0; i < row.staging_count; i++)
        instr.staging[i].count = row.staging_rows[i].bias;
    for (unsigned i = 0; i < row.source_count; i++) {
        if (code_of_swizzle(row.source_rows[i].set, Swizzle::kNone) < 0) {
            uint64_t code = 0;
            while (!swizzle_of_code(row.source_rows[i].set, code, &instr.src[i].swizzle))
                code++;
        }
    }
    return instr;
}

int32_t Instr::immediate(Imm name) const {
    const OpInfo& row = info();
    for (unsigned i = 0; i < row.immediate_count; i++)
        if (row.immediate_rows[i].name == name) return imm[i];
    return 0;
}

Instr& Instr::set_immediate(Imm name, int32_t value) {
    const OpInfo& row = info();
    for (unsigned i = 0; i < row.immediate_count; i++)
        if (row.immediate_rows[i].name == name) imm[i] = value;
    return *this;
}

Staging Instr::staging_read() const {
    return find_staging(*this, false);
}
Staging Instr::staging_written() const {
    return find_staging(*this, true);
}

int Instr::wait_slot() const {
    const OpInfo& row = info();
    if (row.message == Message::kNone) return -1;
    return row.has_slot() ? int(slot()) : 0;
}

unsigned waited_slots(Flow flow) {
    switch (flow) {
        case Flow::kNone:
        case Flow::kReconverge:
        case Flow::kDiscard:
        case Flow::kEnd:
            return 0;
        case Flow::kWait0:
        case Flow::kWait1:
        case Flow::kWait01:
        case Flow::kWait2:
        case Flow::kWait02:
        case Flow::kWait12:
        case Flow::kWait012:
            return unsigned(flow);
        case Flow::kWait0126:
            return 0b01000111;
        case Flow::kWait:
            return 0b11000111;
    }
    return 0;
}

Cost cost(const Instr& instr) {
    const OpInfo& row = instr.info();
    switch (row.unit) {
        case Unit::kFma:
        case Unit::kCvt:
        case Unit::kSfu:
            return {row.unit, !row.has_dest ? 0u : row.size == 64 ? 2u : 1u};
        case Unit::kV:
            return {row.unit, varying_components(instr)};
        case Unit::kLs:
        case Unit::kT:
        case Unit::kVt:
            return {row.unit, 1};
        case Unit::kNone:
            return {row.unit, 0};
    }
    return {Unit::kNone, 0};
}

}  // namespace terrazzo::mali::isa
