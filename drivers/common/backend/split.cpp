// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/backend/split.h"

#include <algorithm>

namespace terrazzo::backend {

void SplitPlaces::find(std::pmr::vector<Edge>& edges, std::pmr::memory_resource* memory) {
    const auto count = uint32_t(blocks_.size());
    std::pmr::vector<uint32_t> next(memory);
    // The first block from `b` on whose result is not known yet.
    const auto find_next = [&](uint32_t b) {
        while (next[b] != b)
            b = next[b] = next[next[b]];
        return b;
    };
    const auto begin = [&] {
        next.resize(count + 1);
        for (uint32_t b = 0; b <= count; b++)
            next[b] = b;
    };
    // Forward branches over blocks: the smallest target counts, so it comes first.
    begin();
    std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.to < b.to; });
    for (const Edge& e : edges)
        for (uint32_t b = find_next(std::min(e.from + 1, count)); b < e.to; b = find_next(b)) {
            blocks_[b].join = blocks_[e.to].start;
            next[b] = b + 1;
        }
    // Backward branches: the loop that starts last is the innermost one, so it comes first.
    begin();
    for (size_t k = edges.size(); k-- > 0;) {
        const Edge& e = edges[k];
        if (e.to > e.from) continue;
        for (uint32_t b = find_next(e.to); b <= e.from; b = find_next(b)) {
            blocks_[b].loop = blocks_[e.to].start;
            next[b] = b + 1;
        }
    }
}

bool SplitPlaces::may_split(const Ranges& ranges, uint32_t place) const {
    const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), place,
                                        [](uint32_t at, const Block& b) { return at < b.start; });
    const Block& b = *(after - 1);
    if (ranges.front().begin >= place) return false;
    if (b.join != kNever && ranges.back().end > b.join) return false;
    return b.loop == kNever || ranges.front().begin > b.loop;
}

}  // namespace terrazzo::backend
