// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The interface through which a decoder reads the GPU's memory, and memory that consists of written ranges.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace terrazzo::capture {

class Memory {
  public:
    /// Copies size_B bytes at va to dst. False, with dst undefined: some of them are unmapped, or va + size_B
    /// wraps around.
    [[nodiscard]] virtual bool read(uint64_t va, void* dst, size_t size_B) const = 0;

  protected:
    ~Memory() = default;
};

/// Ranges of bytes at unaligned addresses. Must not be written concurrently.
class Ranges final : public Memory {
  public:
    /// Existing bytes are replaced. Bytes that would wrap around are dropped. May throw std::bad_alloc; then
    /// a part may have been stored.
    void put(uint64_t va, std::span<const uint8_t> bytes);
    [[nodiscard]] bool read(uint64_t va, void* dst, size_t size_B) const override;

    /// Ranges never overlap, but may be adjacent.
    const std::map<uint64_t, std::vector<uint8_t>>& ranges() const { return ranges_; }

  private:
    std::map<uint64_t, std::vector<uint8_t>> ranges_;
};

/// Registers that a stream sets. `kMost`: a power of two. Larger numbers wrap around.
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
