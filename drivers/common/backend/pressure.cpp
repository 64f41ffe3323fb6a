// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/backend/pressure.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace terrazzo::backend {

void Pressure::begin(std::span<const int> units) {
    leaves_ = std::bit_ceil(uint32_t(std::max<size_t>(units.size(), 1)));
    constexpr int kNoStep = std::numeric_limits<int>::min() / 2;
    nodes_.assign(2 * size_t(leaves_), {0, kNoStep});
    for (uint32_t n = 0; n < units.size(); n++)
        nodes_[leaves_ + n].most = units[n];
    for (uint32_t n = leaves_; n-- > 1;)
        nodes_[n].most = std::max(nodes_[2 * n].most, nodes_[2 * n + 1].most);
}

void Pressure::add(uint32_t node, uint32_t begin, uint32_t end, uint32_t from, uint32_t to, int units) {
    Node& n = nodes_[node];
    if (from <= begin && end <= to) {
        n.added += units;
        n.most += units;
        return;
    }
    const uint32_t middle = (begin + end) / 2;
    if (from < middle) add(2 * node, begin, middle, from, to, units);
    if (to > middle) add(2 * node + 1, middle, end, from, to, units);
    n.most = std::max(nodes_[2 * node].most, nodes_[2 * node + 1].most) + n.added;
}

uint32_t Pressure::last_above(uint32_t node, uint32_t begin, uint32_t end, uint32_t from, uint32_t to,
                              int most) const {
    const Node& n = nodes_[node];
    if (end <= from || to <= begin || n.most <= most) return kNone;
    if (end - begin == 1) return begin;
    const uint32_t middle = (begin + end) / 2;
    const uint32_t right = last_above(2 * node + 1, middle, end, from, to, most - n.added);
    return right != kNone ? right : last_above(2 * node, begin, middle, from, to, most - n.added);
}

}  // namespace terrazzo::backend
