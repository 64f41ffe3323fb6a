// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The smallest and largest index of a list.
#pragma once

#include <cstdint>

#include "pipe/state_facts.h"
#include "state_tracker/buffers/buffer.h"

namespace terrazzo::st {

/// Scans count > 0 indices. `data` may be unaligned. `restart`: the index with all bits set is not an index;
/// if there are no others, min is above max.
[[nodiscard]] IndexRange scan_indices(const void* data, uint32_t count, pipe::IndexType type, bool restart);
/// Copies and scans memory that a program may write meanwhile: each index is read once.
[[nodiscard]] IndexRange copy_indices(void* to, const void* from, uint32_t count, pipe::IndexType type,
                                      bool restart);

}  // namespace terrazzo::st
