// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// An entry in the disk cache or in a program's own store: a header, then the value or, if it is large, a zstd
// frame.
#pragma once

#include "shaders/cache/cache.h"

namespace terrazzo::shaders {

/// Larger values are not stored, and entries that claim to be larger are refused.
inline constexpr uint64_t kMaxValue_B = uint64_t(64) << 20;
/// Values up to this size are not compressed: reading them is faster than initialising zstd.
inline constexpr uint64_t kMaxPlain_B = uint64_t(64) << 10;
/// The largest entry.
inline constexpr uint64_t kMaxEntry_B = kMaxValue_B + (uint64_t(1) << 20);

/// Empty: the value is too large.
[[nodiscard]] std::vector<uint8_t> pack_entry(const CacheKey& key, std::span<const uint8_t> value);
/// The value, or nothing if the bytes are not exactly what pack_entry() returned for that key.
[[nodiscard]] std::optional<std::vector<uint8_t>> unpack_entry(const CacheKey& key,
                                                               std::vector<uint8_t> entry);

}  // namespace terrazzo::shaders
