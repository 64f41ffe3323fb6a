// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Which words are live where blocks end.
#pragma once

#include "drivers/mali/compiler/lir.h"

namespace terrazzo::mali::compiler {

/// A bit per word.
using Bits = std::pmr::vector<uint64_t>;

/// What is live after each block; f is linked.
[[nodiscard]] std::pmr::vector<Bits> live_out(const Function& f);

}  // namespace terrazzo::mali::compiler
