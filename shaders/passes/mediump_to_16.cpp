// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/mediump_to_16.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "shaders/ir/builder.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

/// How a value may be computed: in 16 bits, where later operations multiply its error by at most this number
/// (a power
/// of two); in 32 from operands loaded in 16; in 32 throughout.
enum class Need : uint8_t { Half, HalfTwice, Half4, Half8, HalfLeaves, Full };

bool is_mediump(const Instr& i) {
    return (i.flags & instr_flag::kMediump) && !(i.flags & instr_flag::kExact);
}

/// Its result has no digits that its operands lack: as exact in 16 bits as they are.
bool is_lossless(Op op) {
    return op == Op::Mov || op == Op::Select || op == Op::FNeg || op == Op::FAbs || op == Op::FMin ||
           op == Op::FMax || op == Op::FSat;
}
bool is_arithmetic(Op op) {
    return op == Op::FAdd || op == Op::FSub || op == Op::FMul || op == Op::FFma;
}
bool is_comparison(const Instr& i) {
    return i.info().sig == Sig::FloatCmp;
}
bool is_root(Op op) {
    return op == Op::FDiv || op == Op::FRcp || op == Op::FRsq || op == Op::FSqrt;
}
bool is_whole_part(Op op) {
    return op == Op::FFloor || op == Op::FCeil || op == Op::FTrunc || op == Op::FRound;
}

/// The powers of two by which `v` is larger than 1; none: it is no constant.
unsigned magnitude(const Value* v) {
    if (!is_const(v) || v->type != Type::F32) return 0;
    const float a = std::fabs(const_f32(v));
    unsigned n = 0;
    for (float most = 1; a > most && n < unsigned(Need::Full); most *= 2)
        n++;
    return n;
}

/// Properties of values of which later operations must not lose a bit.
enum Origin : uint8_t {
    kWholePart = 1,  // what floor and the like give, and sums and products of it: steps, rests
    kCarried = 2,    // what an earlier turn of a loop gave
};

class Origins {
  public:
    explicit Origins(Shader& s) : of_(s.value_count(), uint8_t(0), s.arena()) {
        do {
            changed_ = false;
            for_each(s.body, [&](const Instr* i) { visit(*i); });
        } while (changed_);
    }
    [[nodiscard]] uint8_t of(const Value* v) const { return of_[v->id]; }
    [[nodiscard]] uint8_t of_operands(const Instr& i) const {
        uint8_t all = 0;
        for (unsigned n = 0; n < i.operand_count; n++)
            all |= of_[i.operand(n)->id];
        return all;
    }

  private:
    void add(const Value* v, uint8_t o) {
        if (v->type != Type::F32 || !(o & ~of_[v->id])) return;
        of_[v->id] |= o;
        changed_ = true;
    }
    void visit(const Instr& i) {
        const Instr* const loop = i.op == Op::Break || i.op == Op::Continue ? enclosing_loop(&i) : &i;
        for (unsigned n = 0; n < i.operand_count; n++) {
            const uint8_t o = of(i.operand(n));
            if (i.op == Op::Yield)
                add(i.parent->owner->result(n), o);
            else if (i.op == Op::Break)
                add(loop->result(n), o & kWholePart);
            else if (i.op == Op::Loop || i.op == Op::Continue)
                add(loop->regions[0]->args[n], o | kCarried);
        }
        if (is_whole_part(i.op))
            add(i.result(), kWholePart);
        else if ((is_lossless(i.op) && i.op != Op::FSat) || is_arithmetic(i.op) || is_root(i.op))
            add(i.result(), of_operands(i));
    }
    std::pmr::vector<uint8_t> of_;
    bool changed_ = false;
};

/// Arithmetic and comparisons that turn a small error of their operands into a large one.
bool needs_all_bits(const Instr& i, const Origins& origins) {
    if (origins.of_operands(i) & kWholePart) return true;
    const bool of_constant = i.operand_count > 1 && (is_const(i.operand(0)) || is_const(i.operand(1)));
    if (i.op == Op::FMul || i.op == Op::FFma) {
        // A square that is repeated turn by turn.
        return !of_constant && (origins.of_operands(i) & kCarried);
    }
    // Counters of turns; a small rest of large terms: the last bit of 16 is worth 1/128.
    constexpr unsigned kMostTerm = 4;
    return (i.op == Op::FAdd || i.op == Op::FSub) &&
           ((of_constant && (origins.of_operands(i) & kCarried)) ||
            std::max(magnitude(i.operand(0)), magnitude(i.operand(1))) > kMostTerm);
}

class Needs {
  public:
    Needs(Shader& s, const Origins& origins)
        : stage_(s.stage),
          origins_(origins),
          need_(s.value_count(), Need::Half, s.arena()),
          work_(s.arena()) {
        for_each(s.body, [&](Instr* i) {
            for (unsigned n = 0; n < i->operand_count; n++)
                raise(i->operand(n), asked(*i));
            if (i->op == Op::FMul || i->op == Op::FFma) pass_on(i->result(), Need::Half);
        });
        while (!work_.empty()) {
            Value* v = work_.back();
            work_.pop_back();
            pass_on(v, need_[v->id]);
        }
    }
    [[nodiscard]] Need of(const Value* v) const { return need_[v->id]; }

  private:
    /// What an instruction requires of its operands, whatever its results are used for.
    [[nodiscard]] Need asked(const Instr& i) const {
        if (is_lossless(i.op)) return Need::Half;
        if (is_arithmetic(i.op) || is_comparison(i))
            return i.flags & instr_flag::kMediump && !needs_all_bits(i, origins_) ? Need::Half : Need::Full;
        if (is_root(i.op)) return i.flags & instr_flag::kMediump ? Need::HalfLeaves : Need::Full;
        switch (i.op) {
            case Op::Yield:
            case Op::Break:
            case Op::Continue:
            case Op::If:
            case Op::Loop:
            case Op::Discard:
                return Need::Half;
            case Op::F2F:
                return i.result()->type == Type::F16 ? Need::Half : Need::Full;
            case Op::StoreOutput: {
                const auto slot = FragSlot(i.u.io.slot);
                const bool color = slot <= FragSlot::Color7 || slot == FragSlot::Second;
                return stage_ == Stage::Fragment && color ? Need::Half : Need::Full;
            }
            default:
                return Need::Full;
        }
    }
    void raise(Value* v, Need n) {
        if (v->type != Type::F32 || n <= need_[v->id]) return;
        need_[v->id] = n;
        work_.push_back(v);
    }
    /// By how much the other factors multiply an error of operand `k`.
    static Need amplified(const Instr& i, unsigned k, Need n) {
        const bool product = i.op == Op::FMul || (i.op == Op::FFma && k < 2);
        const unsigned by = product ? magnitude(i.operand(1 - k)) : 0, sum = unsigned(n) + by;
        return n >= Need::HalfLeaves && by <= unsigned(Need::Half8) ? n
               : sum <= unsigned(Need::Half8)                       ? Need(sum)
                                                                    : Need::Full;
    }
    void pass_on(Value* v, Need n) {
        if (!v->def) {
            Instr* loop = v->region->owner;
            raise(loop->operand(v->index), n);
            exits(loop, Op::Continue, v->index, n);
            return;
        }
        Instr* d = v->def;
        if (d->op == Op::If) {
            for (unsigned r = 0; r < 2; r++)
                if (Instr* t = d->regions[r]->terminator(); t && t->op == Op::Yield)
                    raise(t->operand(v->index), n);
        } else if (d->op == Op::Loop) {
            exits(d, Op::Break, v->index, n);
        } else if (is_lossless(d->op) || is_arithmetic(d->op) || is_root(d->op)) {
            for (unsigned k = 0; k < d->operand_count; k++)
                raise(d->operand(k), amplified(*d, k, n));
        }
    }
    void exits(Instr* loop, Op op, unsigned index, Need n) {
        for_each_exit(loop->regions[0], [&](Instr* i) {
            if (i->op == op) raise(i->operand(index), n);
        });
    }

    const Stage stage_;
    const Origins& origins_;
    std::pmr::vector<Need> need_;
    std::pmr::vector<Value*> work_;
};

bool within_range(const Value* v) {
    if (!is_const(v) || v->type != Type::F32) return true;
    constexpr float kLeast = 0x1p-14f, kMost = 65504;
    const float a = std::fabs(const_f32(v));
    return a == 0 || (a >= kLeast && a <= kMost);
}

/// Converted from 16 bits, or a constant that 16 bits represent exactly.
bool is_narrow(const Value* v) {
    if (v->type != Type::F32) return true;
    if (is_const(v)) return within_range(v);
    return v->def && v->def->op == Op::F2F && v->def->operand(0)->type == Type::F16;
}

void convert(Shader& s, Instr* i) {
    Builder b(s, i);
    b.line = i->line;
    std::array<Value*, 3> operands{};
    for (unsigned n = 0; n < i->operand_count; n++) {
        Value* v = i->operand(n);
        operands[n] = v->type != Type::F32                    ? v
                      : is_narrow(v) && v->def->op == Op::F2F ? v->def->operand(0)
                                                              : b.convert(Op::F2F, Type::F16, v);
    }
    const Type type = i->result()->type == Type::F32 ? Type::F16 : i->result()->type;
    Instr* half =
        s.create(i->op, std::span<Value* const>(operands.data(), i->operand_count), std::array{type});
    half->flags = i->flags;
    b.insert(half);
    Value* r = half->result();
    replace_uses(i->result(), type == Type::F16 ? b.convert(Op::F2F, Type::F32, r) : r);
    erase(i);
}

/// Uses `wide` instead of `v`, except in conversions.
void replace_other_uses(Value* v, Value* wide) {
    for (Use *u = v->uses, *next; u; u = next) {
        next = u->next;
        if (u->user != wide->def && !(u->user->op == Op::F2F && u->user->result()->type == Type::F16))
            set_operand(u->user, unsigned(u - u->user->operands), wide);
    }
}

/// A result of a load or a texture operation.
struct Leaf {
    Value* value;
    bool narrow;  // it is mediump, and no user needs 32 bits
};

/// Narrows loads whose results are used only by operations of 16 bits, and mediump loads whose results only
/// become colours, choices, or 16-bit values.
bool narrow_leaf(Shader& s, const Leaf& leaf) {
    Value* const v = leaf.value;
    bool narrow = false, others = false, as_it_is = leaf.narrow;
    for (Use* u = v->uses; u; u = u->next) {
        const Op op = u->user->op;
        if (op == Op::F2F && u->user->result()->type == Type::F16) {
            narrow = true;
        } else {
            others = true;
            const bool stores = op == Op::StoreOutput && is_mediump(*u->user);
            as_it_is &= stores || is_lossless(op) || op == Op::Yield || op == Op::Break ||
                        op == Op::Continue || op == Op::Loop;
        }
    }
    if (!others || !(narrow || as_it_is)) return false;
    Builder b(s, v->def);
    b.line = v->def->line;
    // After the load.
    if (v->def->next) b.set_before(v->def->next);
    replace_other_uses(v, b.convert(Op::F2F, Type::F32, b.convert(Op::F2F, Type::F16, v)));
    return true;
}

/// Calls f for each use that passes a value to `join` (a result of an If or Loop, an argument of a Loop).
template <typename F>
void for_each_given(const Value* join, const F& f) {
    Instr* owner = join->def ? join->def : join->region->owner;
    if (owner->op == Op::If) {
        for (unsigned r = 0; r < 2; r++)
            if (Instr* t = owner->regions[r]->terminator(); t && t->op == Op::Yield)
                f(t->operands[join->index]);
        return;
    }
    if (!join->def) f(owner->operands[join->index]);
    for_each_exit(owner->regions[0], [&](Instr* i) {
        if (i->op == (join->def ? Op::Break : Op::Continue)) f(i->operands[join->index]);
    });
}

/// Narrows results of ifs, arguments and results of loops, and choices among these, where all their sources
/// are
/// narrow; the initial value of a loop's argument may be anything.
class Joins {
  public:
    Joins(Shader& s, std::pmr::vector<Value*>& joins, const std::pmr::vector<Instr*>& lossless)
        : s_(s), joins_(joins), is_narrow_(s.value_count(), false, s.arena()) {
        for (const Value* v : joins)
            is_narrow_[v->id] = true;
        for (const Instr* i : lossless)
            if (i->result()->type == Type::F32) is_narrow_[i->result()->id] = true;
        bool changed = true;
        const auto keep = [&](const Value* v, bool all) {
            changed |= is_narrow_[v->id] && !all;
            is_narrow_[v->id] = is_narrow_[v->id] && all;
        };
        while (std::exchange(changed, false)) {
            for (const Value* v : joins) {
                bool all = true;
                for_each_given(v,
                               [&](const Use& u) { all &= u.user->op == Op::Loop || comes_narrow(u.value); });
                keep(v, all);
            }
            for (const Instr* i : lossless) {
                bool all = true;
                for (unsigned n = 0; n < i->operand_count; n++)
                    all &= comes_narrow(i->operand(n));
                keep(i->result(), all);
            }
        }
    }
    void narrow() {
        for (Value* v : joins_)
            if (is_narrow_[v->id]) narrow(v);
    }

  private:
    bool comes_narrow(const Value* v) const { return is_narrow(v) || is_narrow_[v->id]; }
    void narrow(Value* v) {
        for_each_given(v, [&](Use& u) {
            Builder b(s_, u.user);
            set_operand(u.user, unsigned(&u - u.user->operands), b.convert(Op::F2F, Type::F16, u.value));
        });
        v->type = Type::F16;
        Instr* const next = v->def ? v->def->next : v->region->first;
        Builder b(s_, next);
        replace_other_uses(v, b.convert(Op::F2F, Type::F32, v));
    }

    Shader& s_;
    std::pmr::vector<Value*>& joins_;
    std::pmr::vector<bool> is_narrow_;  // by value
};

}  // namespace

bool mediump_to_16(Shader& s) {
    s.renumber();
    std::pmr::vector<Instr*> wide(s.arena()), others(s.arena());
    std::pmr::vector<Value*> joins(s.arena());
    std::pmr::vector<Leaf> leaves(s.arena());
    {
        const Origins origins(s);
        const Needs needs(s, origins);
        for_each(s.body, [&](Instr* i) {
            const bool load = i->op == Op::LoadInput || i->op == Op::Tex;
            for (unsigned n = 0; load && n < i->result_count; n++)
                if (const Need need = needs.of(i->result(n));
                    i->result(n)->type == Type::F32 && need != Need::Full)
                    leaves.push_back({i->result(n), is_mediump(*i) && need <= Need::Half8});
            const auto join = [&](Value* v) {
                if (v->type == Type::F32 && needs.of(v) <= Need::Half8) joins.push_back(v);
            };
            if (i->op == Op::If || i->op == Op::Loop) std::for_each_n(i->results, i->result_count, join);
            if (i->op == Op::Loop) std::for_each_n(i->regions[0]->args, i->regions[0]->arg_count, join);
            if (is_comparison(*i) && i->operand(0)->type == Type::F32 && (i->flags & instr_flag::kMediump))
                others.push_back(i);
            if (i->region_count || i->result_count != 1 || i->result()->type != Type::F32 ||
                needs.of(i->result()) > Need::Half8)
                return;
            bool in_range = true;
            for (unsigned n = 0; n < i->operand_count; n++)
                in_range &= within_range(i->operand(n));
            if (is_arithmetic(i->op) && is_mediump(*i) && in_range && !needs_all_bits(*i, origins))
                wide.push_back(i);
            if (is_lossless(i->op) && i->op != Op::Mov) others.push_back(i);
        });
    }
    for (Instr* i : wide)
        convert(s, i);
    bool changed = !wide.empty();
    for (const Leaf& leaf : leaves)
        if (changed || leaf.narrow) changed |= narrow_leaf(s, leaf);
    if (!changed) return false;
    if (!joins.empty()) Joins(s, joins, others).narrow();
    for (Instr* i : others) {
        bool narrow = false, all = true;
        for (unsigned n = 0; n < i->operand_count; n++) {
            narrow |= i->operand(n)->type == Type::F32 && !is_const(i->operand(n));
            all &= is_narrow(i->operand(n));
        }
        if (narrow && all) convert(s, i);
    }
    return true;
}

}  // namespace terrazzo::ir
