// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Computes values only once that are computed or copied several times
// (drivers/common/backend/value_numbering.h).
#pragma once

#include "drivers/adreno/compiler/lir.h"
#include "drivers/common/backend/value_numbering.h"

namespace terrazzo::adreno::compiler {

/// For linked code, before allocation.
void number_values(Function& f, backend::Share constants);

}  // namespace terrazzo::adreno::compiler
