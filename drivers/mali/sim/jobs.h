// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The units that draw and compute: the command-stream front end starts them with its RUN instructions.
#pragma once

#include <memory>

#include "drivers/mali/sim/machine.h"

namespace terrazzo::mali::sim {

class TargetWatcher;  // fragment/area.h

/// The machine and the watcher must outlive them. `watcher`, if it is not null, receives all colours that are
/// written.
std::unique_ptr<Jobs> make_jobs(Machine& machine, TargetWatcher* watcher = nullptr);

}  // namespace terrazzo::mali::sim
