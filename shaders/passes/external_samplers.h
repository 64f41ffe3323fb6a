// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A samplerExternalOES may show an image of Y, U and V in two or three planes. No device samples those as one
// texture: this pass has the shader sample each plane and compute a colour from them. The images of a draw
// are not
// known when a program is linked, so every such program can do it, and one branch, which all invocations take
// alike, asks whether it must.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// The numbers that a shader converts colours by: the place of each among `kCount` floats. All 0: the colour
/// is the
/// first plane's. The state tracker sets them.
namespace external_conversion {
/// 0: there are no other planes; 1: the second plane has two channels; 2: there are three planes of one
/// channel.
inline constexpr uint32_t kMode = 0;
/// Of texel fetches: the other planes' coordinate is this one, shifted right by the number. x and y.
inline constexpr uint32_t kShift = 1;
/// Of other coordinates: the other planes' are u * scale + offset. x and y of each.
inline constexpr uint32_t kScale = 4, kOffset = 6;
/// Four rows (red, green, blue, alpha) of four: factors of the first plane and of the two other channels, and
/// an
/// addend.
inline constexpr uint32_t kMatrix = 8;
inline constexpr uint32_t kCount = 24;
}  // namespace external_conversion

/// Slots of a stage: as many as a GL program may have samplers. An external sampler uses three.
inline constexpr uint32_t kMaxSamplerSlots = 32;

/// The variables that the pass adds for an external sampler. They have as many elements as it has.
struct ExternalSampler {
    Var* sampler = nullptr;
    Var* chroma[2] = {};        // samplers of the second and third planes
    Var* conversion = nullptr;  // uniform: external_conversion::kCount floats an element
};

/// Lowers samples and fetches through `samplers`, which are the shader's variables of type
/// samplerExternalOES.
/// Queries return the size of the first plane, which is the image's. Returns those that were sampled; none:
/// nothing
/// changed. Must come before mediump_to_16 and before samplers have slots.
std::vector<ExternalSampler> lower_external_samplers(Shader& s, std::span<Var* const> samplers);

}  // namespace terrazzo::ir
