// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How many threads this process may use well.
#pragma once

#include <string>

namespace terrazzo::threads {

/// The smaller of the affinity mask and the cgroup's CPU quota (rounded up), at least 1.
[[nodiscard]] unsigned usable_cpus();

/// TERRAZZO_THREADS where that is set, else usable_cpus().
[[nodiscard]] unsigned default_threads();

/// CPUs that a quota file allows: cgroup v2's cpu.max holds "<quota|max> <period>" (us). 0: no limit, or not
/// readable. For tests.
[[nodiscard]] unsigned cpus_of_quota(const char* text);

/// The group of a controller by /proc/self/cgroup's text, lines of "<id>:<controllers>:<path>"; the unified
/// hierarchy's controller is "". Empty: none. For tests.
[[nodiscard]] std::string cgroup_path(const std::string& text, const std::string& controller);

}  // namespace terrazzo::threads
