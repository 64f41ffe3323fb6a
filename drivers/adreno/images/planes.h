// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// CPU access to images with a stencil plane. The CPU sees pixels of D32_FLOAT_S8X24_UINT. Called as
// images::map_resource().
#pragma once

#include "drivers/adreno/images/resource.h"
#include "drivers/common/images/access.h"

namespace terrazzo::adreno {

[[nodiscard]] pipe::Mapping map_planes(AdrenoResource& r, uint32_t level, const pipe::Box& box,
                                       uint32_t flags);
void unmap_planes(AdrenoResource& r, const pipe::Mapping& mapping);
/// Copies by the CPU, which waits for both images. The boxes may overlap.
void copy_planes(const images::ImageCopy& copy);

}  // namespace terrazzo::adreno
