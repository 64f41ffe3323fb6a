// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Lists of modifiers, as callers of Screen::create_shared_resource() give them.
#pragma once

#include <algorithm>

#include "pipe/screen.h"

namespace terrazzo::pipe {

/// Whether a list allows the modifier. kModifierInvalid in it stands for linear: who gives it will not tell others which
/// modifier the image has.
[[nodiscard]] inline bool allows_modifier(std::span<const uint64_t> list, uint64_t modifier) {
    return std::ranges::any_of(list, [&](uint64_t m) {
        return m == modifier || (m == kModifierInvalid && modifier == kModifierLinear);
    });
}

}  // namespace terrazzo::pipe
