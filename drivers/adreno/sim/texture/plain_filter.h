// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The common cases of filtering, faster than pipe/raster's sampler and with the same results: 2D, floats, one
// footprint, no border. Levels are chosen once per quad. A texture with one texel, such as a single colour,
// is sampled sixteen lanes at a time.
#pragma once

#include <string>

#include "drivers/adreno/sim/texture/texture_state.h"
#include "drivers/common/wave/lanes.h"
#include "pipe/raster/sample.h"

namespace terrazzo::adreno::sim {

class PlainFilter {
  public:
    /// Whether it can replace the sampler, if nothing is compared, gathered or offset.
    static bool fits(const TextureState& texture, const pipe::SamplerDesc& sampler);
    /// For one instruction: texels must not be forgotten during its lifetime.
    PlainFilter(TextureState& texture, const pipe::SamplerDesc& sampler, window::Window& memory,
                std::string* why);

    /// Chooses levels from derivatives in the range 0..1.
    pipe::raster::LevelChoice choose(const float ddx[2], const float ddy[2], float bias) const;
    pipe::raster::LevelChoice choose(float lod) const;
    [[nodiscard]] bool sample(const pipe::raster::LevelChoice& choice, float s, float t, float out[4]);
    /// Likewise, for the lanes with a bit in `lanes`, which is not 0; other lanes of `out` are undefined.
    [[nodiscard]] bool sample(const pipe::raster::LevelChoice& choice, wave::F32 s, wave::F32 t,
                              uint32_t lanes, wave::F32 out[4]);

  private:
    // The block of a level that was read last. Adjacent texels are mostly in it.
    struct RecentBlock {
        const units::TexelBlock* block = nullptr;
        uint32_t level = 0, bx = 0, by = 0;
    };
    const uint32_t* texel(uint32_t level, uint32_t x, uint32_t y);
    bool sample_level(pipe::Filter filter, uint32_t level, float s, float t, float out[4]);
    bool sample_single_texel(pipe::Filter filter, wave::F32 s, wave::F32 t, wave::F32 out[4]);
    bool sample_lanes(const pipe::raster::LevelChoice& choice, wave::F32 s, wave::F32 t, uint32_t lanes,
                      wave::F32 out[4]);

    TextureState& texture_;
    const pipe::SamplerDesc& sampler_;
    window::Window& memory_;
    std::string* why_;
    // If there is one level, the sign of lambda decides: `single_` has the choices of magnification and
    // minification.
    bool is_single_ = false, is_sign_of_scale_ = false;
    pipe::raster::LevelChoice single_[2];
    RecentBlock recent_[2];  // for even and odd levels
};

}  // namespace terrazzo::adreno::sim
