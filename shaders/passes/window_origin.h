// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// GL counts a window's rows from the bottom. The memory of a picture that a window system shows begins with
// the top
// row. Such pictures are drawn upside down (state_tracker/drawable.h), and this pass hides it from fragment
// shaders:
// what depends on the direction of y is computed from two numbers that the state tracker sets, so that one
// program
// draws to both kinds.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// Has a fragment shader count y from GL's bottom. Returns the new uniform variable of two floats: 0 and 0,
/// or -2 and
/// the picture's height where memory begins with the top row. Null: nothing depends on y, and nothing
/// changed. Must come
/// before mediump_to_16 and after linking of inputs.
Var* lower_window_origin(Shader& s);

}  // namespace terrazzo::ir
