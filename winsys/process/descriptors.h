// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Whether file descriptors are left.
#pragma once

namespace terrazzo::winsys {

/// Whether the process can open `count` more files (at most 8), before EMFILE. Ask this before a libwayland
/// request that sends or returns a descriptor: libwayland duplicates what it sends and closes the connection
/// if that fails, or if the kernel cannot deliver one.
[[nodiscard]] bool descriptors_left(unsigned count = 1);

}  // namespace terrazzo::winsys
