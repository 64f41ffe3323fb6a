// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Checks that machine code waits for all that it reads on every path: for results of ALUs by time, for others
// by (ss) and (sy). It reads machine words only, and does not depend on how legalize.h inserts waits.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "drivers/adreno/compiler/compile.h"

namespace terrazzo::adreno::compiler {

/// Empty: there is no hazard. Otherwise the place and register of the first read or write that is too early.
/// `prefetches` are pending when the code begins.
[[nodiscard]] std::string find_hazard(std::span<const uint64_t> code,
                                      std::span<const TexturePrefetch> prefetches = {});

}  // namespace terrazzo::adreno::compiler
