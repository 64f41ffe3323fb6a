// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Viewports, scissors, sample locations, and the other small groups that draws pack.
#pragma once

#include "drivers/adreno/stream/registers.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

/// The largest x or y of a viewport's scissor.
inline constexpr uint32_t kMaxViewport_px = 16384;

/// GRAS_CL_GUARDBAND_CLIP_ADJ's field for one axis of a viewport: the distance from its centre, in multiples
/// of half its extent, up to which triangles are not clipped. A float of 3 + 6 bits, rounded down.
[[nodiscard]] uint32_t guard_band(float translate, float scale);

inline constexpr uint32_t kMostViewportWords = 18;
/// Writes Group::Viewport for one viewport. Returns the address after the last word, as the functions below
/// do.
uint32_t* write_viewport(const pipe::Viewport& v, uint32_t* out);

inline constexpr uint32_t kMostScissorWords = 3;
/// Group::Scissor. An empty rectangle rejects all fragments.
uint32_t* write_scissor(const pipe::Scissor& s, uint32_t* out);

/// Group::BlendColor.
inline constexpr uint32_t kMostBlendColorWords = 5;
uint32_t* write_blend_color(const float rgba[4], uint32_t* out);

/// Group::SampleLocations: the standard locations for every number of samples.
inline constexpr uint32_t kMostSampleLocationWords = 6;
uint32_t* write_sample_locations(uint32_t* out);

/// RB_BLEND_CNTL's mask of all samples, for any number of samples.
inline constexpr uint32_t kAllSamples = 0xffff;
/// The mask of the samples, of `samples`, that GL_SAMPLE_COVERAGE and GL_SAMPLE_MASK leave enabled.
[[nodiscard]] uint32_t sample_mask(uint32_t samples, float coverage, bool invert, uint32_t mask);

}  // namespace terrazzo::adreno
