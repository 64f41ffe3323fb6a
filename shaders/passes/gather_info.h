// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fills ShaderInfo from what the code does.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// Sets inputs_read, outputs_written and the uses_ and writes_ flags. sampler_count and uniform_dw are raised
/// where
/// the code reaches further, never lowered (the linker knows the sizes of dynamically indexed arrays). The
/// other
/// members stay as they are.
void gather_info(Shader& s);

}  // namespace terrazzo::ir
