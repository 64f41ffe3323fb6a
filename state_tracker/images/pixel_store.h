// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Where the pixels of a rectangle lie in client memory (OpenGL ES 2.0 sections 3.6.1, 3.6.2 and 4.3.1;
// EXT_unpack_subimage).
#pragma once

#include "state_tracker/context.h"

namespace terrazzo::st {

struct ClientRect {
    uint64_t offset_B = 0;  // of the first pixel
    uint64_t stride_B = 0;  // from a row to the next
    uint64_t size_B = 0;    // one past the last byte used; 0 for an empty rectangle
};

/// False: the numbers do not fit an address space.
[[nodiscard]] bool client_rect(const PixelStore& store, unsigned pixel_B, uint32_t width, uint32_t height,
                               ClientRect* out);

}  // namespace terrazzo::st
