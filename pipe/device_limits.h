// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How much of each thing the interface to devices has room for. Caps (screen.h) say how much of it a device has; what shaders
// may have stands in shaders/ir/limits.h. Plain constants: kernels that are compiled for several instruction sets include this.
#pragma once

#include <cstdint>

#include "shaders/ir/limits.h"

namespace terrazzo::pipe {

/// Sides of images, and of viewports. Hardware has up to 16384; less keeps every surface, whatever its format and samples, below
/// the layouts' limit, and coordinates with eight bits of a fraction exact in a float.
inline constexpr uint32_t kMaxTarget_px = 8192;
inline constexpr unsigned kMaxColorTargets = 8;
inline constexpr unsigned kMaxVertexAttribs = 16;
inline constexpr unsigned kMaxSamplers = 32;  // per stage
/// A stage's uniform blocks; the default one is not among them.
inline constexpr unsigned kMaxConstantBuffers = ir::kMaxUniformBlocks;

}  // namespace terrazzo::pipe
