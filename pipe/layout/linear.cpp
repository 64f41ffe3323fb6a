// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rows of blocks.
#include "pipe/layout/linear.h"

#include <cstring>

namespace terrazzo::pipe::detail {

LayoutStatus place_linear_level(const LayoutDesc& desc, uint32_t level, uint32_t block_B, LevelLayout* out) {
    const FormatInfo& f = format_info(desc.format);
    const uint64_t row_B = (uint64_t(out->width) + f.block_w_px - 1) / f.block_w_px * block_B;
    uint64_t stride_B = (row_B + desc.row_align_B - 1) & ~uint64_t(desc.row_align_B - 1);
    if (level == 0 && desc.row_stride_B) {
        stride_B = desc.row_stride_B;
        if (stride_B < row_B || stride_B % desc.row_align_B != 0) return LayoutStatus::BadStride;
    }
    if (stride_B > kMaxSurface_B || stride_B * out->rows > kMaxSurface_B) return LayoutStatus::TooLarge;
    out->row_stride_B = uint32_t(stride_B);
    out->slice_stride_B = stride_B * out->rows;
    return LayoutStatus::Ok;
}

namespace {

void copy_rows(uint8_t* dst, ptrdiff_t dst_stride_B, const uint8_t* src, ptrdiff_t src_stride_B, size_t row_B,
               uint32_t rows) {
    if (dst_stride_B == src_stride_B && dst_stride_B == ptrdiff_t(row_B)) {
        std::memcpy(dst, src, row_B * rows);
        return;
    }
    for (uint32_t y = 0; y < rows; ++y)
        std::memcpy(dst + ptrdiff_t(y) * dst_stride_B, src + ptrdiff_t(y) * src_stride_B, row_B);
}

uint8_t* corner(const RowCopy& c) {
    return c.surface + uint64_t(c.y_el) * c.surface_stride_B + uint64_t(c.x_el) * c.block_B;
}

}  // namespace

void linear_tile(const RowCopy& c) {
    if (c.w_el && c.h_el)
        copy_rows(corner(c), c.surface_stride_B, c.rows, c.rows_stride_B, size_t(c.w_el) * c.block_B, c.h_el);
}

void linear_detile(const RowCopy& c) {
    if (c.w_el && c.h_el)
        copy_rows(c.rows, c.rows_stride_B, corner(c), c.surface_stride_B, size_t(c.w_el) * c.block_B, c.h_el);
}

}  // namespace terrazzo::pipe::detail
