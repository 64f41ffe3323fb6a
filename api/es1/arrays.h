// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include "api/es1/context.h"

namespace terrazzo::es1 {

/// The attribute for an array of glEnableClientState; for texture coordinates, that of the active client
/// unit. False: there is no such array.
[[nodiscard]] bool find_array(const Context& ctx, GLenum array, GLuint* index);

}  // namespace terrazzo::es1
