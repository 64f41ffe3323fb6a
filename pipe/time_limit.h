// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How long a device may work on one piece of a context's work: a draw's vertices, the tiles of a pass, a
// submission. What takes longer is ended, and the context is lost, if its program asked to be told of resets.
#pragma once

#include <cstdint>

#include "winsys/environment/values.h"

namespace terrazzo::pipe {

inline constexpr uint64_t kNoTimeLimit_ns = winsys::kUnlimited_ns;
/// Of robust contexts where TERRAZZO_DRAW_LIMIT does not say.
inline constexpr uint64_t kDrawLimit_ns = 10'000'000'000;
/// Of every context once it was destroyed: from then on.
inline constexpr uint64_t kAbandonedLimit_ns = 400'000'000;

/// Of robust contexts: TERRAZZO_DRAW_LIMIT, else kDrawLimit_ns. Others have none.
[[nodiscard]] uint64_t draw_limit_ns(bool robust);

}  // namespace terrazzo::pipe
