// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the jobs of copies by compute shaders (CopyKey) read and write, in elements. An element is a block of
// the format, or a part of a block whose size is no power of two. Elements are read as unsigned integers,
// which keeps every bit, or as floats that are packed again. The bytes of a buffer are treated as an image of
// the largest elements to which both addresses are aligned.
#pragma once

#include "drivers/common/blit/copy_shaders.h"
#include "pipe/context.h"
#include "pipe/layout/layout.h"

namespace terrazzo::blits {

/// The size of a format's elements, and how many of them are a block.
struct Element {
    uint32_t size_B = 1, per_block = 1;
};
[[nodiscard]] Element element_of(pipe::Format format);

/// The part of a 2D image that a job copies, in elements. The size is that of the target's part.
struct CopyRegion {
    uint32_t from_x = 0, from_y = 0, to_x = 0, to_y = 0, width = 0, height = 0;
    bool halve_x = false, halve_y = false;
    [[nodiscard]] CopyUniforms uniforms(uint32_t row_stride_B) const;
};
/// The region that is copied from each slice of `from` to one of `to`. An axis whose sizes differ is halved;
/// this is possible only for formats whose blocks are pixels.
[[nodiscard]] CopyRegion copy_region_of(pipe::Format src, const pipe::Box& from, pipe::Format dst,
                                        const pipe::Box& to);

/// Sets how floats are packed to a pixel of normalised integers. False: the format has channels of another
/// kind.
[[nodiscard]] bool pack_as(pipe::Format format, CopyKey* key);
/// Whether pack_as() packs bytes.
[[nodiscard]] bool is_bytes(pipe::Format format);
/// If both formats are sRGB, replaces them by linear ones, so that values are copied without conversion.
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

/// Whether one job for each slice can execute the blit: it converts the format, or halves the size with a
/// linear filter (`*halved`), and its boxes are inside of the levels.
[[nodiscard]] bool converts_or_halves(const pipe::BlitInfo& info, const pipe::SurfaceLayout& src,
                                      const pipe::SurfaceLayout& dst, bool* halved);

/// The first job of a copy of `rest_B` bytes between two addresses.
struct ByteCopy {
    uint8_t element_B = 1;
    /// The job reads a texture at an aligned address, which is so many bytes before the first byte.
    uint64_t before_B = 0;
    CopyRegion region;
    uint32_t stride_B = 0;
    uint64_t size_B = 0;  // the bytes that the job copies
};
/// `align_B`: the alignment of textures' addresses. `extent`: the most elements of a row, and the most rows.
[[nodiscard]] ByteCopy first_bytes(uint64_t from, uint64_t to, uint64_t rest_B, uint32_t align_B,
                                   uint32_t extent);

}  // namespace terrazzo::blits
