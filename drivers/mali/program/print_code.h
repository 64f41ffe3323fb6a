// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Prints machine code and statistics to stderr for TERRAZZO_DEBUG=shaders.
#pragma once

#include <string>

#include "drivers/mali/compiler/compile.h"
#include "drivers/mali/device.h"

namespace terrazzo::mali {

/// A line of statistics, then a line for each instruction.
[[nodiscard]] std::string code_text(const compiler::Binary& binary);
/// Does nothing unless the device's debug words ask for it. `name`: the text before the code.
void print_code(const Device& device, const std::string& name, const compiler::Binary& binary);

}  // namespace terrazzo::mali
