// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The search for pairs goes from the first instruction to the last. Of the candidates with the same
// operation, the one whose operands are in the same words is preferred; then the one whose users can be
// paired, too.
#include "shaders/passes/pair_halves.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "shaders/ir/builder.h"
#include "shaders/passes/mediump_to_16.h"
#include "shaders/passes/pipeline.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

bool takes_clamp(Op op) {
    return op == Op::FAdd || op == Op::FSub || op == Op::FMul || op == Op::FFma || op == Op::FMin ||
           op == Op::FMax;
}
bool saturates(const Value* v) {
    return v->has_one_use() && v->uses->user->op == Op::FSat;
}

Bare bare(const Value* v) {
    Bare b{v};
    for (;;) {
        const Instr* d = b.value->def;
        if (!d) return b;
        if (d->op == Op::FNeg && !b.abs)
            b.neg = !b.neg;
        else if (d->op == Op::FAbs)
            b.abs = true;
        else if (!(d->op == Op::FSat && d->operand(0)->def && takes_clamp(d->operand(0)->def->op) &&
                   saturates(d->operand(0))))
            return b;
        b.value = d->operand(0);
    }
}

namespace {

bool to_half(const Instr& i) {
    return i.op == Op::F2F && i.result()->type == Type::F16;
}

/// Replaces sums of halves by (a * b) + c if the product has no other use.
bool form_ffma(Shader& s) {
    bool changed = false;
    for_each(s.body, [&](Instr* i) {
        if ((i->op != Op::FAdd && i->op != Op::FSub) || i->result()->type != Type::F16) return;
        for (const unsigned n : {1u, 0u}) {
            Instr* m = i->operand(n)->def;
            const bool fits = m && m->op == Op::FMul && m->parent == i->parent &&
                              m->result()->has_one_use() && !((i->flags | m->flags) & instr_flag::kExact) &&
                              !saturates(m->result());
            if (!fits) continue;
            Builder b(s, i);
            b.flags = i->flags;
            b.line = i->line;
            Value *x = m->operand(0), *y = m->operand(1), *c = i->operand(1 - n);
            if (i->op == Op::FSub) (n == 1 ? x : c) = b.fneg(n == 1 ? x : c);
            replace_uses(i->result(), b.alu(Op::FFma, x, y, c));
            erase(i);
            erase(m);
            changed = true;
            return;
        }
    });
    return changed;
}

/// The result or argument that operand `n` of a terminator, or of a loop at its begin, is passed to.
const Value* given_to(const Instr& i, unsigned n) {
    switch (i.op) {
        case Op::Yield:
            return i.parent->owner->result(n);
        case Op::Break:
            return enclosing_loop(&i)->result(n);
        case Op::Continue:
            return enclosing_loop(&i)->regions[0]->args[n];
        case Op::Loop:
            return i.regions[0]->args[n];
        default:
            return nullptr;
    }
}

/// The place of a half. Halves with the same `word` are in the same word.
struct Place {
    uint64_t word;
    unsigned lane;
};

class Pairing {
  public:
    Pairing(const Shader& s, HalfPlan& plan, std::pmr::memory_resource* m)
        : plan_(plan),
          places_(s.value_count(), std::nullopt, m),
          member_(s.value_count(), nullptr, m),
          at_(s.value_count(), 0, m),
          memory_(m) {}

    /// Pairs the halves of one list of results or arguments, two at a time.
    void pair_joins(Value* const* values, unsigned count) {
        const Value* low = nullptr;
        for (unsigned n = 0; n < count; n++) {
            if (values[n]->type != Type::F16) continue;
            if (low) {
                plan_.join[low->id] = values[n];
                places_[low->id] = Place{kJoin | low->id, 0};
                places_[values[n]->id] = Place{kJoin | low->id, 1};
            }
            low = low ? nullptr : values[n];
        }
    }

    void run(Region* r) {
        number(r);
        std::pmr::vector<Instr*> all(memory_);
        for (Instr* i = r->first; i; i = i->next) {
            if (i->op == Op::Tex) place_texels(*i);
            if (i->op == Op::LoadInput) place_input(*i);
            if (can_pair(*i)) all.push_back(i);
        }
        for (size_t k = 0; k < all.size(); k++)
            if (!member_[all[k]->result()->id]) find_partner(all, k);
        for (Instr* i = r->first; i; i = i->next)
            for (unsigned n = 0; n < i->region_count; n++)
                run(i->regions[n]);
    }

  private:
    static constexpr size_t kWindow = 64;

    [[nodiscard]] bool can_pair(const Instr& i) const {
        if (i.result_count != 1 || i.result()->type != Type::F16 || !i.result()->has_uses()) return false;
        switch (i.op) {
            case Op::FAdd:
            case Op::FSub:
            case Op::FMul:
            case Op::FFma:
            case Op::FMin:
            case Op::FMax:
            case Op::Select:
                return true;
            case Op::FSat:
                return bare(i.result()).value == i.result();
            case Op::F2F:
                // Conversions of uniforms and of inputs that are loaded as halves are free.
                return !half_uniform(i.result()) && !place_of(i.result());
            default:
                return false;
        }
    }
    static bool same_kind(const Instr& a, const Instr& b) {
        if (a.op != b.op || a.parent != b.parent || saturates(a.result()) != saturates(b.result()))
            return false;
        return a.op != Op::Select || a.operand(0) == b.operand(0);
    }

    void place_texels(const Instr& i) {
        bool narrow = true;
        for (unsigned c = 0; c < i.result_count; c++)
            narrow &= !i.result(c)->has_uses() || read_as_half(i.result(c));
        unsigned n = 0;
        for (unsigned c = 0; c < i.result_count && narrow; c++) {
            if (!i.result(c)->has_uses()) continue;
            places_[i.result(c)->id] = Place{kMessage | uint64_t(i.result(0)->id) << 8 | n / 2, n % 2};
            n++;
        }
    }
    void place_input(const Instr& i) {
        const uint32_t slot = i.u.io.slot;
        if (slot >= 64 || !(plan_.narrow_inputs >> slot & 1)) return;
        const unsigned n = i.u.io.component - unsigned(std::countr_zero(plan_.input_mask[slot]));
        places_[i.result()->id] =
            Place{kInput | uint64_t(slot) << 16 | uint64_t(i.u.io.interp_at) << 8 | n / 2, n % 2};
    }
    /// Empty: the half is in a word of its own, or its place is not known yet.
    [[nodiscard]] std::optional<Place> place_of(const Value* v) const {
        v = bare(v).value;
        if (v->def && to_half(*v->def)) v = v->def->operand(0);
        return places_[v->id];
    }

    /// The cost of packing the two operands into one word.
    [[nodiscard]] unsigned packing(const Value* x, const Value* y) const {
        const Bare a = bare(x), b = bare(y);
        if (is_const(a.value) && is_const(b.value)) return 0;
        if (a.neg != b.neg || a.abs != b.abs) return 2;
        if (a.value == b.value) return 0;
        if (half_uniform(a.value) && half_uniform(b.value)) return 0;
        const auto p = place_of(a.value), q = place_of(b.value);
        return p && q && p->word == q->word ? 0 : 1;
    }
    [[nodiscard]] int cost(const Instr& a, const Instr& b, bool* swap) const {
        *swap = false;
        if (a.op == Op::F2F) return 0;
        int sum = 0;
        const unsigned first = a.op == Op::Select ? 1 : 0;
        for (unsigned n = first; n < a.operand_count; n++)
            sum += int(packing(a.operand(n), b.operand(n)));
        if (a.op == Op::FSub || a.op == Op::Select || a.operand_count < 2 || !sum) return sum;
        int crossed = int(packing(a.operand(0), b.operand(1)) + packing(a.operand(1), b.operand(0)));
        if (a.operand_count == 3) crossed += int(packing(a.operand(2), b.operand(2)));
        if (crossed >= sum) return sum;
        *swap = true;
        return crossed;
    }
    /// A score of how well the users of the two results can be paired.
    [[nodiscard]] int wanted_together(const Value* a, const Value* b, unsigned depth = 0) const {
        int best = 0;
        for (const Use* u = a->uses; u && depth < 4; u = u->next)
            for (const Use* w = b->uses; w; w = w->next) {
                const Instr &x = *u->user, &y = *w->user;
                if (const Value* to = &x == &y ? given_to(x, unsigned(u - x.operands)) : nullptr) {
                    const Value* other = given_to(x, unsigned(w - x.operands));
                    if (plan_.join[to->id] == other || plan_.join[other->id] == to)
                        best = std::max(best, plan_.join[to->id] ? 4 : 3);
                    continue;
                }
                if (x.op != y.op || &x == &y) continue;
                if (x.op == Op::StoreOutput) {
                    const bool pair =
                        x.u.io.slot == y.u.io.slot && x.u.io.component / 2 == y.u.io.component / 2;
                    if (pair) best = std::max(best, x.u.io.component < y.u.io.component ? 4 : 3);
                    continue;
                }
                if (x.op == Op::F2F || x.op == Op::FNeg || x.op == Op::FAbs || x.op == Op::FSat)
                    best = std::max(best, wanted_together(x.result(), y.result(), depth + 1));
                else if (can_pair(x) && can_pair(y) && same_kind(x, y) && !member_[x.result()->id] &&
                         !member_[y.result()->id])
                    best = std::max(best, u - x.operands == w - y.operands ? 2 : 1);
            }
        return best;
    }

    void find_partner(std::pmr::vector<Instr*>& all, size_t k) {
        Instr* const a = all[k];
        Instr* best = nullptr;
        int best_score = 0;
        bool best_swap = false;
        for (size_t m = k + 1; m < all.size() && m < k + kWindow; m++) {
            Instr* b = all[m];
            if (member_[b->result()->id] || !same_kind(*a, *b)) continue;
            bool swap = false;
            const int lost = cost(*a, *b, &swap);
            if (lost > 1) continue;
            const int users = wanted_together(a->result(), b->result());
            // If the pair itself saves nothing, its users must.
            const int score = 8 * (1 - lost) + users;
            if ((lost == 1 && users < 2) || score <= best_score) continue;
            // An earlier pair may have moved it up.
            if (!(is_before(b, a) ? can_hoist(a, b) : can_hoist(b, a))) continue;
            best = b;
            best_score = score;
            best_swap = swap;
        }
        if (!best) return;
        if (best_swap) {
            Value *x = best->operand(0), *y = best->operand(1);
            set_operand(best, 0, y);
            set_operand(best, 1, x);
        }
        Instr *first = a, *second = best;
        if (is_before(second, first)) std::swap(first, second);
        bring(second, first);
        plan_.partner[first->result()->id] = second;
        member_[first->result()->id] = second;
        member_[second->result()->id] = first;
        const uint64_t word = kPair | first->result()->id;
        places_[first->result()->id] = Place{word, 0};
        places_[second->result()->id] = Place{word, 1};
    }

    // --- order
    /// Numbers the results of a region. Between the numbers is room for instructions that move.
    void number(Region* r) {
        uint64_t n = 0;
        for (Instr* i = r->first; i; i = i->next)
            set_number(*i, n += kGap);
    }
    void set_number(const Instr& i, uint64_t n) {
        for (unsigned k = 0; k < i.result_count; k++)
            at_[i.result(k)->id] = n;
    }
    /// Numbers an instruction that has moved.
    void number_moved(const Instr& i) {
        const Instr *before = i.prev, *after = i.next;
        while (before && !before->result_count)
            before = before->prev;
        while (after && !after->result_count)
            after = after->next;
        const uint64_t low = before ? at_[before->result()->id] : 0;
        const uint64_t room = after ? at_[after->result()->id] - low : kGap;
        if (room < 2) return number(i.parent);
        // Those that come next to the same place follow this one.
        set_number(i, low + std::min(room / 2, kStep));
    }
    [[nodiscard]] bool is_before(const Instr* d, const Instr* a) const {
        return d->parent != a->parent || at_[d->result()->id] < at_[a->result()->id];
    }
    /// Whether `b` and its operands can move to `a`. None of them may depend on `a`.
    bool can_hoist(Instr* b, Instr* a) {
        moves_ = 0;
        return hoistable(b, a);
    }
    bool hoistable(Instr* b, Instr* a) {
        constexpr unsigned kMostMoves = 64;
        if (b == a || ++moves_ > kMostMoves) return false;
        const bool movable = b->info().pure() || b->op == Op::LoadUniform || b->op == Op::LoadInput;
        if (!movable || b->region_count) return false;
        for (unsigned n = 0; n < b->operand_count; n++)
            if (!reachable(b->operand(n), a)) return false;
        if (Instr* other = member_of(b))
            for (unsigned n = 0; n < other->operand_count; n++)
                if (!reachable(other->operand(n), a)) return false;
        return true;
    }
    bool reachable(const Value* v, Instr* a) {
        Instr* d = v->def;
        if (!d || d->parent != a->parent || is_before(d, a)) return true;
        if (d == a || member_of(d) == a) return false;
        return hoistable(d, a);
    }
    [[nodiscard]] Instr* member_of(const Instr* i) const {
        return i->result_count == 1 ? member_[i->result()->id] : nullptr;
    }
    /// Moves `b` directly after `a`, and its operands before `a`.
    void bring(Instr* b, Instr* a) {
        for (unsigned n = 0; n < b->operand_count; n++)
            bring_value(b->operand(n), a);
        if (b == a->next) return;
        detach(b);
        insert_after(a, b);
        number_moved(*b);
    }
    void bring_value(const Value* v, Instr* a) {
        Instr* d = v->def;
        if (!d || d->parent != a->parent || is_before(d, a)) return;
        Instr* other = member_of(d);
        Instr* const first = other && plan_.partner[d->result()->id] != other ? other : d;
        Instr* const second = other ? (first == d ? other : d) : nullptr;
        for (Instr* i : {first, second})
            for (unsigned n = 0; i && n < i->operand_count; n++)
                bring_value(i->operand(n), a);
        for (Instr* i : {first, second}) {
            if (!i) continue;
            detach(i);
            insert_before(a, i);
            number_moved(*i);
        }
    }

    static constexpr uint64_t kGap = 1ull << 40, kStep = 1ull << 16;  // 2^20 values, 2^24 moves to a place
    static constexpr uint64_t kMessage = 1ull << 60, kInput = 2ull << 60, kPair = 3ull << 60,
                              kJoin = 4ull << 60;
    HalfPlan& plan_;
    std::pmr::vector<std::optional<Place>> places_;  // by value
    std::pmr::vector<Instr*> member_;                // by result: the other of its pair
    std::pmr::vector<uint64_t> at_;                  // by result: a number that grows through its region
    std::pmr::memory_resource* memory_;
    unsigned moves_ = 0;
};

}  // namespace

bool read_as_half(const Value* v) {
    if (v->type != Type::F32 || !v->has_uses()) return false;
    for (const Use* u = v->uses; u; u = u->next)
        if (!to_half(*u->user)) return false;
    return true;
}

const Instr* half_uniform(const Value* v) {
    const Instr* d = v->def;
    if (!d || !to_half(*d)) return nullptr;
    const Instr* load = d->operand(0)->def;
    return load && load->op == Op::LoadUniform && !load->operand_count ? load : nullptr;
}

bool use_halves(Shader& s) {
    if (!mediump_to_16(s)) return false;
    clean_up(s);
    if (form_ffma(s)) clean_up(s);
    s.renumber();
    return true;
}

HalfPlan plan_halves(Shader& s, std::pmr::memory_resource* memory) {
    s.renumber();
    HalfPlan plan(memory);
    plan.partner.assign(s.value_count(), nullptr);
    plan.join.assign(s.value_count(), nullptr);
    plan.narrow_inputs = ~0ull;
    for_each(s.body, [&](Instr* i) {
        if (i->op != Op::LoadInput || i->u.io.slot >= 64) return;
        plan.input_mask[i->u.io.slot] |= uint8_t(1u << i->u.io.component);
        if (!read_as_half(i->result()) || i->u.io.interp == Interp::Flat)
            plan.narrow_inputs &= ~(1ull << i->u.io.slot);
    });
    Pairing pairing(s, plan, memory);
    for_each(s.body, [&](Instr* i) {
        if (!i->region_count) return;
        pairing.pair_joins(i->results, i->result_count);
        if (i->op == Op::Loop) pairing.pair_joins(i->regions[0]->args, i->regions[0]->arg_count);
    });
    pairing.run(s.body);
    return plan;
}

}  // namespace terrazzo::ir
