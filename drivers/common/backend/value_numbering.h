// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copy propagation and value numbering of words that are written once. A read of a copy becomes a read of the
// original. A read of a value that was computed before, on every path to here, becomes a read of the earlier
// word. No instruction is removed here: dead code elimination (liveness.h) removes those whose results are
// not read.
//
// Constants and uniforms are cheap to compute again, and to keep them in registers for long is expensive.
// They are shared only within a block, over a few instructions.
#pragma once

#include "drivers/common/backend/dominance.h"

namespace terrazzo::backend {

/// The requirements of value_numbering.h.
template <typename T>
concept NumberingTarget = Target<T> && requires(const typename T::Inst& i) {
    // Its results depend only on the instruction and on the words that it reads.
    { T::is_computed(i) } -> std::same_as<bool>;
    { T::is_repeatable(i) } -> std::same_as<bool>;  // it is computed, and reads no word
    // A hash, and a comparison, of everything except the words.
    { T::hash_operation(i) } -> std::same_as<uint64_t>;
    { T::is_same_operation(i, i) } -> std::same_as<bool>;
    { T::kShareWithin } -> std::convertible_to<uint32_t>;  // the most instructions between repeatable ones
};

/// Whether equal repeatable instructions share a register.
enum class Share : uint8_t { No, Yes };

/// S: the target T, or a struct derived from it, with the functions of NumberingTarget.
template <NumberingTarget S, Target T>
class ValueNumbering {
  public:
    using Inst = typename T::Inst;

    ValueNumbering(Function<T>& f, Share share)
        : f_(f),
          shares_(share == Share::Yes),
          dominance_(f),
          writes_(f.words(), 0, &memory_),
          same_as_(f.words(), kNoWord, &memory_),
          known_(&memory_),
          written_(&memory_),
          written_before_(&memory_) {}

    void run() {
        count_writes();
        for (uint32_t b = 0; b < f_.blocks.size(); b++) {
            auto& insts = f_.blocks[b].insts;
            for (uint32_t k = 0; k < insts.size(); k++) {
                T::rewrite_words(
                    insts[k], [&](Word w, uint32_t count) { return earlier(w, count); }, SameWord{});
                if (T::is_move(insts[k]))
                    copy(insts[k]);
                else if (S::is_computed(insts[k]))
                    compute(b, k);
            }
        }
    }

  private:
    /// An instruction whose results may replace those of later ones.
    struct Known {
        uint64_t hash;
        uint32_t block, inst;
    };
    struct Run {
        Word word;
        uint32_t count;
        bool operator==(const Run&) const = default;
    };
    static constexpr uint32_t kNoInst = ~0u;  // of an empty entry
    /// The most entries of the hash table that are probed for one instruction.
    static constexpr size_t kMostProbes = 8;

    void count_writes() {
        size_t candidates = 0;
        const auto count = [&](Word first, uint32_t n) {
            for (const Word w : Words(first, n))
                writes_[w] = uint8_t(std::min(writes_[w] + 1, 2));
        };
        for (const Block<T>& b : f_.blocks)
            for (const Inst& i : b.insts) {
                T::for_each_write(i, count);
                candidates += !T::is_move(i) && S::is_computed(i);
            }
        size_t slots = 16;
        while (slots < 2 * candidates)
            slots *= 2;
        known_.assign(slots, Known{0, 0, kNoInst});
    }
    /// Whether the word holds the same value wherever it is read.
    [[nodiscard]] bool is_value(Word w) const { return writes_[w] == 1 && !f_.is_fixed(w); }

    [[nodiscard]] Word earlier(Word word) const { return same_as_[word] == kNoWord ? word : same_as_[word]; }
    /// Likewise for a run of words, which must stay a run.
    [[nodiscard]] Word earlier(Word word, uint32_t count) const {
        const Word first = earlier(word);
        if (count == 1 || first == word) return first;
        const Node& node = f_.node(first);
        if (first != node.first || node.count < count) return word;
        for (uint32_t k = 1; k < count; k++)
            if (earlier(word + k) != first + k) return word;
        return first;
    }
    void copy(const Inst& i) {
        const Word to = T::move_dest(i), from = T::move_source(i);
        if (is_value(to) && is_value(from) && &f_.class_of(to) == &f_.class_of(from)) same_as_[to] = from;
    }

    /// Whether each word that it reads or writes holds one value only.
    [[nodiscard]] bool has_value(const Inst& i) const {
        bool value = true;
        const auto look = [&](Word first, uint32_t count) {
            for (const Word w : Words(first, count))
                value = value && is_value(w);
        };
        T::for_each_read(i, look);
        T::for_each_write(i, look);
        return value;
    }
    [[nodiscard]] uint64_t hash(const Inst& i) const {
        uint64_t h = S::hash_operation(i);
        T::for_each_read(i, [&](Word w, uint32_t count) {
            h = (h ^ (uint64_t(number_of(w)) << 8 | count)) * 0x9e3779b97f4a7c15ull;
            h ^= h >> 29;
        });
        return h ? h : 1;
    }
    void list(const Inst& i, bool reads, std::pmr::vector<Run>* out) const {
        out->clear();
        const auto add = [&](Word w, uint32_t count) { out->push_back({w, count}); };
        if (reads)
            T::for_each_read(i, add);
        else
            T::for_each_write(i, add);
    }
    [[nodiscard]] bool is_same(const Inst& a, const Inst& b) {
        if (!S::is_same_operation(a, b)) return false;
        list(a, true, &written_);
        list(b, true, &written_before_);
        return written_ == written_before_;
    }
    void compute(uint32_t b, uint32_t k) {
        const Inst& i = f_.blocks[b].insts[k];
        if (!has_value(i)) return;
        const bool repeatable = S::is_repeatable(i);
        // A word of a run is computed directly into its place, which is cheaper than a move.
        if (repeatable && (!shares_ || is_in_run(i))) return;
        const uint64_t h = hash(i);
        Known* found = nullptr;
        for (size_t n = 0; n < kMostProbes; n++) {
            Known& k = known_[(h + n) & (known_.size() - 1)];
            if (k.inst != kNoInst && k.hash != h) continue;
            found = &k;
            break;
        }
        if (!found) return;
        if (found->inst != kNoInst && dominance_.dominates(found->block, b) &&
            (!repeatable || (found->block == b && k - found->inst <= S::kShareWithin)) &&
            use_earlier(i, f_.blocks[found->block].insts[found->inst]))
            return;
        *found = {h, b, k};
    }
    [[nodiscard]] bool is_in_run(const Inst& i) const {
        bool in_run = false;
        T::for_each_write(i, [&](Word w, uint32_t) { in_run |= f_.node(w).count > 1; });
        return in_run;
    }
    /// Replaces the results of `i` by those of `before`. False: the two differ, nothing was changed.
    [[nodiscard]] bool use_earlier(const Inst& i, const Inst& before) {
        if (!is_same(i, before)) return false;
        list(i, false, &written_);
        list(before, false, &written_before_);
        for (size_t n = 0; n < written_.size(); n++)
            if (n >= written_before_.size() || written_[n].count != written_before_[n].count ||
                &f_.class_of(written_[n].word) != &f_.class_of(written_before_[n].word))
                return false;
        for (size_t n = 0; n < written_.size(); n++)
            for (uint32_t k = 0; k < written_[n].count; k++)
                same_as_[written_[n].word + k] = written_before_[n].word + k;
        return true;
    }

    Function<T>& f_;
    const bool shares_;
    std::pmr::monotonic_buffer_resource memory_;
    const Dominance dominance_;
    ByWord<uint8_t> writes_;         // how often it is written; 2 means two or more
    ByWord<Word> same_as_;           // the word that is read in its place
    std::pmr::vector<Known> known_;  // by hash
    std::pmr::vector<Run> written_, written_before_;
};

/// Requires linked code, before allocation. Words are still written before they are read. Results of some
/// instructions are not read any more.
template <NumberingTarget S, Target T>
void number_values(Function<T>& f, Share share = Share::Yes) {
    ValueNumbering<S, T>(f, share).run();
}

}  // namespace terrazzo::backend
