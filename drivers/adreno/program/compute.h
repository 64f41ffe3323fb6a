// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The state of a compute program, packed as words.
#pragma once

#include "drivers/adreno/program/pack.h"

namespace terrazzo::adreno {

/// Packs all state that does not depend on the dispatch.
void pack_compute(const hw::Chip& chip, const AdrenoProgram& p, ProgramWords* out);

}  // namespace terrazzo::adreno
