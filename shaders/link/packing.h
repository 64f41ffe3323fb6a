// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The packing algorithm of ESSL 1.00 appendix A.7 ("Counting of Varyings and Uniforms"): it places variables
// of one to four columns and any number of rows in an array of rows of four components. A program whose
// variables fit must link. The result is also the first assignment of varyings to slots.
#pragma once

#include <cstdint>
#include <span>

#include "shaders/compile.h"

namespace terrazzo::shaders {

struct PackItem {
    uint32_t rows = 1;     // matrix columns times array elements
    uint32_t columns = 1;  // components per row: 1-4
    uint32_t row = 0;      // result
    uint32_t column = 0;   // result
};

/// The shape of a variable: a mat2 occupies rows of four components, other matrices one row per column.
[[nodiscard]] PackItem pack_shape(const GlslType& t, uint32_t array_size);

/// False: the items do not fit into `rows` rows.
[[nodiscard]] bool pack(std::span<PackItem> items, uint32_t rows);

}  // namespace terrazzo::shaders
