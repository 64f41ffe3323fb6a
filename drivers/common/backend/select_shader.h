// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The state of the selection of a shader that does not depend on the vendor: words of values, outputs, the
// threads' own memory.
#pragma once

#include "drivers/common/backend/branch_regions.h"

namespace terrazzo::backend {

/// The base of a vendor's selector `Self`, whose friend it is. `Options` is what Self is told. Self has, in
/// addition to the members for BranchRegions and Emitter,
///   void add_word(const ir::Value*)          sets the value to a new word
///   std::pair<Isa, Ref> branch(const ir::Value* unless)
///                                            an instruction and its source: a branch that is taken if the
///                                            condition is false; null: always
/// It may replace new_output().
template <typename Self, typename Code, typename Ref, typename Info, typename Options>
class ShaderSelector : protected BranchRegions<Self, Code, Ref> {
  public:
    /// `f` receives the code, and f.error what is refused; `info` the facts that the driver needs.
    ShaderSelector(const ir::Shader& s, const Options& options, Code& f, Info& info)
        : BranchRegions<Self, Code, Ref>(f, s.value_count()), s_(s), options_(options), info_(info) {}

  protected:
    using Regions = RegionSelector<Self, Code, Ref>;
    using Branches = BranchRegions<Self, Code, Ref>;
    using Branch = typename Branches::Branch;
    using Regions::f_, Regions::values_;
    static constexpr unsigned kOutputSlots = 64;

    /// Calls f(instruction) for all instructions of the shader.
    template <typename F>
    void for_each(const F& f) const {
        ir::for_each(s_.body, [&](const ir::Instr* i) { f(*i); });
    }
    /// The word of a value that regions pass to each other.
    Word word_of(const ir::Value* v) {
        if (values_[v->id].kind == Ref::Kind::None) self().add_word(v);
        return values_[v->id].as_word();
    }
    Branch branch_unless(const ir::Value* condition) {
        const auto [proto, source] = self().branch(condition);
        return this->push_branch(proto, source);
    }
    Branch jump() {
        const Branch b = branch_unless(nullptr);
        f_.blocks[b.block].insts[b.inst].always = true;
        return b;
    }
    void before_flow(const ir::Instr& i) { info_.statistics.loops += i.op == ir::Op::Loop; }

    /// The results of the instruction, from `first` on, are consecutive words.
    void set_results(const ir::Instr& i, unsigned first, Word words, unsigned count) {
        for (unsigned k = 0; k < count; k++)
            this->set(i.result(first + k), Ref::word(words + k));
    }
    /// The first of consecutive words that hold these operands, at most four.
    Word operand_words(const ir::Instr& i, unsigned first, unsigned count) {
        Ref data[4];
        for (unsigned k = 0; k < count; k++)
            data[k] = this->use(i.operand(first + k));
        return self().collect(std::span<const Ref>(data, count));
    }

    /// A word for the output that the instruction stores.
    Ref new_output(const ir::Instr&) { return Ref::word(this->new_words(1)); }
    /// Creates the words of outputs that nested regions store, since some threads may not run the store. They
    /// are zero until then.
    void plan_outputs() {
        for_each([&](const ir::Instr& i) {
            if (i.op != ir::Op::StoreOutput || i.parent == s_.body || i.u.io.slot >= kOutputSlots) return;
            const uint32_t at = i.u.io.slot * 4 + i.u.io.component;
            if (owned_[at]) return;
            owned_[at] = 1;
            outputs_[at] = self().new_output(i);
            self().move_to(outputs_[at].as_word(), Ref{});
        });
    }
    /// An output without a word of its own is the value that was stored last.
    void set_output(uint32_t at, const Ref& value) {
        if (owned_[at])
            self().move_to(outputs_[at].as_word(), value);
        else
            outputs_[at] = value;
    }

    const ir::Shader& s_;
    const Options& options_;
    Info& info_;
    // By slot * 4 + component: the value; whether it has a word of its own.
    std::pmr::vector<Ref> outputs_{kOutputSlots * 4, Ref{}, f_.memory};
    std::pmr::vector<uint8_t> owned_{kOutputSlots * 4, uint8_t(0), f_.memory};
    static constexpr uint32_t kNoPlace = ~0u;
    // By variable: where it is in the threads' own memory; kNoPlace: it has no memory yet.
    std::pmr::vector<uint32_t> local_at_B_{s_.vars().size(), kNoPlace, f_.memory};

  private:
    Self& self() { return static_cast<Self&>(*this); }
};

}  // namespace terrazzo::backend
