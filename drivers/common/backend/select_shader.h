// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The state of the selection of a shader that does not depend on the vendor: words of values, inputs and
// outputs, what was loaded, the threads' own memory.
#pragma once

#include <array>

#include "drivers/common/backend/branch_regions.h"

namespace terrazzo::backend {

/// The base of a vendor's selector `Self`, whose friend it is. `Options` is what Self is told. Self has, in
/// addition to the members for BranchRegions and Emitter,
///   std::pair<Isa, Ref> branch(const ir::Value* unless)
///                                            an instruction and its source: a branch that is taken if the
///                                            condition is false; null: always
/// It may replace add_word(), give(), passed(), new_output(). A GPU with execution masks replaces
/// branch_unless() and jump(), and adds the changes of the mask to the hooks of BranchRegions.
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
    /// Sets the value to a new word.
    void add_word(const ir::Value* v) { values_[v->id] = this->new_word(ir::bit_size(v->type) == 16); }
    /// The word of a value that regions pass to each other.
    Word word_of(const ir::Value* v) {
        if (values_[v->id].kind == Ref::Kind::None) self().add_word(v);
        return values_[v->id].as_word();
    }
    /// Moves the operands of a terminator to the words of the results or arguments that receive them.
    void give(ir::Value* const* to, const ir::Instr& from) {
        struct Given {
            Word word;
            Ref value;
        };
        std::pmr::vector<Given> all(f_.memory);
        for (unsigned k = 0; k < from.operand_count; k++)
            all.push_back({word_of(to[k]), self().passed(from.operand(k))});
        this->move_together(
            all, [&](Word word, const Given& g) { self().move_to(word, g.value); },
            [&](const Given& g) { return this->new_word(g.value.is_half()); });
    }
    /// A value that a region passes, as a source.
    Ref passed(const ir::Value* v) { return this->use(v); }
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

    /// The result of an instruction, which later code uses that needs the same value.
    struct Loaded {
        ir::Op op;
        uint32_t key;
        const ir::Region* region;
        Word first;
        uint32_t count;
    };
    /// Null: the value was not loaded, or not in all threads of the current region.
    const Loaded* find_loaded(ir::Op op, uint32_t key) const {
        for (const Loaded& l : loaded_) {
            if (l.op != op || l.key != key) continue;
            for (const ir::Region* r = this->region_; r; r = r->owner ? r->owner->parent : nullptr)
                if (r == l.region) return &l;
        }
        return nullptr;
    }
    const Loaded* add_loaded(ir::Op op, uint32_t key, Word first, unsigned count = 1) {
        loaded_.push_back({op, key, this->region_, first, count});
        return &loaded_.back();
    }
    /// Fills input_mask_.
    void scan_inputs() {
        for_each([&](const ir::Instr& i) {
            const bool loads = i.op == ir::Op::LoadInput || i.op == ir::Op::LoadInputAt;
            if (loads && i.u.io.slot < input_mask_.size())
                input_mask_[i.u.io.slot] |= uint8_t(1u << i.u.io.component);
        });
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
    std::pmr::vector<Loaded> loaded_{f_.memory};
    std::array<uint8_t, 64> input_mask_{};  // by slot: components that are read
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
