// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The rules of a linked program, whether it was linked here or read from bytes: every index in its tables is
// checked against the table that it indexes. The tables determine what the stages may access;
// ir/validate_linked.h checks the stages' code against that.
#pragma once

#include <string>

#include "shaders/compile.h"
#include "shaders/ir/validate_linked.h"

namespace terrazzo::shaders {

/// Dwords of a stage's default uniform block. GL's limit counts the elements that a shader reads; this one
/// also counts unused elements of arrays, which occupy memory as well: 16 times GL's limit.
inline constexpr uint32_t kMaxDefaultBlock_dw = 65536;
/// Uniform locations: all elements of two full blocks, and as many again for explicit ones.
inline constexpr uint32_t kMaxUniformLocations = 4 * kMaxDefaultBlock_dw;

/// Locations of varyings of a single stage: twice as many as a shader can use.
inline constexpr uint32_t kMaxVaryingLocations = 8192;

/// Empty, or the rule that the tables break. Does not check the stages' code; `stages`: the existing ones, a
/// bit each.
[[nodiscard]] std::string check_tables(const LinkedProgram& p, uint32_t stages, const Limits& limits);
/// What the stage may access. The tables must have been checked.
[[nodiscard]] ir::StageInterface interface_of(const LinkedProgram& p, ir::Stage stage);

}  // namespace terrazzo::shaders
