// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Liveness of words, and dead code elimination. All functions require linked code. A word is followed
// backwards from each block that reads it to those that write it: the time grows with the live ranges, not
// with the number of blocks times the number of words.
#pragma once

#include <bit>
#include <span>
#include <utility>

#include "drivers/common/backend/function.h"
#include "drivers/common/backend/ranges.h"

namespace terrazzo::backend {

/// A bit per word.
using Bits = std::pmr::vector<uint64_t>;

inline bool test(const Bits& b, Word w) {
    return b[number_of(w) / 64] >> (number_of(w) % 64) & 1;
}
inline void put(Bits& b, Word w) {
    b[number_of(w) / 64] |= 1ull << (number_of(w) % 64);
}
inline void drop(Bits& b, Word w) {
    b[number_of(w) / 64] &= ~(1ull << (number_of(w) % 64));
}

/// Changes `live` from the words that live after `i` to those that live before it. Clobbered words do not
/// live across the instruction.
template <Target T>
void step_back(const typename T::Inst& i, Bits& live) {
    const auto drop_all = [&](Word w, uint32_t count) {
        for (uint32_t k = 0; k < count; k++)
            drop(live, w + k);
    };
    T::for_each_clobber(i, drop_all);
    T::for_each_write(i, drop_all);
    T::for_each_read(i, [&](Word w, uint32_t count) {
        for (uint32_t k = 0; k < count; k++)
            put(live, w + k);
    });
}

/// The words that become live or die between blocks. A walk over the code from its end needs one set: at the
/// end of block b it adds only_after(b), steps back over the block's instructions, and removes
/// only_before(b). Most words live in only one block and cost nothing here. Each of the others costs one step
/// for each block that it lives in.
template <Target T>
class Liveness {
  public:
    explicit Liveness(const Function<T>& f);
    /// The words that live after block b, but not before block b + 1.
    [[nodiscard]] std::span<const Word> only_after(size_t b) const { return after_.of(b); }
    /// The words that live before block b, but not after block b - 1. For the first block these are all words
    /// that live before it; but if the code is a single block without a loop, the list is empty.
    [[nodiscard]] std::span<const Word> only_before(size_t b) const { return before_.of(b); }

  private:
    static constexpr uint32_t kNone = ~0u;
    struct Link {
        uint32_t block, next;
    };
    /// A list of blocks for each word.
    struct Lists {
        Lists(size_t words, std::pmr::memory_resource* memory) : head(words, kNone, memory), links(memory) {}
        void add(Word word, uint32_t block) {
            links.push_back({block, head[word]});
            head[word] = uint32_t(links.size() - 1);
        }
        ByWord<uint32_t> head;
        std::pmr::vector<Link> links;
    };
    /// Items by block. add() collects the pairs; sort() then stores the items of each block contiguously.
    template <typename Item>
    struct Table {
        explicit Table(std::pmr::memory_resource* memory) : start(memory), items(memory), pairs(memory) {}
        void add(uint32_t block, Item item) { pairs.push_back({block, item}); }
        void sort(size_t blocks) {
            start.assign(blocks + 1, 0);
            for (const auto& [block, item] : pairs)
                start[block + 1]++;
            for (size_t b = 0; b < blocks; b++)
                start[b + 1] += start[b];
            items.resize(pairs.size());
            std::pmr::vector<uint32_t> at(start, start.get_allocator());
            for (const auto& [block, item] : pairs)
                items[at[block]++] = item;
        }
        [[nodiscard]] std::span<const Item> of(size_t block) const {
            return {items.data() + start[block], start[block + 1] - start[block]};
        }
        std::pmr::vector<uint32_t> start;
        std::pmr::vector<Item> items;
        std::pmr::vector<std::pair<uint32_t, Item>> pairs;
    };
    void find_uses(const Function<T>& f, Lists* reads, Lists* writes);

    std::pmr::monotonic_buffer_resource memory_;
    Table<Word> after_, before_;
};

/// By word: the blocks that read it before they write it, and the blocks that write it.
template <Target T>
void Liveness<T>::find_uses(const Function<T>& f, Lists* reads, Lists* writes) {
    ByWord<uint32_t> read_in(f.words(), kNone, &memory_), written_in(f.words(), kNone, &memory_);
    for (uint32_t b = 0; b < f.blocks.size(); b++) {
        const auto is_new = [&](ByWord<uint32_t>& seen, Word w) { return std::exchange(seen[w], b) != b; };
        const auto write = [&](Word first, uint32_t count) {
            for (const Word w : Words(first, count))
                if (is_new(written_in, w)) writes->add(w, b);
        };
        for (const typename T::Inst& i : f.blocks[b].insts) {
            T::for_each_read(i, [&](Word first, uint32_t count) {
                for (const Word w : Words(first, count))
                    if (written_in[w] != b && is_new(read_in, w)) reads->add(w, b);
            });
            T::for_each_clobber(i, write);
            T::for_each_write(i, write);
        }
    }
}

template <Target T>
Liveness<T>::Liveness(const Function<T>& f) : after_(&memory_), before_(&memory_) {
    const auto blocks = uint32_t(f.blocks.size());
    // Nothing follows a single block without a loop. The walk over it finds the words that live before it.
    if (blocks == 1 && f.blocks[0].next[0] < 0 && f.blocks[0].next[1] < 0) {
        after_.sort(blocks);
        before_.sort(blocks);
        return;
    }
    Lists reads(f.words(), &memory_), writes(f.words(), &memory_);
    find_uses(f, &reads, &writes);
    Table<uint32_t> comes_from(&memory_);
    for (uint32_t b = 0; b < blocks; b++)
        for (int32_t next : f.blocks[b].next)
            if (next >= 0) comes_from.add(uint32_t(next), b);
    comes_from.sort(blocks);
    // Follow each word from its reads back to its writes. The marks hold the last word that reached the
    // block.
    std::pmr::vector<Word> written(blocks, kNoWord, &memory_), before(blocks, kNoWord, &memory_),
        after(blocks, kNoWord, &memory_);
    std::pmr::vector<uint32_t> in(&memory_), out(&memory_);
    for (const Word w : f.all_words()) {
        if (reads.head[w] == kNone) continue;
        in.clear();
        out.clear();
        for (uint32_t l = writes.head[w]; l != kNone; l = writes.links[l].next)
            written[writes.links[l].block] = w;
        for (uint32_t l = reads.head[w]; l != kNone; l = reads.links[l].next) {
            in.push_back(reads.links[l].block);
            before[in.back()] = w;
        }
        for (size_t k = 0; k < in.size(); k++)
            for (const uint32_t from : comes_from.of(in[k])) {
                if (std::exchange(after[from], w) == w) continue;
                out.push_back(from);
                if (written[from] != w && std::exchange(before[from], w) != w) in.push_back(from);
            }
        for (const uint32_t b : out)
            if (b + 1 == blocks || before[b + 1] != w) after_.add(b, w);
        for (const uint32_t b : in)
            if (b == 0 || after[b - 1] != w) before_.add(b, w);
    }
    after_.sort(blocks);
    before_.sort(blocks);
}

namespace detail {

/// Removes the instructions for which is_dead() returns true; it is called from the last to the first.
/// Returns whether any was removed.
template <Target T, typename F>
bool remove_from_end(Block<T>& block, const F& is_dead) {
    auto& insts = block.insts;
    size_t kept = insts.size();  // from here on, those that stay
    for (size_t i = insts.size(); i-- > 0;)
        if (!is_dead(insts[i]) && --kept != i) insts[kept] = insts[i];
    insts.erase(insts.begin(), insts.begin() + ptrdiff_t(kept));
    return kept > 0;
}

/// Whether the instruction must stay even if its results are never read.
template <Target T>
[[nodiscard]] bool is_wanted(const Function<T>& f, const typename T::Inst& i) {
    bool wanted = T::has_effect(i), writes = false;
    T::for_each_write(i, [&](Word w, uint32_t count) {
        writes = true;
        for (uint32_t k = 0; k < count; k++)
            wanted |= f.is_fixed(w + k);
    });
    return wanted || !writes;
}

/// Removes instructions whose results are read only by instructions that are removed, too.
template <Target T>
void remove_unread(Function<T>& f) {
    using Inst = typename T::Inst;
    std::pmr::monotonic_buffer_resource memory;
    constexpr uint32_t kNone = ~0u;
    struct Writer {
        const Inst* inst;
        uint32_t next;
    };
    ByWord<uint32_t> writers(f.words(), kNone, &memory);
    std::pmr::vector<Word> left(&memory);
    std::pmr::vector<Writer> links(&memory);
    Bits read((f.words() + 63) / 64, 0, &memory);
    const auto want = [&](const Inst& i) {
        T::for_each_read(i, [&](Word w, uint32_t count) {
            for (uint32_t k = 0; k < count; k++)
                if (!test(read, w + k)) {
                    put(read, w + k);
                    left.push_back(w + k);
                }
        });
    };
    for (const Block<T>& b : f.blocks)
        for (const Inst& i : b.insts) {
            if (is_wanted(f, i)) {
                want(i);
                continue;
            }
            T::for_each_write(i, [&](Word w, uint32_t count) {
                for (uint32_t k = 0; k < count; k++) {
                    links.push_back({&i, writers[w + k]});
                    writers[w + k] = uint32_t(links.size() - 1);
                }
            });
        }
    while (!left.empty()) {
        const Word w = left.back();
        left.pop_back();
        for (uint32_t l = std::exchange(writers[w], kNone); l != kNone; l = links[l].next)
            want(*links[l].inst);
    }
    for (Block<T>& b : f.blocks)
        remove_from_end<T>(b, [&](const Inst& i) {
            bool is_read = is_wanted(f, i);
            T::for_each_write(i, [&](Word w, uint32_t count) {
                for (uint32_t k = 0; k < count; k++)
                    is_read |= test(read, w + k);
            });
            return !is_read;
        });
}

/// Removes instructions that write words which are not live after them. Returns whether any was removed.
template <Target T>
bool remove_overwritten(Function<T>& f) {
    const Liveness<T> between(f);
    // Reads of removed instructions do not keep words alive within the block; for earlier blocks they do,
    // since `between` contains them.
    Bits live((f.words() + 63) / 64, 0, f.memory), all = live;
    std::pmr::vector<Word> unread(f.memory);
    bool removed = false;
    for (size_t b = f.blocks.size(); b-- > 0;) {
        for (const Word w : between.only_after(b)) {
            put(live, w);
            put(all, w);
        }
        unread.clear();
        removed |= remove_from_end<T>(f.blocks[b], [&](const typename T::Inst& i) {
            bool lives = is_wanted(f, i);
            T::for_each_write(i, [&](Word w, uint32_t count) {
                for (uint32_t k = 0; k < count; k++)
                    lives |= test(live, w + k);
            });
            step_back<T>(i, all);
            if (lives)
                step_back<T>(i, live);
            else
                T::for_each_read(i, [&](Word w, uint32_t count) {
                    for (uint32_t k = 0; k < count; k++)
                        unread.push_back(w + k);
                });
            return !lives;
        });
        for (const Word w : unread)
            if (test(all, w)) put(live, w);
        for (const Word w : between.only_before(b)) {
            drop(live, w);
            drop(all, w);
        }
    }
    return removed;
}

}  // namespace detail

/// Removes instructions without an effect whose results are never read. An instruction that writes no word,
/// or a fixed one, counts as having an effect.
template <Target T>
void remove_dead(Function<T>& f) {
    // A round can make further instructions dead, namely those whose results only the removed ones read. One
    // or two rounds are usually enough. A longer chain leaves dead code, which is slow but correct.
    constexpr unsigned kMostRounds = 8;
    if (f.blocks.size() == 1) {
        (void)detail::remove_overwritten(f);
        return;
    }
    detail::remove_unread(f);
    for (unsigned round = 0; round < kMostRounds && detail::remove_overwritten(f);)
        round++;
}

/// The live ranges of each word. A word that is written and never read lives where it is written. A clobbered
/// word lives at the clobber, so that no other word is assigned its register there.
template <Target T>
[[nodiscard]] ByWord<Ranges> live_ranges(const Function<T>& f) {
    const Liveness<T> between(f);
    ByWord<Ranges> ranges(f.words(), Ranges(f.memory), f.memory);
    uint32_t end = 0;
    for (const Block<T>& b : f.blocks)
        end += 2 * uint32_t(b.insts.size());
    // The walk goes backwards, so each word's ranges are in reverse order until the end.
    const auto add = [&](Word w, uint32_t from, uint32_t to) {
        Ranges& r = ranges[w];
        if (!r.empty() && r.back().begin <= to)
            r.back().begin = std::min(r.back().begin, from);
        else
            r.push_back({from, to});
    };
    ByWord<uint32_t> until(f.words(), 0, f.memory);
    Bits live((f.words() + 63) / 64, 0, f.memory);
    for (size_t b = f.blocks.size(); b-- > 0;) {
        const auto& insts = f.blocks[b].insts;
        const uint32_t start = end - 2 * uint32_t(insts.size());
        for (const Word w : between.only_after(b)) {
            put(live, w);
            until[w] = end;
        }
        uint32_t at = end;
        for (size_t i = insts.size(); i-- > 0;) {
            at -= 2;
            T::for_each_clobber(insts[i], [&](Word w, uint32_t count) {
                for (uint32_t k = 0; k < count; k++) {
                    add(w + k, at + 1, test(live, w + k) ? until[w + k] : at + 2);
                    drop(live, w + k);
                }
            });
            const uint32_t written_at = T::writes_early(insts[i]) ? at : at + 1;
            T::for_each_write(insts[i], [&](Word w, uint32_t count) {
                for (uint32_t k = 0; k < count; k++) {
                    add(w + k, written_at, test(live, w + k) ? until[w + k] : at + 2);
                    drop(live, w + k);
                }
            });
            T::for_each_read(insts[i], [&](Word w, uint32_t count) {
                for (uint32_t k = 0; k < count; k++) {
                    if (test(live, w + k)) continue;
                    put(live, w + k);
                    until[w + k] = at + 1;
                }
            });
        }
        for (const Word w : between.only_before(b)) {
            add(w, start, until[w]);
            drop(live, w);
        }
        end = start;
    }
    for (size_t n = 0; n < live.size(); n++)
        for (uint64_t left = live[n]; left; left &= left - 1) {
            const auto w = Word(n * 64 + size_t(std::countr_zero(left)));
            add(w, 0, until[w]);
        }
    for (Ranges& r : ranges)
        std::reverse(r.begin(), r.end());
    return ranges;
}

}  // namespace terrazzo::backend
