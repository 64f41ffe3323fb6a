// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the compiler made, as bytes for the shader cache. The form belongs to a build, as the cache's keys do.
#pragma once

#include "drivers/adreno/compiler/compile.h"
#include "shaders/ir/binary_bytes.h"

namespace terrazzo::adreno::compiler {

/// Of a binary without an error.
void write_binary(const Binary& b, ir::BinaryWriter* out);
/// Any bytes are safe. False: these are none; *out is unchanged.
[[nodiscard]] bool read_binary(ir::BinaryReader* in, Binary* out);

}  // namespace terrazzo::adreno::compiler
