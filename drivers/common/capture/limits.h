// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How much of a packed capture is taken in. Captures come from others, and a small file may hold much.
#pragma once

#include <cstdint>

namespace terrazzo::capture {

inline constexpr uint64_t kMostUnpacked_B = uint64_t(512) << 20;

}  // namespace terrazzo::capture
