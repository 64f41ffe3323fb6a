// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// CPU access to resources: waiting, tiling and detiling through staging memory, renaming. The context calls
// these outside passes, after it has submitted what it recorded on the resource. Images are as their layout says.
#pragma once

#include "drivers/common/images/stored.h"

namespace terrazzo::images {

/// Plain rows of a box in the GPU's memory.
struct CopiedRows {
    const uint8_t* first = nullptr;  // the box's first block; null: nothing is wanted of it
    uint32_t row_stride_B = 0;
    uint64_t image_stride_B = 0;
};

/// Waits for submitted work as the flags say. data is null where it failed: out of memory, a lost device (its
/// contents are then undefined and the map does not fail for that), or would block with kDontBlock.
[[nodiscard]] pipe::Mapping map_resource(StoredResource& r, uint32_t level, const pipe::Box& box,
                                         uint32_t flags);
/// A map of a box of a compressed image that the GPU has copied to `rows` and finished doing so.
[[nodiscard]] pipe::Mapping map_copied_rows(StoredResource& r, uint32_t level, const pipe::Box& box,
                                            uint32_t flags, const CopiedRows& rows);
/// Whether such a map writes: its box. Unmapping does not write then.
[[nodiscard]] bool writes_compressed(const pipe::Mapping& mapping, uint32_t* level, pipe::Box* box);
/// A linear image of one level becomes what a map of its size has.
void fill_linear(StoredResource& r, const pipe::Mapping& mapping);
void unmap_resource(StoredResource& r, const pipe::Mapping& mapping);
/// Unmaps at its end: also where bringing a compressed image's rows back throws.
class UnmapAtEnd {
  public:
    UnmapAtEnd(StoredResource& r, const pipe::Mapping& mapping) : resource_(r), mapping_(mapping) {}
    UnmapAtEnd(const UnmapAtEnd&) = delete;
    UnmapAtEnd& operator=(const UnmapAtEnd&) = delete;
    ~UnmapAtEnd();

  private:
    StoredResource& resource_;
    const pipe::Mapping& mapping_;
};
/// Where a box goes (`to`: in pixels of `dst`). False: formats of different sizes, or a box that does not lie
/// in its image, or is empty, or either is a buffer.
[[nodiscard]] bool copy_boxes_valid(const StoredResource& dst, uint32_t dst_level, int32_t x, int32_t y,
                                    int32_t z, const StoredResource& src, uint32_t src_level,
                                    const pipe::Box& src_box, pipe::Box* to);
/// By the CPU; waits for both. Same format class.
void copy_region_cpu(StoredResource& dst, uint32_t dst_level, int32_t x, int32_t y, int32_t z,
                     StoredResource& src, uint32_t src_level, const pipe::Box& src_box);

}  // namespace terrazzo::images
