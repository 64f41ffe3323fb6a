// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/backend/pressure.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

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

void Pressure::add(uint32_t from, uint32_t to, int units) {
    if (from >= to) return;
    const auto change = [&](uint32_t n) {
        nodes_[n].added += units;
        nodes_[n].most += units;
    };
    // Returns whether the maximum changed.
    const auto update = [&](uint32_t n) {
        const int most = std::max(nodes_[2 * n].most, nodes_[2 * n + 1].most) + nodes_[n].added;
        return std::exchange(nodes_[n].most, most) != most;
    };
    // The subtrees between `left` and `right`, nodes of one level, still have to change. Both are outside of
    // the range, or in subtrees that changed.
    uint32_t left = leaves_ + from, right = leaves_ + to - 1;
    change(left);
    if (left != right) change(right);
    for (; left / 2 != right / 2; left /= 2, right /= 2) {
        if (left % 2 == 0) change(left + 1);
        if (right % 2 == 1) change(right - 1);
        (void)update(left / 2);
        (void)update(right / 2);
    }
    do
        left /= 2;
    while (left && update(left));
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
