// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Viewports, scissors, sample locations, and the other small groups that draws pack.
#pragma once

#include "drivers/adreno/submission/registers.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

/// The largest x or y of a viewport's scissor.
inline constexpr uint32_t kMaxViewport_px = 16384;

/// GRAS_CL_GUARDBAND_CLIP_ADJ's field for one axis of a viewport: how many times its half extent a triangle may reach beyond the
/// middle without being clipped, as a float of 3 + 6 bits, rounded down.
[[nodiscard]] uint32_t guard_band(float translate, float scale);

inline constexpr uint32_t kMostViewportWords = 18;
/// Group::Viewport of one viewport. Behind the last word.
uint32_t* write_viewport(const pipe::Viewport& v, uint32_t* out);

inline constexpr uint32_t kMostScissorWords = 3;
/// Group::Scissor. What is empty lets nothing through.
uint32_t* write_scissor(const pipe::Scissor& s, uint32_t* out);

/// Group::BlendColor.
inline constexpr uint32_t kMostBlendColorWords = 5;
uint32_t* write_blend_color(const float rgba[4], uint32_t* out);

/// Group::SampleLocations: the standard ones of the number of samples.
inline constexpr uint32_t kMostSampleLocationWords = 6;
uint32_t* write_sample_locations(uint32_t* out);

/// RB_BLEND_CNTL's mask where nothing is left out, whatever the number of samples.
inline constexpr uint32_t kAllSamples = 0xffff;
/// The samples of `samples` that GL_SAMPLE_COVERAGE and GL_SAMPLE_MASK leave.
[[nodiscard]] uint32_t sample_mask(uint32_t samples, float coverage, bool invert, uint32_t mask);

}  // namespace terrazzo::adreno
