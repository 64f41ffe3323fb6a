// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What command processors have in common: conditions and reports.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace terrazzo::host {

/// The orders of two numbers that a condition accepts: a sum of these.
inline constexpr uint8_t kLess = 1, kEqual = 2, kGreater = 4, kAlways = kLess | kEqual | kGreater;
template <class T>
constexpr bool accepts(uint8_t orders, T a, T b) {
    return orders & (a < b ? kLess : a == b ? kEqual : kGreater);
}

/// "0x12ab", for reports.
inline std::string hex_text(uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

}  // namespace terrazzo::host
