// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/va_space.h"

#include <cassert>
#include <iterator>
#include <new>

namespace terrazzo::mali {
namespace {

constexpr uint64_t kLargePage_B = 2 << 20;

}  // namespace

VaSpace::VaSpace(uint64_t begin, uint64_t end) {
    if (begin < end) free_.emplace(begin, end);
}

uint64_t VaSpace::allocate(uint64_t size_B) {
    const uint64_t align_B = size_B >= kLargePage_B ? kLargePage_B : kPageSize_B;
    const uint64_t length_B = ((size_B + kPageSize_B - 1) & ~(kPageSize_B - 1)) + kPageSize_B;
    if (length_B < size_B) return 0;
    for (auto it = free_.begin(); it != free_.end(); ++it) {
        const auto [begin, end] = *it;
        const uint64_t va = (begin + align_B - 1) & ~(align_B - 1);
        if (va >= end || end - va < length_B) continue;
        // All nodes first: nothing changes where there is no memory for them.
        Ranges one, rest;
        try {
            one.emplace(va, va + length_B);
            if (end > va + length_B) rest.emplace(va + length_B, end);
        } catch (const std::bad_alloc&) {
            return 0;
        }
        if (va > begin)
            it->second = va;
        else
            free_.erase(it);
        free_.merge(rest);
        used_.merge(one);
        used_B_ += length_B;
        return va;
    }
    return 0;
}

void VaSpace::free(uint64_t va) {
    auto node = used_.extract(va);
    assert(node && "the address was not given out");
    if (!node) return;
    used_B_ -= node.mapped() - va;
    auto next = free_.lower_bound(va);
    if (next != free_.end() && next->first == node.mapped()) {
        node.mapped() = next->second;
        next = free_.erase(next);
    }
    if (next != free_.begin())
        if (const auto before = std::prev(next); before->second == va) {
            before->second = node.mapped();
            return;
        }
    free_.insert(next, std::move(node));
}

}  // namespace terrazzo::mali
