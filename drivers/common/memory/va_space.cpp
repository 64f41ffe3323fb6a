// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/memory/va_space.h"

#include <cassert>
#include <iterator>
#include <new>

namespace terrazzo::memory {
VaSpace::VaSpace(uint64_t begin, uint64_t end, uint64_t page_B, uint64_t large_page_B)
    : page_B_(page_B), large_page_B_(large_page_B) {
    if (begin < end) free_.emplace(begin, end);
}

uint64_t VaSpace::allocate(uint64_t size_B) {
    const uint64_t align_B = size_B >= large_page_B_ ? large_page_B_ : page_B_;
    const uint64_t length_B = ((size_B + page_B_ - 1) & ~(page_B_ - 1)) + page_B_;
    if (length_B < size_B) return 0;
    for (auto it = free_.begin(); it != free_.end(); ++it) {
        const auto [begin, end] = *it;
        const uint64_t va = (begin + align_B - 1) & ~(align_B - 1);
        if (va >= end || end - va < length_B) continue;
        // Allocates all nodes first: nothing changes if there is no memory for them.
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
    assert(node && "the address was not allocated");
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

}  // namespace terrazzo::memory
