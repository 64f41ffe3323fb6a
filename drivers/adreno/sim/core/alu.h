// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Arithmetic: what each operation does, in micro-operations. A row only sees values: neg and abs are applied,
// integer halves are extended, float halves are floats. (sat) of floats and the conversion of the result come
// after it (lower.cpp). Internal to core/.
//
// 32-bit floats: denormals are read and written as zero, as drivers of Vulkan and a6xx declare (Mesa 25.0.7,
// tu_device.cc: it cannot preserve them); the core sets the host's mode. Halves keep denormals. Each
// operation rounds once to nearest even; mad is fused (Mesa declares a fused one).
#pragma once

#include <cstdint>
#include <span>

#include "drivers/adreno/isa/isa.h"
#include "drivers/common/core/micro.h"
#include "drivers/common/wave/lanes.h"

namespace terrazzo::adreno::sim {

using core::MicroOp;
using core::Value;
using wave::F32;
using wave::I32;
using wave::U32;

/// How the signs and extensions of sources are interpreted.
enum class Numbers : uint8_t { Float, Signed, Unsigned, Bits };

struct AluArgs {
    core::MicroBuilder& build;
    Value a, b, c;
    bool half;  // an operation of halves. Floats: its result is a float that rounds to the half
    const isa::Instr& instr;

    Value op(MicroOp o, Value x, Value y = {}, Value z = {}) const { return build.op(o, x, y, z); }
};
/// Appends the operation's micro-operations, and returns its result.
using Lowering = Value (*)(const AluArgs&);

inline Value number(uint32_t bits) {
    return core::MicroBuilder::constant(bits);
}
/// An operation that is a micro-operation of its sources.
template <MicroOp kOp>
Value as_is(const AluArgs& x) {
    return x.op(kOp, x.a, x.b, x.c);
}
inline Value same(const AluArgs& x) {
    return x.a;
}
/// A comparison: 1 where the instruction's condition holds, otherwise 0. `kLessEqual` is Not for integers,
/// which are less or equal where they are not greater.
template <MicroOp kEqual, MicroOp kNotEqual, MicroOp kLess, MicroOp kLessEqual>
Value compare(const AluArgs& x) {
    using C = isa::Condition;
    const C c = x.instr.condition();
    const bool swap = c == C::kGt || c == C::kGe;
    const Value a = swap ? x.b : x.a, b = swap ? x.a : x.b;
    Value v;
    switch (c) {
        case C::kLt:
        case C::kGt:
            v = x.op(kLess, a, b);
            break;
        case C::kLe:
        case C::kGe:
            v = kLessEqual == MicroOp::Not ? x.op(MicroOp::Not, x.op(kLess, b, a)) : x.op(kLessEqual, a, b);
            break;
        case C::kEq:
            v = x.op(kEqual, a, b);
            break;
        case C::kNe:
            v = x.op(kNotEqual, a, b);
            break;
    }
    return x.op(MicroOp::And, v, number(1));
}

enum AluTrait : uint8_t {
    kSaturates = 1,  // an integer operation that implements (sat) itself
    kWide = 2,       // the result has 32 bits whatever the sources' width
    kTruth = 4,      // the result is 0 or 1
    kHalves = 8,     // (ei) halves the result
    kHalfOnly = 16,
};

struct AluRow {
    isa::Op op;
    Numbers numbers;
    Lowering lower;
    uint8_t traits = 0;
};
/// By family.
std::span<const AluRow> float_rows();
std::span<const AluRow> integer_rows();
std::span<const AluRow> bit_rows();
std::span<const AluRow> special_rows();
/// Null: not implemented.
const AluRow* alu_row(isa::Op op);

/// Converts a value of one type, as lanes hold it, to another type. `extended`: the high half of an
/// integer of 16 bits is already that of its extension.
Value convert(core::MicroBuilder& build, isa::Type from, isa::Type to, isa::Round round, Value v,
              bool extended);

}  // namespace terrazzo::adreno::sim
