// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copies by the GPU: compute jobs that read through the texture unit, whatever layout that reads, and store
// rows or interleaved tiles. They are recorded like draws, and the CPU does not wait. The caller must have
// ended the pass (Pass::end). All throw std::bad_alloc, before anything is recorded.
#pragma once

#include "drivers/mali/program/internal_shaders.h"
#include "drivers/mali/submission/recorder.h"

namespace terrazzo::mali {

/// Whether copy_image_to_image() can: what the texture unit reads as it is, but no block-compressed format in
/// interleaved tiles (those are others than the tiles of formats of their size), to what is not AFBC; and
/// whole levels that lie in memory in the same way, whatever their format. AFBC is read as colours and not as
/// integers, which keeps every bit, too. Not what may overlap.
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
