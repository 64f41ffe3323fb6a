// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace terrazzo::host_code {

/// The largest stack frame of generated code. Code with a larger one is refused. Code that may have more than
/// a page touches the pages of its frame in order, so that it cannot jump over a thread's guard page.
inline constexpr uint32_t kMaxFrame_B = 16u << 10;

}  // namespace terrazzo::host_code
