// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/chain_conditions.h"

#include <vector>

#include "shaders/ir/builder.h"
#include "shaders/passes/dce.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

bool joins(const Instr& i) {
    return (i.op == Op::IAnd || i.op == Op::IOr) && i.result()->type == Type::Bool;
}

/// Whether the user of `i` joins its result to more conditions.
bool is_part(const Instr& i) {
    if (!i.result()->has_one_use()) return false;
    const Instr& user = *i.result()->uses->user;
    return user.op == i.op && user.parent == i.parent;
}

/// The conditions that the instruction `last` joins, directly or through others.
struct Chain {
    Instr* last;
    Value* joined = nullptr;  // those that were known so far
};

class Chains {
  public:
    explicit Chains(Shader& s)
        : s_(s), chain_of_(s.value_count(), kNone, s.arena()), chains_(s.arena()), work_(s.arena()) {}

    bool run(Region* r) {
        size_t chain = chains_.size();
        for (Instr* i = r->first; i; i = i->next)
            if (joins(*i) && !is_part(*i)) find(i);
        bool changed = chains_.size() > chain;
        for (Instr *i = r->first, *next; i && changed; i = next) {
            next = i->next;
            // Chains are in the order of their last instructions. Its result may be a condition of another.
            const bool last = chain < chains_.size() && chains_[chain].last == i;
            for (unsigned n = 0; n < i->result_count; n++) {
                const uint32_t part_of = chain_of_[i->result(n)->id];
                Value* const v = last ? finish(chains_[chain++], part_of) : i->result(n);
                if (part_of != kNone) add(chains_[part_of], v, next);
            }
        }
        for (Instr* i = r->first; i; i = i->next)
            for (unsigned n = 0; n < i->region_count; n++)
                changed |= run(i->regions[n]);
        return changed;
    }

  private:
    static constexpr uint32_t kNone = ~0u;

    /// Conditions with other users, and those from outside of the region, are joined last.
    static bool is_joined_early(const Value* v, const Instr& last) {
        return v->has_one_use() && v->def && v->def->parent == last.parent;
    }
    template <typename F>
    static void for_each_condition(std::pmr::vector<Instr*>& work, Instr* last, const F& f) {
        work.assign(1, last);
        while (!work.empty()) {
            const Instr* const i = work.back();
            work.pop_back();
            for (unsigned n = 0; n < 2; n++) {
                Value* const v = i->operand(n);
                if (v->def && v->def->op == last->op && is_part(*v->def))
                    work.push_back(v->def);
                else
                    f(v);
            }
        }
    }
    void find(Instr* last) {
        uint32_t count = 0;
        for_each_condition(work_, last, [&](Value*) { count++; });
        if (count < 3) return;
        const auto number = uint32_t(chains_.size());
        chains_.push_back({last});
        for_each_condition(work_, last, [&](Value* v) {
            if (is_joined_early(v, *last)) chain_of_[v->id] = number;
        });
    }
    void add(Chain& c, Value* v, Instr* before) {
        Builder b(s_, before);
        b.line = c.last->line;
        c.joined = c.joined ? b.alu(c.last->op, c.joined, v) : v;
        chain_of_.resize(s_.value_count(), kNone);
    }
    /// Returns the value that replaces the last one's, which is a condition of chain `part_of`.
    Value* finish(Chain& c, uint32_t part_of) {
        for_each_condition(work_, c.last, [&](Value* v) {
            if (chain_of_[v->id] == kNone) add(c, v, c.last);
        });
        chain_of_[c.joined->id] = part_of;
        replace_uses(c.last->result(), c.joined);
        erase(c.last);
        return c.joined;
    }

    Shader& s_;
    std::pmr::vector<uint32_t> chain_of_;  // by value
    std::pmr::vector<Chain> chains_;
    std::pmr::vector<Instr*> work_;
};

}  // namespace

bool chain_conditions(Shader& s) {
    s.renumber();
    if (!Chains(s).run(s.body)) return false;
    dce(s);
    return true;
}

}  // namespace terrazzo::ir
