// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Images of Y, U and V: the parameters with which shaders convert them to colours
// (shaders/passes/external_samplers.h). Source: ITU-R BT.601, BT.709 and BT.2020, and the Khronos Data Format
// Specification 1.3, chapter 15.
#pragma once

#include <array>

#include "shaders/passes/external_samplers.h"
#include "state_tracker/context.h"

namespace terrazzo::st {

using YuvConversion = std::array<float, ir::external_conversion::kCount>;

/// The conversion for an image of this size. `swizzle`: the texture's (GL_RED ... GL_ONE). `linear`: a filter
/// mixes several texels, so the position of the chroma samples between pixels matters.
[[nodiscard]] YuvConversion yuv_conversion(const YuvPlanes& yuv, uint32_t width_px, uint32_t height_px,
                                           const std::array<GLenum, 4>& swizzle, bool linear);

}  // namespace terrazzo::st
