// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace terrazzo::host_code {

/// The largest stack frame of generated code; code with a larger frame is refused. Code whose frame may be
/// larger than a page touches the pages of the frame in order, so that it cannot skip a thread's guard page.
inline constexpr uint32_t kMaxFrame_B = 16u << 10;

}  // namespace terrazzo::host_code
