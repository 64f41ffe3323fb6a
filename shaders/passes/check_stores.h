// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Stores and atomics of storage buffers, and atomics of images, execute only where they are within the bound
// range (memory.h), for devices whose stores have addresses that nothing checks. A store of several words
// is executed if all of them are.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// Of linked shaders.
bool check_stores(Shader& s);

}  // namespace terrazzo::ir
