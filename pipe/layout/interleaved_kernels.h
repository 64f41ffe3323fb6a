// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The inner loops of interleaved.cpp, one set per instruction set. Internal to pipe/layout. Contains no
// inline functions, since one of its users is compiled for another instruction set than the rest.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace terrazzo::pipe::detail {

/// Copies `count` adjacent whole tiles, contiguous at `tiles`, to or from rows that begin at `rows`. `stream`
/// allows non-temporal stores to tiles, which must then be aligned to kStreamAlign_B. Afterwards the stores
/// are visible like ordinary ones.
using CopyTilesFn = void (*)(uint8_t* tiles, uint8_t* rows, ptrdiff_t stride_B, uint32_t count, bool stream);

inline constexpr uint32_t kStreamAlign_B = 64;

struct CopyTiles {
    CopyTilesFn tile = nullptr, detile = nullptr;  // null: not implemented
};

/// Copies of elements with 1 << i bytes. An instruction set may leave out copies that the baseline has.
struct InterleavedKernels {
    CopyTiles tiles16[5];  // of 16x16 elements
    CopyTiles tiles4[5];   // of 4x4: blocks of compressed formats
};

/// The index of a 4x4 block in a tile, and also of an element in a block: [y][x].
inline constexpr uint8_t kInterleavedOrder[4][4] = {
    {0, 1, 4, 5}, {3, 2, 7, 6}, {12, 13, 8, 9}, {15, 14, 11, 10}};

extern const InterleavedKernels kInterleavedBaseline;
extern const InterleavedKernels kInterleavedAvx2;  // exists if TERRAZZO_PIPE_AVX2 is defined

}  // namespace terrazzo::pipe::detail
