// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// If several cheap values are computed from one word, computes them again where they are read. Then only that
// word occupies a register for a long time, not all the values. A typical case is an index that is compared
// with the number of each element of an array.
#pragma once

#include "drivers/common/backend/function.h"

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

    Rematerializer(Function<T>& f, uint32_t least_shared)
        : f_(f),
          least_shared_(least_shared),
          writes_(f.words(), 0, f.memory),
          shared_(f.words(), 0, f.memory),
          values_(f.memory),
          value_of_(f.words(), kNone, f.memory) {}
    /// Returns how many instructions were added.
    uint32_t run() {
        find_values();
        uint32_t added = 0;
        std::pmr::vector<Inst> out(f_.memory);
        for (uint32_t b = 0; b < f_.blocks.size(); b++) {
            out.clear();
            for (Inst i : f_.blocks[b].insts) {
                const auto read = [&](Word w, uint32_t count) {
                    Value* const v = find(w, count);
                    if (!v) return w;
                    if (v->block == b && out.size() <= v->at + kNear) return v->now;
                    *v = {v->inst, f_.add_node(1, false, f_.node(w).cls), b, uint32_t(out.size())};
                    out.push_back(v->inst);
                    T::rewrite_words(out.back(), SameWord{}, [&](Word, uint32_t) { return v->now; });
                    added++;
                    return v->now;
                };
                T::rewrite_words(i, read, SameWord{});
                T::for_each_write(i, [&](Word w, uint32_t count) {
                    if (Value* const v = find(w, count)) *v = {v->inst, w, b, uint32_t(out.size())};
                });
                out.push_back(i);
            }
            f_.blocks[b].insts = out;
        }
        return added;
    }

  private:
    static constexpr uint32_t kNone = ~0u;
    static constexpr unsigned kCheap_clk = 4;
    /// Reads of a value within so many instructions after its computation share one computation.
    static constexpr uint32_t kNear = 16;
    /// A value that may be computed again: the word that holds it now, and where that was computed.
    struct Value {
        Inst inst;
        Word now;
        uint32_t block, at;
    };

    [[nodiscard]] Value* find(Word word, uint32_t count) {
        const bool known = count == 1 && number_of(word) < value_of_.size() && value_of_[word] != kNone;
        return known ? &values_[value_of_[word]] : nullptr;
    }
    /// Whether the word holds the same value at all its reads.
    [[nodiscard]] bool is_value(Word w) const { return writes_[w] == 1 && !f_.is_fixed(w); }
    /// The only word that the instruction reads, if it computes one word from it and is cheap; otherwise
    /// kNoWord.
    [[nodiscard]] Word source(const Inst& i) const {
        if (T::is_move(i) || !S::is_computed(i) || S::latency_clk(i) > kCheap_clk) return kNoWord;
        Word from = kNoWord;
        uint32_t reads = 0, writes = 0;
        bool fits = true;
        T::for_each_read(i, [&](Word w, uint32_t count) {
            from = w;
            reads++;
            fits = fits && count == 1 && is_value(w);
        });
        T::for_each_write(i, [&](Word w, uint32_t count) {
            writes++;
            fits = fits && count == 1 && is_value(w) && f_.node(w).count == 1;
        });
        return fits && reads == 1 && writes == 1 ? from : kNoWord;
    }
    void find_values() {
        for (const Block<T>& b : f_.blocks)
            for (const Inst& i : b.insts)
                T::for_each_write(i, [&](Word first, uint32_t count) {
                    for (const Word w : Words(first, count))
                        writes_[w] = uint8_t(std::min(writes_[w] + 1, 2));
                });
        for (const Block<T>& b : f_.blocks)
            for (const Inst& i : b.insts)
                if (const Word from = source(i); from != kNoWord) shared_[from]++;
        for (const Block<T>& b : f_.blocks)
            for (const Inst& i : b.insts) {
                const Word from = source(i);
                if (from == kNoWord || shared_[from] < least_shared_) continue;
                T::for_each_write(i, [&](Word w, uint32_t) {
                    value_of_[w] = uint32_t(values_.size());
                    values_.push_back({i, w, kNone, 0});
                });
            }
    }

    Function<T>& f_;
    const uint32_t least_shared_;
    ByWord<uint8_t> writes_;   // how often it is written; 2 means two or more
    ByWord<uint32_t> shared_;  // how many values are computed from it
    std::pmr::vector<Value> values_;
    ByWord<uint32_t> value_of_;
};

/// Runs before allocation, for words from which at least `least_shared` values are computed. Returns how many
/// instructions were added. Instructions whose results are not read any more are left to dead code
/// elimination.
template <RematerializingTarget S, Target T>
uint32_t rematerialize(Function<T>& f, uint32_t least_shared) {
    return Rematerializer<S, T>(f, least_shared).run();
}

}  // namespace terrazzo::backend
