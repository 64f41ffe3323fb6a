// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// TERRAZZO_DEBUG=shaders: machine code and statistics on stderr.
#pragma once

#include <string>

#include "drivers/mali/compiler/compile.h"
#include "drivers/mali/device.h"

namespace terrazzo::mali {

/// A line of statistics, a line an instruction.
[[nodiscard]] std::string code_text(const compiler::Binary& binary);
/// Nothing where the device was not asked for it. `name`: what stands before the text.
void print_code(const Device& device, const std::string& name, const compiler::Binary& binary);

}  // namespace terrazzo::mali
