// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A capture (TERRAZZO_DEBUG=trace:FILE) in a form that can run repeatedly: the memory, and the words that
// were written before each stream, not by the GPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "drivers/common/capture/capture.h"

namespace terrazzo::test {

/// Words at the address `va`, which is a multiple of 8.
struct Words {
    uint64_t va = 0;
    std::vector<uint64_t> words;
};

struct Submission {
    uint64_t va = 0;
    uint32_t size_B = 0;
    uint32_t queue =
        0;  // a context's queues differ only in the lowest bits; the vendor's recorder defines how many
    std::vector<Words> changes;
    /// Nothing changed since the previous stream, which has the same queue: both may be from one submit.
    bool continues = false;
};

struct Range {
    uint64_t begin = 0, end = 0;
};

struct Recording {
    capture::Vendor vendor{};
    uint32_t gpu_id = 0, variant = 0;
    std::vector<Range> memory;  // sorted by address, not overlapping
    std::vector<Submission> submissions;
};

/// A stream has the words that changed since the previous one, by the host and by the GPU. A first Replay
/// separates the two. False on failure; then `why` has the reason.
[[nodiscard]] bool load_recording(const std::string& file, Recording* out, std::string* why);

}  // namespace terrazzo::test
