// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The hash that identifies content: BLAKE2b with 256 bits (RFC 7693), from libb2. Equal hashes imply equal
// content: two contents with the same hash cannot be constructed, so contents need not be compared.
#pragma once

#include <blake2.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace terrazzo::shaders {

inline constexpr size_t kDigest_B = 32;
using DigestBytes = std::array<uint8_t, kDigest_B>;

class Digest {
  public:
    Digest();
    void add(std::span<const uint8_t> bytes);
    /// May be called once.
    [[nodiscard]] DigestBytes finish();

  private:
    blake2b_state state_;
};

[[nodiscard]] DigestBytes digest_of(std::span<const uint8_t> bytes);

}  // namespace terrazzo::shaders
