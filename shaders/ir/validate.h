// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Checks a shader against the rules of ir.h and ops.def: definitions come before uses and are visible there;
// types match each operation's Sig; numbers of operands and results, regions and terminators, payloads, and
// the links between these are correct.
#pragma once

#include <string>

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// The shader's phase: how it accesses its interface (ir.h, second paragraph).
enum class Phase : uint8_t { Any, BeforeLink, AfterLink };

/// Empty if valid; otherwise the broken rule and the instruction: "fadd: operand 1 has another type than ...:
/// %3: f32 = ...". Safe on all shaders from the parser, the reader or the Builder.
[[nodiscard]] std::string validate(const Shader& s, Phase phase = Phase::Any);

}  // namespace terrazzo::ir
