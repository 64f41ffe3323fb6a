// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A GPU for the tests of the virtual kernel. Its streams consist of instructions of three words {operation,
// a, b}.
#pragma once

#include <time.h>

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "winsys/clock.h"
#include "winsys/virtual/fences/fence.h"
#include "winsys/virtual/panthor/gpu.h"

namespace terrazzo::test {

enum class Op : uint64_t {
    Nop,
    Store,   // memory[a] = b
    WaitGe,  // wait until memory[a] >= b
    Spin,    // forever
    Fault,   // recoverable, exception a
    Fatal,   // exception a
    Grow,    // memory[b] = the word of a new chunk of the heap with the context at a, or the error
    Log,     // appends a to the GPU's log
    Sleep,   // a milliseconds
    Doze,    // likewise, but ends when it must stop
    Work,    // uses a milliseconds of a CPU, then reports progress
    Count,
};
/// Uses this much CPU time of the thread. False: `stops` requested the end.
template <class Stops>
bool work_ms(uint64_t ms, Stops&& stops) {
    const uint64_t end_ns = winsys::clock_ns(CLOCK_THREAD_CPUTIME_ID) + ms * 1'000'000;
    while (winsys::clock_ns(CLOCK_THREAD_CPUTIME_ID) < end_ns)
        if (stops()) return false;
    return true;
}

struct Instr {
    Op op;
    uint64_t a, b;
};

/// What the GPU recorded. Tests read it when everything has ended.
struct GpuLog {
    std::mutex mutex;
    std::vector<uint64_t> values;
    std::atomic<int> groups{0};
    std::vector<uint64_t> get() {
        const std::lock_guard lock(mutex);
        return values;
    }
};

[[nodiscard]] const winsys::virt::panthor::GpuInfo& test_info();
[[nodiscard]] std::unique_ptr<winsys::virt::Gpu> create_test_gpu(GpuLog* log);

}  // namespace terrazzo::test
