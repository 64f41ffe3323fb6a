// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Numbers of objects, as keys of caches: an object's address can be reused.
#pragma once

#include <atomic>
#include <cstdint>

namespace terrazzo::memory {

/// Unique in the process, never 0.
[[nodiscard]] inline uint64_t unique_number() {
    static std::atomic<uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace terrazzo::memory
