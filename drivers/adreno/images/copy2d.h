// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copies of bits by the 2D engine, between images and between buffers.
#pragma once

#include "drivers/adreno/images/engine2d.h"
#include "drivers/common/images/access.h"

namespace terrazzo::adreno {

/// What the engine reads or writes of a resource.
struct EngineSide {
    AdrenoResource& resource;
    ImagePart part = {};
};

using images::ImageCopy;
/// Whether copy_images() supports the copy: the images have equally many samples and blocks that the engine
/// knows, and the boxes do not overlap. The channels' order in memory may differ if the formats are equal.
[[nodiscard]] bool can_copy(const ImageCopy& copy);
/// Copies all layers. For sysmem. The caller syncs the caches.
void copy_images(CsBuilder& cs, const hw::Chip& chip, const ImageCopy& copy);

/// whole_level(): a level in its current form, as a source. plain_level(): the level in uncompressed form at
/// `va`, as a target. copy_whole() copies all of a level, for `layers` layers.
[[nodiscard]] Side2d whole_level(const AdrenoResource& r, uint32_t level);
[[nodiscard]] Side2d plain_level(const AdrenoResource& r, uint32_t level, uint64_t va);
void copy_whole(CsBuilder& cs, const hw::Chip& chip, pipe::Format format, const Side2d& dst,
                const Side2d& src, uint32_t layers);

void copy_bytes(CsBuilder& cs, const hw::Chip& chip, const images::BufferCopy& copy);

}  // namespace terrazzo::adreno
