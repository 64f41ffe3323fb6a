// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Operations on rows of pixels with R first: what copies between a tile buffer and memory do to them. The
// samples of a pixel are adjacent.
#pragma once

#include <cstddef>
#include <cstdint>

#include "drivers/common/units/format.h"

namespace terrazzo::units {

/// The largest pixel without samples.
inline constexpr uint32_t kMaxPixel_B = 16;

/// Converts pixels of `samples` samples to pixels of one: the mean, for sRGB formats in linear numbers, or
/// the first sample. Bytes are averaged as integers, halves up.
void resolve_row(const FormatReader& format, const uint8_t* from, uint32_t samples, bool average,
                 uint32_t count, uint8_t* to);

/// Converts pixels of one sample to pixels of `samples` equal ones.
void replicate_row(uint32_t pixel_B, const uint8_t* from, uint32_t samples, uint32_t count, uint8_t* to);

/// Converts pixels of one sample to another format. Either both formats or none must have integers.
class RowConversion {
  public:
    RowConversion(const FormatReader& from, const FormatReader& to);
    /// Whether pixels are copied without a change of their bits.
    [[nodiscard]] bool is_copy() const { return copies_; }
    void run(const uint8_t* from, uint32_t count, uint8_t* to) const;

  private:
    FormatReader from_, to_;
    bool copies_ = false, moves_bytes_ = false;
};

/// Whether a pixel consists of 8-bit Unorm only.
bool is_unorm_bytes(const FormatReader& format);

/// The bits of a pixel's components in `mask`: bit c is R, G, B, A. All bits if the mask has all components.
void component_bits(const FormatReader& format, uint32_t mask, uint8_t bits[kMaxPixel_B]);

/// Replaces the bits of `to` that are in `bits` by those of `from`. Pixels of `pixel_B` bytes, like the mask.
void merge_row(const uint8_t bits[kMaxPixel_B], uint32_t pixel_B, const uint8_t* from, uint32_t count,
               uint8_t* to);

}  // namespace terrazzo::units
