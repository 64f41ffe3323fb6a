// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// One walk in program order holds each component's current value. Structured control flow says where values
// join: an
// if's results, a loop's arguments and results. No dominance frontiers are needed.
#include "shaders/passes/mem2reg.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <unordered_map>

#include "shaders/ir/builder.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

constexpr uint32_t kNone = UINT32_MAX;

// Values that a loop or an if may have to carry: an instruction has at most 65535 operands.
constexpr uint32_t kMaxOneVar = 4096;
constexpr uint32_t kMaxAllVars = 32768;
// Operands that ifs, loops, breaks and continues may get in all. Thousands of variables that change in a loop
// with
// thousands of breaks would need millions; such variables stay in memory.
constexpr uint32_t kMaxCarried = 500'000;

class Mem2Reg {
  public:
    explicit Mem2Reg(Shader& s) : s_(s), first_slot_(s.vars().size(), kNone) {}
    bool run();

  private:
    struct Change {
        uint32_t slot;
        Value* before;
    };
    struct LoopSlots {
        Instr* loop;
        std::vector<uint32_t> slots;
    };

    bool choose();
    [[nodiscard]] std::vector<uint64_t> carried() const;
    [[nodiscard]] bool promoted(const Instr& i) const { return i.var && first_slot_[i.var->id] != kNone; }
    [[nodiscard]] uint32_t slot(const Instr& i) const { return first_slot_[i.var->id] + i.u.io.component; }
    Value* zero(Type t);
    Value* current(uint32_t slot) {
        return values_[slot] ? values_[slot] : values_[slot] = zero(types_[slot]);
    }
    void set(uint32_t slot, Value* v);
    std::vector<std::pair<uint32_t, Value*>> undo(size_t mark);
    void stored(const Region& r, std::vector<uint32_t>& slots) const;
    void region(Region* r);
    void branch(Instr* i);
    void loop(Instr* i);
    void give(Instr* terminator, const std::vector<uint32_t>& slots);

    Shader& s_;
    std::vector<uint32_t> first_slot_;  // by Var::id
    std::vector<Type> types_;           // by slot
    std::vector<Value*> values_;        // by slot; null: not written
    std::vector<Change> log_;
    std::vector<LoopSlots> loops_;
    std::array<Value*, 7> zeros_{};
};

/// By Var::id: the operands that control flow would have to carry for it.
std::vector<uint64_t> Mem2Reg::carried() const {
    std::vector<uint64_t> cost(s_.vars().size());
    std::unordered_map<const Instr*, uint32_t> exits;  // of loops
    for_each(s_.body, [&](const Instr* i) {
        if (i->op == Op::Break || i->op == Op::Continue) exits[enclosing_loop(i)]++;
    });
    // Ifs and loops that change a component, each once: outside of one that is known, all are.
    std::set<std::tuple<const Instr*, uint32_t, uint32_t>> known;
    for_each(s_.body, [&](const Instr* i) {
        if (i->op != Op::StoreVar || i->operand_count > 1 || i->var->storage != Storage::Local) return;
        for (const Instr* o = i->parent->owner; o; o = o->parent->owner) {
            if (!known.emplace(o, i->var->id, i->u.io.component).second) break;
            cost[i->var->id] += o->op == Op::Loop ? 2 + exits[o] : 3;
        }
    });
    return cost;
}

bool Mem2Reg::choose() {
    std::vector<bool> dynamic(s_.vars().size()), used(s_.vars().size());
    for_each(s_.body, [&](Instr* i) {
        if (i->op != Op::LoadVar && i->op != Op::StoreVar) return;
        used[i->var->id] = true;
        if (i->operand_count > (i->op == Op::StoreVar ? 1 : 0)) dynamic[i->var->id] = true;
    });
    const std::vector<uint64_t> cost = carried();
    uint64_t left = kMaxCarried;
    for (const Var* v : s_.vars()) {
        if (v->storage != Storage::Local || dynamic[v->id] || !used[v->id]) continue;
        if (v->count > kMaxOneVar || types_.size() + v->count > kMaxAllVars) continue;
        if (cost[v->id] > left) continue;
        left -= cost[v->id];
        first_slot_[v->id] = uint32_t(types_.size());
        types_.insert(types_.end(), v->count, v->type);
    }
    values_.resize(types_.size());
    return !types_.empty();
}

Value* Mem2Reg::zero(Type t) {
    Value*& z = zeros_[size_t(t)];
    if (!z) {
        Instr* i = s_.create(Op::Const, {}, std::array{t});
        if (s_.body->first)
            insert_before(s_.body->first, i);
        else
            append(s_.body, i);
        z = i->result();
    }
    return z;
}

void Mem2Reg::set(uint32_t slot, Value* v) {
    log_.push_back({slot, values_[slot]});
    values_[slot] = v;
}

/// Undoes what was set since `mark`; returns the last values of the slots.
std::vector<std::pair<uint32_t, Value*>> Mem2Reg::undo(size_t mark) {
    std::vector<std::pair<uint32_t, Value*>> last;
    for (size_t n = log_.size(); n-- > mark;) {
        const auto [slot, before] = log_[n];
        last.emplace_back(slot, values_[slot]);
        values_[slot] = before;
    }
    log_.resize(mark);
    // Of a slot that was set twice, the last value is seen first.
    std::stable_sort(last.begin(), last.end(), [](auto& a, auto& b) { return a.first < b.first; });
    last.erase(std::unique(last.begin(), last.end(), [](auto& a, auto& b) { return a.first == b.first; }),
               last.end());
    return last;
}

void Mem2Reg::stored(const Region& r, std::vector<uint32_t>& slots) const {
    for (const Instr* i = r.first; i; i = i->next) {
        if (i->op == Op::StoreVar && promoted(*i)) slots.push_back(slot(*i));
        for (unsigned n = 0; n < i->region_count; n++)
            stored(*i->regions[n], slots);
    }
}

void Mem2Reg::give(Instr* terminator, const std::vector<uint32_t>& slots) {
    for (uint32_t slot : slots)
        s_.add_operand(terminator, current(slot));
}

void Mem2Reg::branch(Instr* i) {
    std::vector<std::pair<uint32_t, Value*>> ends[2];
    for (unsigned arm = 0; arm < 2; arm++) {
        const size_t mark = log_.size();
        region(i->regions[arm]);
        ends[arm] = undo(mark);
    }
    const bool gone[2] = {leaves(i->regions[0]), leaves(i->regions[1])};
    if (gone[0] && gone[1]) return;
    std::vector<uint32_t> changed;
    for (unsigned arm = 0; arm < 2; arm++)
        if (!gone[arm])
            for (auto [slot, value] : ends[arm])
                changed.push_back(slot);
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    const auto at_end = [&](unsigned arm, uint32_t slot) {
        const auto it = std::lower_bound(ends[arm].begin(), ends[arm].end(), slot,
                                         [](auto& a, uint32_t b) { return a.first < b; });
        return it != ends[arm].end() && it->first == slot ? it->second : current(slot);
    };
    for (uint32_t slot : changed) {
        for (unsigned arm = 0; arm < 2; arm++) {
            if (gone[arm]) continue;
            Region* r = i->regions[arm];
            if (!r->terminator()) append(r, s_.create(Op::Yield, {}, {}));
            s_.add_operand(r->last, at_end(arm, slot));
        }
        set(slot, s_.add_result(i, types_[slot]));
    }
}

void Mem2Reg::loop(Instr* i) {
    LoopSlots l{i, {}};
    stored(*i->regions[0], l.slots);
    std::sort(l.slots.begin(), l.slots.end());
    l.slots.erase(std::unique(l.slots.begin(), l.slots.end()), l.slots.end());
    std::vector<Value*> args;
    for (uint32_t slot : l.slots)
        args.push_back(s_.add_loop_arg(i, current(slot)));
    const size_t mark = log_.size();
    for (size_t n = 0; n < args.size(); n++)
        set(l.slots[n], args[n]);
    loops_.push_back(std::move(l));
    region(i->regions[0]);
    undo(mark);
    for (uint32_t slot : loops_.back().slots)
        set(slot, s_.add_result(i, types_[slot]));
    loops_.pop_back();
}

void Mem2Reg::region(Region* r) {
    for (Instr *i = r->first, *next; i; i = next) {
        next = i->next;
        switch (i->op) {
            case Op::LoadVar:
                if (!promoted(*i)) break;
                replace_uses(i->result(), current(slot(*i)));
                erase(i);
                break;
            case Op::StoreVar:
                if (!promoted(*i)) break;
                set(slot(*i), i->operand(0));
                erase(i);
                break;
            case Op::If:
                branch(i);
                break;
            case Op::Loop:
                loop(i);
                break;
            case Op::Break:
            case Op::Continue:
                give(i, loops_.back().slots);
                break;
            default:
                break;
        }
    }
}

bool Mem2Reg::run() {
    if (!choose()) return false;
    region(s_.body);
    // Count 0 marks variables to remove: remove_vars' filter gets only the variable.
    for (Var* v : s_.vars())
        if (first_slot_[v->id] != kNone) v->count = 0;
    s_.remove_vars([](const Var& v) { return v.count != 0; });
    return true;
}

}  // namespace

bool mem2reg(Shader& s) {
    return Mem2Reg(s).run();
}

}  // namespace terrazzo::ir
