// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Joins loads of single dwords from the same row of four dwords of a uniform block.
#pragma once

#include <functional>

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// The joined loads are in one region and have the same address, apart from the constant part of it.
/// `may_join` selects the blocks, whose contents must be constant. Returns whether it joined any.
bool join_row_loads(Shader& s, const std::function<bool(const MemInfo&)>& may_join);

}  // namespace terrazzo::ir
