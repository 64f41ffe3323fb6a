// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Small tables from a vendor's enumerators to those of the units.
#pragma once

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

namespace terrazzo::units {

/// The value of the first row with the key.
template <class Key, class Value, size_t kRows>
constexpr std::optional<Value> find_value(const std::pair<Key, Value> (&rows)[kRows],
                                          const std::type_identity_t<Key>& key) {
    for (const auto& [k, value] : rows)
        if (k == key) return value;
    return std::nullopt;
}

}  // namespace terrazzo::units
