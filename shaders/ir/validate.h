// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Says whether a shader is IR by the rules of ir.h and ops.def: definitions before uses and visible there,
// types by each op's Sig, operand and result counts, regions and terminators, payloads, consistent links.
#pragma once

#include <string>

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// The shader's phase: how it accesses its interface (ir.h, second paragraph).
enum class Phase : uint8_t { Any, BeforeLink, AfterLink };

/// Empty if valid, else the broken rule and the instruction: "fadd: operand 1 has another type than ...: %3:
/// f32 = ...". Safe on anything from the parser or the Builder.
[[nodiscard]] std::string validate(const Shader& s, Phase phase = Phase::Any);

}  // namespace terrazzo::ir
