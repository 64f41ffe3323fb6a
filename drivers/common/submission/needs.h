// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the kernel must know about a submission in addition to its streams.
#pragma once

#include <cstdint>
#include <vector>

#include "drivers/common/memory/timeline.h"

namespace terrazzo::submission {

struct Needs {
    struct Use {
        uint32_t handle;  // the kernel's handle of an object
        bool write;
    };
    std::vector<memory::Point> waits;  // the submission begins after them
    std::vector<Use> uses;             // also of memory that is shared only while this is submitted
};

}  // namespace terrazzo::submission
