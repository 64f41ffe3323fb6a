// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace terrazzo::pipe {

constexpr uint64_t divide_up(uint64_t value, uint64_t by) {
    return (value + by - 1) / by;
}
/// The lowest multiple of `align` that is not less than the value.
constexpr uint64_t align_up(uint64_t value, uint64_t align) {
    return divide_up(value, align) * align;
}

}  // namespace terrazzo::pipe
