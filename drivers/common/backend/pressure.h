// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How many units live after each step of a segment, while a scheduler moves steps forward. A change of a
// range of steps, or a question about one, costs a logarithm (a segment tree).
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
    /// Forgets all; there are so many steps now, with these units.
    void begin(std::span<const int> units);
    /// Changes the units of steps [from, to).
    void add(uint32_t from, uint32_t to, int units) {
        if (from < to) add(1, 0, leaves_, from, to, units);
    }
    /// The last step of [from, to) with more units than `most`; kNone: there is none.
    [[nodiscard]] uint32_t last_above(uint32_t from, uint32_t to, int most) const {
        return from < to ? last_above(1, 0, leaves_, from, to, most) : kNone;
    }

  private:
    /// Of a power of two of steps: what was added to all of them, and the most of them, with that.
    struct Node {
        int added, most;
    };
    void add(uint32_t node, uint32_t begin, uint32_t end, uint32_t from, uint32_t to, int units);
    [[nodiscard]] uint32_t last_above(uint32_t node, uint32_t begin, uint32_t end, uint32_t from, uint32_t to,
                                      int most) const;

    std::pmr::vector<Node> nodes_;  // children of n: 2n, 2n + 1
    uint32_t leaves_ = 0;
};

}  // namespace terrazzo::backend
