// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The 2D engine: copies of bits between images, and between buffers.
#pragma once

#include "drivers/adreno/images/side2d.h"
#include "drivers/common/images/access.h"

namespace terrazzo::adreno {

/// What the engine reads or writes.
struct EngineSide {
    AdrenoResource& resource;
    ImagePart part = {};
};

using images::ImageCopy;
/// Whether copy_images() can: images of as many samples, and of blocks that the engine knows, which do not overlap. Channels may lie in
/// another order where the format is one.
[[nodiscard]] bool can_copy(const ImageCopy& copy);
/// All layers. In sysmem; caches are the caller's.
void copy_images(CsBuilder& cs, const hw::Chip& chip, const ImageCopy& copy);

/// A level as it is now, to be read; as it will be in plain memory at `va`, to be written; and a copy of all of it, `layers` of them.
[[nodiscard]] Side2d whole_level(const AdrenoResource& r, uint32_t level);
[[nodiscard]] Side2d plain_level(const AdrenoResource& r, uint32_t level, uint64_t va);
void copy_whole(CsBuilder& cs, const hw::Chip& chip, pipe::Format format, const Side2d& dst,
                const Side2d& src, uint32_t layers);

struct BufferCopy {
    AdrenoResource* dst;
    uint64_t dst_B;
    AdrenoResource* src;
    uint64_t src_B, size_B;
};
/// Whether copy_bytes() can: buffers, inside both, not overlapping.
[[nodiscard]] bool can_copy(const BufferCopy& copy);
void copy_bytes(CsBuilder& cs, const hw::Chip& chip, const BufferCopy& copy);

}  // namespace terrazzo::adreno
