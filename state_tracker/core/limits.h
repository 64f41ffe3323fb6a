// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a context may do: the device's caps, bounded by what the API version and Terrazzo allow; its
// extensions and its strings.
#pragma once

#include <string_view>

#include "state_tracker/context.h"

namespace terrazzo::st {

/// Row of extensions.txt; does not compile for a name that is none.
consteval unsigned extension_row(std::string_view name) {
    for (unsigned i = 0; i < sizeof kExtensionNames / sizeof kExtensionNames[0]; ++i)
        if (name == kExtensionNames[i]) return i;
    throw "not a row of extensions.txt";
}
[[nodiscard]] inline bool has_extension(const Context& ctx, unsigned row) {
    return ctx.limits.extensions >> row & 1;
}

/// Fills ctx.limits and the strings of GetString from the screen's caps and ctx.config.
void init_limits(Context& ctx);

}  // namespace terrazzo::st
