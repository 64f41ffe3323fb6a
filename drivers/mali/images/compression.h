// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Which images are compressed (AFBC), how, and which have checksums of their tiles (transaction elimination:
// a tile whose checksum is the one in memory is not written again). Layouts: pipe/layout/afbc.h.
#pragma once

#include "drivers/mali/hw/formats.h"
#include "pipe/layout/afbc.h"
#include "pipe/resource.h"

namespace terrazzo::mali {

/// How AFBC memory of the format is coded. False: the hardware does not compress it. `stencil`: the stencil
/// of a depth-stencil format.
[[nodiscard]] bool afbc_compression_mode(pipe::Format f, bool stencil, hw::AfbcCompressionMode* out);
/// Whether one of the two formats can be read and drawn where memory was compressed as the other.
[[nodiscard]] bool afbc_compatible(pipe::Format a, pipe::Format b);

/// Where `desc` may and should be compressed once it is drawn into: its layout. False: never.
[[nodiscard]] bool choose_afbc(const pipe::ResourceDesc& desc, pipe::AfbcLayout* out);

/// Checksums are of 16x16 pixels each, 8 bytes, in rows.
struct CrcLayout {
    uint32_t row_stride_B = 0;  // 0: there are none
    uint32_t size_B = 0;
};
[[nodiscard]] CrcLayout choose_crc(const pipe::ResourceDesc& desc);

}  // namespace terrazzo::mali
