// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How many units live after each step of a segment, while a scheduler moves steps. This is a segment tree:
// changes and queries of a range of steps take logarithmic time.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

namespace terrazzo::backend {

class Pressure {
  public:
    static constexpr uint32_t kNone = ~0u;

    explicit Pressure(std::pmr::memory_resource* memory) : nodes_(memory) {}
    /// Starts again with units.size() steps. `units`: how many units live after each.
    void begin(std::span<const int> units);
    /// Adds `units` to the steps [from, to).
    void add(uint32_t from, uint32_t to, int units);
    /// The last step of [from, to) with more units than `most`; kNone: there is none.
    [[nodiscard]] uint32_t last_above(uint32_t from, uint32_t to, int most) const {
        return from < to ? last_above(1, 0, leaves_, from, to, most) : kNone;
    }

  private:
    /// A subtree: what was added to all of its steps, and the maximum of its steps, which includes `added`.
    struct Node {
        int added, most;
    };
    [[nodiscard]] uint32_t last_above(uint32_t node, uint32_t begin, uint32_t end, uint32_t from, uint32_t to,
                                      int most) const;

    std::pmr::vector<Node> nodes_;  // children of n: 2n, 2n + 1
    uint32_t leaves_ = 0;
};

}  // namespace terrazzo::backend
