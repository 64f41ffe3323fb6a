// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Registers that a stream sets.
#pragma once

#include <bitset>
#include <cstdint>
#include <span>
#include <vector>

namespace terrazzo::capture {

/// `kMost`: a power of two. Larger numbers wrap around.
template <uint32_t kMost>
class RegisterFile {
  public:
    static constexpr uint32_t kCount = kMost;

    RegisterFile() : value_(kCount) {}
    void set(uint32_t number, uint32_t value) {
        value_[number % kCount] = value;
        is_set_.set(number % kCount);
    }
    /// The value is unknown from now on, and reads as 0.
    void forget(uint32_t number) {
        value_[number % kCount] = 0;
        is_set_.reset(number % kCount);
    }
    [[nodiscard]] bool is_set(uint32_t number) const { return is_set_[number % kCount]; }
    [[nodiscard]] uint32_t get(uint32_t number) const { return value_[number % kCount]; }
    [[nodiscard]] std::span<const uint32_t> values() const { return value_; }

  private:
    std::vector<uint32_t> value_;
    std::bitset<kCount> is_set_;
};

}  // namespace terrazzo::capture
