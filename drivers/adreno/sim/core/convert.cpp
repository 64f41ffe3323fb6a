// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Conversions between the types of registers. Without a rounding mode floats are truncated (Mesa's
// ROUND_ZERO, which it encodes as no mode); integers become floats to nearest even.
#include "drivers/adreno/sim/core/alu.h"
#include "drivers/common/core/functions.h"

namespace terrazzo::adreno::sim {

namespace {

using core::MicroBuilder;
using isa::Type;
using wave::Round;

Round mode_of(isa::Round r, Round none) {
    const Round modes[] = {none, Round::NearestEven, Round::Up, Round::Down};  // by isa::Round
    return modes[unsigned(r)];
}

Value to_integer(MicroBuilder& b, Type to, Value v, Round mode) {
    const bool is_signed_type = is_signed(to);
    v = b.rounded(is_signed_type ? MicroOp::FloatToSigned : MicroOp::FloatToUnsigned, v, mode);
    if (to == Type::kS16) {
        v = b.op(MicroOp::MinSigned, b.op(MicroOp::MaxSigned, v, number(uint32_t(-32768))), number(32767));
        return b.extract(false, v, 0, 16);
    }
    return bits_of(to) == 32 ? v : b.op(MicroOp::MinUnsigned, v, number((1u << bits_of(to)) - 1));
}

}  // namespace

Value convert(MicroBuilder& b, Type from, Type to, isa::Round round, Value v, bool extended) {
    if (bits_of(from) == bits_of(to) && is_float(from) == is_float(to)) return v;
    if (is_float(from)) {
        const Round mode = mode_of(round, Round::ToZero);
        if (from == Type::kF16) v = b.op(MicroOp::HalfToFloat, v);
        if (!is_float(to)) return to_integer(b, to, v, mode);
        if (to == Type::kF32) return v;
        return core::round_to_half(b, v, mode);
    }
    if (bits_of(from) < (extended ? 16 : 32)) v = b.extract(is_signed(from), v, 0, bits_of(from));
    const Round mode = mode_of(round, Round::NearestEven);
    if (to == Type::kF16) return core::integer_to_half(b, v, is_signed(from), mode);
    if (to == Type::kF32) return core::integer_to_float(b, v, is_signed(from), mode);
    return bits_of(to) < bits_of(from) || (bits_of(to) < 32 && is_signed(from))
               ? b.extract(false, v, 0, bits_of(to))
               : v;
}

}  // namespace terrazzo::adreno::sim
