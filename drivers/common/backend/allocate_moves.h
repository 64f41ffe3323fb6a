// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The moves between words during allocation: coalesced before it, wishes for equal registers in it, removed
// after it if they do nothing. Part of allocate.h, which describes the class.
#pragma once

#include "drivers/common/backend/allocate.h"

namespace terrazzo::backend {

template <Target T>
void Allocator<T>::find_values() {
    ByWord<uint8_t> writes(f_.words(), 0, f_.memory);
    value_.assign(f_.words(), kNoWord);
    for (const Block<T>& b : f_.blocks)
        for (const typename T::Inst& i : b.insts)
            T::for_each_write(i, [&](Word first, uint32_t count) {
                for (const Word w : Words(first, count)) {
                    const bool once = !writes[w] && !f_.is_fixed(w);
                    writes[w] = 1;
                    value_[w] = once ? w : kNoWord;
                }
            });
    for (const Block<T>& b : f_.blocks)
        for (const typename T::Inst& i : b.insts) {
            if (!T::is_move(i)) continue;
            const Word to = T::move_dest(i), from = T::move_source(i);
            if (value_[to] != kNoWord && value_[from] != kNoWord) value_[to] = value_[from];
        }
}

template <Target T>
void Allocator<T>::coalesce() {
    find_values();
    for (const Block<T>& b : f_.blocks) {
        for (const typename T::Inst& i : b.insts) {
            if (!T::is_move(i)) continue;
            const Word to = root(T::move_dest(i)), from = root(T::move_source(i));
            if (to == from || &f_.class_of(to) != &f_.class_of(from)) continue;
            if ((!is_free(from) && !is_free(to)) || interfere(to, from)) continue;
            if (is_free(from))
                join(from, to);
            else
                join(to, from);
        }
    }
}

template <Target T>
void Allocator<T>::find_partners() {
    partner_.assign(f_.words(), kNoWord);
    for (const Block<T>& b : f_.blocks)
        for (const typename T::Inst& i : b.insts) {
            if (!T::is_move(i)) continue;
            const Word to = root(T::move_dest(i)), from = root(T::move_source(i));
            if (to == from || f_.width(to) != f_.width(from)) continue;
            partner_[to] = from;
            partner_[from] = to;
        }
}

template <Target T>
void Allocator<T>::remove_moves() {
    const auto is_needless = [&](const typename T::Inst& i) {
        if (!T::is_move(i)) return false;
        const Word to = T::move_dest(i), from = T::move_source(i);
        return f_.reg[to] == f_.reg[from] && &f_.class_of(to) == &f_.class_of(from);
    };
    for (Block<T>& b : f_.blocks) {
        for (const typename T::Inst& i : b.insts)
            if (is_needless(i)) same_[root(T::move_dest(i))] = root(T::move_source(i));
        std::erase_if(b.insts, is_needless);
    }
    f_.same_value.resize(f_.words());
    for (const Word w : f_.all_words())
        f_.same_value[w] = root(w);
}

}  // namespace terrazzo::backend
