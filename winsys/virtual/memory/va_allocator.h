// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The free addresses of an address space, for kernel drivers that choose addresses of objects.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace terrazzo::winsys::virt {

/// Under the device's lock. Sizes must not be 0.
class VaAllocator {
  public:
    VaAllocator() = default;
    /// Addresses [begin, end) are free.
    VaAllocator(uint64_t begin, uint64_t end) { add_free(begin, end); }

    /// Allocates the lowest addresses of the smallest hole that is large enough. False: there is none.
    [[nodiscard]] bool allocate(uint64_t size_B, uint64_t* va);
    /// Allocates this range. False: not all of it is free.
    [[nodiscard]] bool allocate_at(uint64_t va, uint64_t size_B);
    /// Frees an allocated range. If this needs memory and there is none, the range stays allocated.
    void free(uint64_t va, uint64_t size_B) noexcept;

  private:
    using Holes = std::map<uint64_t, uint64_t>;
    void take(Holes::iterator hole, uint64_t va, uint64_t end);
    void add_free(uint64_t begin, uint64_t end);
    void remove_free(Holes::iterator hole);

    Holes free_;                                            // begin -> end
    std::set<std::pair<uint64_t, uint64_t>> free_by_size_;  // size, begin
};

}  // namespace terrazzo::winsys::virt
