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

Selector::Quotient Selector::corrected(Ref q1, Ref q2, Ref r, Ref d) {
    const Ref q = iadd({q1, q2});
    const Ref quotient = icsel(IntCondition::kUgte, r, d, iadd({q, Ref::immediate(1)}), q);
    return {quotient, icsel(IntCondition::kUgte, r, d, isub({r, d}), r)};
}

}  // namespace terrazzo::agx::compiler
