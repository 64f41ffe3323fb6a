// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What command processors have in common: conditions.
#pragma once

#include <cstdint>

namespace terrazzo::host {

/// The orders of two numbers that a condition accepts: a sum of these.
inline constexpr uint8_t kLess = 1, kEqual = 2, kGreater = 4, kAlways = kLess | kEqual | kGreater;
template <class T>
constexpr bool accepts(uint8_t orders, T a, T b) {
    return orders & (a < b ? kLess : a == b ? kEqual : kGreater);
}

}  // namespace terrazzo::host
