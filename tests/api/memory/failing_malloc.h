// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A malloc that fails permanently: from a chosen call on it refuses all requests of the thread that armed it,
// also those of the C and C++ libraries in that thread. It counts allocated blocks. (tests/fuzz/oom lets
// single allocations fail.)
#pragma once

#include <functional>

namespace no_memory {

/// From the `left`-th allocation of this thread on (0: the next one) all fail, until disarm().
void arm(long left);
/// Returns whether any failed.
bool disarm();
/// Allocated blocks of all threads.
[[nodiscard]] long live_blocks();

/// The functions that a child process runs.
struct Scene {
    const char* name;
    /// With memory. It prepares objects for run(). May be empty.
    std::function<void()> prepare;
    /// Armed. It may fail anywhere, but must release everything that it has.
    std::function<void()> run;
    /// With memory again, after run(). False if something does not work. Releases the objects of prepare().
    std::function<bool()> works;
    /// The number of blocks that one failure may leak: libraries below have no function to release them.
    long may_lose = 0;
};

/// Runs the scene in a child process for every k = 0, 1, ... (after the first `all` only each `step`-th)
/// until nothing fails. Each child must survive, work with memory again, and leak nothing. Returns the
/// errors, or an empty string. `*refused`: the number of k with failures.
[[nodiscard]] const char* sweep(const Scene& scene, long all, long step, long* refused);

}  // namespace no_memory
