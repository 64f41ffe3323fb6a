// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// TERRAZZO_DEBUG=shaders.
#pragma once

#include <string>

#include "drivers/adreno/compiler/compile.h"

namespace terrazzo::adreno {

/// A line of statistics, then the instructions, one a line with its number.
std::string code_text(const compiler::Binary& binary);

}  // namespace terrazzo::adreno
