// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Chooses which images are compressed (AFBC), how, and which have checksums of their tiles (transaction
// elimination: a tile whose checksum equals the one in memory is not written again). Layouts:
// pipe/layout/afbc.h.
#pragma once

#include "drivers/mali/hw/formats.h"
#include "pipe/layout/afbc.h"
#include "pipe/resource.h"

namespace terrazzo::mali {

/// The AFBC encoding of a format. False: the hardware does not compress it. `stencil`: the stencil part of a
/// depth-stencil format.
[[nodiscard]] bool afbc_compression_mode(pipe::Format f, bool stencil, hw::AfbcCompressionMode* out);
/// Whether memory compressed as one of the formats can be read and drawn as the other.
[[nodiscard]] bool afbc_compatible(pipe::Format a, pipe::Format b);

/// The AFBC layout that an image gets when it is first drawn into. False: it is never compressed.
[[nodiscard]] bool choose_afbc(const pipe::ResourceDesc& desc, pipe::AfbcLayout* out);

/// A checksum has 8 bytes and covers 16x16 pixels. Checksums are stored in rows.
struct CrcLayout {
    uint32_t row_stride_B = 0;  // 0: the image has no checksums
    uint32_t size_B = 0;
};
[[nodiscard]] CrcLayout choose_crc(const pipe::ResourceDesc& desc);

}  // namespace terrazzo::mali
