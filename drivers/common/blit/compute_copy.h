// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copies by compute shaders (CopyKey): what a job reads and writes, in elements. An element is a whole block,
// or a part of a block whose size is no power of two. Elements are read as unsigned integers, which keeps
// every bit, or as floats that are packed again. Bytes of buffers are rows of the largest elements to which
// both addresses are aligned.
#pragma once

#include "drivers/common/blit/copy_shaders.h"
#include "pipe/context.h"
#include "pipe/layout/layout.h"

namespace terrazzo::blits {

/// The elements of a block.
struct Element {
    uint32_t size_B = 1, per_block = 1;
};
[[nodiscard]] Element element_of(pipe::Format format);

/// The part of a 2D image that a job copies, in elements. The sizes are those of what is written.
struct CopyRegion {
    uint32_t from_x = 0, from_y = 0, to_x = 0, to_y = 0, width = 0, height = 0;
    bool halve_x = false, halve_y = false;
    [[nodiscard]] CopyUniforms uniforms(uint32_t row_stride_B) const;
};
/// The region of each slice of `from`, which goes to `to`. An axis is halved if the sizes differ; then the
/// boxes' blocks are pixels.
[[nodiscard]] CopyRegion copy_region_of(pipe::Format src, const pipe::Box& from, pipe::Format dst,
                                        const pipe::Box& to);

/// Sets how floats are packed as a pixel of normalised integers. False: the format has other channels.
[[nodiscard]] bool pack_as(pipe::Format format, CopyKey* key);
/// Whether pack_as() packs bytes.
[[nodiscard]] bool is_bytes(pipe::Format format);
/// Between two sRGB formats values are copied without conversion.
void drop_srgb(pipe::Format* a, pipe::Format* b);

/// A level of an image in uncompressed form.
struct CopyLevel {
    const pipe::SurfaceLayout& layout;
    uint32_t level;
    [[nodiscard]] const pipe::LevelLayout& at() const { return layout.level[level]; }
};
/// Whether both boxes are whole levels with the same layout in memory, so that rows of words can be copied.
[[nodiscard]] bool same_bytes(const CopyLevel& dst, const pipe::Box& to, const CopyLevel& src,
                              const pipe::Box& from);

/// Whether the blit converts the format, or halves the size with a linear filter (`*halved`), so that one job
/// a slice may do it. The boxes are inside of the levels.
[[nodiscard]] bool converts_or_halves(const pipe::BlitInfo& info, const pipe::SurfaceLayout& src,
                                      const pipe::SurfaceLayout& dst, bool* halved);

/// The first job of a copy of `rest_B` bytes between two addresses.
struct ByteCopy {
    uint8_t element_B = 1;
    /// The texture that the job reads begins this far before the first byte, at an aligned address.
    uint64_t before_B = 0;
    CopyRegion region;
    uint32_t stride_B = 0;
    uint64_t size_B = 0;  // copied by the job
};
/// `align_B`: of textures' addresses. `extent`: the most elements of a row, and the most rows.
[[nodiscard]] ByteCopy first_bytes(uint64_t from, uint64_t to, uint64_t rest_B, uint32_t align_B,
                                   uint32_t extent);

}  // namespace terrazzo::blits
