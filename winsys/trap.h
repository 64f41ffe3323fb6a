// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The end of code that no valid value reaches. Every room may include this file. tests/house refuses the
// compiler's own mark, which lets the optimizer continue in whatever code follows.
#pragma once

namespace terrazzo::winsys {

/// Follows a switch over all enumerators of an enumeration. Stops the process, in release builds too.
[[noreturn]] inline void unreachable() {
    __builtin_trap();
}

}  // namespace terrazzo::winsys
