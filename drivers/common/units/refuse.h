// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

namespace terrazzo::units {

/// For units that say why they cannot do something. Sets `why`; returns false.
inline bool refuse(std::string* why, std::string text) {
    *why = std::move(text);
    return false;
}

}  // namespace terrazzo::units
