// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The shared memory of a compute shader begins as zeros, for devices where it holds what the workgroup before, perhaps another context's,
// has left: the invocations clear it together, and wait for each other, before anything else. Shaders that read none of it stay as they
// are.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// Of linked compute shaders.
bool zero_shared(Shader& s);

}  // namespace terrazzo::ir
