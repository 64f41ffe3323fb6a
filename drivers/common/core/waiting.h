// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Divergence: the lanes of a wave that do not run now, by the place at which they go on. Lanes that wait at
// the same place run on together.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace terrazzo::core {

/// Mask: a set of lanes; Mask{} is empty. kMostLanes: of a wave. A lane must not be added while it waits.
template <class Mask, unsigned kMostLanes>
class WaitingLanes {
  public:
    [[nodiscard]] bool empty() const { return count_ == 0; }
    void clear() { count_ = 0; }
    void add(uint64_t place, const Mask& lanes) {
        if (lanes == Mask{}) return;
        const auto at = find(place);
        if (at != end())
            at->lanes = at->lanes | lanes;
        else
            sets_[count_++] = {place, lanes};
    }
    /// Where the lanes with the lowest place wait. Must not be empty.
    [[nodiscard]] uint64_t lowest() const {
        uint64_t place = sets_[0].place;
        for (unsigned i = 1; i < count_; ++i)
            place = std::min(place, sets_[i].place);
        return place;
    }
    /// The lanes that wait at the place, which no longer do.
    Mask take(uint64_t place) {
        const auto at = find(place);
        if (at == end()) return {};
        const Mask lanes = at->lanes;
        *at = sets_[--count_];
        return lanes;
    }

  private:
    struct Set {
        uint64_t place;
        Mask lanes;
    };
    Set* end() { return sets_.data() + count_; }
    Set* find(uint64_t place) {
        return std::find_if(sets_.data(), end(), [&](const Set& s) { return s.place == place; });
    }
    std::array<Set, kMostLanes> sets_;  // count_ of them
    unsigned count_ = 0;
};

}  // namespace terrazzo::core
