// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Register allocation: linear scan over live ranges with holes. Nodes are assigned in the order in which
// their live ranges begin. A node gets the lowest registers that are free in its whole live range. Classes
// that alias conflict in the units that they share.
//
// Moves are coalesced first: the two words of a move become one word if they never live at the same time, or
// hold the same value where they do. This removes most of the moves that gather runs and that replace phis.
// For the moves that are left, a word first tries the register of the other word of the move: a vector that
// is stored as it was loaded stays in its registers.
//
// Where the free registers are not consecutive, the words between them move to other registers for the rest
// of their live ranges (split.h). Code that is scheduled again gets registers in turn: an instruction that
// reuses a register which was just freed must wait for that register's last reader.
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
          wishes_(f.memory),
          busy_(f.memory),
          active_(f.memory),
          last_run_(f.memory),
          last_piece_(f.memory),
          pieces_(f.memory) {
        for (const Word w : f.all_words())
            same_.push_back(w);
    }
    void coalesce();
    /// Finds the moves that coalesce() left, for color().
    void find_partners();
    /// The largest number of units that live at once, without fixed ones outside of `allowed`. color() fails
    /// with fewer.
    [[nodiscard]] uint32_t most_live(const UnitSet<T>& allowed) const;
    /// Which of the free registers: the lowest, or the next one after the register that was assigned last.
    enum class Take : uint8_t { Lowest, InTurn };
    struct Way {
        bool follows_moves = true;
        Take take = Take::Lowest;
        unsigned splits = 0;  // how many words may move to other registers so that runs find room
    };
    /// Fills f.reg. False: `*stuck` is the place where a node finds no registers.
    [[nodiscard]] bool color(const UnitSet<T>& allowed, const Way& way, uint32_t* stuck);
    /// color() with as few of the lowest units as a few tries find, a multiple of `granule`. If none of the
    /// tries succeeds, all allowed units are used.
    [[nodiscard]] bool color_fewest(const UnitSet<T>& allowed, uint32_t granule, unsigned splits,
                                    uint32_t* stuck);
    /// After color(): removes the moves that do nothing, fills f.same_value.
    void remove_moves();

  private:
    struct Wish {
        Word first;
        uint32_t count, begin;
    };

    Word root(Word w) {
        while (same_[w] != w)
            w = same_[w] = same_[same_[w]];
        return w;
    }
    /// Whether the word is a node of its own that may become part of another one.
    [[nodiscard]] bool is_free(Word w) const { return !f_.is_fixed(w) && f_.node(w).count == 1; }
    /// Replaces `lone`, whose node has one word, by the word `into`.
    void join(Word lone, Word into) {
        const Word to = root(into);
        if (value_[lone] != value_[to]) value_[to] = kNoWord;
        same_[lone] = into;
        merge(live_[into], live_[lone]);
        live_[lone].clear();
    }
    void find_values();
    /// Whether both live at some place with different values. A fixed word also interferes where fixed words
    /// that alias it live.
    [[nodiscard]] bool interfere(Word a, Word b) const {
        if (value_[a] == value_[b] && value_[a] != kNoWord) return false;
        if (overlap(live_[a], live_[b])) return true;
        if constexpr (kAliases<T>) return aliases_live(a, b) || aliases_live(b, a);
        return false;
    }
    [[nodiscard]] bool aliases_live(Word fixed, Word other) const {
        if (!f_.is_fixed(fixed)) return false;
        const Unit begin = f_.fixed_unit(fixed), end = begin + f_.width(fixed);
        for (const Node& n : f_.nodes) {
            if (!n.fixed) continue;
            for (const Word w : n.words()) {
                const Unit at = f_.fixed_unit(w);
                if (w != fixed && at < end && begin < at + f_.width(w) && overlap(live_[w], live_[other]))
                    return true;
            }
        }
        return false;
    }
    /// Whether a word that was assigned the unit lives within the ranges. The usual cases are tested first:
    /// the ranges begin in the unit's last range, or after it.
    [[nodiscard]] bool is_busy(Unit unit, const Ranges& ranges) const {
        const Ranges& busy = busy_[unit];
        if (busy.empty() || ranges.empty() || busy.back().end <= ranges.front().begin) return false;
        return busy.back().begin <= ranges.front().begin || overlap(busy, ranges);
    }
    /// Fills wishes_: the nodes in the order in which they are assigned.
    void find_wishes();
    /// The unit at which the node makes a move redundant; kNoUnit: none.
    [[nodiscard]] Unit wanted(const Wish& w, uint32_t step) const;

    // ---- Splitting (split.h) ----

    /// From `place` on, the rest of the root `word` is at `unit`.
    struct Piece {
        Word word;
        uint32_t place;
        Unit unit;
        uint32_t before;  // the piece before it; kNoPiece: none
        Word made{};      // the new word for it
    };
    static constexpr uint32_t kNoPiece = ~0u;
    void find_runs();
    [[nodiscard]] bool may_move(Word word, uint32_t place) const {
        return !f_.is_fixed(word) && last_run_[word] < place && places_->may_split(live_[word], place);
    }
    /// Moves other words away to make room for the node. Returns the node's unit; kNoUnit: there is no room.
    [[nodiscard]] Unit make_room(const Wish& w, uint32_t step, const UnitSet<T>& allowed, unsigned* splits);
    /// The lowest register of the class that is free within the ranges; kNoUnit: none.
    [[nodiscard]] Unit find_free(const RegisterClass& row, const Ranges& ranges,
                                 const UnitSet<T>& allowed) const;
    [[nodiscard]] bool is_free_for(const Wish& w, Unit at, const std::vector<Word>& without,
                                   uint32_t place) const;
    void move_rest(Word word, uint32_t place, Unit unit);
    void insert_moves();
    /// The unit of a root after its last split.
    [[nodiscard]] Unit unit_of(Word word) const {
        return last_piece_[word] == kNoPiece ? f_.reg[word] : pieces_[last_piece_[word]].unit;
    }

    Function<T>& f_;
    ByWord<Ranges> live_;  // of roots
    ByWord<Word> same_;
    // Of roots: the word, written once, that the root's value was copied from; kNoWord: the root holds
    // several values in turn.
    ByWord<Word> value_;
    ByWord<Word> partner_;  // of roots: the other root of a move
    std::pmr::vector<Wish> wishes_;

    ByUnit<Ranges> busy_;            // while colouring
    std::pmr::vector<Word> active_;  // roots that have registers and may still live, while splitting
    ByWord<uint32_t> last_run_;      // of roots: the last place where it is part of a run, and one more
    ByWord<uint32_t> last_piece_;    // of roots
    std::pmr::vector<Piece> pieces_;
    std::optional<SplitPlaces> places_;
};

template <Target T>
Unit Allocator<T>::wanted(const Wish& w, uint32_t step) const {
    const RegisterClass& row = f_.class_of(w.first);
    for (uint32_t k = 0; k < w.count; k++) {
        const Word p = partner_[w.first + k];
        const uint32_t before = k * row.width;
        if (p == kNoWord || f_.reg[p] == kNoUnit || number_of(f_.reg[p]) < before) continue;
        const Unit at = f_.reg[p] - before;
        if (number_of(at) % step == 0 && row.holds(at, w.count * row.width)) return at;
    }
    return kNoUnit;
}

template <Target T>
void Allocator<T>::find_wishes() {
    for (const Node& n : f_.nodes) {
        if (n.fixed) continue;
        uint32_t begin = ~0u;
        for (uint32_t k = 0; k < n.count; k++)
            if (same_[n.first + k] == n.first + k && !live_[n.first + k].empty())
                begin = std::min(begin, live_[n.first + k].front().begin);
        if (begin != ~0u) wishes_.push_back({n.first, n.count, begin});
    }
    std::sort(wishes_.begin(), wishes_.end(), [](const Wish& a, const Wish& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.first < b.first;
    });
}

template <Target T>
bool Allocator<T>::color(const UnitSet<T>& allowed, const Way& way, uint32_t* stuck) {
    unsigned splits = way.splits;
    Unit turn{};  // the unit after the last node's registers
    busy_.assign(T::kUnits, Ranges(f_.memory));
    active_.clear();
    pieces_.clear();
    if (splits) {
        find_runs();
        last_piece_.assign(f_.words(), kNoPiece);
    }
    f_.reg.assign(f_.words(), kNoUnit);
    for (const Node& n : f_.nodes) {
        if (!n.fixed) continue;
        for (const Word w : n.words()) {
            f_.reg[w] = f_.fixed_unit(w);
            for (const Unit u : Units(f_.reg[w], f_.width(w)))
                merge(busy_[u], live_[w]);
        }
    }
    if (wishes_.empty()) find_wishes();
    for (const Wish& w : wishes_) {
        const RegisterClass& row = f_.class_of(w.first);
        const uint32_t step = w.count > 1 ? row.vector_align : row.width, units = w.count * row.width;
        const auto fits = [&](Unit at) {
            for (uint32_t u = 0; u < units; u++)
                if (!allowed[at + u] || is_busy(at + u, live_[w.first + u / row.width])) return false;
            return true;
        };
        const auto find = [&](uint32_t from) {
            for (Unit at{uint16_t((from + step - 1) / step * step)}; row.holds(at, units); at = at + step)
                if (fits(at)) return at;
            return kNoUnit;
        };
        Unit at = way.follows_moves ? wanted(w, step) : kNoUnit;
        if (at == kNoUnit || !fits(at)) {
            at = find(number_of(turn));
            if (number_of(turn) && at == kNoUnit) at = find(0);
            if (way.take == Take::InTurn && at != kNoUnit) turn = at + units;
        }
        if (at == kNoUnit && splits) at = make_room(w, step, allowed, &splits);
        if (at == kNoUnit) {
            *stuck = w.begin;
            return false;
        }
        for (uint32_t u = 0; u < units; u++) {
            if (u % row.width == 0) f_.reg[w.first + u / row.width] = at + u;
            merge(busy_[at + u], live_[w.first + u / row.width]);
        }
        for (uint32_t k = 0; splits && k < w.count; k++)
            if (root(w.first + k) == w.first + k && !live_[w.first + k].empty())
                active_.push_back(w.first + k);
    }
    if (!pieces_.empty()) insert_moves();
    for (const Word w : f_.all_words()) {
        const Unit unit = f_.reg[root(w)];
        f_.reg[w] = unit == kNoUnit ? Unit(0) : unit;
    }
    return true;
}

template <Target T>
bool Allocator<T>::color_fewest(const UnitSet<T>& allowed, uint32_t granule, unsigned splits,
                                uint32_t* stuck) {
    constexpr uint32_t kTries = 8;
    const uint32_t live = most_live(allowed), least = (live + granule - 1) / granule;
    const auto all = uint32_t(allowed.count());
    if (live > all) return false;
    // The last try may have all units.
    for (uint32_t n = least; n < least + kTries && n * granule < all + granule; n++) {
        UnitSet<T> fewer = allowed;
        for (uint32_t u = n * granule; u < T::kUnits; u++)
            fewer.reset(u);
        if (color(fewer, {.take = Take::InTurn}, stuck) || color(fewer, {}, stuck) ||
            color(fewer, {.splits = splits}, stuck))
            return true;
    }
    const bool tried_all = (least + kTries - 1) * granule >= all;
    return (!tried_all && color(allowed, {}, stuck)) || color(allowed, {.follows_moves = false}, stuck) ||
           (!tried_all && color(allowed, {.splits = splits}, stuck));
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
    ByUnit<Ranges> fixed(T::kUnits);
    for (const Node& n : f_.nodes)
        for (const Word w : n.words())
            if (!n.fixed)
                add(live_[w], f_.width(w));
            else
                for (const Unit u : Units(f_.fixed_unit(w), f_.width(w)))
                    if (allowed[u]) merge(fixed[u], live_[w]);
    for (const Ranges& r : fixed)
        add(r, 1);
    int32_t live = 0, most = 0;
    for (const int32_t c : change)
        most = std::max(most, live += c);
    return uint32_t(most);
}

/// Assigns registers to all words of linked code: f.reg, f.same_value. If granule_units is not 0, it uses as
/// few of the lowest units as it can, a multiple of granule_units. `limits` are tried in order. Returns the
/// index of the first limit that is enough; -1: none is, see f.error. If no limit is enough, spill(place,
/// limit, room) (spill.h) takes nodes that live at the place out of registers, or, with kEverywhere, as many
/// nodes as live beyond `room` units. It returns false if it cannot spill.
template <Target T, typename S>
[[nodiscard]] int allocate(Function<T>& f, std::span<const UnitSet<T>> limits, const S& spill,
                           uint32_t granule_units = 0) {
    const auto all = uint32_t(limits.back().count());
    // First, spill until the limit has enough units everywhere. After that, single places may still lack a
    // run of registers. If there are many of them, spill more everywhere, which bounds the number of rounds.
    constexpr unsigned kPlaces = 16, kShares = 16;
    constexpr uint32_t kFewWords = 1024;
    // Each split costs a move.
    constexpr unsigned kLeastSplits = 4, kWordsOfSplit = 32;
    unsigned rounds = 0, shares = 0;
    for (;; rounds++) {
        Allocator<T> a(f);
        a.coalesce();
        a.find_partners();
        uint32_t stuck = 0, most = 0;
        for (size_t k = 0; k < limits.size(); k++) {
            // A failed colouring costs more than counting, except in short code.
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

#include "drivers/common/backend/allocate_moves.h"
#include "drivers/common/backend/allocate_split.h"
