// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// Takes out of loops what each of their turns computes anew from values outside: functions of their operands alone, loads of what no shader
/// changes, and loads of storage buffers that are neither coherent nor volatile, where the loop stores nothing and has no barrier. All of these
/// may run where the loop would leave before them: loads are robust. What stands in an arm of an if stays, as it may run seldom.
/// No more than kMostHoisted results a loop: they hold registers as long as it runs.
inline constexpr unsigned kMostHoisted = 24;
bool loop_invariants(Shader& s);

}  // namespace terrazzo::ir
