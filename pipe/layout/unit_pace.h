// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The order in which kernels copy units. Internal to tile_kernels.h and the rules.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace terrazzo::pipe::detail {

struct UnitPace {
    uint32_t rows;   // of units that are copied together, column by column: at most kMostPace
    uint32_t ahead;  // prefetches as many columns ahead; 0: no prefetch
};
inline constexpr uint32_t kMostPace = 4;

}  // namespace terrazzo::pipe::detail
