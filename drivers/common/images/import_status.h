// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a layout that cannot be had says of memory that somebody offers.
#pragma once

#include "pipe/import.h"
#include "pipe/layout/layout.h"
#include "pipe/resource.h"

namespace terrazzo::images {

/// Of a layout that is not Ok. `stride_B`: as it was demanded.
[[nodiscard]] inline pipe::ImportStatus import_status(pipe::LayoutStatus status,
                                                      const pipe::ResourceDesc& desc, uint32_t stride_B) {
    if (status != pipe::LayoutStatus::BadStride && status != pipe::LayoutStatus::BadAlignment)
        return pipe::ImportStatus::Kind;
    return stride_B < pipe::format_row_B(desc.format, desc.width) ? pipe::ImportStatus::StrideTooSmall
                                                                  : pipe::ImportStatus::StrideUnsuited;
}

}  // namespace terrazzo::images
