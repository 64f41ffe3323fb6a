// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/memory/va_allocator.h"

#include <iterator>

namespace terrazzo::winsys::virt {

bool VaAllocator::allocate(uint64_t size_B, uint64_t* va) {
    const auto fits = free_by_size_.lower_bound({size_B, 0});
    if (fits == free_by_size_.end()) return false;
    const uint64_t begin = fits->second;
    take(free_.find(begin), begin, begin + size_B);
    *va = begin;
    return true;
}

bool VaAllocator::allocate_at(uint64_t va, uint64_t size_B) {
    auto hole = free_.upper_bound(va);
    if (hole == free_.begin()) return false;
    --hole;
    if (va >= hole->second || size_B > hole->second - va) return false;
    take(hole, va, va + size_B);
    return true;
}

void VaAllocator::take(Holes::iterator hole, uint64_t va, uint64_t end) {
    const uint64_t hole_begin = hole->first, hole_end = hole->second;
    remove_free(hole);
    add_free(hole_begin, va);
    add_free(end, hole_end);
}

void VaAllocator::free(uint64_t va, uint64_t size_B) noexcept {
    try {
        uint64_t begin = va, end = va + size_B;
        auto next = free_.lower_bound(end);
        if (next != free_.end() && next->first == end) {
            end = next->second;
            remove_free(next++);
        }
        if (next != free_.begin() && std::prev(next)->second == begin) {
            begin = std::prev(next)->first;
            remove_free(std::prev(next));
        }
        add_free(begin, end);
    } catch (...) {
    }
}

/// Adds the hole to both containers or to neither. Throws std::bad_alloc.
void VaAllocator::add_free(uint64_t begin, uint64_t end) {
    if (begin == end) return;
    const auto range = free_.emplace(begin, end).first;
    try {
        free_by_size_.emplace(end - begin, begin);
    } catch (...) {
        free_.erase(range);
        throw;
    }
}

void VaAllocator::remove_free(Holes::iterator hole) {
    free_by_size_.erase({hole->second - hole->first, hole->first});
    free_.erase(hole);
}

}  // namespace terrazzo::winsys::virt
