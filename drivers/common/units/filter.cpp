// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/filter.h"

#include <bit>
#include <cstring>
#include <limits>

#include "drivers/common/units/four_lanes.h"
#include "pipe/raster/depth_stencil.h"

namespace terrazzo::units {

// Hot steps stand in functions for several sets of the CPU's instructions.
#define TERRAZZO_INLINE [[gnu::always_inline]] inline

using namespace four;
using wave::F32;
using wave::kLanes;
using wave::U32;

namespace {

bool has_bias(const SampleLanes& call) {
    for (uint32_t lanes = call.lanes; lanes; lanes &= lanes - 1)
        if (call.lod[std::countr_zero(lanes)] != 0) return true;
    return false;
}

// Whether the scale of measure_footprint() is above 1. kRootIs1 is the largest number whose square root
// rounds to at most 1.
bool is_minified(const float dx[3], const float dy[3]) {
    constexpr double kRootIs1 = 1 + std::numeric_limits<double>::epsilon();
    const double x = double(dx[0]) * dx[0] + double(dx[1]) * dx[1] + double(dx[2]) * dx[2];
    const double y = double(dy[0]) * dy[0] + double(dy[1]) * dy[1] + double(dy[2]) * dy[2];
    return std::max(x, y) > kRootIs1;
}

}  // namespace

// One coordinate of four lanes.
struct LaneFilter::Axis {
    pipe::Wrap mode;
    I4 size;
    D4 at;  // in texels
};

// The neighbours of linear filters of four lanes.
struct LaneFilter::Taps {
    alignas(16) int32_t x[2][kFour], y[2][kFour], z[2][kFour];  // -1: the border
    alignas(16) float weight[8][kFour];
    uint32_t inside = 0;    // lanes without a neighbour in the border
    uint32_t in_block = 0;  // those of them whose neighbours in a slice are in one block
    alignas(16) int32_t block_x[2][kFour], block_y[2][kFour];
    alignas(16) int32_t in_block_B[4][kFour];  // the neighbours' places in their blocks
};

bool LaneFilter::fits(const Texture& texture, const pipe::SamplerDesc& sampler, const SampleLanes& call) {
    if (call.gathers || sampler.max_anisotropy > 1 || texture.view().shape.kind == pipe::ResourceKind::Buffer)
        return false;
    if (texture.kind() == NumberKind::Float) return true;
    return !sampler.compare_enable && sampler.min == pipe::Filter::Nearest &&
           sampler.mag == pipe::Filter::Nearest && sampler.mip != pipe::MipFilter::Linear;
}

LaneFilter::LaneFilter(Texture& texture, const pipe::SamplerDesc& sampler, const SampleLanes& call,
                       window::Window& memory, std::string* why)
    : texture_(texture),
      sampler_(sampler),
      call_(call),
      memory_(memory),
      why_(why),
      dimensions_(texture.view().is_3d() ? 3 : 2),
      is_seamless_(texture.view().is_cube() && sampler.seamless_cube),
      is_checked_(!texture.format().fixed_point),
      position_(call.coord) {
    locate();
    has_levels_ = !choose_by_filter();
    if (has_levels_) choose();
}

// Positions on faces, and layers.
void LaneFilter::locate() {
    const pipe::raster::TextureShape& shape = texture_.view().shape;
    const bool is_array = shape.kind == pipe::ResourceKind::Tex2DArray, is_cube = texture_.view().is_cube();
    if (!is_array && !is_cube) return;
    if (is_cube) position_ = own_position_;
    for (uint32_t lanes = call_.lanes; lanes; lanes &= lanes - 1) {
        const auto n = unsigned(std::countr_zero(lanes));
        if (is_array) z_[n] = pipe::raster::nearest_layer(call_.layer[n], shape.layers);
        if (!is_cube) continue;
        const float direction[3] = {call_.coord[0][n], call_.coord[1][n], call_.coord[2][n]};
        const pipe::raster::CubeCoord at = pipe::raster::project_cube(direction);
        own_position_[0][n] = at.s;
        own_position_[1][n] = at.t;
        z_[n] = int32_t(at.face);
        if (shape.kind == pipe::ResourceKind::CubeArray)
            z_[n] += 6 * pipe::raster::nearest_layer(call_.layer[n], shape.layers / 6);
    }
}

void LaneFilter::set_choice(uint32_t lanes, const pipe::raster::LevelChoice& choice) {
    const auto first = int32_t(texture_.view().shape.first_level);
    if (choice.filter == pipe::Filter::Linear) linear_ |= lanes;
    if (choice.level1 != choice.level0 && choice.fraction != 0) mixed_ |= lanes;
    for (; lanes; lanes &= lanes - 1) {
        const auto n = unsigned(std::countr_zero(lanes));
        level_[0][n] = first + int32_t(choice.level0);
        level_[1][n] = first + int32_t(choice.level1);
        fraction_[n] = choice.fraction;
    }
}

// Before bias and clamps.
float LaneFilter::lambda_of(unsigned lane) const {
    if (call_.lod_source == LodSource::Level) return call_.lod[lane];
    const float at[3] = {call_.coord[0][lane], call_.coord[1][lane], call_.coord[2][lane]},
                dx[3] = {call_.ddx[0][lane], call_.ddx[1][lane], call_.ddx[2][lane]},
                dy[3] = {call_.ddy[0][lane], call_.ddy[1][lane], call_.ddy[2][lane]};
    return find_lambda(texture_.view(), at, dx, dy, 1) + call_.lod[lane];
}

// With one level only the filter is chosen. False: not done.
bool LaneFilter::choose_by_filter() {
    const TextureView& view = texture_.view();
    const pipe::raster::TextureShape& shape = view.shape;
    if (shape.last_level != shape.first_level && sampler_.mip != pipe::MipFilter::None) return false;
    if (shape.first_level) return false;
    if (sampler_.mag == sampler_.min) {
        if (sampler_.mag == pipe::Filter::Linear) linear_ = call_.lanes;
        return true;
    }
    // The sign of lambda decides, if nothing is added to it and no clamp changes its sign. It is that of the
    // logarithm of the footprint's scale.
    const bool is_late = call_.late_magnify && sampler_.mip != pipe::MipFilter::None;
    const bool is_sign = sampler_.lod_bias == 0 && sampler_.min_lod <= 0 && sampler_.max_lod > 0 && !is_late;
    if (!is_sign || call_.lod_source != LodSource::Quad || view.is_cube() || has_bias(call_)) return false;
    const float size[3] = {float(shape.width), float(shape.height), float(shape.depth)};
    for (unsigned n = 0; n < kLanes; n += 4) {
        const uint32_t lanes = call_.lanes & 0xfu << n;
        if (!lanes) continue;
        float dx[3] = {}, dy[3] = {};
        for (unsigned c = 0; c < dimensions_; ++c)
            dx[c] = call_.ddx[c][n] * size[c], dy[c] = call_.ddy[c][n] * size[c];
        if ((is_minified(dx, dy) ? sampler_.min : sampler_.mag) == pipe::Filter::Linear) linear_ |= lanes;
    }
    return true;
}

void LaneFilter::choose() {
    const uint32_t last = texture_.view().shape.last_level - texture_.view().shape.first_level;
    // A quad shares its level, unless the lanes have biases of their own, or cubes' directions.
    const bool is_shared =
        call_.lod_source == LodSource::Quad && !texture_.view().is_cube() && !has_bias(call_);
    const unsigned step = is_shared ? 4 : 1;
    for (unsigned n = 0; n < kLanes; n += step) {
        const uint32_t lanes = call_.lanes & ((1u << step) - 1) << n;
        if (!lanes) continue;
        float lambda = lambda_of(unsigned(std::countr_zero(lanes))) + sampler_.lod_bias;
        lambda = lambda > sampler_.min_lod ? lambda : sampler_.min_lod;
        lambda = lambda < sampler_.max_lod ? lambda : sampler_.max_lod;
        set_choice(lanes, pipe::raster::choose_levels(sampler_, lambda, last, call_.late_magnify));
    }
}

const uint32_t* LaneFilter::texel(uint32_t level, int32_t x, int32_t y, int32_t z) {
    if ((x | y | z) < 0) return sampler_.border.bits.data();
    return texture_.texel(memory_, {level, uint32_t(z), 0}, uint32_t(x), uint32_t(y), why_);
}

// A texel, or the result of its comparison.
LaneFilter::Vector4 LaneFilter::compared(const uint32_t* texel, unsigned lane) const {
    const auto v = load<Vector4>(texel);
    if (!sampler_.compare_enable) return v;
    float reference = call_.reference[lane];
    if (texture_.format().fixed_point) reference = reference > 0 ? std::min(reference, 1.0f) : 0.0f;
    return Vector4{pipe::raster::compare(sampler_.compare, reference, v[0]) ? 1.0f : 0.0f, 0, 0, 1};
}

// The sizes of four lanes' levels.
void LaneFilter::find_sizes(unsigned which, unsigned first, unsigned count) {
    const TextureView& view = texture_.view();
    for (unsigned n = 0; n < kFour; ++n) {
        const auto level = uint32_t(level_[which][first + std::min(n, count - 1)]);
        size_[0][n] = int32_t(view.width_px(level));
        size_[1][n] = int32_t(view.height_px(level));
        size_[2][n] = int32_t(view.depth_px(level));
    }
}

TERRAZZO_INLINE LaneFilter::Axis LaneFilter::axis(unsigned first, unsigned c) const {
    Axis a;
    a.mode = c == 0 ? sampler_.wrap_s : c == 1 ? sampler_.wrap_t : sampler_.wrap_r;
    a.size = load<I4>(size_[c]);
    a.at = __builtin_convertvector(four_of(position_[c], first), D4) * __builtin_convertvector(a.size, D4);
    if (call_.has_offset) a.at += __builtin_convertvector(I4(four_of(F32(call_.offset[c]), first)), D4);
    return a;
}

TERRAZZO_INLINE void LaneFilter::sample_nearest(unsigned which, unsigned first, uint32_t lanes) {
    alignas(16) int32_t at[3][kFour];
    std::memcpy(at[2], &z_[first], sizeof at[2]);
    for (unsigned c = 0; c < dimensions_; ++c) {
        const Axis a = axis(first, c);
        store(wrap(is_seamless_ ? pipe::Wrap::ClampToEdge : a.mode, split(a.at).whole, a.size), at[c]);
    }
    for (; lanes; lanes &= lanes - 1) {
        const auto n = unsigned(std::countr_zero(lanes));
        const uint32_t* const p = texel(uint32_t(level_[which][first + n]), at[0][n], at[1][n], at[2][n]);
        if (p)
            store(compared(p, first + n), result_[which][first + n]);
        else
            left_ |= 1u << (first + n);
    }
}

template <unsigned kDimensions>
TERRAZZO_INLINE void LaneFilter::find_taps(unsigned first, uint32_t* lanes, Taps* taps) {
    int32_t(*const at[3])[kFour] = {taps->x, taps->y, taps->z};
    I4 place[3][2];
    F4 weight[3][2];
    if (kDimensions == 2) std::memcpy(taps->z[0], &z_[first], sizeof taps->z[0]);
#pragma GCC unroll 3
    for (unsigned c = 0; c < kDimensions; ++c) {
        const Axis a = axis(first, c);
        const Split s = split(a.at - 0.5);
        weight[c][0] = 1 - s.fraction;
        weight[c][1] = s.fraction;
        if (is_seamless_) {  // neighbours on other faces are left
            const uint32_t outside = *lanes & bits_of((s.whole >> 31) | I4(s.whole + 1 >= a.size));
            left_ |= outside << first;
            *lanes &= ~outside;
        }
        place[c][0] = wrap(a.mode, s.whole, a.size);
        place[c][1] = wrap(a.mode, s.whole + 1, a.size);
        store(place[c][0], at[c][0]);
        store(place[c][1], at[c][1]);
    }
#pragma GCC unroll 8
    for (unsigned i = 0; i < (kDimensions == 3 ? 8 : 4); ++i) {
        F4 w = weight[0][i & 1] * weight[1][i >> 1 & 1];
        if (kDimensions == 3) w *= weight[2][i >> 2];
        store(w, taps->weight[i]);
    }
    constexpr int32_t kInBlock = int32_t(kTexelBlock_px) - 1, kTexel_B = 16;
    const I4 x[2] = {place[0][0], place[0][1]}, y[2] = {place[1][0], place[1][1]};
    I4 is_border = (x[0] | x[1] | y[0] | y[1]) >> 31;
    if (kDimensions == 3) is_border |= (place[2][0] | place[2][1]) >> 31;
    const I4 is_apart = is_border | I4((((x[0] ^ x[1]) | (y[0] ^ y[1])) & ~kInBlock) != 0);
    taps->inside = is_any(is_border) ? ~bits_of(is_border) : ~0u;
    taps->in_block = is_any(is_apart) ? ~bits_of(is_apart) : ~0u;
    for (unsigned k = 0; k < 2; ++k) {
        store(x[k] >> 4, taps->block_x[k]);
        store(y[k] >> 4, taps->block_y[k]);
    }
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; ++i)
        store((((y[i >> 1] & kInBlock) << 4) + (x[i & 1] & kInBlock)) * kTexel_B, taps->in_block_B[i]);
}

// Neighbours one by one: at the border, with comparisons, or with weights of 0.
bool LaneFilter::sum_each(const Taps& taps, unsigned which, unsigned lane) {
    const unsigned n = lane % kFour;
    Vector4 sum{};
    for (unsigned i = 0; i < (dimensions_ == 3 ? 8 : 4); ++i) {
        const float weight = taps.weight[i][n];
        if (is_checked_ && weight == 0) continue;
        const uint32_t* const p =
            texel(uint32_t(level_[which][lane]), taps.x[i & 1][n], taps.y[i >> 1 & 1][n], taps.z[i >> 2][n]);
        if (!p) return false;
        sum += weight * compared(p, lane);
    }
    store(sum, result_[which][lane]);
    return true;
}

// Finds, for each lane, the block with all neighbours in a slice. Returns the lanes whose blocks were found.
// The other lanes get the pointer of a found block, so that they can be computed, too; null if there is none.
template <unsigned kSlices>
TERRAZZO_INLINE uint32_t LaneFilter::find_blocks(const Taps& taps, unsigned which, unsigned first,
                                                 uint32_t lanes, const uint8_t* (*texels)[kFour]) {
    const auto x = load<I4>(taps.block_x[0]), y = load<I4>(taps.block_y[0]),
               level = load<I4>(&level_[which][first]);
    uint32_t found = lanes;
    const uint8_t* any = nullptr;
    for (unsigned k = 0; k < kSlices; ++k) {
        const auto z = load<I4>(taps.z[k]);
        // Adjacent lanes mostly share a block.
        for (uint32_t left = lanes; left;) {
            const auto n = unsigned(std::countr_zero(left));
            const I4 is_other = I4(((x ^ x[n]) | (y ^ y[n]) | (z ^ z[n]) | (level ^ level[n])) != 0);
            const uint32_t same = left & ~bits_of(is_other);
            const TexelBlock* const block = texture_.block(memory_, {uint32_t(level[n]), uint32_t(z[n]), 0},
                                                           uint32_t(x[n]), uint32_t(y[n]), why_);
            const auto* const at = block ? reinterpret_cast<const uint8_t*>(block->texel) : nullptr;
            if (at) any = at;
            if (!at) found &= ~same;
            for (uint32_t rest = same; rest; rest &= rest - 1)
                texels[k][std::countr_zero(rest)] = at;
            left &= ~same;
        }
    }
    for (uint32_t rest = ~found & 15; rest; rest &= rest - 1)
        for (unsigned k = 0; k < kSlices; ++k)
            texels[k][std::countr_zero(rest)] = any;
    return found;
}

// Computes the weighted sums of four lanes, two lanes at a time.
template <unsigned kSlices>
TERRAZZO_INLINE void LaneFilter::sum_blocks(const Taps& taps, const uint8_t* const (*texels)[kFour],
                                            float (*sums)[4]) {
    using F8 [[gnu::vector_size(32)]] = float;
#pragma GCC unroll 2
    for (unsigned n = 0; n < kFour; n += 2) {
        F8 sum{};
#pragma GCC unroll 8
        for (unsigned i = 0; i < 4 * kSlices; ++i) {
            const auto w = load<F4>(taps.weight[i]);
            const F8 weight = n ? __builtin_shufflevector(w, w, 2, 2, 2, 2, 3, 3, 3, 3)
                                : __builtin_shufflevector(w, w, 0, 0, 0, 0, 1, 1, 1, 1);
            const int32_t* const at = taps.in_block_B[i & 3];
            const auto a = load<F4>(texels[i / 4][n] + at[n]), b = load<F4>(texels[i / 4][n + 1] + at[n + 1]);
            sum += weight * __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
        }
        store(sum, sums[n]);
    }
}

template <unsigned kDimensions>
TERRAZZO_INLINE void LaneFilter::sample_linear(unsigned which, unsigned first, uint32_t lanes) {
    Taps taps;
    find_taps<kDimensions>(first, &lanes, &taps);
    const bool is_plain = !is_checked_ && !sampler_.compare_enable;
    if (const uint32_t together = is_plain ? lanes & taps.in_block : 0) {
        const uint8_t* texels[kDimensions - 1][kFour];
        const uint32_t found = find_blocks<kDimensions - 1>(taps, which, first, together, texels);
        if (found) sum_blocks<kDimensions - 1>(taps, texels, &result_[which][first]);
        lanes &= ~found;
    }
    for (; lanes; lanes &= lanes - 1) {
        const auto n = unsigned(std::countr_zero(lanes));
        const unsigned lane = first + n;
        const auto level = uint32_t(level_[which][lane]);
        Vector4 sum{};
        bool good = is_plain && (taps.inside >> n & 1);
        for (unsigned i = 0; i < 4 * (kDimensions - 1) && good; ++i) {
            const TexelBlock* const block =
                texture_.block(memory_, {level, uint32_t(taps.z[i / 4][n]), 0},
                               uint32_t(taps.block_x[i & 1][n]), uint32_t(taps.block_y[i >> 1 & 1][n]), why_);
            good = block != nullptr;
            if (!good) break;
            const auto* const texels = reinterpret_cast<const uint8_t*>(block->texel);
            sum += taps.weight[i][n] * load<Vector4>(texels + taps.in_block_B[i & 3][n]);
        }
        if (good)
            store(sum, result_[which][lane]);
        else if (!sum_each(taps, which, lane))
            left_ |= 1u << lane;
    }
}

// For lanes that are left, or that do not run and have undefined values.
void LaneFilter::clear_position(uint32_t lanes) {
    if (position_ != own_position_) std::copy_n(position_, dimensions_, own_position_);
    position_ = own_position_;
    for (F32& p : own_position_)
        p = wave::select(wave::mask_of(lanes), F32{}, p);
}

TERRAZZO_INLINE void LaneFilter::sample_level(unsigned which, uint32_t lanes) {
    const int32_t level = level_[which][std::countr_zero(lanes)];
    bool is_uniform = true;
    for (uint32_t rest = has_levels_ ? lanes : 0; rest && is_uniform; rest &= rest - 1)
        is_uniform = level_[which][std::countr_zero(rest)] == level;
    if (is_uniform) find_sizes(which, unsigned(std::countr_zero(lanes)), 1);
    for (unsigned first = 0; first < kLanes; first += kFour) {
        uint32_t four = lanes >> first & 15;
        if (!four) continue;
        if (!is_uniform) find_sizes(which, first, kFour);
        // Sizes are at most 2^16, so products are less than 2^30.
        constexpr int32_t kLimit = 0x46800000;  // 2^14
        I4 is_large{};
        for (unsigned c = 0; c < dimensions_; ++c)
            is_large |= I4((I4(four_of(position_[c], first)) & 0x7fffffff) >= kLimit);
        if (is_any(is_large)) {
            const uint32_t large = bits_of(is_large);
            left_ |= (four & large) << first;
            four &= ~large;
            clear_position(large << first);
        }
        const uint32_t linear = four & linear_ >> first;
        if (linear && dimensions_ == 3)
            sample_linear<3>(which, first, linear);
        else if (linear)
            sample_linear<2>(which, first, linear);
        if (four & ~linear) sample_nearest(which, first, four & ~linear);
    }
}

#undef TERRAZZO_INLINE

void LaneFilter::sample_level_plain(unsigned which, uint32_t lanes) {
    sample_level(which, lanes);
}
#if defined(__x86_64__)
// Without fused multiply-add, which would change results.
[[gnu::target("avx2")]] void LaneFilter::sample_level_fast(unsigned which, uint32_t lanes) {
    sample_level(which, lanes);
}
const bool LaneFilter::kHasFast = __builtin_cpu_supports("avx2");
#else
void LaneFilter::sample_level_fast(unsigned which, uint32_t lanes) {
    sample_level(which, lanes);
}
const bool LaneFilter::kHasFast = false;
#endif

uint32_t LaneFilter::run(U32 out[4], bool fast) {
    const auto sample = fast ? &LaneFilter::sample_level_fast : &LaneFilter::sample_level_plain;
    std::memset(result_[0], 0, sizeof result_[0]);
    (this->*sample)(0, call_.lanes);
    transpose(result_[0], out);
    const uint32_t mixed = mixed_ & ~left_;
    if (!mixed) return left_;
    std::memset(result_[1], 0, sizeof result_[1]);
    (this->*sample)(1, mixed);
    U32 second[4];
    transpose(result_[1], second);
    const auto fraction = load<F32>(fraction_);
    const U32 mask = wave::mask_of(mixed);
    for (unsigned c = 0; c < 4; ++c) {
        const F32 sum = F32(out[c]) * (1 - fraction) + F32(second[c]) * fraction;
        out[c] = wave::select(mask, U32(sum), out[c]);
    }
    return left_;
}

}  // namespace terrazzo::units
