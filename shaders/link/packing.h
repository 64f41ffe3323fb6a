// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The packing algorithm of ESSL 1.00 appendix A.7 ("Counting of Varyings and Uniforms"): variables of one to
// four columns and any number of rows are placed in an array of rows of four components. A program whose
// variables it can place must link; it is also where varyings get their first slots.
#pragma once

#include <cstdint>
#include <span>

#include "shaders/compile.h"

namespace terrazzo::shaders {

struct PackItem {
    uint32_t rows = 1;     // matrix columns times array elements
    uint32_t columns = 1;  // components of a row: 1-4
    uint32_t row = 0;      // result
    uint32_t column = 0;   // result
};

/// The shape of a variable: a mat2 takes rows of four components, other matrices one row a column.
[[nodiscard]] PackItem pack_shape(const GlslType& t, uint32_t array_size);

/// False if the items do not fit in `rows` rows.
[[nodiscard]] bool pack(std::span<PackItem> items, uint32_t rows);

}  // namespace terrazzo::shaders
