// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Which words are live where, and dead code, by the usual backward dataflow. All of it wants linked code.
#pragma once

#include "drivers/common/backend/function.h"
#include "drivers/common/backend/ranges.h"

namespace terrazzo::backend {

/// A bit per word.
using Bits = std::pmr::vector<uint64_t>;

inline bool test(const Bits& b, uint32_t w) {
    return b[w / 64] >> (w % 64) & 1;
}
inline void put(Bits& b, uint32_t w) {
    b[w / 64] |= 1ull << (w % 64);
}
inline void drop(Bits& b, uint32_t w) {
    b[w / 64] &= ~(1ull << (w % 64));
}

/// From what is live after `i` to what is live before it.
template <Target T>
void step_back(const typename T::Inst& i, Bits& live) {
    T::for_each_write(i, [&](uint32_t w, uint32_t count) {
        for (uint32_t k = 0; k < count; k++)
            drop(live, w + k);
    });
    T::for_each_read(i, [&](uint32_t w, uint32_t count) {
        for (uint32_t k = 0; k < count; k++)
            put(live, w + k);
    });
}

/// What is live after each block.
template <Target T>
[[nodiscard]] std::pmr::vector<Bits> live_out(const Function<T>& f) {
    const size_t n = (f.words() + 63) / 64;
    std::pmr::vector<Bits> in(f.blocks.size(), Bits(n, 0, f.memory), f.memory), out = in;
    bool loops = false;
    for (size_t b = 0; b < f.blocks.size(); b++)
        for (int32_t next : f.blocks[b].next)
            loops |= next >= 0 && size_t(next) <= b;
    Bits live(n, 0, f.memory);
    // Without loops, each block comes after all that follow it: once is enough.
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t b = f.blocks.size(); b-- > 0;) {
            for (int32_t next : f.blocks[b].next)
                for (size_t k = 0; next >= 0 && k < n; k++)
                    out[b][k] |= in[size_t(next)][k];
            live = out[b];
            const auto& insts = f.blocks[b].insts;
            for (size_t i = insts.size(); i-- > 0;)
                step_back<T>(insts[i], live);
            if (loops && live != in[b]) changed = true;
            in[b].swap(live);
        }
    }
    return out;
}

/// Removes what nobody reads and has no effect. What writes no word, or a fixed one, has one.
template <Target T>
void remove_dead(Function<T>& f) {
    for (bool changed = true; changed;) {
        changed = false;
        const std::pmr::vector<Bits> out = live_out(f);
        for (size_t b = 0; b < f.blocks.size(); b++) {
            Bits live = out[b];
            auto& insts = f.blocks[b].insts;
            size_t kept = insts.size();  // from here on, those that stay
            for (size_t i = insts.size(); i-- > 0;) {
                bool wanted = T::has_effect(insts[i]), writes = false;
                T::for_each_write(insts[i], [&](uint32_t w, uint32_t count) {
                    writes = true;
                    for (uint32_t k = 0; k < count; k++)
                        wanted |= test(live, w + k) || f.is_fixed(w + k);
                });
                if (!wanted && writes) continue;
                step_back<T>(insts[i], live);
                if (--kept != i) insts[kept] = insts[i];
            }
            insts.erase(insts.begin(), insts.begin() + ptrdiff_t(kept));
            changed |= kept > 0 && f.blocks.size() > 1;
        }
    }
}

/// By word. A word that is written and not read lives where it is written. What a call overwrites lives there,
/// too, so that nothing else is kept in it.
template <Target T>
[[nodiscard]] std::pmr::vector<Ranges> live_ranges(const Function<T>& f) {
    const std::pmr::vector<Bits> out = live_out(f);
    std::pmr::vector<Ranges> ranges(f.words(), Ranges(f.memory), f.memory);
    uint32_t end = 0;
    for (const Block<T>& b : f.blocks)
        end += 2 * uint32_t(b.insts.size());
    // From the last place to the first: ranges come out in reverse.
    const auto add = [&](uint32_t w, uint32_t from, uint32_t to) {
        Ranges& r = ranges[w];
        if (!r.empty() && r.back().begin <= to)
            r.back().begin = std::min(r.back().begin, from);
        else
            r.push_back({from, to});
    };
    std::pmr::vector<uint32_t> until(f.words(), 0, f.memory);
    for (size_t b = f.blocks.size(); b-- > 0;) {
        const auto& insts = f.blocks[b].insts;
        const uint32_t start = end - 2 * uint32_t(insts.size());
        Bits live = out[b];
        for (uint32_t w = 0; w < f.words(); w++)
            if (test(live, w)) until[w] = end;
        uint32_t at = end;
        for (size_t i = insts.size(); i-- > 0;) {
            at -= 2;
            T::for_each_clobber(insts[i], [&](uint32_t w, uint32_t count) {
                for (uint32_t k = 0; k < count; k++) {
                    add(w + k, at + 1, at + 2);
                    drop(live, w + k);
                }
            });
            const uint32_t written_at = T::writes_early(insts[i]) ? at : at + 1;
            T::for_each_write(insts[i], [&](uint32_t w, uint32_t count) {
                for (uint32_t k = 0; k < count; k++) {
                    add(w + k, written_at, test(live, w + k) ? until[w + k] : at + 2);
                    drop(live, w + k);
                }
            });
            T::for_each_read(insts[i], [&](uint32_t w, uint32_t count) {
                for (uint32_t k = 0; k < count; k++) {
                    if (test(live, w + k)) continue;
                    put(live, w + k);
                    until[w + k] = at + 1;
                }
            });
        }
        for (uint32_t w = 0; w < f.words(); w++)
            if (test(live, w)) add(w, start, until[w]);
        end = start;
    }
    for (Ranges& r : ranges)
        std::reverse(r.begin(), r.end());
    return ranges;
}

}  // namespace terrazzo::backend
