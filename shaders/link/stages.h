// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Geometry and tessellation stages become kernels (ir/stage_buffers.h): their inputs, outputs and system values become
// accesses of storage buffers. ShaderInfo::records must be filled in but for what is said here.
#pragma once

#include "shaders/link/linker.h"

namespace terrazzo::shaders {

/// Loads of inputs. Fills slots_in and, of an evaluation stage, patch_rows.
void lower_kernel_inputs(ir::Shader& s, const StageTargets& in, uint64_t slots, uint32_t patch_rows);
/// A tessellation control shader's outputs, which it may read as well. Fills slots_out and patch_rows.
void lower_control_outputs(ir::Shader& s, const StageTargets& out, uint64_t slots, uint32_t patch_rows);
/// What StoreOutputs give, of geometry and evaluation stages whose varyings have their last places. Fills slots_out.
void lower_kernel_outputs(ir::Shader& s);
/// gl_PrimitiveIDIn and its kin.
void lower_kernel_sysvals(ir::Shader& s);

}  // namespace terrazzo::shaders
