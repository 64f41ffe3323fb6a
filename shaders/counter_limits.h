// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

namespace terrazzo::shaders {

/// GL_MAX_ATOMIC_COUNTER_BUFFER_SIZE: where a binding's counters end. It is no matter of how many there are: programs place few
/// counters far apart, at offsets beyond the least limit of 32.
inline constexpr int kMaxCounterBuffer_B = 16384;

}  // namespace terrazzo::shaders
