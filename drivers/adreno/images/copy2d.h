// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The 2D engine: copies of bits between images.
#pragma once

#include "drivers/adreno/images/resource.h"
#include "drivers/adreno/submission/cs_builder.h"

namespace terrazzo::adreno {

/// As pipe::Context::copy_region's.
struct ImageCopy {
    AdrenoResource* dst;
    uint32_t dst_level;
    int32_t x, y, z;
    AdrenoResource* src;
    uint32_t src_level;
    pipe::Box box;
};
/// Whether copy_images() can: images of one sample and of blocks that the engine knows, whose channels lie in the same order, and
/// which do not overlap.
[[nodiscard]] bool can_copy(const ImageCopy& copy);
/// All layers. In sysmem; caches are the caller's.
void copy_images(CsBuilder& cs, const hw::Chip& chip, const ImageCopy& copy);

}  // namespace terrazzo::adreno
