// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// Moves out of loops what each turn computes anew from values outside: operations that depend only on their
/// operands, loads that no shader changes, and loads of storage buffers that are neither coherent nor
/// volatile, in
/// loops without stores and barriers. All of these may run where the loop would leave before them: loads are
/// robust.
/// Instructions in arms of ifs stay, as they may run seldom. At most kMostHoisted results move out of one
/// loop: they
/// occupy registers as long as it runs.
inline constexpr unsigned kMostHoisted = 24;
bool loop_invariants(Shader& s);

}  // namespace terrazzo::ir
