// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Properties of one instruction, and of a program. Facts of waits: Mesa 25.0.7, agx_insert_waits.c.
#include <bit>
#include <vector>

#include "drivers/agx/isa/isa.h"

namespace terrazzo::agx::isa {
namespace {

using terrazzo::isa::refuse;

struct Axes {
    uint8_t coordinates, extra;  // extra: layer, sample
};
/// By Dimension; both are 0 for an unknown one.
constexpr Axes kAxes[16] = {{1, 0}, {1, 1}, {2, 0}, {2, 1}, {2, 1}, {3, 0}, {3, 0}, {3, 1}, {2, 2}};

}  // namespace

unsigned registers_of(Count count, const Instr& instr) {
    const Axes axes = kAxes[unsigned(instr.dimension()) & 15];
    const unsigned components = instr.components() == Components::kXyzw ? 4 : unsigned(instr.components());
    switch (count) {
        case Count::kOne:
            return 1;
        case Count::kTwo:
            return 2;
        case Count::kThree:
            return 3;
        case Count::kFour:
            return 4;
        case Count::kMask:
            return unsigned(std::popcount(unsigned(instr.mask())));
        case Count::kNoMask:
            return unsigned(instr.mask()) == 0;
        case Count::kComponents:
            return components;
        case Count::kCoefficients:
            return 3 * components;
        case Count::kHalfCoordinates:
            return axes.coordinates + axes.extra;
        case Count::kCoordinates:
            return axes.extra ? 0 : axes.coordinates;
        case Count::kMixedCoordinates:
            return axes.extra ? 2u * axes.coordinates + 1 : 0;
        case Count::kGradient:
            return 2u * axes.coordinates;
        case Count::kGradientMin:
            return axes.coordinates ? 2u * axes.coordinates + 1 : 0;
        case Count::kDepthStencil:
            return 2u * instr.depth() + instr.stencil();
        case Count::kCopy:
            return instr.copy_2d() ? 5 : 3;
    }
    return 0;
}

Instr make(Op op) {
    Instr instr;
    instr.op = op;
    const OpInfo& row = info(op);
    for (const FieldInfo& f : row.fields()) {
        uint16_t& value = instr.fields[unsigned(f.field)];
        const terrazzo::isa::Enumeration* const values = field_text(f.field).values;
        value = values && values->has_default() ? values->default_value() : f.usual;
        while (values && !values->has(value))
            value++;
    }
    if (row.has(Field::kDepth)) instr.set_depth(true);
    const auto set_first = [&](const OperandInfo& o, Operand* out) {
        for (const Case& c : o.shape->cases) {
            const uint64_t shared = c.key >> o.key.width();
            const unsigned count = registers_of(c.count, instr);
            if (!count || (shared && c.key_mask >> o.key.width())) continue;
            const bool file = c.kind == OperandKind::kRegister || c.kind == OperandKind::kUniform;
            *out = {c.kind, c.size, uint8_t(file ? count : 0), c.flags, c.add};
            return;
        }
    };
    if (row.dest_count) set_first(row.dest_row, &instr.dest);
    for (unsigned i = 0; i < row.source_count; i++)
        set_first(row.source_rows[i], &instr.src[i]);
    return instr;
}

Halves registers_written(const Instr& instr) {
    if (instr.op == Op::kCall || instr.op == Op::kCallReg) return {2, 2};
    if (instr.dest.kind != OperandKind::kRegister) return {};
    return {unsigned(instr.dest.value), instr.dest.halves()};
}

Halves registers_read(const Instr& instr, unsigned n) {
    const Operand& o = instr.src[n];
    if (o.kind != OperandKind::kRegister) return {};
    return {unsigned(o.value), o.halves()};
}

int result_slot(const Instr& instr) {
    return instr.info().is(kLate) ? int(instr.slot()) : -1;
}

bool jump_offset(const Instr& instr, int32_t* out) {
    const OpInfo& row = instr.info();
    if (!row.is(kBranches) || instr.src[0].kind != OperandKind::kImmediate) return false;
    *out = instr.src[0].value;
    return true;
}

bool validate_program(std::span<const Unit> units, Error* error) {
    std::vector<bool> starts(units.size());
    std::vector<std::pair<size_t, int64_t>> jumps;  // instruction, target; both in bytes
    bool ends = false;
    for (size_t at = 0; at < units.size();) {
        Instr instr;
        size_t length = 0;
        Error reason;
        if (!terrazzo::isa::decode_first(units.subspan(at), &instr, &length, &reason))
            return refuse(error, "byte %zu: %s", 2 * at, reason.reason);
        if (int32_t offset = 0; jump_offset(instr, &offset))
            jumps.push_back({2 * at, int64_t(2 * at) + offset});
        starts[at] = true;
        ends = instr.info().is(kEnds);
        at += length;
    }
    for (const auto& [at, target] : jumps)
        if (target < 0 || target % 2 || target / 2 >= int64_t(units.size()) || !starts[size_t(target / 2)])
            return refuse(error, "byte %zu: no instruction starts at the target, byte %lld", at,
                          (long long)target);
    return ends ||
           refuse(error, "byte %zu: the program does not end here with stop, trap or ret", 2 * units.size());
}

const char* special_name(unsigned number) {
    switch (number) {
#define SPECIAL(number, enumerator, text) \
    case number:                          \
        return text;
#include "drivers/agx/isa/special.inc"
#undef SPECIAL
    }
    return nullptr;
}

}  // namespace terrazzo::agx::isa
