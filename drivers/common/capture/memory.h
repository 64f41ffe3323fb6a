// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a decoder reads the GPU's memory through, and memory that is made of what was written into it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace terrazzo::capture {

class Memory {
  public:
    /// Copies size_B bytes at va to dst. False, with dst in any state, where any of them is unmapped or va +
    /// size_B wraps around.
    [[nodiscard]] virtual bool read(uint64_t va, void* dst, size_t size_B) const = 0;

  protected:
    ~Memory() = default;
};

/// Ranges of bytes at addresses of any alignment. Not for concurrent use while it is written.
class Ranges final : public Memory {
  public:
    /// Bytes that are there already are replaced. What would wrap around is left out. May throw
    /// std::bad_alloc; then a part may be there.
    void put(uint64_t va, std::span<const uint8_t> bytes);
    [[nodiscard]] bool read(uint64_t va, void* dst, size_t size_B) const override;

    /// Ranges never overlap; neighbours may touch.
    const std::map<uint64_t, std::vector<uint8_t>>& ranges() const { return ranges_; }

  private:
    std::map<uint64_t, std::vector<uint8_t>> ranges_;
};

}  // namespace terrazzo::capture
