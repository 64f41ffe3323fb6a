// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/start_sums.h"

#include <algorithm>

#include "shaders/ir/builder.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

struct Term {
    Value* value;
    bool negative;
};

bool is_sum(const Instr* i) {
    return i && (i->op == Op::FAdd || i->op == Op::FSub) && !(i->flags & instr_flag::kExact);
}
/// A product that a multiply-add can compute with the sum.
bool is_product(const Value* v) {
    return v->def && v->def->op == Op::FMul && v->has_one_use() && !(v->def->flags & instr_flag::kExact);
}
bool is_early(const Value* v) {
    const Instr* d = v->def;
    return d &&
           (d->op == Op::Const || d->op == Op::LoadInput || (d->op == Op::LoadUniform && !d->operand_count));
}

class Sum {
  public:
    Sum(Shader& s, Instr* root) : s_(s), root_(root), products_(s.arena()), others_(s.arena()) {}
    bool run() {
        flatten(root_, false, 0);
        const auto start =
            std::find_if(others_.begin(), others_.end(), [](const Term& t) { return is_early(t.value); });
        if (!products_meet_ || start == others_.end()) return false;
        const Term first = *start;
        others_.erase(start);
        Builder b(s_, root_);
        b.flags = root_->flags;
        b.line = root_->line;
        Value* sum = first.negative ? b.fneg(first.value) : first.value;
        for (const auto* terms : {&products_, &others_})
            for (const Term& t : *terms)
                sum = t.negative ? b.fsub(sum, t.value) : b.fadd(t.value, sum);
        replace_uses(root_->result(), sum);
        return true;
    }

  private:
    static constexpr unsigned kDeep = 64;  // deeper sums are one term
    void flatten(Instr* i, bool negative, unsigned depth) {
        products_meet_ |= is_product(i->operand(0)) && is_product(i->operand(1));
        for (unsigned k = 0; k < 2; k++) {
            Value* v = i->operand(k);
            const bool minus = negative != (k == 1 && i->op == Op::FSub);
            if (depth < kDeep && is_sum(v->def) && v->has_one_use() && v->def->parent == root_->parent)
                flatten(v->def, minus, depth + 1);
            else
                (is_product(v) ? products_ : others_).push_back({v, minus});
        }
    }

    Shader& s_;
    Instr* root_;
    std::pmr::vector<Term> products_, others_;
    bool products_meet_ = false;
};

/// Whether it is a part of a larger sum.
bool is_part(const Instr& i) {
    const Value* v = i.results[0];
    return v->has_one_use() && is_sum(v->uses->user) && v->uses->user->parent == i.parent;
}

}  // namespace

bool start_sums(Shader& s) {
    bool changed = false;
    for_each(s.body, [&](Instr* i) {
        if (is_sum(i) && !is_part(*i)) changed |= Sum(s, i).run();
    });
    return changed;
}

}  // namespace terrazzo::ir
