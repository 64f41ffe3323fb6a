// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Reports one instruction's stores to the memory, in ranges.
#pragma once

#include <algorithm>

#include "drivers/common/window/window.h"

namespace terrazzo::core {

class StoredRange {
  public:
    /// Adjacent: a range has the bytes that were stored. Page: one range per page, from its first to its last
    /// byte that was stored.
    enum class Joins : uint8_t { Adjacent, Page };
    explicit StoredRange(window::Space& space, Joins joins = Joins::Adjacent)
        : space_(space), joins_(joins) {}
    StoredRange(const StoredRange&) = delete;
    ~StoredRange() { tell(); }
    void add(uint64_t va, uint64_t size_B) {
        const bool joins =
            joins_ == Joins::Page ? va / kPage_B == begin_ / kPage_B : va <= end_ && va + size_B >= begin_;
        if (!joins || begin_ == end_) {
            tell();
            begin_ = va;
            end_ = va + size_B;
        }
        begin_ = std::min(begin_, va);
        end_ = std::max(end_, va + size_B);
    }

  private:
    static constexpr uint64_t kPage_B = 4096;
    void tell() {
        if (begin_ != end_) space_.stored(begin_, end_ - begin_);
    }
    window::Space& space_;
    const Joins joins_;
    uint64_t begin_ = 0, end_ = 0;
};

}  // namespace terrazzo::core
