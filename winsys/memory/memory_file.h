// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory that a window's server maps, too: wl_shm's pools, MIT-SHM's segments.
#pragma once

#include <cstddef>

namespace terrazzo::winsys {

/// Creates a file of this size that cannot shrink and whose memory is allocated, so that neither side gets a
/// SIGBUS. The caller owns the descriptor. -1: out of memory or descriptors.
[[nodiscard]] int create_memory_file(size_t size_B);

}  // namespace terrazzo::winsys
