// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The selection of arithmetic for GPUs with an instruction that compares two numbers and then selects one of
// two others. It takes one instruction in place of a comparison and a selection.
#pragma once

#include "drivers/common/backend/emit.h"
#include "drivers/common/backend/families.h"

namespace terrazzo::backend {

/// FamilySelector with this instruction. Self has
///   Ref select(const Comparison&, const Sources<Ref, 4>&)
///                                       of {a, b, yes, no}: `yes` if the comparison of a with b is true
/// and for integers
///   static constexpr isa::Op kIadd, kIsub
///   static constexpr auto kXor          logic(kXor, a, b) is the exclusive or
///   static constexpr SimpleOp<...> kLogic[]
///                                       "and", "or" and "exclusive or" as the first argument of logic()
///   Ref logic(auto, Ref a, Ref b)
///   Ref shift(ir::Op, Ref a, Ref count), multiply_high(Ref a, Ref b, bool is_signed)
///   static constexpr uint32_t kLessThanOne
///                                       a float, so much less than 1 that estimates are not too large
///   static constexpr auto kUp, kDown    how to_float() rounds: the result is not too small (or only by
///                                       rounding to nearest); it is not too large
///   Ref to_float(Ref x, auto round)     of an unsigned integer
///   Ref to_unsigned(Ref x)              of a float, rounded down
///   Ref rest(Ref x, Ref q, Ref d)       x - q * d
///   Quotient corrected(Ref q1, Ref q2, Ref r, Ref d)
///                                       q1 + q2, and r; if r is not less than d, one more, and d less
template <typename Self, typename Ref>
class ConditionalSelector : protected FamilySelector<Self, Ref> {
  protected:
    using Families = FamilySelector<Self, Ref>;
    struct Quotient {
        Ref quotient, remainder;
    };

    /// Computes a condition's comparison itself if it is deferred.
    Ref choose(const ir::Value* condition, Ref yes, Ref no) {
        Comparison c;
        const ir::Instr* const d = condition->def;
        if (!self().deferred_[condition->id] || !comparison_of(d->op, &c))
            return self().select(kIsNotZero, {self().use(condition), self().zero(), yes, no});
        self().deferred_[condition->id] = 0;
        const Ref a = self().use(d->operand(0)), b = self().use(d->operand(1));
        return self().select(c, {a, b, yes, no});
    }
    std::optional<Ref> conditional_op(const ir::Instr& i) {
        const auto a = [&] { return self().use(i.operand(0)); };
        const auto b = [&] { return self().use(i.operand(1)); };
        if (const auto* logic = SimpleOps<Self::kLogic>::find(i.op)) {
            const Ref x = a();
            return self().logic(logic->to, x, b());
        }
        if (const auto* extreme = SimpleOps<kExtremes>::find(i.op)) {
            const Ref x = a(), y = b();
            return self().select(extreme->to, {x, y, x, y});
        }
        switch (i.op) {
            case ir::Op::FSign:
                return sign(Numbers::Float, a(), self().number(1), self().number(-1));
            case ir::Op::ISign:
                return sign(Numbers::Signed, a(), Ref::immediate(1), Ref::immediate(~0u));
            case ir::Op::INeg:
                return self().alu(Self::kIsub, {self().zero(), a()});
            case ir::Op::IMulHigh:
            case ir::Op::UMulHigh: {
                const Ref x = a();
                return self().multiply_high(x, b(), i.op == ir::Op::IMulHigh);
            }
            case ir::Op::IShl:
            case ir::Op::IShr:
            case ir::Op::UShr: {
                const Ref x = a();
                return self().shift(i.op, x, b());
            }
            case ir::Op::IDiv:
            case ir::Op::UDiv:
            case ir::Op::IRem:
            case ir::Op::IMod:
            case ir::Op::UMod:
                return divide_op(i);
            default:
                return {};
        }
    }
    /// The quotient of unsigned numbers, zero for a division by zero. The estimates are never too large.
    /// After the second one, the remainder is less than twice the divisor.
    Quotient divide(Ref n, Ref d) {
        n = self().in_register(n);
        d = self().in_register(d);
        const Ref exact = self().alu(Self::kRcp, {self().to_float(d, Self::kUp)});
        const Ref inverse = self().fmul(exact, Ref::immediate(Self::kLessThanOne));
        const auto estimate = [&](Ref x) {
            return self().to_unsigned(self().fmul(self().to_float(x, Self::kDown), inverse));
        };
        const Ref q1 = estimate(n), r1 = self().rest(n, q1, d);
        const Ref q2 = estimate(r1), r2 = self().rest(r1, q2, d);
        const Quotient q = self().corrected(q1, q2, r2, d);
        const Ref zero = self().zero();
        const Ref quotient = self().select(kIsNotZero, {d, zero, q.quotient, zero});
        return {quotient, self().select(kIsNotZero, {d, zero, q.remainder, zero})};
    }

    // --- optional: a vendor may replace this
    /// The magnitude of a signed integer in a register.
    Ref iabs(Ref x) { return with_sign(x, x); }

  private:
    static constexpr SimpleOp<Comparison> kExtremes[] = {
        {ir::Op::IMin, {Numbers::Signed, Relation::Less}},
        {ir::Op::IMax, {Numbers::Signed, Relation::Greater}},
        {ir::Op::UMin, {Numbers::Unsigned, Relation::Less}},
        {ir::Op::UMax, {Numbers::Unsigned, Relation::Greater}}};
    static constexpr Comparison kIsNotZero{Numbers::Unsigned, Relation::NotEqual};
    static constexpr Comparison kIsZero{Numbers::Unsigned, Relation::Equal};
    static constexpr Comparison kIsNegative{Numbers::Signed, Relation::Less};

    Self& self() { return static_cast<Self&>(*this); }
    Ref sign(Numbers numbers, Ref x, Ref one, Ref minus_one) {
        const Ref zero = self().zero();
        const Ref minus = self().select({numbers, Relation::Less}, {x, zero, minus_one, zero});
        return self().select({numbers, Relation::Greater}, {x, zero, one, minus});
    }
    /// -magnitude if `sign` is negative.
    Ref with_sign(Ref magnitude, Ref sign) {
        const Ref zero = self().zero(), minus = self().alu(Self::kIsub, {zero, magnitude});
        return self().select(kIsNegative, {sign, zero, minus, magnitude});
    }
    Ref divide_op(const ir::Instr& i) {
        const Ref n = self().in_register(self().use(i.operand(0)));
        const Ref d = self().in_register(self().use(i.operand(1)));
        if (i.op == ir::Op::UDiv) return divide(n, d).quotient;
        if (i.op == ir::Op::UMod) return divide(n, d).remainder;
        const Ref size_d = self().iabs(d), size_n = self().iabs(n);
        const Quotient q = divide(size_n, size_d);
        if (i.op == ir::Op::IDiv) return with_sign(q.quotient, self().logic(Self::kXor, n, d));
        const Ref remainder = with_sign(q.remainder, n);
        if (i.op == ir::Op::IRem) return remainder;
        // The result has the divisor's sign: add the divisor if the signs differ and the remainder is not 0.
        const Ref zero = self().zero(), differ = self().logic(Self::kXor, remainder, d);
        const Ref sum = self().alu(Self::kIadd, {remainder, d});
        const Ref moved = self().select(kIsNegative, {differ, zero, sum, remainder});
        return self().select(kIsZero, {remainder, zero, zero, moved});
    }
};

}  // namespace terrazzo::backend
