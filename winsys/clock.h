// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The system's clocks in nanoseconds. Deadlines, time limits and timestamps use CLOCK_MONOTONIC, as do the
// kernels' requests and other processes. All rooms may include this file; tests/house refuses clock_gettime()
// elsewhere.
#pragma once

#include <time.h>

#include <cstdint>

namespace terrazzo::winsys {

inline constexpr uint64_t kNsPerSecond = 1'000'000'000;

[[nodiscard]] inline uint64_t clock_ns(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return uint64_t(t.tv_sec) * kNsPerSecond + uint64_t(t.tv_nsec);
}

[[nodiscard]] inline uint64_t monotonic_ns() {
    return clock_ns(CLOCK_MONOTONIC);
}

/// The same clock in ticks of `hz`, as a counter that always runs.
[[nodiscard]] inline uint64_t monotonic_ticks(uint64_t hz) {
    return static_cast<uint64_t>(static_cast<unsigned __int128>(monotonic_ns()) * hz / kNsPerSecond);
}

/// The same clock at the kernel's last tick: a few milliseconds late, but almost free.
[[nodiscard]] inline uint64_t coarse_monotonic_ns() {
    return clock_ns(CLOCK_MONOTONIC_COARSE);
}

}  // namespace terrazzo::winsys
