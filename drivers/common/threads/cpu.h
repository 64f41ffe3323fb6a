// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How many threads this process should use.
#pragma once

#include <string>

namespace terrazzo::threads {

/// The minimum of the affinity mask and the cgroup's CPU quota (rounded up), at least 1.
[[nodiscard]] unsigned usable_cpus();

/// TERRAZZO_THREADS if it is set, else usable_cpus().
[[nodiscard]] unsigned default_threads();

/// The CPUs that a quota file allows: cgroup v2's cpu.max has "<quota
/// max> <period>" (us). 0: no limit, or unreadable. For tests.
[[nodiscard]] unsigned cpus_of_quota(const char* text);

/// A controller's group in /proc/self/cgroup, which has lines of "<id>:<controllers>:<path>"; the unified
/// hierarchy's controller is "". Empty: none. For tests.
[[nodiscard]] std::string cgroup_path(const std::string& text, const std::string& controller);

}  // namespace terrazzo::threads
