// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// CPU access to resources: waiting, tiling and detiling through staging memory, renaming. The context calls
// these outside passes, after it has submitted what it recorded on the resource. Images are plain; what is
// written has no checksums.
#pragma once

#include "drivers/mali/images/tile_copy.h"

namespace terrazzo::mali {

/// Waits for submitted work as the flags say. data is null where it failed: out of memory, a lost device (its
/// contents are then undefined and the map does not fail for that), or would block with kDontBlock.
[[nodiscard]] pipe::Mapping map_resource(MaliResource& r, uint32_t level, const pipe::Box& box,
                                         uint32_t flags);
/// A map of a box of an AFBC image that the GPU has copied to `rows` (tile_copy.h) and finished doing so;
/// `memory` null: of which nothing is wanted.
[[nodiscard]] pipe::Mapping map_copied_rows(MaliResource& r, uint32_t level, const pipe::Box& box,
                                            uint32_t flags, const TileRows& rows, const Bo* memory);
/// Whether such a map writes: its box. Unmapping does not write then.
[[nodiscard]] bool writes_compressed(const pipe::Mapping& mapping, uint32_t* level, pipe::Box* box);
/// A linear image of one level becomes what a map of its size has.
void fill_linear(MaliResource& r, const pipe::Mapping& mapping);
void unmap_resource(MaliResource& r, const pipe::Mapping& mapping);
/// Where a box goes (`to`: in pixels of `dst`). False: formats of different sizes, or a box that does not lie
/// in its image, or is empty, or either is a buffer.
[[nodiscard]] bool copy_boxes_valid(const MaliResource& dst, uint32_t dst_level, int32_t x, int32_t y,
                                    int32_t z, const MaliResource& src, uint32_t src_level,
                                    const pipe::Box& src_box, pipe::Box* to);
/// By the CPU; waits for both. Same format class.
void copy_region_cpu(MaliResource& dst, uint32_t dst_level, int32_t x, int32_t y, int32_t z,
                     MaliResource& src, uint32_t src_level, const pipe::Box& src_box);

}  // namespace terrazzo::mali
