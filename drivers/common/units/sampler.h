// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The sampler of texture units: sixteen lanes of an instruction at a time. Results are those of pipe/raster's
// sampler, to the bit. The vendor's unit reads the operands from registers.
#pragma once

#include <string>

#include "drivers/common/units/texture.h"
#include "drivers/common/wave/lanes.h"

namespace terrazzo::units {

/// How the level of detail is found.
enum class LodSource : uint8_t {
    Quad,         // from `ddx` and `ddy`, which are equal in the four lanes of a quad; plus `lod`
    Derivatives,  // from `ddx` and `ddy` of each lane; plus `lod`
    Level,        // it is `lod`
};

/// The operands of one instruction for sixteen lanes. What is not used is undefined, and so is the result in
/// other lanes.
struct SampleLanes {
    uint32_t lanes = 0;  // a bit for each lane that samples
    wave::F32 coord[3];  // s, t and r in the range 0..1, or a cube's direction; unused ones are zeros
    wave::F32 layer;     // of array textures; rounded to the nearest
    wave::F32 ddx[3], ddy[3];
    wave::F32 lod;        // a level or a bias
    wave::F32 reference;  // of a comparison
    wave::I32 offset[3];  // in texels
    LodSource lod_source = LodSource::Level;
    bool has_offset = false;
    bool late_magnify = false;  // as in pipe::raster::SampleArgs
    bool gathers = false;       // textureGather
    uint8_t component = 0;      // that is gathered
};

/// Filters, compares (if `sampler` says so) or gathers. The sampler's border has the bits of the texture's
/// numbers, as they are after the view's swizzle. `out`: bits of floats or integers, as the texture's kind
/// says. False: a texel failed: `why`.
[[nodiscard]] bool sample(Texture& texture, const pipe::SamplerDesc& sampler, const SampleLanes& call,
                          window::Window& memory, wave::U32 out[4], std::string* why);

/// Likewise, by pipe/raster's sampler in each lane: the reference. For tests.
[[nodiscard]] bool sample_each(Texture& texture, const pipe::SamplerDesc& sampler, const SampleLanes& call,
                               window::Window& memory, wave::U32 out[4], std::string* why);

/// Finds the factors that convert coordinates to the range 0..1: 1 for normalized ones, 1/size for texels.
void find_scale(const TextureView& view, bool is_normalized, float scale[3]);

/// The derivatives of a quad's values: the differences to its lanes 1 and 2, multiplied by `scale`.
void find_derivatives(wave::F32 v, float scale, wave::F32* ddx, wave::F32* ddy);

/// The direction of a position on a cube's face: the inverse of table 8.19 of OpenGL ES 3.2, with a major
/// axis of +-1.
void cube_direction(uint32_t face, float s, float t, float direction[3]);
/// The derivatives of a quad's directions at (0,0), (1,0), (0,1), projected to the first one's face.
void find_cube_derivatives(uint32_t face, const float position[3][3], float ddx[3], float ddy[3]);

/// The level of detail of derivatives of `position` (s, t and r, or a direction), before bias and clamps.
float find_lambda(const TextureView& view, const float position[3], const float ddx[3], const float ddy[3],
                  float max_anisotropy);

}  // namespace terrazzo::units
