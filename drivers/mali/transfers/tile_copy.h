// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copies by fragment jobs without draws: what an image holds is loaded into the tile buffer, and written in
// another form elsewhere, or over a part of another image. This is how the CPU gets at AFBC, whose payloads
// only the GPU understands, and how copies write it.
#pragma once

#include "drivers/mali/passes/pass.h"

namespace terrazzo::mali {

struct TileCopy {
    MaliResource* from = nullptr;
    uint32_t level = 0, z = 0;
    /// Of the level, not empty. All of the 16x16 tiles that it touches is written, as far as they are in the
    /// level.
    PixelRect area;
    // Where the level's pixel (0, 0) goes, 64 B aligned, and in which order.
    uint64_t va = 0;
    uint32_t row_stride_B = 0;
    hw::BlockFormat order = hw::BlockFormat::LINEAR;
};

/// Records copies, outside passes. The recorder holds `from` and its present memory; the caller holds the
/// memory at `va`. Returns the last job's number. Throws std::bad_alloc.
uint64_t record_tile_copies(Recorder& recorder, InternalShaders& shaders, std::span<const TileCopy> copies);

/// Records all that an AFBC image holds, in the plain form, into memory of create_plain().
void record_plain_copy(Recorder& recorder, InternalShaders& shaders, MaliResource& from, const Bo& to);

/// Whether record_box_copy() can: the images hold the same kind of pixels.
[[nodiscard]] bool box_copy_keeps_bits(const MaliResource& to, const MaliResource& from);
/// A box of a level becomes what the other image has from (x, y, z) on. Not what may overlap: `from` is
/// another image, or another level. Outside passes; keeps both images. Throws std::bad_alloc.
void record_box_copy(Recorder& recorder, InternalShaders& shaders, MaliResource& to, uint32_t level,
                     const pipe::Box& box, MaliResource& from, uint32_t from_level, int32_t x, int32_t y,
                     int32_t z);

}  // namespace terrazzo::mali
