// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include "api/es1/context.h"

namespace terrazzo::es1 {

/// The state of a capability of glEnable or an array of glEnableClientState. False: there is no such thing.
[[nodiscard]] bool capability(Context& ctx, GLenum cap, bool* on);

}  // namespace terrazzo::es1
