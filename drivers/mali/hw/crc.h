// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Transaction elimination: a tile whose CRC has not changed is not written.
#pragma once

namespace terrazzo::mali::hw {

/// The most bytes of a pixel, with all its samples, in a render target with CRCs: a whole tile must fit the
/// write-back buffer (Mesa 25.0.7, pan_resource.c, panfrost_should_checksum).
inline constexpr unsigned kMaxCrcPixel_B = 4;

}  // namespace terrazzo::mali::hw
