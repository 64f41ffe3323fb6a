// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the devices' shared images have in common: which resources can be one, and the lists of modifiers that callers of
// Screen::create_shared_resource() give.
#pragma once

#include <algorithm>

#include "pipe/screen.h"

namespace terrazzo::pipe {

/// Whether such a resource is one picture of two dimensions, which alone can be shared.
[[nodiscard]] inline bool is_single_picture(const ResourceDesc& d) {
    return d.kind == ResourceKind::Tex2D && d.levels == 1 && d.layers == 1 && d.samples == 1;
}

/// Whether a list allows the modifier. kModifierInvalid in it stands for linear: who gives it will not tell others which
/// modifier the image has.
[[nodiscard]] inline bool allows_modifier(std::span<const uint64_t> list, uint64_t modifier) {
    return std::ranges::any_of(list, [&](uint64_t m) {
        return m == modifier || (m == kModifierInvalid && modifier == kModifierLinear);
    });
}

}  // namespace terrazzo::pipe
