// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Which GPU addresses are taken. A page behind each range stays free, so that what runs over the end of an
// object faults instead of hitting its neighbour. Thread: one at a time.
#pragma once

#include <cstdint>
#include <map>

namespace terrazzo::mali {

inline constexpr uint64_t kPageSize_B = 4096;

class VaSpace {
  public:
    /// Gives out addresses of [begin, end); begin is not 0, both are multiples of 2 MiB.
    VaSpace(uint64_t begin, uint64_t end);

    /// A free range, at its lowest place; of 2 MiB or more, where the MMU's large pages fit. 0: none, or out
    /// of memory.
    [[nodiscard]] uint64_t allocate(uint64_t size_B);
    void free(uint64_t va);
    /// Of all ranges, with their guard pages.
    uint64_t used_B() const { return used_B_; }

  private:
    using Ranges = std::map<uint64_t, uint64_t>;  // begin -> end

    Ranges free_, used_;
    uint64_t used_B_ = 0;
};

}  // namespace terrazzo::mali
