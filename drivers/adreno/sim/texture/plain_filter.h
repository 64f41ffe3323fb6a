// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Filtering as most shaders want it, faster than pipe/raster's sampler and with the same results: 2D, floats, one footprint, no border.
// Levels are chosen once a quad.
#pragma once

#include <string>

#include "drivers/adreno/sim/texture/texture_state.h"
#include "pipe/raster/sample.h"

namespace terrazzo::adreno::sim {

class PlainFilter {
  public:
    /// Whether it can stand in for the sampler, where nothing is compared, gathered or offset.
    static bool fits(const TextureState& texture, const pipe::SamplerDesc& sampler);
    PlainFilter(TextureState& texture, const pipe::SamplerDesc& sampler, window::Window& memory,
                std::string* why)
        : texture_(texture), sampler_(sampler), memory_(memory), why_(why) {}

    /// Of derivatives in the range 0..1.
    pipe::raster::LevelChoice choose(const float ddx[2], const float ddy[2], float bias) const;
    pipe::raster::LevelChoice choose(float lod) const;
    [[nodiscard]] bool sample(const pipe::raster::LevelChoice& choice, float s, float t, float out[4]);

  private:
    bool sample_level(pipe::Filter filter, uint32_t level, float s, float t, float out[4]);

    TextureState& texture_;
    const pipe::SamplerDesc& sampler_;
    window::Window& memory_;
    std::string* why_;
};

}  // namespace terrazzo::adreno::sim
