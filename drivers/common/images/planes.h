// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// CPU access to images whose stencil is a separate image, of a byte a pixel. The layout and memory of the
// resource are those of depth, of 32 bits. The CPU sees pixels of D32_FLOAT_S8X24_UINT. Called as
// images::map_resource().
#pragma once

#include "drivers/common/images/access.h"

namespace terrazzo::images {

[[nodiscard]] pipe::Mapping map_planes(StoredResource& r, const StencilPlane& stencil, uint32_t level,
                                       const pipe::Box& box, uint32_t flags);
void unmap_planes(StoredResource& r, const StencilPlane& stencil, const pipe::Mapping& mapping);
/// Copies by the CPU, which waits for both images. The boxes may overlap.
void copy_planes(const ImageCopy& copy, const StencilPlane& dst_stencil, const StencilPlane& src_stencil);

}  // namespace terrazzo::images
