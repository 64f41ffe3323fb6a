// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Marks from the roots (what can be seen from outside), then sweeps. A value's mark travels through control
// flow: a live result of an if makes the yields' operands live, a live argument of a loop those of its
// continues.
#include "shaders/passes/dce.h"

#include <unordered_map>
#include <vector>

#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

/// Of Instr::flags, while this pass runs.
constexpr uint8_t kLive = 0x80;
static_assert(!(kLive & (instr_flag::kExact | instr_flag::kMediump | instr_flag::kRounded)));

class Dce {
  public:
    explicit Dce(Shader& s)
        : s_(s), live_values_(s.value_count()), loaded_(s.vars().size()), stores_(s.vars().size()) {}
    bool run();

  private:
    static bool is_root(const Instr& i);
    void mark(Instr* i);
    void mark(Value* v);
    void trace(Instr* i);
    void trace(Value* v);
    [[nodiscard]] static bool live(const Instr* i) { return i->flags & kLive; }
    [[nodiscard]] bool live(const Value* v) const { return live_values_[v->id]; }
    [[nodiscard]] std::vector<bool> live(Value* const* values, unsigned count) const;
    void drop_slots(Instr* i);
    void sweep();
    void sweep_vars();

    Shader& s_;
    std::vector<bool> live_values_;
    std::vector<bool> loaded_;                                     // by Var::id
    std::vector<std::vector<Instr*>> stores_;                      // by Var::id
    std::unordered_map<const Instr*, std::vector<Instr*>> exits_;  // of a loop: breaks and continues
    std::vector<Instr*> instr_work_;
    std::vector<Value*> value_work_;
    bool changed_ = false;
};

bool Dce::is_root(const Instr& i) {
    switch (i.op) {
        case Op::StoreVar:
            return i.var->storage != Storage::Local;
        case Op::LoadBuffer:
        case Op::LoadImage:
            return i.u.mem->qualifiers & mem_flag::kVolatile;
        case Op::If:
        case Op::Loop:
        case Op::Yield:
        case Op::Break:
        case Op::Continue:
            return false;
        default:
            return i.info().side_effect();
    }
}

void Dce::mark(Instr* i) {
    if (live(i)) return;
    i->flags |= kLive;
    instr_work_.push_back(i);
}

void Dce::mark(Value* v) {
    if (live_values_[v->id]) return;
    live_values_[v->id] = true;
    value_work_.push_back(v);
}

void Dce::trace(Instr* i) {
    if (i->parent->owner) mark(i->parent->owner);
    switch (i->op) {
        case Op::Yield:
        case Op::Break:
        case Op::Continue:
            return;  // operand by operand, as results and arguments become live
        case Op::If:
            mark(i->operand(0));
            return;
        case Op::Loop:
            // Each break and continue decides which lanes run what, and for how long.
            for (Instr* t : exits_[i])
                mark(t);
            return;
        case Op::LoadVar:
            if (!loaded_[i->var->id]) {
                loaded_[i->var->id] = true;
                for (Instr* store : stores_[i->var->id])
                    mark(store);
            }
            break;
        default:
            break;
    }
    for (unsigned n = 0; n < i->operand_count; n++)
        mark(i->operand(n));
}

void Dce::trace(Value* v) {
    if (v->region) {  // a loop's argument
        Instr* loop = v->region->owner;
        mark(loop);
        mark(loop->operand(v->index));
        for (Instr* t : exits_[loop])
            if (t->op == Op::Continue) mark(t->operand(v->index));
        return;
    }
    Instr* i = v->def;
    mark(i);
    if (i->op == Op::If) {
        for (unsigned arm = 0; arm < 2; arm++)
            if (Instr* t = i->regions[arm]->terminator(); t && t->op == Op::Yield) mark(t->operand(v->index));
    } else if (i->op == Op::Loop) {
        for (Instr* t : exits_[i])
            if (t->op == Op::Break) mark(t->operand(v->index));
    }
}

std::vector<bool> Dce::live(Value* const* values, unsigned count) const {
    std::vector<bool> is(count);
    for (unsigned n = 0; n < count; n++)
        is[n] = live(values[n]);
    return is;
}

/// Removes the operands of dead results and arguments of a live if or loop.
void Dce::drop_slots(Instr* i) {
    const auto drop = [&](Instr* t, const std::vector<bool>& keep) { changed_ |= s_.keep_operands(t, keep); };
    const std::vector<bool> results = live(i->results, i->result_count);
    if (i->op == Op::If) {
        for (unsigned arm = 0; arm < 2; arm++)
            if (Instr* t = i->regions[arm]->terminator(); t && t->op == Op::Yield) drop(t, results);
    } else if (i->op == Op::Loop) {
        const std::vector<bool> args = live(i->regions[0]->args, i->regions[0]->arg_count);
        for (Instr* t : exits_[i])
            drop(t, t->op == Op::Break ? results : args);
    }
}

void Dce::sweep() {
    std::vector<Instr*> dead, kept;
    for_each(s_.body, [&](Instr* i) {
        const bool yield_of_live = i->op == Op::Yield && live(i->parent->owner);
        if (!live(i) && !yield_of_live)
            dead.push_back(i);
        else if (i->region_count)
            kept.push_back(i);
    });
    // Uses are removed first, so that a dead value has none when it is erased.
    for (Instr* i : dead)
        while (i->operand_count)
            s_.remove_operand(i, i->operand_count - 1u);
    for (Instr* i : kept)
        drop_slots(i);
    for (Instr* i : kept)
        if (i->op == Op::Loop) s_.keep_operands(i, live(i->regions[0]->args, i->regions[0]->arg_count));
    for (Instr* i : kept) {
        changed_ |= s_.keep_results(i, live(i->results, i->result_count));
        if (i->op != Op::Loop) continue;
        Region* const body = i->regions[0];
        changed_ |= s_.keep_region_args(body, live(body->args, body->arg_count));
    }
    for (Instr* i : dead)
        if (i->parent) erase(i);  // what lay in a dead if or loop has gone with it
    changed_ |= !dead.empty();
}

void Dce::sweep_vars() {
    std::vector<bool> used(s_.vars().size());
    for_each(s_.body, [&](Instr* i) {
        i->flags &= uint8_t(~kLive);
        if (i->var) used[i->var->id] = true;
    });
    bool any = false;
    for (Var* v : s_.vars()) {
        if (v->storage != Storage::Local || used[v->id]) continue;
        v->count = 0;  // the mark: remove_vars' filter gets only the variable
        any = true;
    }
    if (any) s_.remove_vars([](const Var& v) { return v.count != 0; });
    changed_ |= any;
}

bool Dce::run() {
    for_each(s_.body, [&](Instr* i) {
        if (i->op == Op::StoreVar && i->var->storage == Storage::Local) stores_[i->var->id].push_back(i);
        if (i->op == Op::Break || i->op == Op::Continue) exits_[enclosing_loop(i)].push_back(i);
        if (is_root(*i)) mark(i);
    });
    while (!instr_work_.empty() || !value_work_.empty()) {
        if (!instr_work_.empty()) {
            Instr* i = instr_work_.back();
            instr_work_.pop_back();
            trace(i);
        } else {
            Value* v = value_work_.back();
            value_work_.pop_back();
            trace(v);
        }
    }
    sweep();
    sweep_vars();
    return changed_;
}

}  // namespace

bool dce(Shader& s) {
    return Dce(s).run();
}

}  // namespace terrazzo::ir
