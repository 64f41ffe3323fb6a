// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A contiguous part of a stream.
#pragma once

#include <cstdint>

namespace terrazzo::adreno {

/// Contiguous words in GPU memory that the CP runs.
struct Segment {
    uint64_t va = 0;
    uint32_t size_dw = 0;
};

}  // namespace terrazzo::adreno
