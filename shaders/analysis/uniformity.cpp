// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The first walk is optimistic: it assumes that a loop's argument has the fact of its initial value. If the
// loop's continues and exits contradict that, the fact is lowered, as are those of all values that depend on
// it. A fact is lowered at most three times (draw, wave or step, unknown), so the time is linear.
//
// Divergence of control flow: lanes that take different arms of an If get different results of it, as do
// lanes that leave a loop in different iterations. Lanes that are still in a loop have made the same number
// of iterations.
#include "shaders/analysis/uniformity.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace terrazzo::ir {

Scope UniformitySources::scope(const Shader& s, const Instr& i) const {
    switch (i.op) {
        case Op::LoadUniform:
            return Scope::Draw;
        case Op::LoadSysval:
            if (Sysval(i.u.io.slot) == Sysval::NumWorkGroups) return Scope::Draw;
            return Sysval(i.u.io.slot) == Sysval::WorkGroupId && s.stage == Stage::Compute
                       ? Scope::Wave
                       : Scope::Invocation;
        case Op::LoadBuffer:
        case Op::BufferSize:
            return i.u.mem->space == Storage::UniformBlock ? Scope::Draw : Scope::Invocation;
        case Op::FDdx:
        case Op::FDdy:
        case Op::FDdxFine:
        case Op::FDdyFine:
            return Scope::Draw;
        default:
            return Scope::Invocation;
    }
}

namespace {

uint32_t bits_of(const Value* v) {
    return uint32_t(v->def->u.bits);
}

bool is_word(const Instr& i) {
    return i.result_count == 1 && i.result()->type == Type::I32;
}

/// The analysis' facts about a loop.
struct LoopState {
    const Instr* loop = nullptr;
    std::vector<const Instr*> breaks, continues;
    /// The scope of the conditions that decide which lanes leave the loop, or continue it early.
    Scope exits = Scope::Draw;

    /// Whether each iteration except the last one ends at the same place for all lanes that stay.
    [[nodiscard]] bool one_continue() const {
        return continues.size() == 1 && continues[0]->parent == loop->regions[0];
    }
};

}  // namespace

class Uniformity::Solver {
  public:
    Solver(Uniformity& to, const Shader& s, const UniformitySources& sources,
           const UniformityOptions& options)
        : to_(to), shader_(s), sources_(sources), options_(options) {}

    void run() {
        (void)region(*shader_.body, kNone);
        for (const LoopState& l : loops_)
            arguments(l);
        while (!lowered_.empty()) {
            const Value* const v = lowered_.back();
            lowered_.pop_back();
            for (const Use* u = v->uses; u; u = u->next)
                reconsider(*u);
        }
    }

  private:
    static constexpr uint32_t kNone = ~0u;
    static constexpr Fact kUnknown{};

    Fact& of(const Value* v) { return to_.facts_[v->id]; }
    const Fact& of(const Instr& i, unsigned n) const { return to_.facts_[i.operand(n)->id]; }
    uint32_t& bound(const Value* v) { return to_.bounds_[v->id]; }

    static Fact limited(Fact f, Scope most) {
        if (most == Scope::Invocation) return kUnknown;
        f.draw = f.draw && most == Scope::Draw;
        return f;
    }
    static Fact both(const Fact& a, const Fact& b) {
        if (!a.known || !b.known || a.step != b.step) return kUnknown;
        return {true, a.draw && b.draw, a.step};
    }
    static Scope scope_of(const Fact& f) {
        return !f.known || f.step ? Scope::Invocation : f.draw ? Scope::Draw : Scope::Wave;
    }

    // --- the first walk
    /// `loop`: the number of the innermost loop around the region. Returns whether the region leaves or
    /// continues that loop.
    bool region(const Region& r, uint32_t loop) {
        bool exits = false;
        for (const Instr* i = r.first; i; i = i->next) {
            if (i->op == Op::Loop) {
                const uint32_t own = enter(*i);
                (void)region(*i->regions[0], own);
                for (unsigned n = 0; n < i->result_count; n++)
                    of(i->result(n)) = result(loops_[own], n);
            } else if (i->op == Op::If) {
                const bool first = region(*i->regions[0], loop), second = region(*i->regions[1], loop);
                if (first || second) {
                    exits = true;
                    exit_ifs_.insert(i);
                    loops_[loop].exits = std::min(loops_[loop].exits, scope_of(of(*i, 0)));
                }
                for (unsigned n = 0; n < i->result_count; n++)
                    of(i->result(n)) = arms(*i, n);
            } else if (i->op == Op::Break || i->op == Op::Continue) {
                exits = true;
                (i->op == Op::Break ? loops_[loop].breaks : loops_[loop].continues).push_back(i);
            } else {
                for (unsigned n = 0; n < i->result_count; n++)
                    of(i->result(n)) = fact(*i);
                if (is_word(*i)) bound(i->result()) = largest(*i);
            }
        }
        return exits;
    }

    uint32_t enter(const Instr& loop) {
        const auto number = uint32_t(loops_.size());
        loops_.push_back({.loop = &loop});
        numbers_[&loop] = number;
        const Region& body = *loop.regions[0];
        for (unsigned n = 0; n < body.arg_count; n++)
            of(body.args[n]) = of(loop, n);
        return number;
    }

    // --- control flow
    /// The fact of result n of an If.
    Fact arms(const Instr& i, unsigned n) const {
        if (options_.stopped_lanes) return kUnknown;
        const Instr *first = i.regions[0]->terminator(), *second = i.regions[1]->terminator();
        const bool has_first = first && first->op == Op::Yield,
                   has_second = second && second->op == Op::Yield;
        // Lanes that left the region do not run.
        if (!has_first || !has_second)
            return has_first ? of(*first, n) : has_second ? of(*second, n) : kUnknown;
        return limited(both(of(*first, n), of(*second, n)), scope_of(of(i, 0)));
    }
    /// The fact of result n of a loop.
    Fact result(const LoopState& l, unsigned n) const {
        if (options_.stopped_lanes || l.breaks.empty()) return kUnknown;
        Fact f = of(*l.breaks[0], n);
        for (const Instr* b : l.breaks)
            f = both(f, of(*b, n));
        return limited(f, l.exits);
    }
    /// The fact of argument n of a loop.
    Fact argument(const LoopState& l, unsigned n) const {
        Fact f = of(*l.loop, n);
        for (const Instr* c : l.continues)
            f = both(f, of(*c, n));
        if (l.one_continue()) return f;
        return options_.stopped_lanes ? kUnknown : limited(f, l.exits);
    }

    // --- lowering
    void lower(const Value* v, const Fact& now) {
        Fact& f = of(v);
        if (!f.known || now == f) return;
        f = both(f, now);
        lowered_.push_back(v);
    }
    void arguments(const LoopState& l) {
        for (unsigned n = 0; n < l.loop->regions[0]->arg_count; n++)
            lower(l.loop->regions[0]->args[n], argument(l, n));
    }
    void condition(const Instr& i) {
        for (unsigned n = 0; n < i.result_count; n++)
            lower(i.result(n), arms(i, n));
        if (!exit_ifs_.count(&i)) return;
        LoopState& l = loops_[numbers_.at(enclosing_loop(&i))];
        const Scope now = scope_of(of(i, 0));
        if (now >= l.exits) return;
        l.exits = now;
        arguments(l);
        for (unsigned n = 0; n < l.loop->result_count; n++)
            lower(l.loop->result(n), result(l, n));
    }
    /// Called after the fact of the used value was lowered.
    void reconsider(const Use& u) {
        const Instr& i = *u.user;
        const auto n = unsigned(&u - i.operands);
        const auto loop_argument = [&](const Instr* loop) {
            if (n >= loop->regions[0]->arg_count) return;
            lower(loop->regions[0]->args[n], argument(loops_[numbers_.at(loop)], n));
        };
        switch (i.op) {
            case Op::If:
                return condition(i);
            case Op::Yield:
                if (n < i.parent->owner->result_count)
                    lower(i.parent->owner->result(n), arms(*i.parent->owner, n));
                return;
            case Op::Loop:
                return loop_argument(&i);
            case Op::Continue:
                return loop_argument(enclosing_loop(&i));
            case Op::Break: {
                const Instr* const loop = enclosing_loop(&i);
                if (n < loop->result_count) lower(loop->result(n), result(loops_[numbers_.at(loop)], n));
                return;
            }
            default:
                for (unsigned k = 0; k < i.result_count; k++)
                    lower(i.result(k), fact(i));
        }
    }

    // --- operations
    Fact fact(const Instr& i) const {
        if (i.op == Op::LoadSysval)
            if (const Fact f = invocation_id(i.u.io); f.known) return f;
        bool known = true, alike = true, draw = true;
        for (unsigned n = 0; n < i.operand_count; n++) {
            const Fact& f = of(i, n);
            known = known && f.known;
            alike = alike && f.known && !f.step;
            draw = draw && f.draw;
        }
        if (!known) return kUnknown;
        const bool pure = i.info().pure();
        if (alike) return limited({true, draw, 0}, pure ? Scope::Draw : sources_.scope(shader_, i));
        return is_word(i) && pure ? integer(i) : kUnknown;
    }

    Fact invocation_id(const IoInfo& io) const {
        const uint32_t* const size = shader_.info.workgroup_size;
        if (shader_.stage != Stage::Compute || !options_.lanes) return kUnknown;
        if (Sysval(io.slot) == Sysval::LocalInvocationIndex) return {true, false, 1};
        // Whether each wave lies in one row of the workgroup.
        const bool within = size[0] % options_.lanes == 0 || size[1] * size[2] == 1;
        if (Sysval(io.slot) == Sysval::LocalInvocationId && within)
            return {true, false, io.component == 0 ? 1u : 0u};
        return kUnknown;
    }

    /// The fact of a 32-bit integer operation on operands whose steps are known.
    Fact integer(const Instr& i) const {
        const Fact a = of(i, 0), b = i.operand_count > 1 ? of(i, 1) : Fact{};
        const Value* const second = i.operand_count > 1 ? i.operand(1) : nullptr;
        const bool constant = second && is_const(second);
        const auto step = [](uint32_t n) { return Fact{true, false, n}; };
        switch (i.op) {
            case Op::Mov:
                return step(a.step);
            case Op::IAdd:
                return step(a.step + b.step);
            case Op::ISub:
                return step(a.step - b.step);
            case Op::INeg:
                return step(0 - a.step);
            case Op::IMul:
                if (constant) return step(a.step * bits_of(second));
                if (is_const(i.operand(0))) return step(b.step * bits_of(i.operand(0)));
                return kUnknown;
            case Op::IShl:
                return constant ? step(a.step << (bits_of(second) & 31)) : kUnknown;
            case Op::UMin:  // only if it changes no value
                return constant && to_.upper_bound(i.operand(0)) <= bits_of(second) ? step(a.step) : kUnknown;
            default:
                return kUnknown;
        }
    }

    uint32_t largest(const Instr& i) const {
        const auto cut = [](uint64_t n) { return uint32_t(std::min<uint64_t>(n, ~0u)); };
        const auto most = [&](unsigned n) { return uint64_t(to_.upper_bound(i.operand(n))); };
        const auto constant = [&](unsigned n) { return is_const(i.operand(n)); };
        const uint32_t* const size = shader_.info.workgroup_size;
        switch (i.op) {
            case Op::Const:
                return uint32_t(i.u.bits);
            case Op::LoadSysval:
                if (shader_.stage != Stage::Compute) return ~0u;
                if (Sysval(i.u.io.slot) == Sysval::LocalInvocationIndex)
                    return size[0] * size[1] * size[2] - 1;
                return Sysval(i.u.io.slot) == Sysval::LocalInvocationId && i.u.io.component < 3
                           ? size[i.u.io.component] - 1
                           : ~0u;
            case Op::Mov:
                return cut(most(0));
            case Op::IAdd:
                return cut(most(0) + most(1));
            case Op::IMul:
                return cut(most(0) * most(1));
            case Op::UMin:
            case Op::IAnd:
                return cut(std::min(most(0), most(1)));
            case Op::IShl:
                return constant(1) ? cut(most(0) << (bits_of(i.operand(1)) & 31)) : ~0u;
            case Op::UShr:
                return constant(1) ? cut(most(0) >> (bits_of(i.operand(1)) & 31)) : cut(most(0));
            case Op::UMod:
                return constant(1) && bits_of(i.operand(1)) ? bits_of(i.operand(1)) - 1 : ~0u;
            default:
                return ~0u;
        }
    }

    Uniformity& to_;
    const Shader& shader_;
    const UniformitySources& sources_;
    const UniformityOptions& options_;
    std::vector<LoopState> loops_;
    std::unordered_map<const Instr*, uint32_t> numbers_;  // of loops
    std::unordered_set<const Instr*> exit_ifs_;           // Ifs that contain an exit of the loop around them
    std::vector<const Value*> lowered_;                   // users have not been asked yet
};

Uniformity::Uniformity(const Shader& s, const UniformitySources& sources, const UniformityOptions& options)
    : facts_(s.value_count()), bounds_(s.value_count(), ~0u) {
    Solver(*this, s, sources, options).run();
}

Scope Uniformity::scope(const Value* v) const {
    const Fact& f = facts_[v->id];
    return !f.known || f.step ? Scope::Invocation : f.draw ? Scope::Draw : Scope::Wave;
}

}  // namespace terrazzo::ir
