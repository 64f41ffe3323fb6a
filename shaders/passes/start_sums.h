// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// a * b + c * d + e as c * d + (a * b + e), for devices that multiply and add in one instruction: sums of products begin with
/// a term that is none, if it is there early (a constant, a uniform, an input). Only where two products meet otherwise. Not where
/// a result is to be exact. True: something changed (clean_up() is due).
bool start_sums(Shader& s);

}  // namespace terrazzo::ir
