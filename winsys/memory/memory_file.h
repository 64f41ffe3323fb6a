// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory that a window's server maps as well: wl_shm's pools, MIT-SHM's segments.
#pragma once

#include <cstddef>

namespace terrazzo::winsys {

/// A file of that size, which cannot shrink and whose memory exists, so that neither side can get a SIGBUS from it. The
/// descriptor is the caller's. -1: there is no memory, or no descriptor left.
[[nodiscard]] int create_memory_file(size_t size_B);

}  // namespace terrazzo::winsys
