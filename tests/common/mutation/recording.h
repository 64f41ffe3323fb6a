// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A capture (TERRAZZO_DEBUG=trace:FILE) as it can be run again: what memory there is, and before each stream
// what was written into it by others than the GPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "drivers/common/capture/capture.h"

namespace terrazzo::test {

/// Words at `va`, which is a multiple of 8.
struct Words {
    uint64_t va = 0;
    std::vector<uint64_t> words;
};

struct Submission {
    uint64_t va = 0;
    uint32_t size_B = 0;
    uint32_t queue =
        0;  // the queues of a context have the same number but for the lowest bits: the vendor's recorder says how many
    std::vector<Words> changes;
    bool continues =
        false;  // nothing changed, and its queue is that of the stream before: both may be one submit's
};

struct Range {
    uint64_t begin = 0, end = 0;
};

struct Recording {
    capture::Vendor vendor{};
    uint32_t gpu_id = 0, variant = 0;
    std::vector<Range> memory;  // in the order of addresses, apart
    std::vector<Submission> submissions;
};

/// Streams see changes of the words since the one before: what the host wrote, and what the GPU did. A first
/// Replay tells them apart. False: `why`.
[[nodiscard]] bool load_recording(const std::string& file, Recording* out, std::string* why);

}  // namespace terrazzo::test
