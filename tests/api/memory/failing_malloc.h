// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A malloc that fails for good: from a chosen call on it refuses everything that the thread which armed it asks for, also what the C and
// C++ libraries ask for in its name. It counts what is out. (tests/fuzz/oom fails single allocations.)
#pragma once

#include <functional>

namespace no_memory {

/// From the `left`-th allocation of this thread on (0: the next) all fail, until disarm().
void arm(long left);
/// Returns whether any failed.
bool disarm();
/// Blocks that are out, of all threads.
[[nodiscard]] long live_blocks();

/// What a child process runs.
struct Scene {
    const char* name;
    /// With memory. What it prepares stays for run(). May be empty.
    std::function<void()> prepare;
    /// Armed. It may fail wherever it likes, but must let go of all that it has.
    std::function<void()> run;
    /// With memory again, after run(): false where something does not work. Lets go of what prepare() made.
    std::function<bool()> works;
    /// Blocks that one failure may lose: in libraries beneath that have no way to give them back.
    long may_lose = 0;
};

/// Runs the scene in a child for every k = 0, 1, ... (after the first `all` ones each `step`-th) until nothing fails. Each child must
/// live, work with memory again, and leak nothing. Returns what went wrong, in words; empty: nothing. `*refused`: how many k had failures.
[[nodiscard]] const char* sweep(const Scene& scene, long all, long step, long* refused);

}  // namespace no_memory
