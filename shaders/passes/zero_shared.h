// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The shared memory of a compute shader is initialized to zeros, for devices where it has data of an earlier
// workgroup,
// perhaps of another context: the invocations clear it together, then a barrier follows. Shaders that read no
// shared
// memory do not change.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// Of linked compute shaders.
bool zero_shared(Shader& s);

}  // namespace terrazzo::ir
