// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Private to algebraic*.cpp: the table's rows and their compiled form.
//
// A pattern is an expression in prefix form: (op pattern...), a letter for any value (the same letter: the
// same value), a letter with a mark for a restricted one, or a number. Numbers have the type that their place
// asks for; `true` is all bits set in bool. Operands of commutative operations match in either order.
//   #a    any constant
//   p2:a  a constant power of two (float: also its reciprocal is finite and normal; integer: > 1)
//   1u:a  a value with no other use
// In replacements: log2:a, less1:a, rcp:a of a constant a.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

enum class RuleMark : uint8_t { None, ZeroSign, Relaxed, NoNan, Rcp, Ffma };
/// On which types of the root's result (comparisons: of its operands) the rule holds.
enum class RuleType : uint8_t { Any, Float, Int, Bool };

struct Rule {
    std::string_view pattern;
    std::string_view replacement;
    RuleMark mark = RuleMark::None;
    RuleType type = RuleType::Any;
};
[[nodiscard]] std::span<const Rule> algebraic_rules();

/// An expression's node; children follow in the rule's list of nodes.
struct RuleNode {
    enum class Kind : uint8_t { Op, Variable, Number };
    enum class Ask : uint8_t { None, Const, PowerOfTwo, OneUse, Log2, Less1, Rcp };
    Kind kind = Kind::Number;
    Ask ask = Ask::None;
    Op op = Op::Undef;
    uint8_t variable = 0;
    double number = 0;
    uint8_t child_count = 0;
    uint8_t children[4] = {};
};

/// A bit that tells most operations apart.
[[nodiscard]] constexpr uint64_t op_bit(Op op) {
    return uint64_t(1) << (unsigned(op) % 64);
}

struct CompiledRule {
    const Rule* rule;
    std::vector<RuleNode> pattern, replacement;  // node 0 is the root
    uint64_t operand_ops = 0;                    // op_bit of what must make operands of the root
};

/// The rules by their root's op. Made once; the table is constant.
[[nodiscard]] const std::vector<CompiledRule>& rules_for(Op op);

}  // namespace terrazzo::ir
