// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Time limits of a device for one piece of a context's work: a draw's vertices, the tiles of a pass, a
// submission. Work that takes longer is stopped, and the context is lost, if its program asked for reset
// notifications.
#pragma once

#include <cstdint>

#include "winsys/environment/values.h"

namespace terrazzo::pipe {

inline constexpr uint64_t kNoTimeLimit_ns = winsys::kUnlimited_ns;
using winsys::kDrawLimit_ns;
/// For every context, from its destruction on.
inline constexpr uint64_t kAbandonedLimit_ns = 400'000'000;

/// For robust contexts: TERRAZZO_DRAW_LIMIT, or kDrawLimit_ns. Other contexts have no limit.
[[nodiscard]] uint64_t draw_limit_ns(bool robust);

}  // namespace terrazzo::pipe
