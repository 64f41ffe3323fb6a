// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Are there file descriptors left?
#pragma once

namespace terrazzo::winsys {

/// True where the process can open so many more files at once (at most 8; else EMFILE). Ask before a request of libwayland's with a descriptor, or whose answer has
/// one: it duplicates what it sends, and gives the connection up where it cannot, or where the kernel cannot deliver one.
[[nodiscard]] bool descriptors_left(unsigned count = 1);

}  // namespace terrazzo::winsys
