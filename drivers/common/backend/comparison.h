// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The type and the relation of the IR's comparisons, as indices into a vendor's tables of instructions.
#pragma once

#include <optional>

#include "shaders/ir/ir.h"

namespace terrazzo::backend {

/// Equality of integers does not depend on the sign: it is Unsigned.
enum class Numbers : uint8_t { Float, Signed, Unsigned };
/// Greater: no comparison of the IR has it. It is for conditional selections (conditional.h).
enum class Relation : uint8_t { Equal, NotEqual, Less, GreaterEqual, Greater };

struct Comparison {
    Numbers numbers = Numbers::Float;
    Relation relation = Relation::Equal;
};

/// False: `op` is no comparison.
constexpr bool comparison_of(ir::Op op, Comparison* out) {
    using enum Numbers;
    using enum Relation;
    constexpr struct {
        ir::Op op;
        Comparison comparison;
    } kRows[] = {{ir::Op::FEq, {Float, Equal}},    {ir::Op::FNe, {Float, NotEqual}},
                 {ir::Op::FLt, {Float, Less}},     {ir::Op::FGe, {Float, GreaterEqual}},
                 {ir::Op::IEq, {Unsigned, Equal}}, {ir::Op::INe, {Unsigned, NotEqual}},
                 {ir::Op::ILt, {Signed, Less}},    {ir::Op::IGe, {Signed, GreaterEqual}},
                 {ir::Op::ULt, {Unsigned, Less}},  {ir::Op::UGe, {Unsigned, GreaterEqual}}};
    for (const auto& row : kRows)
        if (row.op == op) return *out = row.comparison, true;
    return false;
}

/// A vendor's instructions for a comparison's type, and the condition.
template <typename Condition, typename Ops>
struct SelectedComparison {
    Ops ops;
    Condition condition;
};

/// `by_numbers` is indexed by Numbers.
template <typename Condition, typename Ops>
constexpr SelectedComparison<Condition, Ops> select_comparison(const Comparison& c,
                                                               const Ops (&by_numbers)[3]) {
    // By Relation.
    constexpr Condition kConditions[] = {Condition::kEq, Condition::kNe, Condition::kLt, Condition::kGe,
                                         Condition::kGt};
    return {by_numbers[size_t(c.numbers)], kConditions[size_t(c.relation)]};
}
/// Likewise. Empty: `op` is no comparison.
template <typename Condition, typename Ops>
constexpr std::optional<SelectedComparison<Condition, Ops>> select_comparison(ir::Op op,
                                                                              const Ops (&by_numbers)[3]) {
    Comparison c;
    if (!comparison_of(op, &c)) return {};
    return select_comparison<Condition>(c, by_numbers);
}

}  // namespace terrazzo::backend
