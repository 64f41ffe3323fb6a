// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sizes that the pipeline's arithmetic is made for.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pipe/device_limits.h"

namespace terrazzo::soft {

inline constexpr uint32_t kMaxSamples = 8;  // a pixel; 1, 2, 4 or 8
using pipe::kMaxTarget_px;
/// Triangles and lines are cut where they leave [-kGuard_px, kGuard_px]: beyond it edge functions would
/// overflow the 32 bits of a tile, and 1/256 px would not be exact in a float.
inline constexpr float kGuard_px = 16000;
inline constexpr float kMinLineWidth_px = 1, kMaxLineWidth_px = 64;
inline constexpr float kMinPointSize_px = 1, kMaxPointSize_px = 1024;
/// A pass is drawn early when what it recorded grows beyond this: it should still be in a cache then.
inline constexpr size_t kMaxRecorded_B = size_t(1) << 20;

/// Of a buffer that is sampled, whatever its size.
inline constexpr uint64_t kMaxBufferTexels = 1u << 27;

}  // namespace terrazzo::soft
