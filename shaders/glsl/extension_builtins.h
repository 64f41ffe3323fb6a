// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Variables, constants and functions that an extension adds to a version of ESSL in which glslang does not
// declare them. prototypes.cpp declares them in the texts that glslang parses when it starts, and says which
// extension each needs: without it, glslang refuses them, like its own declarations.
#pragma once

#include <glslang/Include/ResourceLimits.h>

#include "shaders/glsl/ast.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wextra"
#include <glslang/MachineIndependent/SymbolTable.h>
#pragma GCC diagnostic pop

namespace terrazzo::shaders::glsl {

/// OES_sample_variables and OES_shader_multisample_interpolation in fragment shaders of ESSL 3.00. glslang
/// has them since 3.10.
void add_samples_300(glslang::TString& fragment);
void identify_samples_300(glslang::TSymbolTable& symbols);

/// Constants of extensions, in all stages.
void add_extension_constants(glslang::TString& common, int version, const TBuiltInResource& resources);
void identify_extension_constants(glslang::TSymbolTable& symbols, int version);

}  // namespace terrazzo::shaders::glsl
