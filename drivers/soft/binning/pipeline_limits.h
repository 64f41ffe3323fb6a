// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Limits that the pipeline's arithmetic depends on.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pipe/device_limits.h"

namespace terrazzo::soft {

inline constexpr uint32_t kMaxSamples = 8;  // per pixel; 1, 2, 4 or 8
using pipe::kMaxTarget_px;
/// Triangles and lines are clipped to [-kGuard_px, kGuard_px]: beyond it, edge functions would overflow a
/// tile's 32 bits, and 1/256 px would not be exact in a float.
inline constexpr float kGuard_px = 16000;
inline constexpr float kMinLineWidth_px = 1, kMaxLineWidth_px = 64;
inline constexpr float kMinPointSize_px = 1, kMaxPointSize_px = 1024;
/// A pass is drawn early when its recorded data exceeds this, so that they are still in a cache.
inline constexpr size_t kMaxRecorded_B = size_t(1) << 20;

/// The texels of a buffer texture that can be sampled; the rest of a larger buffer cannot.
inline constexpr uint64_t kMaxBufferTexels = 1u << 27;

}  // namespace terrazzo::soft
