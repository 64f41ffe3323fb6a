// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// One plane of a tile buffer, and the words of a quad's pixels in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "drivers/common/units/quad_lanes.h"
#include "pipe/raster/edge.h"

namespace terrazzo::units {

/// Its pixels are stored in rows, with the samples of a pixel adjacent.
struct TilePlane {
    uint8_t* origin = nullptr;  // of the tile's first pixel; null: there is no such plane
    size_t row_B = 0;
    uint32_t pixel_B = 0;  // the size of a pixel with all samples
};

/// One sample of a quad's pixels in a plane.
struct QuadPlace {
    uint8_t* first = nullptr;  // null: no such plane
    size_t row_B = 0;
    uint32_t pixel_B = 0;
    uint8_t* at(unsigned i) const { return first + (i >> 1) * row_B + (i & 1) * pixel_B; }
};
/// Returns the place of the quad at (x, y). `r`: the tile. `at_B`: the sample's offset within its pixel.
inline QuadPlace place_of(const TilePlane& p, const pipe::raster::PixelRect& r, int32_t x, int32_t y,
                          size_t at_B) {
    if (!p.origin) return {};
    return {p.origin + ptrdiff_t(y - r.y0) * ptrdiff_t(p.row_B) + ptrdiff_t(x - r.x0) * p.pixel_B + at_B,
            p.row_B, p.pixel_B};
}
/// Whether a rectangle contains all pixels of the quad.
inline bool has_quad(const pipe::raster::PixelRect& r, int32_t x, int32_t y) {
    return x >= r.x0 && y >= r.y0 && x + 1 < r.x1 && y + 1 < r.y1;
}

/// Loads the words of the quad's four pixels, into the low bits of its lanes.
template <class Word>
[[gnu::always_inline]] inline QuadU32 load_quad(const QuadPlace& p) {
    if (p.pixel_B == sizeof(Word)) {  // the pixels of a row are adjacent
        if constexpr (sizeof(Word) == 2) {
            uint32_t rows[2];
            std::memcpy(&rows[0], p.first, 4);
            std::memcpy(&rows[1], p.first + p.row_B, 4);
            QuadLanes<uint16_t> halves;
            std::memcpy(&halves, rows, sizeof halves);
            return __builtin_convertvector(halves, QuadU32);
        }
        if constexpr (sizeof(Word) == 4) {
            using RowU64 [[gnu::vector_size(16)]] = uint64_t;
            uint64_t rows[2];
            std::memcpy(&rows[0], p.first, 8);
            std::memcpy(&rows[1], p.first + p.row_B, 8);
            return QuadU32(RowU64{rows[0], rows[1]});
        }
    }
    Word words[kQuadPixels];
    for (unsigned i = 0; i < kQuadPixels; ++i)
        std::memcpy(&words[i], p.at(i), sizeof(Word));
    return QuadU32{words[0], words[1], words[2], words[3]};
}
template <class Word>
[[gnu::always_inline]] inline void store_quad(const QuadPlace& p, QuadU32 v) {
    if (p.pixel_B == sizeof(Word)) {
        if constexpr (sizeof(Word) == 2) {
            const auto halves = __builtin_convertvector(v, QuadLanes<uint16_t>);
            std::memcpy(p.first, &halves, 4);
            std::memcpy(p.first + p.row_B, reinterpret_cast<const uint8_t*>(&halves) + 4, 4);
            return;
        }
        if constexpr (sizeof(Word) == 4) {
            std::memcpy(p.first, &v, 8);
            std::memcpy(p.first + p.row_B, reinterpret_cast<const uint8_t*>(&v) + 8, 8);
            return;
        }
    }
    for (unsigned i = 0; i < kQuadPixels; ++i) {
        const auto word = Word(v[i]);
        std::memcpy(p.at(i), &word, sizeof word);
    }
}

}  // namespace terrazzo::units
