// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Contiguous parts of streams, and short streams in pool memory, which other streams call.
#pragma once

#include "drivers/adreno/device.h"

namespace terrazzo::adreno {

/// Contiguous words in GPU memory that the CP runs.
struct Segment {
    uint64_t va = 0;
    uint32_t size_dw = 0;
};

/// A stream that was just written.
struct PoolSegment : Segment {
    const uint32_t* words = nullptr;
};

/// Writes a stream of at most `most_dw` words: write(out) returns the address after the last word. Throws
/// std::bad_alloc.
template <class F>
[[nodiscard]] PoolSegment pool_words(Pool& pool, uint32_t most_dw, F&& write) {
    const Pool::Piece p = pool.allocate(most_dw * 4, 64);
    auto* const words = reinterpret_cast<uint32_t*>(p.cpu);
    const uint32_t* const end = write(words);
    pool.trim(p.cpu + size_t(most_dw) * 4, reinterpret_cast<const uint8_t*>(end));
    return {{p.va, uint32_t(end - words)}, words};
}

}  // namespace terrazzo::adreno
