// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Operations that take several instructions. Facts: Mesa 25.0.7, agx_compile.c.
#include "drivers/agx/compiler/selector.h"

namespace terrazzo::agx::compiler {

using isa::Conversion;
using isa::IntCondition;
using isa::Op;
using isa::Round;
using isa::TruthTable;

/// sin_pt_1 moves quarter turns from [0, 4) into the first quadrant, sin_pt_2 is the sine divided by that.
Ref Selector::sin_cos(Ref x, bool cos) {
    const Ref inverse = number(0.159154943f);  // 1 / 2 pi
    const Ref turns = cos ? fmadd32({x, inverse, number(0.25f)}) : fmul32({x, inverse});
    const Ref part = fadd32({turns, negated(floor({turns}))});
    const Ref place = sin_pt_1({fmul32({part, number(4)})});
    return fmul32({sin_pt_2({place}), place});
}

/// In two steps, so that each power of two is a normal float.
Ref Selector::ldexp(Ref x, Ref n) {
    n = in_register(n);
    const Ref first = asr({n, Ref::immediate(1)}), second = isub({n, first});
    const auto power = [&](Ref e) {
        const Ref least = in_register(Ref::immediate(uint32_t(-126))), most = Ref::immediate(127);
        const Ref low = icsel(IntCondition::kSlt, e, least, least, e);
        const Ref legal = icsel(IntCondition::kSgt, low, most, most, low);
        return bfi({Ref::immediate(0), iadd({legal, Ref::immediate(127)}), Ref::immediate(23)});
    };
    const Ref p = power(first), q = power(second);
    return fmul32({fmul32({x, p}), q});
}

/// The product has 64 bits.
Ref Selector::multiply_high(Ref a, Ref b, bool is_signed) {
    a = in_register(a), b = in_register(b);
    Inst i;
    i.proto = isa::make(Op::kImadd);
    i.src[0] = is_signed ? a.extended() : a;
    i.src[1] = is_signed ? b.extended() : b;
    i.src[2] = Ref::number(0);
    i.dest = new_words(2);
    i.dest_count = 2;
    i.wide_dest = true;
    return Ref::word(push(i).dest + 1);
}

/// Unsigned. The estimates are never too large, since the factor exceeds the sum of all rounding errors.
/// After the second one, the remainder is less than twice the divisor.
Selector::Quotient Selector::divide(Ref n, Ref d) {
    n = in_register(n), d = in_register(d);
    const Ref inverse =
        fmul32({rcp({convert({d}, Conversion::kU32ToF, Round::kEven)}), Ref::immediate(0x3F7FFFFA)});
    const auto estimate = [&](Ref v) {
        const Ref q = fmul32({convert({v}, Conversion::kU32ToF, Round::kZero), inverse});
        return convert({q}, Conversion::kFToU32, Round::kZero);
    };
    const auto rest = [&](Ref v, Ref q) { return imsub({q, d, v}); };  // q * d - v
    const Ref zero = Ref::immediate(0);
    const Ref q1 = estimate(n), r1 = isub({zero, rest(n, q1)});
    const Ref q2 = estimate(r1), r2 = isub({zero, rest(r1, q2)});
    const Ref q = iadd({q1, q2});
    const Ref quotient = icsel(IntCondition::kUgte, r2, d, iadd({q, Ref::immediate(1)}), q);
    const Ref remainder = icsel(IntCondition::kUgte, r2, d, isub({r2, d}), r2);
    // Division by zero returns zero.
    return {icsel(IntCondition::kUeq, d, zero, zero, quotient),
            icsel(IntCondition::kUeq, d, zero, zero, remainder)};
}

Ref Selector::divide_op(const ir::Instr& i) {
    const Ref n = in_register(use(i.operand(0))), d = in_register(use(i.operand(1)));
    const Ref zero = Ref::immediate(0);
    if (i.op == ir::Op::UDiv) return divide(n, d).quotient;
    if (i.op == ir::Op::UMod) return divide(n, d).remainder;
    const auto with_sign = [&](Ref magnitude, Ref sign) {
        return icsel(IntCondition::kSlt, sign, zero, isub({zero, magnitude}), magnitude);
    };
    const Ref size_n = with_sign(n, n), size_d = with_sign(d, d);
    const Quotient q = divide(size_n, size_d);
    if (i.op == ir::Op::IDiv) return with_sign(q.quotient, logic(TruthTable::kXor, n, d));
    const Ref remainder = with_sign(q.remainder, n);
    if (i.op == ir::Op::IRem) return remainder;
    // The result has the divisor's sign: add the divisor if the signs differ and the remainder is not 0.
    const Ref differ = logic(TruthTable::kXor, remainder, d);
    const Ref moved = icsel(IntCondition::kSlt, differ, zero, iadd({remainder, d}), remainder);
    return icsel(IntCondition::kUeq, remainder, zero, zero, moved);
}

}  // namespace terrazzo::agx::compiler
