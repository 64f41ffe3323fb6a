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
    /// A use of memory that others, in other processes or devices, may have.
    struct Shared {
        uint32_t handle;  // the kernel's
        bool write;
    };
    std::vector<memory::Point> waits;  // it begins after them
    std::vector<Shared> shared;
};

}  // namespace terrazzo::submission
