// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The common cases of sampling, sixteen lanes at a time, with the results of the sampler in pipe/raster.
// Positions, wrap modes and weights are computed as vectors of four lanes; then each lane sums its texels.
// Lanes that it cannot do are left to that sampler: coordinates that are too large for 32-bit integers, and
// neighbours on other faces of a cube. Internal to units/.
#pragma once

#include "drivers/common/units/sampler.h"

namespace terrazzo::units {

class LaneFilter {
  public:
    /// False: anisotropic footprints, gathering, and integers that are not fetched as they are.
    static bool fits(const Texture& texture, const pipe::SamplerDesc& sampler, const SampleLanes& call);
    LaneFilter(Texture& texture, const pipe::SamplerDesc& sampler, const SampleLanes& call,
               window::Window& memory, std::string* why);
    /// Writes the results of all lanes of the call but those that it returns, which are left. Of other lanes
    /// `out` is undefined.
    uint32_t run(wave::U32 out[4]) { return run(out, kHasFast); }
    /// Likewise, for tests. `fast`: with instructions that kHasFast says the CPU has; results are the same.
    uint32_t run(wave::U32 out[4], bool fast);
    static const bool kHasFast;

  private:
    struct Axis;
    struct Taps;
    // A result or a texel: four floats.
    using Vector4 [[gnu::vector_size(16)]] = float;

    void locate();
    void choose();
    bool choose_by_filter();
    float lambda_of(unsigned lane) const;
    void set_choice(uint32_t lanes, const pipe::raster::LevelChoice& choice);
    void clear_position(uint32_t lanes);
    void sample_level(unsigned which, uint32_t lanes);
    void sample_level_plain(unsigned which, uint32_t lanes);
    void sample_level_fast(unsigned which, uint32_t lanes);
    void sample_nearest(unsigned which, unsigned first, uint32_t lanes);
    template <unsigned kSlices>
    uint32_t find_blocks(const Taps& taps, unsigned which, unsigned first, uint32_t lanes,
                         const uint8_t* (*texels)[4]);
    template <unsigned kSlices>
    static void sum_blocks(const Taps& taps, const uint8_t* const (*texels)[4], float (*sums)[4]);
    template <unsigned kDimensions>
    void sample_linear(unsigned which, unsigned first, uint32_t lanes);
    void find_sizes(unsigned which, unsigned first, unsigned count);
    Axis axis(unsigned first, unsigned c) const;
    template <unsigned kDimensions>
    void find_taps(unsigned first, uint32_t* lanes, Taps* taps);
    bool sum_each(const Taps& taps, unsigned which, unsigned lane);
    const uint32_t* texel(uint32_t level, int32_t x, int32_t y, int32_t z);
    Vector4 compared(const uint32_t* texel, unsigned lane) const;

    Texture& texture_;
    const pipe::SamplerDesc& sampler_;
    const SampleLanes& call_;
    window::Window& memory_;
    std::string* why_;
    const unsigned dimensions_;  // 2 or 3
    const bool is_seamless_;     // a cube whose faces' neighbours are read across edges
    // Neighbours of weight 0 are not added: an infinite one must not count.
    const bool is_checked_;

    const wave::F32* position_;                 // s, t and r
    wave::F32 own_position_[3]{};               // of cubes, and where some do not count
    alignas(64) int32_t z_[wave::kLanes] = {};  // the layer or face
    bool has_levels_ = false;                   // lanes may have different ones
    alignas(16) int32_t size_[3][4] = {};       // of four lanes' levels
    alignas(64) int32_t level_[2][wave::kLanes] = {};
    alignas(64) float fraction_[wave::kLanes] = {};  // the second level's weight
    uint32_t mixed_ = 0;                             // lanes that need both levels
    uint32_t linear_ = 0;                            // lanes that filter linearly
    uint32_t left_ = 0;
    alignas(64) float result_[2][wave::kLanes][4];  // of each level
};

}  // namespace terrazzo::units
