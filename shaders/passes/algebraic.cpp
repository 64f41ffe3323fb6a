// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Matches the table's patterns against the values' definitions and builds their replacements.
#include "shaders/passes/algebraic.h"

#include <algorithm>
#include <array>
#include <bit>

#include "shaders/ir/builder.h"
#include "shaders/ir/half.h"
#include "shaders/passes/algebraic_rules.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

using Kind = RuleNode::Kind;
using Ask = RuleNode::Ask;

uint64_t ones(Type t) {
    return bit_size(t) == 64 ? ~uint64_t(0) : (uint64_t(1) << bit_size(t)) - 1;
}

uint64_t bits_of(double number, Type t) {
    if (t == Type::F32) return std::bit_cast<uint32_t>(float(number));
    if (t == Type::F16) return half_from_double(number);
    return uint64_t(int64_t(number)) & ones(t);
}

bool is_power_of_two(const Value* v) {
    const uint64_t b = const_bits(v);
    // Floats: the reciprocal must be a normal number, too, so that multiplying rounds as dividing does.
    if (v->type == Type::F32) {
        const unsigned e = unsigned(b >> 23) & 255;
        return !(b & 0x7fffff) && e >= 2 && e <= 252;
    }
    if (v->type == Type::F16) {
        const unsigned e = unsigned(b >> 10) & 31;
        return !(b & 0x3ff) && e >= 2 && e <= 28;
    }
    // The sign bit alone is a power of two only to unsigned operations: left out.
    return is_int(v->type) && b > 1 && std::has_single_bit(b) && b != uint64_t(1) << (bit_size(v->type) - 1);
}

class Matcher {
  public:
    Matcher(Shader& s, const CompiledRule& rule) : s_(s), rule_(rule) {}
    bool matches(Instr* i) { return node(0, i); }
    Value* build(Instr* root) {
        Builder b(s_, root);
        b.flags = root->flags;
        b.line = root->line;
        return build(b, 0, root->result()->type);
    }

  private:
    bool node(unsigned n, Instr* i);
    bool value(unsigned n, Value* v);
    Value* build(Builder& b, unsigned n, Type t);
    Value* derived(Builder& b, const RuleNode& n);

    Shader& s_;
    const CompiledRule& rule_;
    std::array<Value*, 26> variables_;  // those of bound_
    uint32_t bound_ = 0;                // bit a variable
};

bool Matcher::value(unsigned n, Value* v) {
    const RuleNode& node_ = rule_.pattern[n];
    switch (node_.kind) {
        case Kind::Number:
            return is_const(v) && const_bits(v) == bits_of(node_.number, v->type);
        case Kind::Variable: {
            if (node_.ask == Ask::Const && !is_const(v)) return false;
            if (node_.ask == Ask::PowerOfTwo && !(is_const(v) && is_power_of_two(v))) return false;
            const uint32_t bit = 1u << node_.variable;
            if (bound_ & bit) return variables_[node_.variable] == v;
            bound_ |= bit;
            variables_[node_.variable] = v;
            return true;
        }
        case Kind::Op:
            if (node_.ask == Ask::OneUse && !v->has_one_use()) return false;
            return v->def && node(n, v->def);
    }
    return false;
}

bool Matcher::node(unsigned n, Instr* i) {
    const RuleNode& pattern = rule_.pattern[n];
    if (i->op != pattern.op || i->operand_count != pattern.child_count) return false;
    if (rule_.rule->mark != RuleMark::None && (i->flags & instr_flag::kExact)) return false;
    const uint32_t before = bound_;
    const auto try_order = [&](unsigned first, unsigned second) {
        bound_ = before;
        for (unsigned c = 0; c < pattern.child_count; c++) {
            const unsigned at = c == 0 ? first : c == 1 ? second : c;
            if (!value(pattern.children[c], i->operand(at))) return false;
        }
        return true;
    };
    if (try_order(0, 1)) return true;
    // fmin and fmax return the first of two equal zeros: not quite commutative.
    if (i->info().commutative() && i->op != Op::FMin && i->op != Op::FMax && try_order(1, 0)) return true;
    bound_ = before;
    return false;
}

Value* Matcher::derived(Builder& b, const RuleNode& n) {
    Value* v = variables_[n.variable];
    const uint64_t bits = is_const(v) ? const_bits(v) : 0;
    switch (n.ask) {
        case Ask::Log2:
            return b.i32(std::countr_zero(bits));
        case Ask::Less1:
            return b.constant(v->type, bits - 1);
        case Ask::Rcp:
            return b.fconst(v->type,
                            1.0 / (v->type == Type::F16 ? half_to_float(uint16_t(bits)) : const_f32(v)));
        case Ask::None:
        case Ask::Const:
        case Ask::PowerOfTwo:
        case Ask::OneUse:
            return v;
    }
    return v;
}

/// `t`: the type that the place asks for. Numbers and conversions have it.
Value* Matcher::build(Builder& b, unsigned n, Type t) {
    const RuleNode& node_ = rule_.replacement[n];
    switch (node_.kind) {
        case Kind::Number:
            return b.constant(t, bits_of(node_.number, t));
        case Kind::Variable:
            return derived(b, node_);
        case Kind::Op:
            break;
    }
    // The operands of a comparison have the type of the first one.
    const Sig sig = op_info(node_.op).sig;
    const bool compares = sig == Sig::FloatCmp || sig == Sig::IntCmp;
    Value* operands[4];
    for (unsigned c = 0; c < node_.child_count; c++)
        operands[c] = build(b, node_.children[c], compares && c ? operands[0]->type : t);
    const std::span<Value* const> list(operands, node_.child_count);
    return op_info(node_.op).sig == Sig::Convert ? b.convert(node_.op, t, list) : b.alu(node_.op, list);
}

bool allowed(const Rule& r, const Instr& i, const AlgebraicOptions& o) {
    const Type t = i.result()->type;
    switch (r.type) {
        case RuleType::Any:
            break;
        case RuleType::Float:
            if (!is_float(t)) return false;
            break;
        case RuleType::Int:
            if (!is_int(t)) return false;
            break;
        case RuleType::Bool:
            if (t != Type::Bool) return false;
            break;
    }
    if (r.mark != RuleMark::None && (i.flags & instr_flag::kExact)) return false;
    switch (r.mark) {
        case RuleMark::None:
            return true;
        case RuleMark::ZeroSign:
            return o.zero_sign;
        case RuleMark::Relaxed:
            return o.relaxed;
        case RuleMark::NoNan:
            return o.no_nan;
        case RuleMark::Rcp:
            return o.form_rcp;
        case RuleMark::Ffma:
            return o.form_ffma;
    }
    return false;
}

/// Conversions that undo each other. The table cannot express them, since it has no types.
Value* undone_conversion(const Instr& i) {
    Value* v = i.operand(0);
    const Type to = i.result()->type;
    if ((i.op == Op::F2F || i.op == Op::I2I || i.op == Op::U2U || i.op == Op::Bitcast) && v->type == to)
        return v;
    const Instr* d = v->def;
    if (!d || d->op != i.op || d->operand(0)->type != to) return nullptr;
    // Back from a wider type: nothing was lost.
    if (i.op == Op::Bitcast) return d->operand(0);
    if ((i.op == Op::F2F || i.op == Op::I2I || i.op == Op::U2U) && bit_size(v->type) > bit_size(to))
        return d->operand(0);
    return nullptr;
}

bool simplify(Shader& s, Instr* i, const AlgebraicOptions& options) {
    if (i->result_count != 1 || i->info().sig == Sig::Any) return false;
    Value* to = i->info().sig == Sig::Convert ? undone_conversion(*i) : nullptr;
    uint64_t ops = 0;
    for (unsigned n = 0; n < i->operand_count; n++)
        if (const Instr* d = i->operand(n)->def) ops |= op_bit(d->op);
    for (const CompiledRule& rule : rules_for(i->op)) {
        if (to) break;
        if (rule.operand_ops & ~ops) continue;
        if (!allowed(*rule.rule, *i, options)) continue;
        Matcher m(s, rule);
        if (m.matches(i)) to = m.build(i);
    }
    if (!to) return false;
    replace_uses(i->result(), to);
    erase(i);
    return true;
}

}  // namespace

bool algebraic(Shader& s, const AlgebraicOptions& options) {
    bool changed = false;
    for_each(s.body, [&](Instr* i) { changed |= simplify(s, i, options); });
    return changed;
}

}  // namespace terrazzo::ir
