// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Liveness of registers, after allocation, for hardware that is told which read of a register is the last
// one.
#pragma once

#include "drivers/common/backend/function.h"

namespace terrazzo::backend {

/// The requirements of last_use.h. A word that an instruction writes only in part stays live before it.
template <typename T>
concept LastUseTarget = Target<T> && requires(const typename T::Inst& i, Word word) {
    { T::writes_whole(i, word) } -> std::same_as<bool>;
    T::for_each_hidden_read(i, Ignore{});  // f(unit): units that are read without an operand
};

/// Calls use(instruction, live) for all instructions of linked, allocated code, from last to first in each
/// block. `live` are the units that live after the instruction, without those of words that it writes as a
/// whole, and with its hidden reads. `live_at_end` are the units that live at the end of the code.
template <LastUseTarget T, typename F>
void for_each_use(Function<T>& f, const UnitSet<T>& live_at_end, const F& use) {
    using Set = UnitSet<T>;
    std::pmr::vector<Set> live_in(f.blocks.size(), Set(), f.memory);
    const auto live_out = [&](size_t b) {
        Set live = b + 1 == f.blocks.size() ? live_at_end : Set();
        for (int32_t next : f.blocks[b].next)
            if (next >= 0) live |= live_in[size_t(next)];
        return live;
    };
    const auto walk = [&](size_t b, const auto& call) {
        Set live = live_out(b);
        auto& insts = f.blocks[b].insts;
        for (size_t k = insts.size(); k-- > 0;) {
            typename T::Inst& i = insts[k];
            T::for_each_hidden_read(i, [&](Unit u) { live[u] = true; });
            T::for_each_write(i, [&](Word w, uint32_t count) {
                if (T::writes_whole(i, w)) for_each_unit(f, w, count, [&](Unit u) { live[u] = false; });
            });
            call(i, live);
            T::for_each_read(i, [&](Word w, uint32_t count) {
                for_each_unit(f, w, count, [&](Unit u) { live[u] = true; });
            });
        }
        return live;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t b = f.blocks.size(); b-- > 0;) {
            const Set live = walk(b, Ignore{});
            changed |= live != live_in[b];
            live_in[b] = live;
        }
    }
    for (size_t b = 0; b < f.blocks.size(); b++)
        walk(b, use);
}

}  // namespace terrazzo::backend
