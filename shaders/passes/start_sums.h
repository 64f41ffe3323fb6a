// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// a * b + c * d + e becomes c * d + (a * b + e), for devices that multiply and add in one instruction: sums
/// of products
/// begin with a term that is no product, if one is available early (a constant, a uniform, an input). Only
/// where two
/// products would be added otherwise. Exact results (instr_flag::kExact) do not change. Returns whether
/// anything
/// changed; run clean_up() then.
bool start_sums(Shader& s);

}  // namespace terrazzo::ir
