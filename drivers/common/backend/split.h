// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Where a live range may be split: one move copies the word to another register, which it keeps for the rest
// of the live range. This is correct if every path to the rest goes through the move: no branch goes from
// before it to a place where the word still lives, and the word does not live through a loop around it.
#pragma once

#include "drivers/common/backend/function.h"
#include "drivers/common/backend/ranges.h"

namespace terrazzo::backend {

/// Requires linked code. Places are those of live_ranges().
class SplitPlaces {
  public:
    template <typename T>
    explicit SplitPlaces(const Function<T>& f) : blocks_(f.memory) {
        std::pmr::vector<Edge> edges(f.memory);
        uint32_t place = 0;
        for (uint32_t b = 0; b < f.blocks.size(); b++) {
            blocks_.push_back({place, kNever, kNever});
            place += 2 * uint32_t(f.blocks[b].insts.size());
            for (const int32_t next : f.blocks[b].next)
                if (next >= 0) edges.push_back({b, uint32_t(next)});
        }
        find(edges, f.memory);
    }
    /// Whether a word with these ranges may move to another register before the instruction that reads at
    /// `place`. The word must live there.
    [[nodiscard]] bool may_split(const Ranges& ranges, uint32_t place) const;

  private:
    static constexpr uint32_t kNever = ~0u;
    struct Edge {
        uint32_t from, to;
    };
    struct Block {
        uint32_t start;
        uint32_t
            join;  // where the first block starts that is reached from before this one, too; kNever: none is
        uint32_t loop;  // where the innermost loop around it starts; kNever: there is none
    };
    void find(std::pmr::vector<Edge>& edges, std::pmr::memory_resource* memory);

    std::pmr::vector<Block> blocks_;
};

}  // namespace terrazzo::backend
