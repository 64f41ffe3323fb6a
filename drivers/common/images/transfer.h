// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// CPU access to resources: waiting, tiling and detiling through staging memory, renaming. The context calls
// these outside passes, after it has submitted what it recorded on the resource. Images are as their layout
// says.
#pragma once

#include "drivers/common/images/stored.h"

namespace terrazzo::images {

/// What the cookie of an image's map points to.
struct MapRecord {
    uint32_t level, flags;
    pipe::Box box;
    bool aside = false;  // of ImageAccess: what the CPU has is another image
};

/// Waits for submitted work as the flags say. data is null where it failed: out of memory, a lost device (its
/// contents are then undefined and the map does not fail for that), or would block with kDontBlock.
[[nodiscard]] pipe::Mapping map_resource(StoredResource& r, uint32_t level, const pipe::Box& box,
                                         uint32_t flags);
void unmap_resource(StoredResource& r, const pipe::Mapping& mapping);
/// Where a box goes (`to`: in pixels of `dst`). False: formats of different sizes, or a box that does not lie
/// in its image, or is empty, or either is a buffer.
[[nodiscard]] bool copy_boxes_valid(const StoredResource& dst, uint32_t dst_level, int32_t x, int32_t y,
                                    int32_t z, const StoredResource& src, uint32_t src_level,
                                    const pipe::Box& src_box, pipe::Box* to);
/// By the CPU; waits for both. Same format class.
void copy_region_cpu(StoredResource& dst, uint32_t dst_level, int32_t x, int32_t y, int32_t z,
                     StoredResource& src, uint32_t src_level, const pipe::Box& src_box);

}  // namespace terrazzo::images
