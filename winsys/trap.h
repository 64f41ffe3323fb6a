// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Places that no valid value reaches. Every room may include this file; tests/house refuses the compiler's own mark for
// them, which lets the optimizer run into whatever code follows.
#pragma once

namespace terrazzo::winsys {

/// Follows a switch over all enumerators of an enumeration. Stops the process, in release builds too.
[[noreturn]] constexpr void unreachable() {
    __builtin_trap();
}

}  // namespace terrazzo::winsys
