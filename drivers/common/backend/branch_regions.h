// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Control flow for GPUs with branches: the hardware itself handles threads that diverge. For a GPU with an
// execution mask, a selector adds the changes of the mask.
#pragma once

#include "drivers/common/backend/select_regions.h"

namespace terrazzo::backend {

/// The hooks of RegionSelector as blocks and branches. Self has
///   Branch branch_unless(const ir::Value* condition), jump()   one instruction each, at the end of the block
template <typename Self, typename Code, typename Ref>
class BranchRegions : protected RegionSelector<Self, Code, Ref> {
  protected:
    using Regions = RegionSelector<Self, Code, Ref>;
    using Regions::begin_block, Regions::block_, Regions::f_;

    /// The place of a branch, whose target aim() sets later.
    struct Branch {
        size_t block = 0, inst = 0;
    };

    BranchRegions(Code& f, size_t values) : Regions(f, values), ifs_(f.memory), loops_(f.memory) {}

    /// The instruction that was appended last.
    [[nodiscard]] Branch last() const { return {block_, f_.blocks[block_].insts.size() - 1}; }
    /// A branch if the source says so; one without a source is always taken.
    template <typename Proto>
    Branch push_branch(const Proto& proto, const Ref& source = {}) {
        typename decltype(f_.blocks[0].insts)::value_type i;
        i.proto = proto;
        i.src[0] = source;
        this->push(i);
        return last();
    }

    void aim(const Branch& b, int32_t block) { f_.blocks[b.block].insts[b.inst].target = block; }

    void begin_if(const ir::Instr& i) {
        ifs_.push_back({.over = self().branch_unless(i.operand(0))});
        begin_block();
    }
    void begin_else(bool falls) {
        If& open = ifs_.back();
        if (falls) open.out = self().jump();
        open.has_out = falls;
        open.has_else = true;
        aim(open.over, begin_block());
    }
    void end_if() {
        const If& open = ifs_.back();
        const int32_t end = begin_block();
        if (!open.has_else) aim(open.over, end);
        if (open.has_out) aim(open.out, end);
        ifs_.pop_back();
    }
    void begin_loop() { loops_.push_back({begin_block(), std::pmr::vector<Branch>(f_.memory)}); }
    void break_loop(unsigned) { loops_.back().exits.push_back(self().jump()); }
    void continue_loop(unsigned) { aim(self().jump(), loops_.back().head); }
    void end_loop() {
        const int32_t end = begin_block();
        for (const Branch& b : loops_.back().exits)
            aim(b, end);
        loops_.pop_back();
    }
    /// The first block of the innermost loop.
    [[nodiscard]] int32_t loop_head() const { return loops_.back().head; }

  private:
    struct If {
        Branch over, out;  // from the condition; from the end of the first arm
        bool has_else = false, has_out = false;
    };
    struct Loop {
        int32_t head;
        std::pmr::vector<Branch> exits;
    };
    Self& self() { return static_cast<Self&>(*this); }

    std::pmr::vector<If> ifs_;
    std::pmr::vector<Loop> loops_;
};

}  // namespace terrazzo::backend
