// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Arrays that are left in memory begin as zeros, for devices whose memory does not: a shader that reads an element which it has not
// written must not see what another shader, or another context, has left there. Elements that are certainly written before anything is
// read are left out, so that arrays with an initialiser cost nothing. Must come last: passes before it may take whole arrays away.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// Changes nothing that the interpreter gives, whose arrays are zeros. Time is linear in the shader and its arrays.
bool zero_arrays(Shader& s);

}  // namespace terrazzo::ir
