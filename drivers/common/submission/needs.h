// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the kernel must know of a submission besides its streams.
#pragma once

#include <cstdint>
#include <vector>

#include "drivers/common/memory/timeline.h"

namespace terrazzo::submission {

struct Needs {
    struct Use {
        uint32_t handle;  // the kernel's, of an object
        bool write;
    };
    std::vector<memory::Point> waits;  // it begins after them
    std::vector<Use> uses;             // also of memory that is shared only while this is submitted
};

}  // namespace terrazzo::submission
