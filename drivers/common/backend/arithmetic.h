// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Helpers for the selection of arithmetic.
#pragma once

#include <cmath>
#include <optional>

#include "shaders/ir/ir.h"

namespace terrazzo::backend {

/// The reciprocal of a constant. Empty: `v` is no constant, or the reciprocal is not a normal number.
[[nodiscard]] inline std::optional<float> constant_reciprocal(const ir::Value* v) {
    if (!ir::is_const(v)) return {};
    const float inverse = 1 / ir::const_f32(v);
    if (!std::isnormal(inverse)) return {};
    return inverse;
}

}  // namespace terrazzo::backend
