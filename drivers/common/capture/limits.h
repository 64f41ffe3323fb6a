// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Limits for packed captures: they are untrusted, and a small file may unpack to a large one.
#pragma once

#include <cstdint>

namespace terrazzo::capture {

inline constexpr uint64_t kMostUnpacked_B = uint64_t(512) << 20;

}  // namespace terrazzo::capture
