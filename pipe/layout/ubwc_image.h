// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// One compressed 2D image, described by the addresses of its flags and payloads, as in registers and
// descriptors of the GPU. ubwc.h has the meaning of flags; only this file reads and writes them.
#pragma once

#include "pipe/layout/ubwc.h"

namespace terrazzo::pipe {

struct UbwcImage {
    uint8_t* flags = nullptr;  // of block (0, 0)
    uint32_t flags_stride_B = 0;
    bool folded = false;          // a row of blocks has two rows of flags, one after the other
    uint8_t* payloads = nullptr;  // of element (0, 0)
    uint32_t row_stride_B = 0;
    uint32_t element_B = 0;  // up to 32
    UbwcBlockShape block;    // in elements
    MacrotileParams macrotile;
};

/// A rectangle in elements.
struct UbwcRect {
    uint32_t x = 0, y = 0, w = 0, h = 0;
};

/// Whether all flags of the blocks that the rectangle intersects are ours.
bool ubwc_flags_known(const UbwcImage& image, const UbwcRect& rect);
/// Makes the blocks that the rectangle intersects raw, with the same contents. Their flags must be known.
void ubwc_make_raw(const UbwcImage& image, const UbwcRect& rect);

/// Reads elements. False: a flag is not one of ours; rows may be written in part.
[[nodiscard]] bool ubwc_read(const UbwcImage& image, const UbwcRect& rect, uint8_t* rows,
                             ptrdiff_t rows_stride_B);
/// Writes elements; the blocks become raw. False, with nothing written: a block that is covered in part has a
/// flag that is not one of ours.
[[nodiscard]] bool ubwc_write(const UbwcImage& image, const UbwcRect& rect, const uint8_t* rows,
                              ptrdiff_t rows_stride_B);
/// Sets every element of the rectangle to `element`. Covered blocks become clear or solid, which writes few
/// of their bytes; others become raw. False: see ubwc_write.
[[nodiscard]] bool ubwc_fill(const UbwcImage& image, const UbwcRect& rect, const uint8_t* element);

}  // namespace terrazzo::pipe
