// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Creates all units that the command processor starts.
#pragma once

#include <memory>

#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

class LastTarget;  // picture.h

/// `machine` and `target` outlive it. `target`, if it is not null, learns what was drawn.
std::unique_ptr<Work> create_work(Machine& machine, LastTarget* target = nullptr);

}  // namespace terrazzo::adreno::sim
