// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include "api/es1/context.h"

namespace terrazzo::es1 {

/// The attribute of an array of glEnableClientState; of texture coordinates, that of the client's active
/// unit. False: no such array.
[[nodiscard]] bool find_array(const Context& ctx, GLenum array, GLuint* index);

}  // namespace terrazzo::es1
