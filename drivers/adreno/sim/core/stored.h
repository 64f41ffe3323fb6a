// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Reports one instruction's stores to the memory: adjacent places as one range.
#pragma once

#include "drivers/common/window/window.h"

namespace terrazzo::adreno::sim {

class StoredRange {
  public:
    explicit StoredRange(window::Space& space) : space_(space) {}
    StoredRange(const StoredRange&) = delete;
    ~StoredRange() { tell(); }
    void add(uint64_t va, uint64_t size_B) {
        if (va > end_ || va + size_B < begin_) {
            tell();
            begin_ = va;
            end_ = va + size_B;
        }
        if (va < begin_) begin_ = va;
        if (va + size_B > end_) end_ = va + size_B;
    }

  private:
    void tell() {
        if (begin_ != end_) space_.stored(begin_, end_ - begin_);
    }
    window::Space& space_;
    uint64_t begin_ = 0, end_ = 0;
};

}  // namespace terrazzo::adreno::sim
