// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copies by the GPU: compute jobs that read through the texture unit, whatever layout that reads, and store
// plain rows or interleaved tiles. They are recorded like draws: the CPU waits for nothing. Whoever records
// one has ended the pass (Pass::end). All throw std::bad_alloc, before anything is recorded.
#pragma once

#include "drivers/mali/program/internal_shaders.h"
#include "drivers/mali/submission/recorder.h"

namespace terrazzo::mali {

/// Rows of blocks in memory, as pipe::Mapping has them: strides are multiples of 64 bytes where they are
/// read. The memory is kept until the copy is done (Bo::uses tells).
struct RowsInMemory {
    pipe::Ref<Bo> bo;
    uint64_t offset_B = 0;  // a multiple of 64
    uint32_t row_stride_B = 0;
    uint64_t image_stride_B = 0;
};

/// Whether the texture unit can read its texels as they are: not block-compressed formats in interleaved
/// tiles, whose tiles are others than those of formats of their size; not buffers. AFBC is of colours and not
/// of integers: these keep every bit, too.
[[nodiscard]] bool gpu_can_read(const MaliResource& r);
/// Whether a copy can write it: plain rows and interleaved tiles, not buffers, nor AFBC.
[[nodiscard]] bool gpu_can_write(const MaliResource& r);

/// Boxes are as layout_box_valid() wants them.
void copy_image_to_rows(Recorder& recorder, InternalShaders& shaders, MaliResource& src, uint32_t level,
                        const pipe::Box& box, const RowsInMemory& dst);
void copy_rows_to_image(Recorder& recorder, InternalShaders& shaders, MaliResource& dst, uint32_t level,
                        const pipe::Box& box, const RowsInMemory& src);
/// Whether copy_image_to_image() can: what is read and written as above, and whole levels that lie in memory
/// in the same way, whatever their format. Not what may overlap.
[[nodiscard]] bool gpu_can_copy(const MaliResource& dst, uint32_t dst_level, const pipe::Box& to,
                                const MaliResource& src, uint32_t src_level, const pipe::Box& from);
/// Same size of blocks; `to` is `from` in the other's pixels.
void copy_image_to_image(Recorder& recorder, InternalShaders& shaders, MaliResource& dst, uint32_t dst_level,
                         const pipe::Box& to, MaliResource& src, uint32_t src_level, const pipe::Box& from);

/// Whether convert_image() gives what pipe's conversions give: to normalised integers, from what is read as
/// floats. `halve`: also what pipe::generate_mipmap gives.
[[nodiscard]] bool gpu_can_convert(const MaliResource& dst, pipe::Format to_format, const MaliResource& src,
                                   pipe::Format from_format, bool halve);
/// `to` has the size of `from`, or half of it on an axis where `from` has two texels for each.
/// gpu_can_convert.
void convert_image(Recorder& recorder, InternalShaders& shaders, MaliResource& dst, uint32_t dst_level,
                   const pipe::Box& to, pipe::Format to_format, MaliResource& src, uint32_t src_level,
                   const pipe::Box& from, pipe::Format from_format);

}  // namespace terrazzo::mali
