// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The capacity of the interface to devices. Caps (screen.h) have the limits of a device; shaders/ir/limits.h
// has those of shaders. Only constants: kernels that are compiled for several instruction sets include this
// file.
#pragma once

#include <cstdint>

#include "shaders/ir/limits.h"

namespace terrazzo::pipe {

/// The largest width and height of images and viewports. Hardware allows up to 16384. With this limit every
/// surface of any format and number of samples stays below kMaxSurface_B (layout/layout.h), and a float
/// represents coordinates with eight fractional bits exactly.
inline constexpr uint32_t kMaxTarget_px = 8192;
inline constexpr unsigned kMaxColorTargets = 8;
inline constexpr unsigned kMaxVertexAttribs = 16;
inline constexpr unsigned kMaxSamplers = 32;  // per stage
/// A stage's uniform blocks, not counting the default block.
inline constexpr unsigned kMaxConstantBuffers = ir::kMaxUniformBlocks;

}  // namespace terrazzo::pipe
