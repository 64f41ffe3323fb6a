// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/loop_unroll.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "shaders/ir/clone.h"
#include "shaders/ir/eval.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

/// A loop's shape: it turns `trips` times, then leaves by `arm` of `exit`, which stands in its own region.
struct Plan {
    unsigned trips = 0;
    Instr* exit = nullptr;
    unsigned arm = 0;
};

struct Size {
    unsigned instructions = 0;
    bool indexed = false;
};

void measure(const Region* r, Size& size) {
    for (const Instr* i = r->first; i; i = i->next) {
        if (i->op != Op::Const) size.instructions++;
        if (i->op == Op::LoadVar && i->operand_count > 0) size.indexed = true;
        if (i->op == Op::StoreVar && i->operand_count > 1) size.indexed = true;
        for (unsigned n = 0; n < i->region_count; n++)
            measure(i->regions[n], size);
    }
}

/// Evaluates constants through the iterations.
class Tracer {
  public:
    Tracer(Instr* loop, unsigned max_trips) : loop_(loop), max_trips_(max_trips) {}
    std::optional<Plan> trace();

  private:
    std::optional<uint64_t> known(const Value* v) const {
        if (is_const(v)) return const_bits(v);
        const auto it = bits_.find(v);
        return it == bits_.end() ? std::nullopt : std::optional(it->second);
    }
    void compute(const Instr* i);
    bool next_arguments(const Instr* cont);

    Instr* loop_;
    const unsigned max_trips_;
    std::unordered_map<const Value*, uint64_t> bits_;
};

void Tracer::compute(const Instr* i) {
    if (i->result_count != 1) return;
    if (i->info().operands != i->operand_count || !i->operand_count || i->operand_count > 4) {
        bits_.erase(i->result());
        return;
    }
    uint64_t operands[4];
    for (unsigned n = 0; n < i->operand_count; n++) {
        const auto k = known(i->operand(n));
        if (!k) {
            bits_.erase(i->result());
            return;
        }
        operands[n] = *k;
    }
    const Type operand = i->operand(i->op == Op::Select ? 1 : 0)->type;
    const auto r = evaluate(i->op, i->result()->type, operand, std::span(operands, i->operand_count));
    if (r)
        bits_[i->result()] = *r;
    else
        bits_.erase(i->result());
}

bool Tracer::next_arguments(const Instr* cont) {
    std::vector<std::optional<uint64_t>> next;
    for (unsigned n = 0; n < cont->operand_count; n++)
        next.push_back(known(cont->operand(n)));
    for (unsigned n = 0; n < cont->operand_count; n++) {
        const Value* arg = loop_->regions[0]->args[n];
        if (next[n])
            bits_[arg] = *next[n];
        else
            bits_.erase(arg);
    }
    return true;
}

std::optional<Plan> Tracer::trace() {
    const Region* body = loop_->regions[0];
    for (unsigned n = 0; n < body->arg_count; n++)
        if (const auto k = known(loop_->operand(n))) bits_[body->args[n]] = *k;
    for (unsigned trip = 0; trip <= max_trips_; trip++) {
        for (Instr* i = body->first; i; i = i->next) {
            if (i->op == Op::If) {
                const auto c = known(i->operand(0));
                const unsigned arm = c && *c ? 0 : 1;
                const Instr* t = i->regions[arm]->terminator();
                if (c && t && t->op == Op::Break) return Plan{trip, i, arm};
                continue;  // results of ifs are not followed
            }
            if (i == body->last) break;
            compute(i);
        }
        if (body->last->op != Op::Continue || !next_arguments(body->last)) return std::nullopt;
    }
    return std::nullopt;
}

/// Appends copies of body's instructions up to `end` (not included; null: all) to `to`.
void copy(Shader& s, Region* to, const Region* from, const Instr* end, CloneMap& map) {
    for (const Instr* i = from->first; i != end; i = i->next)
        append(to, clone_instr(s, i, map));
}

void unroll(Shader& s, Instr* loop, const Plan& plan) {
    const Region* body = loop->regions[0];
    std::vector<Type> types;
    for (unsigned n = 0; n < loop->result_count; n++)
        types.push_back(loop->result(n)->type);
    Instr* once = s.create(Op::Loop, {}, types, 1);
    once->line = loop->line;
    Region* to = once->regions[0];
    std::vector<Value*> args;
    for (unsigned n = 0; n < body->arg_count; n++)
        args.push_back(loop->operand(n));
    for (unsigned trip = 0; trip <= plan.trips; trip++) {
        CloneMap map;
        for (unsigned n = 0; n < body->arg_count; n++)
            map.set(body->args[n], args[n]);
        if (trip == plan.trips) {
            copy(s, to, body, plan.exit, map);
            copy(s, to, plan.exit->regions[plan.arm], nullptr, map);
            break;
        }
        copy(s, to, body, body->last, map);
        for (unsigned n = 0; n < body->arg_count; n++)
            args[n] = map.get(body->last->operand(n));
    }
    insert_before(loop, once);
    for (unsigned n = 0; n < loop->result_count; n++)
        replace_uses(loop->result(n), once->result(n));
    erase(loop);
}

/// `left`: how many instructions may still be copied.
bool try_unroll(Shader& s, Instr* loop, const LoopUnrollOptions& options, unsigned& left) {
    // A continue in the middle would have to skip to the next copy, which structured control flow cannot say.
    const Region* body = loop->regions[0];
    if (body->last->op != Op::Continue) return false;
    bool only = true;
    for_each_exit(loop->regions[0], [&](Instr* t) { only &= t->op == Op::Break || t == body->last; });
    if (!only) return false;
    Size size;
    measure(body, size);
    const unsigned limit =
        std::min(left, size.indexed ? options.max_instructions_indexed : options.max_instructions);
    // Not evaluated further than it may be copied.
    const unsigned max_trips = std::min(options.max_trips, limit / std::max(1u, size.instructions));
    const auto plan = Tracer(loop, max_trips).trace();
    if (!plan) return false;
    unroll(s, loop, *plan);
    left -= size.instructions * plan->trips;
    return true;
}

}  // namespace

bool loop_unroll(Shader& s, const LoopUnrollOptions& options) {
    bool changed = false;
    unsigned left = options.max_total;
    for_each_inner_first(s.body, [&](Instr* i) {
        if (i->op == Op::Loop) changed |= try_unroll(s, i, options, left);
    });
    return changed;
}

}  // namespace terrazzo::ir
