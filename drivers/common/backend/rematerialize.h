// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Where too many units live, values that are cheap to compute are computed again where they are read, in
// place of being kept in registers. Their operands must live there anyway. If several values are computed
// from one word, that word may live longer for them: then it occupies a register for a long time, not all the
// values. A typical case is an index that is compared with the number of each element of an array.
#pragma once

#include "drivers/common/backend/spill.h"

namespace terrazzo::backend {

/// The requirements of rematerialize.h.
template <typename T>
concept RematerializingTarget = Target<T> && requires(const typename T::Inst& i) {
    // Whether the instruction's results depend only on it and on the words that it reads.
    { T::is_computed(i) } -> std::same_as<bool>;
    { T::latency_clk(i) } -> std::same_as<unsigned>;
};

/// S: the target T, or a struct derived from it, with the functions of RematerializingTarget.
template <RematerializingTarget S, Target T>
class Rematerializer {
  public:
    using Inst = typename T::Inst;

    explicit Rematerializer(Function<T>& f)
        : f_(f),
          costs_(f, *this),
          writes_(f.words(), 0, f.memory),
          later_(f.words(), 0, f.memory),
          values_(f.memory),
          value_of_(f.words(), kNone, f.memory) {}
    /// Returns how many instructions were added. 0: nothing was changed.
    uint32_t run(const UnitSet<T>& limit, uint32_t room, uint32_t most) {
        find_values();
        find_reads();
        for (Value& v : values_)
            v.is_possible = v.is_possible && (v.later == kNoWord || later_[v.later] >= kLeastLater);
        uint32_t added = 0;
        SpillChooser<T, Costs> chooser(f_, costs_, limit, 0);
        if (chooser.choose(room).empty() || chooser.most_live() > most) return added;
        std::pmr::vector<Inst> out(f_.memory);
        for (uint32_t b = 0; b < f_.blocks.size(); b++) {
            out.clear();
            for (Inst i : f_.blocks[b].insts) {
                const auto read = [&](Word w, uint32_t) {
                    Value* const v = find(w);
                    if (!v || !v->goes) return w;
                    if (v->block == b && out.size() <= v->at + kNear) return v->now;
                    v->set(f_.add_node(1, false, f_.node(w).cls), b, out.size());
                    out.push_back(v->inst);
                    T::rewrite_words(out.back(), SameWord{}, [&](Word, uint32_t) { return v->now; });
                    added++;
                    return v->now;
                };
                T::rewrite_words(i, read, SameWord{});
                T::for_each_write(i, [&](Word w, uint32_t) {
                    if (Value* const v = find(w)) v->set(w, b, out.size());
                });
                out.push_back(i);
            }
            f_.blocks[b].insts = out;
        }
        return added;
    }

  private:
    static constexpr uint32_t kNone = ~0u;
    static constexpr unsigned kCheap_clk = 4, kMostOperands = 2;
    /// Reads of a value within so many instructions after its computation share one computation.
    static constexpr uint32_t kNear = 8;
    /// A word lives longer only for so many values or more.
    static constexpr uint32_t kLeastLater = 3;
    /// A value that may be computed again: the word that holds it now, and where that was computed.
    struct Value {
        Inst inst;
        Word now;
        uint32_t block, at;
        Word operands[kMostOperands] = {kNoWord, kNoWord};
        Word later = kNoWord;     // the operand that does not live at all reads of the value
        uint32_t end = 0;         // the place after its last read
        bool is_possible = true;  // no other operand has died there
        bool goes = false;        // it was chosen

        void set(Word word, uint32_t in, size_t place) {
            now = word;
            block = in;
            at = uint32_t(place);
        }
    };
    /// Only values may be chosen. The operands of those that were chosen stay.
    struct Costs : SpillCosts<T> {
        Costs(const Function<T>& f, Rematerializer& r)
            : SpillCosts<T>(f), rematerializer(r), stays(f.nodes.size()) {}
        [[nodiscard]] bool may_go(const Function<T>& f, NodeIndex n) const {
            const Value* const v = rematerializer.find(f.nodes[n].first);
            if (!v || !v->is_possible || stays[n] || !SpillCosts<T>::may_go(f, n)) return false;
            for (const Word w : v->operands)
                if (const Value* const from = w == kNoWord ? nullptr : rematerializer.find(w))
                    if (from->goes) return false;
            return true;
        }
        void take(NodeIndex n, const auto& prolong) { rematerializer.take(n, prolong); }
        Rematerializer& rematerializer;
        ByNode<uint8_t> stays;
    };
    void take(NodeIndex n, const auto& prolong) {
        Value& v = *find(f_.nodes[n].first);
        v.goes = true;
        if (v.later != kNoWord) prolong(v.later, v.end);
        for (const Word w : v.operands)
            if (w != kNoWord) costs_.stays[f_.node_of[w]] = 1;
    }

    [[nodiscard]] Value* find(Word word) {
        const bool known = number_of(word) < value_of_.size() && value_of_[word] != kNone;
        return known ? &values_[value_of_[word]] : nullptr;
    }
    /// Whether the word holds the same value at all its reads.
    [[nodiscard]] bool is_value(Word w) const { return writes_[w] == 1 && !f_.is_fixed(w); }
    void find_values() {
        for (const Block<T>& b : f_.blocks)
            for (const Inst& i : b.insts)
                T::for_each_write(i, [&](Word first, uint32_t count) {
                    for (const Word w : Words(first, count))
                        writes_[w] = uint8_t(std::min(writes_[w] + 1, 2));
                });
        for (const Block<T>& b : f_.blocks)
            for (const Inst& i : b.insts)
                add_value(i);
    }
    /// The instruction's result is a value if it computes one word from a few others, and is cheap.
    void add_value(const Inst& i) {
        if (T::is_move(i) || !S::is_computed(i) || S::latency_clk(i) > kCheap_clk) return;
        Value v{i, kNoWord, kNone, 0};
        uint32_t reads = 0, writes = 0;
        bool fits = true;
        T::for_each_read(i, [&](Word w, uint32_t count) {
            fits = fits && reads < kMostOperands && count == 1 && is_value(w);
            if (fits) v.operands[reads++] = w;
        });
        T::for_each_write(i, [&](Word w, uint32_t count) {
            v.now = w;
            writes++;
            fits = fits && count == 1 && is_value(w) && f_.node(w).count == 1;
        });
        if (!fits || writes != 1) return;
        value_of_[v.now] = uint32_t(values_.size());
        values_.push_back(v);
    }
    /// Finds the operands that do not live where their values are read.
    void find_reads() {
        uint32_t place = 0;
        for (const Block<T>& b : f_.blocks)
            for (const Inst& i : b.insts) {
                T::for_each_read(i, [&](Word first, uint32_t count) {
                    for (const Word w : Words(first, count))
                        if (Value* const v = find(w)) look_at_read(*v, count, place);
                });
                place += 2;
            }
    }
    void look_at_read(Value& v, uint32_t count, uint32_t place) {
        v.is_possible = v.is_possible && count == 1;
        v.end = place + 1;
        for (const Word w : v.operands) {
            if (w == kNoWord || w == v.later || costs_.lives(w, place)) continue;
            v.is_possible = v.is_possible && v.later == kNoWord;
            v.later = w;
            later_[w]++;
        }
    }

    Function<T>& f_;
    Costs costs_;
    ByWord<uint8_t> writes_;  // how often it is written; 2 means two or more
    ByWord<uint32_t> later_;  // for how many values the word would live longer
    std::pmr::vector<Value> values_;
    ByWord<uint32_t> value_of_;
};

/// Computes values again until no more than `room` units live at any place, as far as that is possible.
/// Changes nothing if more than `most` would live at some place. Fixed words outside of `limit` do not count.
/// Requires linked code, before allocation. Returns how many instructions were added. Instructions whose
/// results are not read any more are left to dead code elimination.
template <RematerializingTarget S, Target T>
uint32_t rematerialize(Function<T>& f, const UnitSet<T>& limit, uint32_t room, uint32_t most) {
    return Rematerializer<S, T>(f).run(limit, room, most);
}

}  // namespace terrazzo::backend
