// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Where the reader of a control stream is: streams link to others, and return from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace terrazzo::agx::hw {

class StreamPosition {
  public:
    static constexpr size_t kMostReturns = 16;  // streams that wait for one that they linked to

    explicit StreamPosition(uint64_t va) : va(va) {}
    uint64_t va;  // of the next block
    unsigned depth() const { return unsigned(returns_.size()); }
    /// `high`, `low`: the parts of the address. False: too many streams wait for others.
    [[nodiscard]] bool link(uint32_t high, uint32_t low, bool with_return) {
        if (with_return && returns_.size() == kMostReturns) return false;
        if (with_return) returns_.push_back(va);
        va = uint64_t(high) << 32 | low;
        return true;
    }
    /// False: there is nothing to return to.
    [[nodiscard]] bool go_back() {
        if (returns_.empty()) return false;
        va = returns_.back();
        returns_.pop_back();
        return true;
    }

  private:
    std::vector<uint64_t> returns_;
};

}  // namespace terrazzo::agx::hw
