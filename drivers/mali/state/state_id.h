// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Numbers of state objects, as keys of caches of packed descriptors. (An object's address can be reused.)
#pragma once

#include <atomic>
#include <cstdint>

namespace terrazzo::mali {

/// Unique in the process, never 0.
[[nodiscard]] inline uint64_t new_state_id() {
    static std::atomic<uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace terrazzo::mali
