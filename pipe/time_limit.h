// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How long a device may work on one piece of a context's work: a draw's vertices, the tiles of a pass, a
// submission. What takes longer is ended, and the context is lost, if its program asked to be told of resets.
#pragma once

#include <cstdint>
#include <string_view>

namespace terrazzo::pipe {

inline constexpr uint64_t kNoTimeLimit_ns = UINT64_MAX;
/// Of robust contexts where TERRAZZO_DRAW_LIMIT does not say.
inline constexpr uint64_t kDrawLimit_ns = 10'000'000'000;
/// Of every context once it was destroyed: from then on.
inline constexpr uint64_t kAbandonedLimit_ns = 400'000'000;

/// Seconds with a fraction, more than 0, or "off". False: neither.
[[nodiscard]] bool parse_time_limit(std::string_view text, uint64_t* out_ns);

/// Of robust contexts: TERRAZZO_DRAW_LIMIT, else kDrawLimit_ns. Others have none.
[[nodiscard]] uint64_t draw_limit_ns(bool robust);

}  // namespace terrazzo::pipe
