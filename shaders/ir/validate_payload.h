// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Private to validate*.cpp.
#pragma once

#include <string>

#include "shaders/ir/validate.h"

namespace terrazzo::ir {

/// The rule that the instruction's payload or operands break; empty if none.
[[nodiscard]] std::string payload_rule(const Shader& s, const Instr& i, Phase phase);
[[nodiscard]] std::string memory_rule(const Shader& s, const Instr& i, Phase phase);
[[nodiscard]] std::string conversion_rule(Op op, Type to, Type from);

}  // namespace terrazzo::ir
