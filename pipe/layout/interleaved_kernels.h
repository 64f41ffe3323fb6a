// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The inner loops of interleaved.cpp, once an instruction set. Internal to pipe/layout; includes nothing with
// inline functions, as one of its users is built for another instruction set than the rest.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace terrazzo::pipe::detail {

/// `count` whole tiles side by side, contiguous at `tiles`, to or from rows that begin at `rows`. `stream`
/// allows to write tiles past the caches; then `tiles` is a multiple of kStreamAlign_B. What was written is
/// visible as that of plain stores.
using CopyTilesFn = void (*)(uint8_t* tiles, uint8_t* rows, ptrdiff_t stride_B, uint32_t count, bool stream);

inline constexpr uint32_t kStreamAlign_B = 64;

struct CopyTiles {
    CopyTilesFn tile = nullptr, detile = nullptr;  // null: none
};

/// Elements of 1 << i bytes. An instruction set may leave out what the baseline has.
struct InterleavedKernels {
    CopyTiles tiles16[5];  // of 16x16 elements
    CopyTiles tiles4[5];   // of 4x4: blocks of compressed formats
};

/// Where a 4x4 block of a tile stands, and equally an element of a block: [y][x].
inline constexpr uint8_t kInterleavedOrder[4][4] = {
    {0, 1, 4, 5}, {3, 2, 7, 6}, {12, 13, 8, 9}, {15, 14, 11, 10}};

extern const InterleavedKernels kInterleavedBaseline;
extern const InterleavedKernels kInterleavedAvx2;  // where TERRAZZO_PIPE_AVX2 is defined

}  // namespace terrazzo::pipe::detail
