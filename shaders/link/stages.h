// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Lowers geometry and tessellation stages to kernels (ir/stage_buffers.h): inputs, outputs and system values
// become accesses to storage buffers. ShaderInfo::records must be filled in, except the fields named here.
#pragma once

#include "shaders/link/linker.h"

namespace terrazzo::shaders {

/// Lowers loads of inputs. Fills slots_in and, for an evaluation stage, patch_rows.
void lower_kernel_inputs(ir::Shader& s, const StageTargets& in, uint64_t slots, uint32_t patch_rows);
/// Lowers a tessellation control shader's outputs, which it may read as well. Fills slots_out and patch_rows.
void lower_control_outputs(ir::Shader& s, const StageTargets& out, uint64_t slots, uint32_t patch_rows);
/// Lowers StoreOutputs of geometry and evaluation stages whose varyings have their final places. Fills
/// slots_out.
void lower_kernel_outputs(ir::Shader& s);
/// Lowers gl_PrimitiveIDIn and similar values.
void lower_kernel_sysvals(ir::Shader& s);

}  // namespace terrazzo::shaders
