// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Global value numbering over the region tree: an operation that was computed before, in this region or one
// around it, is not computed again. Constants move to the top of the shader, where all regions see them.
//
// Besides pure operations this merges reads of what cannot change while the shader runs: inputs, uniforms,
// textures. It merges derivatives, too: the earlier one ran in at least the lanes of the later.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

bool cse(Shader& s);

}  // namespace terrazzo::ir
