// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// CPU access to resources: waiting, tiling and detiling through staging memory. The context calls these
// functions outside of passes, after it has submitted the work recorded for the resource. Images have the
// form that their layout says.
#pragma once

#include "drivers/common/images/stored.h"

namespace terrazzo::images {

/// The cookie of an image's map points to it.
struct MapRecord {
    uint32_t level, flags;
    pipe::Box box;
    bool is_temporary = false;  // the map is of a temporary resource (ImageAccess)
};

/// Waits for submitted work as the flags say. data is null if the map failed: out of memory, or it would
/// block with kDontBlock. If the device is lost, the map succeeds, with undefined contents.
[[nodiscard]] pipe::Mapping map_resource(StoredResource& r, uint32_t level, const pipe::Box& box,
                                         uint32_t flags);
void unmap_resource(StoredResource& r, const pipe::Mapping& mapping);
/// Computes the target box `to`, in pixels of `dst`. False: the block sizes differ, a box is empty or not
/// inside of its image, or a resource is a buffer.
[[nodiscard]] bool copy_boxes_valid(const StoredResource& dst, uint32_t dst_level, int32_t x, int32_t y,
                                    int32_t z, const StoredResource& src, uint32_t src_level,
                                    const pipe::Box& src_box, pipe::Box* to);
/// A copy by the CPU, which waits for both resources. The formats must have blocks of equal size.
void copy_region_cpu(StoredResource& dst, uint32_t dst_level, int32_t x, int32_t y, int32_t z,
                     StoredResource& src, uint32_t src_level, const pipe::Box& src_box);

}  // namespace terrazzo::images
