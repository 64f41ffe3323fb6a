// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include "drivers/adreno/sim/core/program.h"

namespace terrazzo::adreno::sim {

/// Whether lanes of several workgroups may run the program, after its preamble, as one wave. Each lane must
/// behave as it would alone: no loops, as workgroups may wait for earlier ones; no barriers, local or private
/// memory; nothing that reads other lanes or writes registers that a wave shares.
[[nodiscard]] bool runs_lane_by_lane(const Program& program);

}  // namespace terrazzo::adreno::sim
