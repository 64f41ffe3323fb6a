// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The units that draw and compute: the command-stream front end starts them with its RUN instructions.
#pragma once

#include <memory>

#include "drivers/mali/sim/machine.h"

namespace terrazzo::mali::sim {

class TargetWatcher;  // fragment/area.h

/// The machine must outlive them.
std::unique_ptr<Jobs> make_jobs(Machine& machine);
/// `watcher` receives all colours that are written, and must outlive the jobs, too.
std::unique_ptr<Jobs> make_watched_jobs(Machine& machine, TargetWatcher* watcher);

}  // namespace terrazzo::mali::sim
