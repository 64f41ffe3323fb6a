// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Splits live ranges during register allocation (allocate.h): if a run finds no room, words that live between
// free registers move to other registers from that place on. split.h says where this is correct.
#pragma once

#include "drivers/common/backend/allocate.h"

namespace terrazzo::backend {

template <Target T>
void Allocator<T>::find_runs() {
    if (places_) return;
    places_.emplace(f_);
    last_run_.assign(f_.words(), 0);
    uint32_t place = 0;
    for (Block<T>& b : f_.blocks)
        for (typename T::Inst& i : b.insts) {
            place += 2;
            const auto look = [&](Word first, uint32_t count) {
                for (const Word w : Words(first, count > 1 ? count : 0))
                    last_run_[root(w)] = place;
                return first;
            };
            T::rewrite_words(i, look, look);
        }
}

template <Target T>
Unit Allocator<T>::find_free(const RegisterClass& row, const Ranges& ranges,
                             const UnitSet<T>& allowed) const {
    for (Unit at{}; row.holds(at, row.width); at = at + row.width) {
        bool fits = true;
        for (const Unit u : Units(at, row.width))
            fits = fits && allowed[u] && !overlap(busy_[u], ranges);
        if (fits) return at;
    }
    return kNoUnit;
}

template <Target T>
bool Allocator<T>::is_free_for(const Wish& w, Unit at, const std::vector<Word>& without,
                               uint32_t place) const {
    const uint32_t width = f_.width(w.first);
    for (const Unit u : Units(at, w.count * width)) {
        Ranges left = rest_of(busy_[u], place);
        for (const Word h : without)
            if (unit_of(h) <= u && u < unit_of(h) + f_.width(h)) subtract_from(left, live_[h], place);
        if (overlap(left, live_[w.first + (u - at) / width])) return false;
    }
    return true;
}

template <Target T>
void Allocator<T>::move_rest(Word word, uint32_t place, Unit unit) {
    for (const Unit u : Units(unit_of(word), f_.width(word)))
        subtract_from(busy_[u], live_[word], place);
    pieces_.push_back({word, place, unit, last_piece_[word]});
    last_piece_[word] = uint32_t(pieces_.size() - 1);
}

template <Target T>
Unit Allocator<T>::make_room(const Wish& w, uint32_t step, const UnitSet<T>& allowed, unsigned* splits) {
    const uint32_t place = w.begin & ~1u;  // moves are inserted before the instruction
    const RegisterClass& row = f_.class_of(w.first);
    const uint32_t units = w.count * row.width;
    std::erase_if(active_, [&](Word h) { return live_[h].back().end <= place; });
    // By unit: the word that lives there and may move.
    ByUnit<Word> holder(T::kUnits, kNoWord);
    for (const Word h : active_)
        if (!rest_of(live_[h], place).empty() && rest_of(live_[h], place).front().begin == place &&
            may_move(h, place))
            for (const Unit u : Units(unit_of(h), f_.width(h)))
                holder[u] = h;
    Unit best = kNoUnit;
    std::vector<Word> best_go, go;
    for (Unit at{}; row.holds(at, units); at = at + step) {
        go.clear();
        bool fits = true;
        for (const Unit u : Units(at, units)) {
            if (!fits) break;
            fits = allowed[u];
            if (!fits || !overlap(busy_[u], live_[w.first + (u - at) / row.width])) continue;
            fits = holder[u] != kNoWord;
            if (fits && std::find(go.begin(), go.end(), holder[u]) == go.end()) go.push_back(holder[u]);
        }
        if (!fits || go.size() > *splits || (best != kNoUnit && go.size() >= best_go.size())) continue;
        if (!is_free_for(w, at, go, place)) continue;
        best = at;
        best_go = go;
    }
    if (best == kNoUnit) return best;
    // Each of these words must find a register outside of the run.
    UnitSet<T> outside = allowed;
    for (const Unit u : Units(best, units))
        outside[u] = false;
    const size_t first = pieces_.size();
    for (const Word h : best_go) {
        const Ranges rest = rest_of(live_[h], place);
        const Unit to = find_free(f_.class_of(h), rest, outside);
        if (to == kNoUnit) {
            // Undo the moves.
            while (pieces_.size() > first) {
                const Piece p = pieces_.back();
                pieces_.pop_back();
                last_piece_[p.word] = p.before;
                for (uint32_t u = 0; u < f_.width(p.word); u++) {
                    subtract_from(busy_[p.unit + u], live_[p.word], place);
                    merge(busy_[unit_of(p.word) + u], rest_of(live_[p.word], place));
                }
            }
            return kNoUnit;
        }
        move_rest(h, place, to);
        for (const Unit u : Units(to, f_.width(h)))
            merge(busy_[u], rest);
    }
    *splits -= unsigned(best_go.size());
    return best;
}

/// Creates a word and a move for each piece. Instructions after the move use the new word.
template <Target T>
void Allocator<T>::insert_moves() {
    for (Piece& p : pieces_) {
        p.made = f_.add_node(1, true, f_.node(p.word).cls);
        f_.reg.push_back(p.unit);
        same_.push_back(p.made);
    }
    std::pmr::vector<uint32_t> order(f_.memory);
    for (uint32_t k = 0; k < pieces_.size(); k++)
        order.push_back(k);
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return pieces_[a].place < pieces_[b].place; });
    ByWord<Word> now(f_.memory);  // of roots: the current word; kNoWord: not split yet
    now.resize(f_.words(), kNoWord);
    size_t next = 0;
    uint32_t place = 0;
    std::pmr::vector<typename T::Inst> out(f_.memory);
    for (Block<T>& b : f_.blocks) {
        out.clear();
        for (typename T::Inst& i : b.insts) {
            for (; next < order.size() && pieces_[order[next]].place <= place; next++) {
                const Piece& p = pieces_[order[next]];
                const Word from = now[p.word] == kNoWord ? p.word : now[p.word];
                out.push_back(T::make_move(static_cast<const typename T::Code&>(f_), p.made, from));
                now[p.word] = p.made;
            }
            const auto current = [&](Word w, uint32_t) {
                const Word made = next ? now[root(w)] : kNoWord;
                return made == kNoWord ? w : made;
            };
            T::rewrite_words(i, current, current);
            out.push_back(i);
            place += 2;
        }
        b.insts = out;
    }
}

}  // namespace terrazzo::backend
