// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

namespace terrazzo::shaders {

/// GL_MAX_ATOMIC_COUNTER_BUFFER_SIZE: where a binding's counters must end. It does not limit their number:
/// programs place a few counters far apart, at offsets beyond the minimum limit of 32.
inline constexpr int kMaxCounterBuffer_B = 16384;

}  // namespace terrazzo::shaders
