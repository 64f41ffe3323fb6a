// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What every vendor's selection of instructions has of control flow: regions of the IR become blocks. Blocks stand in program
// order, so that threads that wait for others are those further on.
#pragma once

#include "drivers/common/backend/function.h"
#include "shaders/passes/walk.h"

namespace terrazzo::backend {

/// The base of a vendor's selector `Self`, whose friend it is. Self has
///   void visit(const ir::Instr&)                               selects one, or calls what is here for it
///   uint32_t word_of(const ir::Value*)                         the word of a value that regions give each other
///   void give(ir::Value* const* to, const ir::Instr& from)     a terminator's values into those words (move_together)
///   Branch branch_unless(const ir::Value* condition), jump()   one instruction each, at the end of the block
template <typename Self, typename Code>
class RegionSelector {
  protected:
    /// An instruction whose target is not known yet.
    struct Branch {
        size_t block = 0, inst = 0;
    };

    explicit RegionSelector(Code& f) : f_(f), loops_(f.memory) {}

    int32_t begin_block() {
        f_.blocks.emplace_back(f_.memory);
        block_ = f_.blocks.size() - 1;
        return int32_t(block_);
    }
    /// The instruction that was appended last.
    [[nodiscard]] Branch last() const { return {block_, f_.blocks[block_].insts.size() - 1}; }
    void aim(const Branch& b, int32_t block) { f_.blocks[b.block].insts[b.inst].target = block; }

    void region(const ir::Region* r) {
        const ir::Region* const outer = region_;
        region_ = r;
        for (const ir::Instr* i = r->first; i && f_.error.empty(); i = i->next)
            self().visit(*i);
        region_ = outer;
    }

    void emit_if(const ir::Instr& i) {
        for (unsigned k = 0; k < i.result_count; k++)
            (void)self().word_of(i.result(k));
        const Branch over = self().branch_unless(i.operand(0));
        begin_block();
        const bool falls = arm(i, *i.regions[0]);
        const ir::Region& no = *i.regions[1];
        if (no.empty() || (no.first->op == ir::Op::Yield && !i.result_count)) return aim(over, begin_block());
        Branch out;
        if (falls) out = self().jump();
        aim(over, begin_block());
        (void)arm(i, no);
        const int32_t end = begin_block();
        if (falls) aim(out, end);
    }

    void emit_loop(const ir::Instr& i) {
        const ir::Region* const body = i.regions[0];
        for (unsigned k = 0; k < body->arg_count; k++)
            (void)self().word_of(body->args[k]);
        for (unsigned k = 0; k < i.result_count; k++)
            (void)self().word_of(i.result(k));
        self().give(body->args, i);
        Loop loop{&i, begin_block(), std::pmr::vector<Branch>(f_.memory)};
        loops_.push_back(&loop);
        region(body);
        loops_.pop_back();
        const int32_t end = begin_block();
        for (const Branch& b : loop.exits)
            aim(b, end);
    }

    /// Break and Continue.
    void leave_loop(const ir::Instr& i) {
        Loop& loop = *loops_.back();
        if (i.op == ir::Op::Break) {
            self().give(loop.instr->results, i);
            loop.exits.push_back(self().jump());
        } else {
            self().give(loop.instr->regions[0]->args, i);
            aim(self().jump(), loop.head);
        }
    }

    /// Moves that happen at once. A Given has the `word` that `value`, a Ref, goes to. move(word, given) emits one of them;
    /// keep(given) gives a new word for a value that another move overwrites.
    template <typename Given, typename Move, typename Keep>
    void move_together(std::pmr::vector<Given>& all, const Move& move, const Keep& keep) {
        const auto is_overwritten = [&](const Given& g) {
            return std::any_of(all.begin(), all.end(), [&](const Given& other) {
                return &other != &g && g.value.is_word() && g.value.index == other.word;
            });
        };
        for (Given& g : all) {
            if (!is_overwritten(g)) continue;
            const auto kept = keep(g);
            move(kept.index, g);
            g.value = kept;
        }
        for (const Given& g : all)
            if (!(g.value.is_word() && g.value.index == g.word && g.value.plain())) move(g.word, g);
    }

    Code& f_;
    size_t block_ = 0;                    // what is appended to
    const ir::Region* region_ = nullptr;  // what is selected

  private:
    struct Loop {
        const ir::Instr* instr;
        int32_t head;
        std::pmr::vector<Branch> exits;
    };
    Self& self() { return static_cast<Self&>(*this); }
    /// Whether what follows the if is reached through it.
    [[nodiscard]] bool arm(const ir::Instr& i, const ir::Region& r) {
        region(&r);
        const ir::Instr* const t = r.terminator();
        if (t && t->op == ir::Op::Yield) self().give(i.results, *t);
        return !ir::leaves(&r);
    }

    std::pmr::vector<Loop*> loops_;  // around what is selected
};

}  // namespace terrazzo::backend
