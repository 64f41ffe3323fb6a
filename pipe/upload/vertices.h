// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Vertex attributes that a device cannot fetch.
#pragma once

#include <cstdint>

#include "pipe/state.h"

namespace terrazzo::pipe {

/// Converts `count` elements, from `first` on, to four floats each. `buffer`, `size_B`: the mapped part of
/// the vertex buffer, which begins with the vertex of element 0; elements past its end are zeros. `out` is
/// written in order.
void convert_vertices(const VertexElement& element, const uint8_t* buffer, uint64_t size_B, uint32_t stride_B,
                      uint32_t first, uint32_t count, float* out);

}  // namespace terrazzo::pipe
