// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The pairs of internal formats between which CopyImageSubData copies: OpenGL ES 3.2 table 16.3 and
// EXT_copy_image, table 4.X.1.
#pragma once

#include "state_tracker/images/formats.h"

namespace terrazzo::st {

[[nodiscard]] bool copy_compatible(const InternalFormat& a, const InternalFormat& b);

}  // namespace terrazzo::st
