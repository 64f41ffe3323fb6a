// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Whether machine code waits for all that it reads: results of ALUs by time, others by (ss) and (sy), on every
// way through the code. It knows words alone, not how waits were put in (legalize.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "drivers/adreno/compiler/compile.h"

namespace terrazzo::adreno::compiler {

/// Empty: all is well. Else the place and the register of the first that is read, or written, too early. `prefetches`
/// are under way when the code begins.
[[nodiscard]] std::string find_hazard(std::span<const uint64_t> code,
                                      std::span<const TexturePrefetch> prefetches = {});

}  // namespace terrazzo::adreno::compiler
