// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The common part of instruction selection: the walk over regions of the IR, deferred values, and moves
// between regions. Control flow depends on the GPU and is emitted by hooks; branch_regions.h implements them
// for GPUs with branches. Blocks are in program order, so that of divergent threads those that are further on
// wait.
#pragma once

#include <string>

#include "drivers/common/backend/comparison.h"
#include "drivers/common/backend/emit.h"
#include "shaders/ir/memory.h"
#include "shaders/passes/walk.h"

namespace terrazzo::backend {

/// The base of a vendor's selector `Self`, whose friend it is. Self has
///   void alu_op(const ir::Instr&)      selects an operation of none of the families below
///   Word word_of(const ir::Value*)     the word of a value that regions pass to each other
///   void give(ir::Value* const* to, const ir::Instr& from)
///                                      moves the operands of `from` into the words of `to` (move_together)
///   static constexpr const char* kName the vendor, for errors
/// and the hooks of control flow,
///   void begin_if(const ir::Instr&)    subsequent code runs in threads in which operand 0 is true
///   void begin_else(bool falls)        subsequent code runs in the others. `falls`: a thread may reach the
///                                      end of the first arm
///   void end_if()                      subsequent code runs in all threads that have not left the loop
///   void begin_loop(), end_loop()      around the body. Each thread leaves or repeats the loop before the
///                                      end of the body
///   void break_loop(unsigned ifs), continue_loop(unsigned ifs)
///                                      leaves or repeats the innermost loop, from within `ifs` nested ifs
/// It may implement the families of operations that visit() calls. The default is alu_op().
template <typename Self, typename Code, typename Ref>
class RegionSelector : protected Emitter<Self, Code, Ref> {
  protected:
    using Emit = Emitter<Self, Code, Ref>;
    using Emit::f_;

    RegionSelector(Code& f, size_t values)
        : Emit(f),
          values_(values, Ref{}, f.memory),
          deferred_(values, uint8_t(0), f.memory),
          loops_(f.memory) {}

    void region(const ir::Region* r) {
        const ir::Region* const outer = region_;
        region_ = r;
        for (const ir::Instr* i = r->first; i && f_.error.empty(); i = i->next)
            visit(*i);
        region_ = outer;
    }

    void visit(const ir::Instr& i) {
        if (!self().is_selected(i)) return;
        switch (i.op) {
            case ir::Op::If:
            case ir::Op::Loop:
                self().before_flow(i);
                flow_depth_++;
                i.op == ir::Op::If ? emit_if(i) : emit_loop(i);
                flow_depth_--;
                return self().after_flow(i);
            case ir::Op::Break:
            case ir::Op::Continue:
                return leave_loop(i);
            case ir::Op::Yield:
                return;
            case ir::Op::Discard:
                return self().discard(i);
            case ir::Op::Barrier:
                return self().barrier(i);
            case ir::Op::LoadInput:
                return self().load_input(i);
            case ir::Op::LoadInputAt:
                return self().load_input_at(i);
            case ir::Op::StoreOutput:
                return self().store_output(i);
            case ir::Op::LoadUniform:
                return self().load_uniform(i);
            case ir::Op::LoadVar:
            case ir::Op::StoreVar:
                return self().local_variable(i);
            case ir::Op::LoadSysval:
                return self().load_sysval(i);
            case ir::Op::Tex:
                return self().texture(i);
            default:
                if (ir::is_memory(i.op)) return self().memory_op(i);
                if (!defer(i)) self().alu_op(i);
        }
    }

    // --- values
    /// The value as a source. A deferred operation is selected now.
    Ref use(const ir::Value* v) {
        if (const ir::Instr* d = v->def) {
            if (d->op == ir::Op::Const) return self().literal(v->type, uint32_t(d->u.bits));
            if (d->op == ir::Op::Undef) return self().literal(v->type, 0);
            if (deferred_[v->id]) {
                deferred_[v->id] = 0;
                self().alu_op(*d);
            }
        }
        return self().value_of(v);
    }
    Ref value_of(const ir::Value* v) {
        if (values_[v->id].kind != Ref::Kind::None) return values_[v->id];
        f_.fail(std::string(Self::kName) + ": a value is used before it was made");
        return self().literal(v->type, 0);
    }
    void set(const ir::Value* v, const Ref& r) { values_[v->id] = r; }
    /// Defers the operation if its only user is in the same region and may compute it itself. The user then
    /// selects it as a part of its own instruction, or by use(). False: the operation is not deferred.
    bool defer(const ir::Instr& i) {
        if (i.result_count != 1 || !i.result()->has_one_use()) return false;
        const ir::Use& use = *i.result()->uses;
        if (use.user->parent != i.parent || !self().takes_in(i, use)) return false;
        deferred_[i.result()->id] = 1;
        return true;
    }
    /// Whether `i` is a product and `user` a sum or difference of floats which may be fused.
    [[nodiscard]] static bool is_fused_product(const ir::Instr& i, const ir::Instr& user) {
        return i.op == ir::Op::FMul && (user.op == ir::Op::FAdd || user.op == ir::Op::FSub) &&
               !((i.flags | user.flags) & ir::instr_flag::kExact);
    }
    /// Selects a sum or difference of floats. It is fused with a deferred product: calls fused(x, y, z) for
    /// x * y + z, or sum(a, b) for a + b if there is no such product.
    template <typename Sum, typename Fused>
    void add(const ir::Instr& i, const Sum& sum, const Fused& fused) {
        const bool minus = i.op == ir::Op::FSub;
        for (const unsigned n : {1u, 0u}) {
            const ir::Value* const v = i.operand(n);
            if (!deferred_[v->id] || !v->def || v->def->op != ir::Op::FMul) continue;
            deferred_[v->id] = 0;
            const Ref x = use(v->def->operand(0)), y = use(v->def->operand(1)), z = use(i.operand(1 - n));
            return n == 1 ? fused(minus ? negated(x) : x, y, z) : fused(x, y, minus ? negated(z) : z);
        }
        const Ref b = use(i.operand(1)), a = use(i.operand(0));
        sum(a, minus ? negated(b) : b);
    }

    /// Selects an operation as one instruction. `width...`: of its result.
    template <typename Proto, typename... Width>
    void select_simple(const ir::Instr& i, const Proto& proto, Width... width) {
        Ref sources[3];
        for (unsigned n = 0; n < i.operand_count; n++)
            sources[n] = use(i.operand(n));
        set(i.result(), this->alu(proto, std::span<const Ref>(sources, i.operand_count), width...));
    }

    /// Parallel moves. A Given has a `value` (a Ref) and the `word` that it is moved to. move(word, given)
    /// emits one move; keep(given) creates a new word for a value that another move overwrites.
    template <typename Given, typename Move, typename Keep>
    void move_together(std::pmr::vector<Given>& all, const Move& move, const Keep& keep) {
        const auto is_overwritten = [&](const Given& g) {
            return std::any_of(all.begin(), all.end(), [&](const Given& other) {
                return &other != &g && is_word(g.value) && g.value.as_word() == other.word;
            });
        };
        for (Given& g : all) {
            if (!is_overwritten(g)) continue;
            const auto kept = keep(g);
            move(kept.as_word(), g);
            g.value = kept;
        }
        for (const Given& g : all)
            if (!(is_word(g.value) && g.value.as_word() == g.word && is_plain(g.value))) move(g.word, g);
    }

    // --- optional: a vendor may replace these
    /// A constant as a source.
    Ref literal(ir::Type type, uint32_t bits) const { return Ref::immediate(bits, ir::bit_size(type) == 16); }
    /// Whether the only user of i's result may compute i itself (defer).
    [[nodiscard]] bool takes_in(const ir::Instr& i, const ir::Use& use) const {
        Comparison c;
        if (comparison_of(i.op, &c)) return Self::takes_comparison(use);
        return is_fused_product(i, *use.user);
    }
    /// Whether the user of a comparison's result may compute the comparison itself.
    [[nodiscard]] static bool takes_comparison(const ir::Use& use) {
        return use.user->op == ir::Op::If || use.user->op == ir::Op::Discard;
    }
    /// Whether the instruction belongs to the code that is emitted now.
    [[nodiscard]] bool is_selected(const ir::Instr&) { return true; }
    /// Around an If or a Loop.
    void before_flow(const ir::Instr&) {}
    void after_flow(const ir::Instr&) {}
    void discard(const ir::Instr& i) { self().alu_op(i); }
    void barrier(const ir::Instr& i) { self().alu_op(i); }
    void load_input_at(const ir::Instr& i) { self().alu_op(i); }
    void local_variable(const ir::Instr& i) { self().alu_op(i); }
    void load_uniform(const ir::Instr& i) { self().alu_op(i); }
    void load_sysval(const ir::Instr& i) { self().alu_op(i); }
    void texture(const ir::Instr& i) { self().alu_op(i); }
    /// Buffers, images and shared memory.
    void memory_op(const ir::Instr& i) {
        if (i.op == ir::Op::BufferSize || i.op == ir::Op::ImageSize) return self().size_op(i);
        if (i.op == ir::Op::AtomicBuffer || i.op == ir::Op::AtomicImage) return self().atomic(i);
        if (ir::is_image(i.op)) return self().image_op(i);
        i.op == ir::Op::StoreBuffer ? self().store_buffer(i) : self().load_buffer(i);
    }
    void size_op(const ir::Instr& i) { self().alu_op(i); }
    void atomic(const ir::Instr& i) { self().alu_op(i); }
    void image_op(const ir::Instr& i) { self().alu_op(i); }
    void load_buffer(const ir::Instr& i) { self().alu_op(i); }
    void store_buffer(const ir::Instr& i) { self().alu_op(i); }

    std::pmr::vector<Ref> values_;        // by value
    std::pmr::vector<uint8_t> deferred_;  // by value: whether its operation is deferred
    const ir::Region* region_ = nullptr;  // the current region
    unsigned flow_depth_ = 0;             // ifs and loops around it

  private:
    struct Loop {
        const ir::Instr* instr;
        unsigned ifs = 0;  // within it, around the current region
    };
    Self& self() { return static_cast<Self&>(*this); }

    void emit_if(const ir::Instr& i) {
        for (unsigned k = 0; k < i.result_count; k++)
            (void)self().word_of(i.result(k));
        if (!loops_.empty()) loops_.back().ifs++;
        self().begin_if(i);
        const bool falls = arm(i, *i.regions[0]);
        const ir::Region& no = *i.regions[1];
        if (!no.empty() && (no.first->op != ir::Op::Yield || i.result_count)) {
            self().begin_else(falls);
            (void)arm(i, no);
        }
        self().end_if();
        if (!loops_.empty()) loops_.back().ifs--;
    }
    void emit_loop(const ir::Instr& i) {
        const ir::Region* const body = i.regions[0];
        for (unsigned k = 0; k < body->arg_count; k++)
            (void)self().word_of(body->args[k]);
        for (unsigned k = 0; k < i.result_count; k++)
            (void)self().word_of(i.result(k));
        self().give(body->args, i);
        loops_.push_back({&i});
        self().begin_loop();
        region(body);
        self().end_loop();
        loops_.pop_back();
    }
    void leave_loop(const ir::Instr& i) {
        const Loop& loop = loops_.back();
        if (i.op == ir::Op::Break) {
            self().give(loop.instr->results, i);
            self().break_loop(loop.ifs);
        } else {
            self().give(loop.instr->regions[0]->args, i);
            self().continue_loop(loop.ifs);
        }
    }
    /// Selects an arm of an if. Returns whether its end can be reached.
    [[nodiscard]] bool arm(const ir::Instr& i, const ir::Region& r) {
        region(&r);
        const ir::Instr* const t = r.terminator();
        if (t && t->op == ir::Op::Yield) self().give(i.results, *t);
        return !ir::leaves(&r);
    }

    std::pmr::vector<Loop> loops_;  // around the current region
};

}  // namespace terrazzo::backend
