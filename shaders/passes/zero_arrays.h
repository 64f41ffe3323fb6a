// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Arrays in memory are initialized to zeros, for devices whose memory is not: a shader that reads an element
// before it
// wrote it must not see data of another shader or context. Elements that are certainly written before
// anything is read
// are left out, so that arrays with an initializer cost nothing. Must come last: passes before it may remove
// whole
// arrays.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// The meaning does not change: the interpreter's arrays are zeros. Time is linear in the shader and its
/// arrays.
bool zero_arrays(Shader& s);

}  // namespace terrazzo::ir
