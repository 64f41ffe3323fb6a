// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The allocated GPU addresses. A page after each range stays free, so that an access beyond the end of an
// object faults instead of reaching the adjacent one. Thread: one at a time.
#pragma once

#include <cstdint>
#include <map>

namespace terrazzo::memory {

class VaSpace {
  public:
    /// Addresses [begin, end); begin must not be 0 (unless the space is empty), and both must be multiples of
    /// `large_page_B`. Page sizes are powers of two. Throws std::bad_alloc.
    VaSpace(uint64_t begin, uint64_t end, uint64_t page_B, uint64_t large_page_B);

    /// Allocates the lowest free range; sizes of at least large_page_B are aligned to a large page. 0: there
    /// is none, or out of memory.
    [[nodiscard]] uint64_t allocate(uint64_t size_B);
    void free(uint64_t va);
    /// The sum of all ranges, with their guard pages.
    uint64_t used_B() const { return used_B_; }

  private:
    using Ranges = std::map<uint64_t, uint64_t>;  // begin -> end

    const uint64_t page_B_, large_page_B_;
    Ranges free_, used_;
    uint64_t used_B_ = 0;
};

}  // namespace terrazzo::memory
