// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// One compressed 2D image whose flags and payloads are given by address, as registers and descriptors of the
// GPU give them. What flags mean is in ubwc.h; this is the one place that reads and writes them.
#pragma once

#include "pipe/layout/ubwc.h"

namespace terrazzo::pipe {

struct UbwcImage {
    uint8_t* flags = nullptr;  // of block (0, 0)
    uint32_t flags_stride_B = 0;
    bool folded = false;          // a row of blocks has two rows of flags, one behind the other
    uint8_t* payloads = nullptr;  // of element (0, 0)
    uint32_t row_stride_B = 0;
    uint32_t element_B = 0;  // up to 32
    UbwcBlockShape block;    // in elements
    MacrotileParams macrotile;
};

/// In elements.
struct UbwcRect {
    uint32_t x = 0, y = 0, w = 0, h = 0;
};

/// Whether all flags of blocks that the rectangle touches are ours.
bool ubwc_flags_known(const UbwcImage& image, const UbwcRect& rect);
/// Blocks that the rectangle touches become raw and keep what they show. Their flags are known.
void ubwc_make_raw(const UbwcImage& image, const UbwcRect& rect);

/// False, and then rows may be written in part: a flag that is none of ours.
[[nodiscard]] bool ubwc_read(const UbwcImage& image, const UbwcRect& rect, uint8_t* rows,
                             ptrdiff_t rows_stride_B);
/// Blocks become raw. False, with nothing written: a block that is covered in part has a flag that is none of
/// ours.
[[nodiscard]] bool ubwc_write(const UbwcImage& image, const UbwcRect& rect, const uint8_t* rows,
                              ptrdiff_t rows_stride_B);
/// Every element of the rectangle becomes `element`. Blocks that are covered become clear or solid, which
/// touches few bytes of them; the others raw. False as ubwc_write.
[[nodiscard]] bool ubwc_fill(const UbwcImage& image, const UbwcRect& rect, const uint8_t* element);

}  // namespace terrazzo::pipe
