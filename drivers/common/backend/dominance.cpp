// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/backend/dominance.h"

#include <algorithm>

namespace terrazzo::backend {

void Dominance::find(uint32_t blocks, std::pmr::vector<Edge>& edges, std::pmr::memory_resource* memory) {
    constexpr uint32_t kNone = ~0u;
    // By block: its immediate dominator; kNone: it is the first block, or unreachable.
    std::pmr::vector<uint32_t> above(blocks, kNone, memory);
    std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.to < b.to; });
    const auto common = [&](uint32_t a, uint32_t b) {
        while (a != b && a != kNone && b != kNone)
            (a > b ? a : b) = above[std::max(a, b)];
        return a == b ? a : kNone;
    };
    for (size_t k = 0; k < edges.size();) {
        const uint32_t b = edges[k].to;
        uint32_t closest = kNone;
        bool first = true;
        for (; k < edges.size() && edges[k].to == b; k++) {
            if (edges[k].from >= b) continue;
            closest = first ? edges[k].from : common(closest, edges[k].from);
            first = false;
        }
        above[b] = closest;
    }
    const auto number = [&] {
        size_.assign(blocks, 1);
        place_.assign(blocks, 0);
        for (uint32_t b = blocks; b-- > 0;)
            if (above[b] != kNone) size_[above[b]] += size_[b];
        // By block: the place of the next block that it dominates. The last entry is for blocks without a
        // dominator.
        std::pmr::vector<uint32_t> next(blocks + 1, 0, memory);
        for (uint32_t b = 0; b < blocks; b++) {
            uint32_t& at = next[above[b] == kNone ? blocks : above[b]];
            place_[b] = at;
            at += size_[b];
            next[b] = place_[b] + 1;
        }
    };
    number();
    if (std::all_of(edges.begin(), edges.end(),
                    [&](const Edge& e) { return e.from < e.to || dominates(e.to, e.from); }))
        return;
    above.assign(blocks, kNone);
    number();
}

}  // namespace terrazzo::backend
