// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Capabilities of glEnable, for glIsEnabled and glGet.
#pragma once

#include "state_tracker/context.h"

namespace terrazzo::st {

/// False where `cap` is no capability of this context.
[[nodiscard]] bool capability(const Context& ctx, GLenum cap, bool* on);

}  // namespace terrazzo::st
