// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The meaning of LoadImage, StoreImage, AtomicImage and ImageSize (memory.h has their operands and rules).
//
// Coordinates are x; x, y; or x, y, z. z is a 3D image's slice, a cube's face, an array's layer, or six times
// the layer plus the face of an array of cubes. An array of 1D images has x and its layer.
//
// A texel is what MemInfo::format says, or what the slot's format is where that is None. Components that a
// format lacks load as 0, 0 and 1. What is stored is rounded to the nearest value of the format and clamped
// to its range; NaN becomes 0 where the format has none.
#pragma once

#include <cstdint>

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

[[nodiscard]] uint32_t texel_size_B(ImageFormat f);
/// Its texels are I32, else F32. Not of None.
[[nodiscard]] constexpr bool is_integer(ImageFormat f) {
    return f >= ImageFormat::Rgba32i;
}

/// A slot's level and layers. Aligned to 4 bytes, rows and slices too.
struct ImageRange {
    uint8_t* data = nullptr;
    ImageFormat format = ImageFormat::None;
    uint32_t width = 0, height = 0, depth = 0;  // depth: slices, layers or faces
    uint64_t row_stride_B = 0, slice_stride_B = 0;
};

/// One instruction for some lanes. Rows have a word a lane.
struct ImageAccess {
    Op op = Op::LoadImage;
    const MemInfo* info = nullptr;
    const ImageRange* slots = nullptr;  // of the binding and the next info->count - 1
    unsigned lanes = 0;
    uint64_t mask = 0;                // lanes that access it
    const uint32_t* coord[3] = {};    // those that there are
    const uint32_t* index = nullptr;  // null: none
    const uint32_t* value[4] = {};
    uint32_t* out[4] = {};  // rows to fill; those of lanes outside `mask` get 0
};
/// Any number of threads at once.
void access_image(const ImageAccess& a);

}  // namespace terrazzo::ir
