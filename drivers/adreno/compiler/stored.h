// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compiled shaders as bytes, for the shader cache. Only the same build can read them; cache keys depend on
// the build, too.
#pragma once

#include "drivers/adreno/compiler/compile.h"
#include "shaders/ir/binary_bytes.h"

namespace terrazzo::adreno::compiler {

/// `b` must have no error.
void write_binary(const Binary& b, ir::BinaryWriter* out);
/// Accepts any bytes. False: they are not a binary, and *out is unchanged.
[[nodiscard]] bool read_binary(ir::BinaryReader* in, Binary* out);

}  // namespace terrazzo::adreno::compiler
