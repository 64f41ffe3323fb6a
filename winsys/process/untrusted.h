// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Reads through an application's pointers without trusting them.
#pragma once

#include <cstddef>

namespace terrazzo::winsys {

/// Copies `size_B` (<= 4096) bytes from any address. False: not all of them can be read; `out` is then
/// unspecified.
[[nodiscard]] bool read_untrusted(const void* address, void* out, std::size_t size_B);

}  // namespace terrazzo::winsys
