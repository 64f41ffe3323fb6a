// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Registers for words. Nodes in the order in which they begin to live take the lowest registers that are free
// wherever they live (linear scan over ranges with holes; classes that alias meet in the units they share).
// Moves between words that never live at the same time, or that hold one value where they do, make them one
// word before that: the moves that gather runs and those that phis became mostly vanish. Words that are moved
// to or from words with registers try these first: vectors that are stored as they were loaded stay where they
// are. Where the free registers do not lie beside each other, what lives between them goes elsewhere for the
// rest of its life (split.h). Code that is scheduled once more is better off with registers in turn: what gets
// the register that was just given back must wait for its last reader.
#pragma once

#include <optional>
#include <span>

#include "drivers/common/backend/liveness.h"
#include "drivers/common/backend/split.h"

namespace terrazzo::backend {

template <Target T>
class Allocator {
  public:
    explicit Allocator(Function<T>& f)
        : f_(f),
          live_(live_ranges(f)),
          same_(f.memory),
          value_(f.memory),
          partner_(f.memory),
          busy_(f.memory),
          active_(f.memory),
          last_run_(f.memory),
          last_piece_(f.memory),
          pieces_(f.memory) {
        for (uint32_t w = 0; w < f.words(); w++)
            same_.push_back(w);
    }
    void coalesce();
    /// For color(): which moves are left.
    void find_partners();
    /// Units that live at once, at most, but for fixed ones outside of `allowed`: with fewer, color() fails.
    [[nodiscard]] uint32_t most_live(const UnitSet<T>& allowed) const;
    /// Which of the registers that are free: the lowest, or each in its turn.
    enum class Take : uint8_t { Lowest, InTurn };
    struct Way {
        bool follows_moves = true;
        Take take = Take::Lowest;
        unsigned splits = 0;  // where a run finds no room, so many words at most go elsewhere from there on
    };
    /// Fills f.reg. Where it fails, `stuck` is the place that has more nodes than registers.
    [[nodiscard]] bool color(const UnitSet<T>& allowed, const Way& way, uint32_t* stuck);
    /// The same with the fewest of the lowest units, by multiples of `granule`, that a few tries find; with all
    /// that are allowed where none of these is enough.
    [[nodiscard]] bool color_fewest(const UnitSet<T>& allowed, uint32_t granule, unsigned splits,
                                    uint32_t* stuck);
    /// After color(): removes the moves that do nothing, fills f.same_value.
    void remove_moves();

  private:
    using Unit = typename T::Unit;
    static constexpr Unit kNoUnit = Function<T>::kNoUnit;
    struct Wish {
        uint32_t first, count, begin;
    };

    uint32_t root(uint32_t w) {
        while (same_[w] != w)
            w = same_[w] = same_[same_[w]];
        return w;
    }
    /// A node of one word that may become part of another.
    [[nodiscard]] bool is_free(uint32_t w) const { return !f_.is_fixed(w) && f_.node(w).count == 1; }
    /// Makes the node of `lone`, which has one word, part of another: word `into`.
    void join(uint32_t lone, uint32_t into) {
        const uint32_t to = root(into);
        if (value_[lone] != value_[to]) value_[to] = kNoWord;
        same_[lone] = into;
        merge(live_[into], live_[lone]);
        live_[lone].clear();
    }
    void find_values();
    /// Whether both live at some place with different values; of a fixed word, or what aliases it.
    [[nodiscard]] bool interfere(uint32_t a, uint32_t b) const {
        if (value_[a] == value_[b] && value_[a] != kNoWord) return false;
        if (overlap(live_[a], live_[b])) return true;
        if constexpr (kAliases<T>) return aliases_live(a, b) || aliases_live(b, a);
        return false;
    }
    [[nodiscard]] bool aliases_live(uint32_t fixed, uint32_t other) const {
        if (!f_.is_fixed(fixed)) return false;
        const uint32_t begin = f_.fixed_unit(fixed), end = begin + f_.width(fixed);
        for (const Node& n : f_.nodes) {
            for (uint32_t w = n.first; n.fixed && w < n.first + n.count; w++) {
                const uint32_t at = f_.fixed_unit(w);
                if (w != fixed && at < end && begin < at + f_.width(w) && overlap(live_[w], live_[other]))
                    return true;
            }
        }
        return false;
    }
    /// Whether something that has the unit lives at some place of the ranges. Most begin where what has it now
    /// lives, or behind all that had it.
    [[nodiscard]] bool is_busy(uint32_t unit, const Ranges& ranges) const {
        const Ranges& busy = busy_[unit];
        if (busy.empty() || ranges.empty() || busy.back().end <= ranges.front().begin) return false;
        return busy.back().begin <= ranges.front().begin || overlap(busy, ranges);
    }
    [[nodiscard]] std::pmr::vector<Wish> wishes() const;
    /// The unit at which the node would make a move needless; kUnits: none.
    [[nodiscard]] uint32_t wanted(const Wish& w, uint32_t step) const;

    // ---- Splitting (split.h) ----

    /// From `place` on, what is left of the root `word` lies at `unit`.
    struct Piece {
        uint32_t word, place, unit;
        uint32_t before;    // the piece before it; kNoWord: none
        uint32_t made = 0;  // the word that it becomes
    };
    void find_runs();
    [[nodiscard]] bool may_move(uint32_t word, uint32_t place) const {
        return !f_.is_fixed(word) && last_run_[word] < place && places_->may_split(live_[word], place);
    }
    /// Makes room for the node at units of its own choice. kUnits: there is none.
    [[nodiscard]] uint32_t make_room(const Wish& w, uint32_t step, const UnitSet<T>& allowed,
                                     unsigned* splits);
    /// Where these units are free for the ranges; kUnits: nowhere.
    [[nodiscard]] uint32_t find_free(const RegisterClass& row, const Ranges& ranges,
                                     const UnitSet<T>& allowed) const;
    [[nodiscard]] bool is_free_for(const Wish& w, uint32_t at, const std::vector<uint32_t>& without,
                                   uint32_t place) const;
    void move_rest(uint32_t word, uint32_t place, uint32_t unit);
    void insert_moves();
    /// The unit of a root from the last place on that was looked at.
    [[nodiscard]] uint32_t unit_of(uint32_t word) const {
        return last_piece_[word] == kNoWord ? f_.reg[word] : pieces_[last_piece_[word]].unit;
    }

    Function<T>& f_;
    std::pmr::vector<Ranges> live_;  // of roots
    std::pmr::vector<uint32_t> same_;
    // Of roots: the word that was written once and copied from there; kNoWord: it holds one value after another.
    std::pmr::vector<uint32_t> value_;
    std::pmr::vector<uint32_t> partner_;  // of roots: another that a move joins it with

    std::pmr::vector<Ranges> busy_;        // by unit, while colouring
    std::pmr::vector<uint32_t> active_;    // roots that have registers and may still live, while splitting
    std::pmr::vector<uint32_t> last_run_;  // of roots: the last place where it is part of a run, and one more
    std::pmr::vector<uint32_t> last_piece_;  // of roots
    std::pmr::vector<Piece> pieces_;
    std::optional<SplitPlaces> places_;
};

template <Target T>
void Allocator<T>::find_values() {
    std::pmr::vector<uint8_t> writes(f_.words(), 0, f_.memory);
    value_.assign(f_.words(), kNoWord);
    for (const Block<T>& b : f_.blocks)
        for (const typename T::Inst& i : b.insts)
            T::for_each_write(i, [&](uint32_t first, uint32_t count) {
                for (uint32_t w = first; w < first + count; w++) {
                    const bool once = !writes[w] && !f_.is_fixed(w);
                    writes[w] = 1;
                    value_[w] = once ? w : kNoWord;
                }
            });
    for (const Block<T>& b : f_.blocks)
        for (const typename T::Inst& i : b.insts) {
            if (!T::is_move(i)) continue;
            const uint32_t to = T::move_dest(i), from = T::move_source(i);
            if (value_[to] != kNoWord && value_[from] != kNoWord) value_[to] = value_[from];
        }
}

template <Target T>
void Allocator<T>::coalesce() {
    find_values();
    for (const Block<T>& b : f_.blocks) {
        for (const typename T::Inst& i : b.insts) {
            if (!T::is_move(i)) continue;
            const uint32_t to = root(T::move_dest(i)), from = root(T::move_source(i));
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
            const uint32_t to = root(T::move_dest(i)), from = root(T::move_source(i));
            if (to == from || f_.width(to) != f_.width(from)) continue;
            partner_[to] = from;
            partner_[from] = to;
        }
}

template <Target T>
uint32_t Allocator<T>::wanted(const Wish& w, uint32_t step) const {
    const RegisterClass& row = f_.class_of(w.first);
    for (uint32_t k = 0; k < w.count; k++) {
        const uint32_t p = partner_[w.first + k], before = k * row.width;
        if (p == kNoWord || f_.reg[p] == kNoUnit || f_.reg[p] < before) continue;
        const uint32_t at = f_.reg[p] - before;
        if (at % step == 0 && at + w.count * row.width <= row.end) return at;
    }
    return T::kUnits;
}

template <Target T>
auto Allocator<T>::wishes() const -> std::pmr::vector<Wish> {
    std::pmr::vector<Wish> out(f_.memory);
    for (const Node& n : f_.nodes) {
        if (n.fixed) continue;
        uint32_t begin = ~0u;
        for (uint32_t k = 0; k < n.count; k++)
            if (same_[n.first + k] == n.first + k && !live_[n.first + k].empty())
                begin = std::min(begin, live_[n.first + k].front().begin);
        if (begin != ~0u) out.push_back({n.first, n.count, begin});
    }
    std::sort(out.begin(), out.end(), [](const Wish& a, const Wish& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.first < b.first;
    });
    return out;
}

template <Target T>
bool Allocator<T>::color(const UnitSet<T>& allowed, const Way& way, uint32_t* stuck) {
    unsigned splits = way.splits;
    uint32_t turn = 0;  // behind what was given last
    busy_.assign(T::kUnits, Ranges(f_.memory));
    active_.clear();
    pieces_.clear();
    if (splits) {
        find_runs();
        last_piece_.assign(f_.words(), kNoWord);
    }
    f_.reg.assign(f_.words(), kNoUnit);
    for (const Node& n : f_.nodes)
        for (uint32_t w = n.first; n.fixed && w < n.first + n.count; w++) {
            f_.reg[w] = Unit(f_.fixed_unit(w));
            for (uint32_t u = 0; u < f_.width(w); u++)
                merge(busy_[f_.reg[w] + u], live_[w]);
        }
    for (const Wish& w : wishes()) {
        const RegisterClass& row = f_.class_of(w.first);
        const uint32_t step = w.count > 1 ? row.vector_align : row.width, units = w.count * row.width;
        const auto fits = [&](uint32_t at) {
            for (uint32_t u = 0; u < units; u++)
                if (!allowed[at + u] || is_busy(at + u, live_[w.first + u / row.width])) return false;
            return true;
        };
        const auto find = [&](uint32_t from) {
            uint32_t at = from;
            while (at + units <= row.end && !fits(at))
                at += step;
            return at;
        };
        uint32_t at = way.follows_moves ? wanted(w, step) : T::kUnits;
        if (at == T::kUnits || !fits(at)) {
            at = find((turn + step - 1) / step * step);
            if (turn && at + units > row.end) at = find(0);
            if (way.take == Take::InTurn) turn = at + units;
        }
        if (at + units > row.end && splits) at = make_room(w, step, allowed, &splits);
        if (at + units > row.end) {
            *stuck = w.begin;
            return false;
        }
        for (uint32_t u = 0; u < units; u++) {
            if (u % row.width == 0) f_.reg[w.first + u / row.width] = Unit(at + u);
            merge(busy_[at + u], live_[w.first + u / row.width]);
        }
        for (uint32_t k = 0; splits && k < w.count; k++)
            if (root(w.first + k) == w.first + k && !live_[w.first + k].empty())
                active_.push_back(w.first + k);
    }
    if (!pieces_.empty()) insert_moves();
    for (uint32_t w = 0; w < f_.words(); w++) {
        const Unit unit = f_.reg[root(w)];
        f_.reg[w] = unit == kNoUnit ? Unit(0) : unit;
    }
    return true;
}

template <Target T>
bool Allocator<T>::color_fewest(const UnitSet<T>& allowed, uint32_t granule, unsigned splits,
                                uint32_t* stuck) {
    constexpr uint32_t kTries = 8;
    const uint32_t least = (most_live(allowed) + granule - 1) / granule;
    for (uint32_t n = least; n < least + kTries; n++) {
        UnitSet<T> fewer = allowed;
        for (uint32_t u = n * granule; u < T::kUnits; u++)
            fewer[u] = false;
        if (color(fewer, {.take = Take::InTurn}, stuck) || color(fewer, {}, stuck) ||
            color(fewer, {.splits = splits}, stuck))
            return true;
    }
    return color(allowed, {}, stuck) || color(allowed, {.follows_moves = false}, stuck) ||
           color(allowed, {.splits = splits}, stuck);
}

template <Target T>
uint32_t Allocator<T>::most_live(const UnitSet<T>& allowed) const {
    uint32_t end = 0;
    for (const Ranges& r : live_)
        if (!r.empty()) end = std::max(end, r.back().end);
    std::vector<int32_t> change(end + 1);
    const auto add = [&](const Ranges& ranges, uint32_t units) {
        for (const Range& r : ranges) {
            change[r.begin] += int32_t(units);
            change[r.end] -= int32_t(units);
        }
    };
    // Fixed words may share units.
    std::vector<Ranges> fixed(T::kUnits);
    for (const Node& n : f_.nodes)
        for (uint32_t w = n.first; w < n.first + n.count; w++)
            if (!n.fixed)
                add(live_[w], f_.width(w));
            else
                for (uint32_t u = f_.fixed_unit(w); u < f_.fixed_unit(w) + f_.width(w); u++)
                    if (allowed[u]) merge(fixed[u], live_[w]);
    for (const Ranges& r : fixed)
        add(r, 1);
    int32_t live = 0, most = 0;
    for (const int32_t c : change)
        most = std::max(most, live += c);
    return uint32_t(most);
}

template <Target T>
void Allocator<T>::remove_moves() {
    const auto is_needless = [&](const typename T::Inst& i) {
        if (!T::is_move(i)) return false;
        const uint32_t to = T::move_dest(i), from = T::move_source(i);
        return f_.reg[to] == f_.reg[from] && &f_.class_of(to) == &f_.class_of(from);
    };
    for (Block<T>& b : f_.blocks) {
        for (const typename T::Inst& i : b.insts)
            if (is_needless(i)) same_[root(T::move_dest(i))] = root(T::move_source(i));
        std::erase_if(b.insts, is_needless);
    }
    f_.same_value.resize(f_.words());
    for (uint32_t w = 0; w < f_.words(); w++)
        f_.same_value[w] = root(w);
}

/// Gives all words of linked code registers: f.reg, f.same_value. Where granule_units is not 0, the lowest that
/// are enough, by so many. Returns which of `limits`, in turn, was enough, or -1: f.error says so. Where none
/// is, spill(place, limit, room) (spill.h) may take nodes that live there out of registers, or, kEverywhere,
/// all that is more than `room` units, until it returns false.
template <Target T, typename S>
[[nodiscard]] int allocate(Function<T>& f, std::span<const UnitSet<T>> limits, const S& spill,
                           uint32_t granule_units = 0) {
    const auto all = uint32_t(limits.back().count());
    // First too much lives somewhere. Then single places lack a run of registers; where these are many, there
    // is to be more room everywhere, so that rounds stay few.
    constexpr unsigned kPlaces = 16, kShares = 16;
    constexpr uint32_t kFewWords = 1024;
    // Words that go elsewhere in the middle of their lives cost a move each.
    constexpr unsigned kLeastSplits = 4, kWordsOfSplit = 32;
    unsigned rounds = 0, shares = 0;
    for (;; rounds++) {
        Allocator<T> a(f);
        a.coalesce();
        a.find_partners();
        uint32_t stuck = 0, most = 0;
        for (size_t k = 0; k < limits.size(); k++) {
            // Colouring what cannot fit costs more than counting, but for little code.
            const bool counts = f.words() > kFewWords || k > 0;
            if (counts && (most = a.most_live(limits[k])) > limits[k].count()) continue;
            const unsigned splits = kLeastSplits + f.words() / kWordsOfSplit;
            if (granule_units ? a.color_fewest(limits[k], granule_units, splits, &stuck)
                              : a.color(limits[k], {}, &stuck) ||
                                    a.color(limits[k], {.follows_moves = false}, &stuck) ||
                                    a.color(limits[k], {.splits = splits}, &stuck)) {
                a.remove_moves();
                return int(k);
            }
            if (!counts) most = a.most_live(limits[k]);
        }
        f.reg.clear();
        if (most > all && spill(kEverywhere, limits.back(), all)) continue;
        if (most <= all && rounds < kPlaces && spill(stuck, limits.back(), all)) continue;
        bool spilled = false;
        while (rounds && !spilled && ++shares < kShares)
            spilled = spill(kEverywhere, limits.back(), all * (kShares - shares) / kShares);
        if (spilled) continue;
        f.fail("the shader needs more registers at once than there are");
        return -1;
    }
}

}  // namespace terrazzo::backend

#include "drivers/common/backend/allocate_split.h"
