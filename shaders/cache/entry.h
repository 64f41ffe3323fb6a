// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// An entry as the disk, and a program's own store, keep it: a header, then the value, or a zstd frame where it is large.
#pragma once

#include "shaders/cache/cache.h"

namespace terrazzo::shaders {

/// Values larger than this are not stored, and no entry is believed that claims more.
inline constexpr uint64_t kMaxValue_B = uint64_t(64) << 20;
/// Values up to this are stored as they are: a small one is read faster than zstd is set up.
inline constexpr uint64_t kMaxPlain_B = uint64_t(64) << 10;
/// No entry is larger.
inline constexpr uint64_t kMaxEntry_B = kMaxValue_B + (uint64_t(1) << 20);

/// Empty: the value is too large.
[[nodiscard]] std::vector<uint8_t> pack_entry(const CacheKey& key, std::span<const uint8_t> value);
/// The value, or nothing for bytes that are not, to the last one, what pack_entry() gave for that key.
[[nodiscard]] std::optional<std::vector<uint8_t>> unpack_entry(const CacheKey& key,
                                                               std::vector<uint8_t> entry);

}  // namespace terrazzo::shaders
