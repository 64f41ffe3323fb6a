// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copies by fragment jobs without draws. The contents of an image are loaded into the tile buffer, and
// written elsewhere in another form, or over a part of another image. The CPU accesses AFBC by such copies,
// since only the GPU understands its payloads; other copies write AFBC with them.
#pragma once

#include "drivers/mali/passes/pass.h"

namespace terrazzo::mali {

struct TileCopy {
    MaliResource* from = nullptr;
    uint32_t level = 0, z = 0;
    /// In the level, not empty. All 16x16 tiles that it touches are written, clipped to the level.
    PixelRect area;
    // The address of the level's pixel (0, 0), aligned to 64 bytes, and the order of pixels there.
    uint64_t va = 0;
    uint32_t row_stride_B = 0;
    hw::BlockFormat order = hw::BlockFormat::LINEAR;
};

/// Records copies outside of passes. The recorder holds `from` and its current memory; the caller holds the
/// memory at `va`. Returns the number of the last job. Throws std::bad_alloc.
uint64_t record_tile_copies(Recorder& recorder, InternalShaders& shaders, std::span<const TileCopy> copies);

/// Records a copy of a whole AFBC image, in the uncompressed form, to memory of create_plain().
void record_plain_copy(Recorder& recorder, InternalShaders& shaders, MaliResource& from, const Bo& to);

/// Whether record_box_copy() supports the images: their pixels have the same bits.
[[nodiscard]] bool box_copy_keeps_bits(const MaliResource& to, const MaliResource& from);
struct BoxCopy {
    MaliResource& to;
    uint32_t level;
    pipe::Box box;  // in the level
    MaliResource& from;
    uint32_t from_level;
    int32_t x, y, z;  // the first texel in `from`
    /// Texels are read and written as these formats; None: bit by bit.
    pipe::Format format = pipe::Format::None, from_format = pipe::Format::None;
};
/// The copy must not overlap: `from` is another image or another level. If only `from` has several samples,
/// they are resolved, for which the formats must be given. Called outside of passes. The recorder holds both
/// images. Throws std::bad_alloc.
void record_box_copy(Recorder& recorder, InternalShaders& shaders, const BoxCopy& copy);

}  // namespace terrazzo::mali
