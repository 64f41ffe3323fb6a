// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Deadlines for operations that wait several times (CLOCK_MONOTONIC).
#pragma once

#include <cstdint>

#include "winsys/clock.h"

namespace terrazzo::memory {

/// The deadline of a wait that begins now, in the form of requests. 0: at once; INT64_MAX: never.
[[nodiscard]] inline uint64_t deadline_of(uint64_t timeout_ns) {
    if (timeout_ns == 0) return 0;
    const uint64_t now = winsys::monotonic_ns();
    return timeout_ns > uint64_t{INT64_MAX} - now ? uint64_t{INT64_MAX} : now + timeout_ns;
}

[[nodiscard]] inline uint64_t left_until(uint64_t deadline_ns) {
    if (deadline_ns == uint64_t{INT64_MAX}) return UINT64_MAX;
    const uint64_t now = deadline_ns ? winsys::monotonic_ns() : 0;
    return deadline_ns > now ? deadline_ns - now : 0;
}

}  // namespace terrazzo::memory
