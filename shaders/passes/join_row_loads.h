// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Joins loads of single dwords: those of the same row (four dwords) of a uniform block become one load.
#pragma once

#include <functional>

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// Joins loads that are in the same region, and whose addresses differ only in their constant parts.
/// `may_join` selects the blocks; their contents must be constant. Returns whether any loads were joined.
bool join_row_loads(Shader& s, const std::function<bool(const MemInfo&)>& may_join);

}  // namespace terrazzo::ir
