// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Which GPU addresses are taken. A page behind each range stays free, so that an access beyond the end of an
// object faults instead of reaching its neighbour. Thread: one at a time.
#pragma once

#include <cstdint>
#include <map>

namespace terrazzo::memory {

class VaSpace {
  public:
    /// Addresses of [begin, end); begin is not 0 (unless the space is empty), both are multiples of
    /// `large_page_B`. Page sizes are powers of two. Throws std::bad_alloc.
    VaSpace(uint64_t begin, uint64_t end, uint64_t page_B, uint64_t large_page_B);

    /// A free range, at its lowest place; of large_page_B or more, at a large page. 0: there is none, or out of
    /// memory.
    [[nodiscard]] uint64_t allocate(uint64_t size_B);
    void free(uint64_t va);
    /// Of all ranges, with their guard pages.
    uint64_t used_B() const { return used_B_; }

  private:
    using Ranges = std::map<uint64_t, uint64_t>;  // begin -> end

    const uint64_t page_B_, large_page_B_;
    Ranges free_, used_;
    uint64_t used_B_ = 0;
};

}  // namespace terrazzo::memory
