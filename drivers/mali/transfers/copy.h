// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copies by the GPU. Compute jobs read through the texture unit, in any layout that it supports, and store
// linear rows or interleaved tiles. They are recorded like draws; the CPU does not wait. The caller must have
// ended the pass (Pass::end). All functions throw std::bad_alloc, before anything is recorded.
#pragma once

#include "drivers/common/images/access.h"
#include "drivers/mali/program/internal_shaders.h"
#include "drivers/mali/submission/recorder.h"

namespace terrazzo::mali {

/// Whether copy_image_to_image() supports the copy. The target must not be AFBC. The source must be readable
/// by the texture unit without conversion; block-compressed formats in interleaved tiles are not, since their
/// tiles differ from those of other formats with the same block size. AFBC sources are read as colours, which
/// keeps every bit, too. Whole levels with the same layout in memory can always be copied. False for copies
/// within one level, which may overlap.
[[nodiscard]] bool gpu_can_copy(const MaliResource& dst, uint32_t dst_level, const pipe::Box& to,
                                const MaliResource& src, uint32_t src_level, const pipe::Box& from);
/// The formats must have blocks of equal size. `to` is `from` in the pixels of `dst`.
void copy_image_to_image(Recorder& recorder, InternalShaders& shaders, MaliResource& dst, uint32_t dst_level,
                         const pipe::Box& to, MaliResource& src, uint32_t src_level, const pipe::Box& from);

/// Later vertex work of the recorder waits for the copy, and the copy waits for earlier vertex work.
void copy_bytes(Recorder& recorder, InternalShaders& shaders, const images::BufferCopy& copy);

/// Whether convert_image() has the same results as pipe's conversions: for targets of normalised integers,
/// and sources that are read as floats. `halve`: also the same as pipe::generate_mipmap.
[[nodiscard]] bool gpu_can_convert(const MaliResource& dst, pipe::Format to_format, const MaliResource& src,
                                   pipe::Format from_format, bool halve);
/// `to` has the size of `from`; an axis may have half the size if `from` has exactly two texels for each.
/// gpu_can_convert() must be true.
void convert_image(Recorder& recorder, InternalShaders& shaders, MaliResource& dst, uint32_t dst_level,
                   const pipe::Box& to, pipe::Format to_format, MaliResource& src, uint32_t src_level,
                   const pipe::Box& from, pipe::Format from_format);

}  // namespace terrazzo::mali
