// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Machine code as text, for TERRAZZO_DEBUG=shaders.
#pragma once

#include <string>

#include "drivers/adreno/compiler/compile.h"

namespace terrazzo::adreno {

/// A line of statistics, then a line with a number for each instruction.
std::string code_text(const compiler::Binary& binary);

}  // namespace terrazzo::adreno
