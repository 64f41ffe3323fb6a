// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/reassociate_products.h"

#include <algorithm>

#include "shaders/ir/builder.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

struct Product {
    Value *a, *b;
};
/// A sum of products and other terms.
struct Sum {
    explicit Sum(std::pmr::memory_resource* m) : products(m), others(m) {}
    std::pmr::vector<Product> products;
    std::pmr::vector<Value*> others;
};

bool is_free(const Value* v, Op op) {
    return v->def && v->def->op == op && !(v->def->flags & instr_flag::kExact);
}

void flatten(Value* v, bool root, const Region* region, Sum* sum) {
    const bool mine = root || (v->has_one_use() && v->def && v->def->parent == region);
    if (mine && is_free(v, Op::FAdd)) {
        flatten(v->def->operand(0), false, region, sum);
        flatten(v->def->operand(1), false, region, sum);
    } else if (mine && is_free(v, Op::FMul)) {
        sum->products.push_back({v->def->operand(0), v->def->operand(1)});
    } else {
        sum->others.push_back(v);
    }
}

/// The factor of `p` other than `x`; null if x is no factor of it.
Value* other_factor(const Product& p, const Value* x) {
    return p.a == x ? p.b : p.b == x ? p.a : nullptr;
}

class Reassociation {
  public:
    Reassociation(Shader& s, Instr* root) : s_(s), root_(root), sum_(s.arena()), columns_(s.arena()) {}
    bool run() {
        flatten(root_->result(), true, root_->parent, &sum_);
        if (sum_.products.size() < 2 || !find_columns() || !find_row()) return false;
        for (const Column& c : columns_)
            for (Value* x : row_)
                if (std::none_of(c.sum.products.begin(), c.sum.products.end(),
                                 [&](const Product& p) { return other_factor(p, x); }))
                    return false;
        rewrite();
        return true;
    }

  private:
    struct Column {
        Sum sum;
        Value* times;
    };
    /// Products with a factor that is a sum of products itself.
    bool find_columns() {
        for (Product& p : sum_.products) {
            for (unsigned turn = 0; turn < 2; turn++, std::swap(p.a, p.b)) {
                if (!p.a->has_one_use() || !is_free(p.a, Op::FAdd) || p.a->def->parent != root_->parent)
                    continue;
                Column c{Sum(s_.arena()), p.b};
                flatten(p.a, true, root_->parent, &c.sum);
                if (!c.sum.others.empty()) continue;
                columns_.push_back(std::move(c));
                p.a = nullptr;
                break;
            }
        }
        return columns_.size() >= 2;
    }
    /// The factors that all columns have: a row of the left matrix.
    bool find_row() {
        const size_t n = columns_[0].sum.products.size();
        if (n < 2 || n > kMax) return false;
        for (const Column& c : columns_)
            if (c.sum.products.size() != n) return false;
        const auto everywhere = [&](const Value* x) {
            return std::all_of(columns_.begin(), columns_.end(), [&](const Column& c) {
                return std::count_if(c.sum.products.begin(), c.sum.products.end(),
                                     [&](const Product& p) { return other_factor(p, x); }) == 1;
            });
        };
        for (const Product& p : columns_[0].sum.products) {
            Value* x = everywhere(p.a) ? p.a : everywhere(p.b) ? p.b : nullptr;
            if (!x || std::find(row_.begin(), row_.end(), x) != row_.end()) return false;
            row_.push_back(x);
        }
        return true;
    }
    void rewrite() {
        Builder b(s_, root_);
        b.flags = root_->flags;
        b.line = root_->line;
        std::pmr::vector<Value*> inner(row_.size(), nullptr, s_.arena());
        const auto add = [&](Value*& to, Value* v) { to = to ? b.fadd(to, v) : v; };
        for (const Column& c : columns_)
            for (size_t k = 0; k < row_.size(); k++)
                for (const Product& p : c.sum.products)
                    if (Value* m = other_factor(p, row_[k])) add(inner[k], b.fmul(m, c.times));
        Value* all = nullptr;
        // What the last column leaves where it is multiplied by one.
        for (const Product& p : sum_.products) {
            if (!p.a) continue;
            bool taken = false;
            for (size_t k = 0; k < row_.size() && !taken; k++)
                if (Value* m = other_factor(p, row_[k])) {
                    add(inner[k], m);
                    taken = true;
                }
            if (!taken) add(all, b.fmul(p.a, p.b));
        }
        for (size_t k = 0; k < row_.size(); k++)
            add(all, b.fmul(row_[k], inner[k]));
        for (Value* v : sum_.others)
            add(all, v);
        replace_uses(root_->result(), all);
    }

    static constexpr size_t kMax = 8;
    Shader& s_;
    Instr* const root_;
    Sum sum_;
    std::pmr::vector<Column> columns_;
    std::pmr::vector<Value*> row_{s_.arena()};
};

}  // namespace

bool reassociate_products(Shader& s) {
    // Roots first: what they leave is dead before it is looked at.
    std::pmr::vector<Instr*> sums(s.arena());
    for_each(s.body, [&](Instr* i) {
        if (i->op == Op::FAdd && !(i->flags & instr_flag::kExact)) sums.push_back(i);
    });
    bool changed = false;
    for (size_t n = sums.size(); n-- > 0;) {
        Value* v = sums[n]->result();
        const Instr* user = v->has_one_use() ? v->uses->user : nullptr;
        const bool inner = user && user->op == Op::FAdd && user->parent == sums[n]->parent &&
                           is_free(user->result(), Op::FAdd);
        if (v->has_uses() && !inner) changed |= Reassociation(s, sums[n]).run();
    }
    return changed;
}

}  // namespace terrazzo::ir
