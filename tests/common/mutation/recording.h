// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A capture (TERRAZZO_DEBUG=trace:FILE) as it can be run again: what memory there is, and before each stream
// what was written into it by others than the GPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "drivers/mali/hw/chips.h"

namespace terrazzo::test {

/// Words at `va`, which is a multiple of 8.
struct Words {
    uint64_t va = 0;
    std::vector<uint64_t> words;
};

struct Submission {
    uint64_t va = 0;
    uint32_t size_B = 0;
    uint32_t queue = 0;  // 8 * group + queue
    std::vector<Words> changes;
};

struct Range {
    uint64_t begin = 0, end = 0;
};

struct Recording {
    const mali::hw::Chip* chip = nullptr;
    std::vector<Range> memory;  // in the order of addresses, apart
    std::vector<Submission> submissions;
};

/// Streams see changes of the words since the one before: what the host wrote, and what the GPU did. A first
/// Replay tells them apart. False: `why`.
[[nodiscard]] bool load_recording(const std::string& file, Recording* out, std::string* why);

}  // namespace terrazzo::test
