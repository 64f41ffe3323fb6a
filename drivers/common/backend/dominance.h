// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Dominance of blocks. Blocks are in program order (select_regions.h), so one sweep is enough: backward
// branches are ignored, since their target dominates the block that they are in. If a target does not, each
// block dominates only itself, which is always correct.
#pragma once

#include "drivers/common/backend/function.h"

namespace terrazzo::backend {

class Dominance {
  public:
    template <typename T>
    explicit Dominance(const Function<T>& f) : place_(f.memory), size_(f.memory) {
        std::pmr::vector<Edge> edges(f.memory);
        for (uint32_t b = 0; b < f.blocks.size(); b++)
            for (const int32_t next : f.blocks[b].next)
                if (next >= 0) edges.push_back({b, uint32_t(next)});
        find(uint32_t(f.blocks.size()), edges, f.memory);
    }
    /// Whether every path from the first block to `b` goes through `a`.
    [[nodiscard]] bool dominates(size_t a, size_t b) const {
        return place_[a] <= place_[b] && place_[b] < place_[a] + size_[a];
    }

  private:
    struct Edge {
        uint32_t from, to;
    };
    void find(uint32_t blocks, std::pmr::vector<Edge>& edges, std::pmr::memory_resource* memory);

    // By block: its number in an order in which the blocks that it dominates follow it directly; the number
    // of blocks that it dominates, itself included.
    std::pmr::vector<uint32_t> place_, size_;
};

}  // namespace terrazzo::backend
