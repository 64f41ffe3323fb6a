// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The interface through which a decoder reads the GPU's memory, and memory that consists of written ranges.
#pragma once

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

}  // namespace terrazzo::capture
