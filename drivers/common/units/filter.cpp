// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/filter.h"

#include <bit>
#include <cstring>
#include <limits>

#include "pipe/raster/depth_stencil.h"

namespace terrazzo::units {

using wave::F32;
using wave::I32;
using wave::I64;
using wave::kLanes;
using wave::U32;
using F64 = wave::Lanes<double>;

namespace {

constexpr uint32_t kAllLanes = 0xffff;

template <class T>
void store(const T& vector, void* out) {
    std::memcpy(out, &vector, sizeof vector);
}

// Whether the lanes are all ones in each lane of `lanes`.
bool are_all(U32 mask, uint32_t lanes) {
    if (lanes != kAllLanes) mask |= ~wave::mask_of(lanes);
    uint64_t word[sizeof mask / 8], all = ~uint64_t(0);
    store(mask, word);
    for (const uint64_t w : word)
        all &= w;
    return all == ~uint64_t(0);
}

// The largest integer that is not above a value between -2^31 and 2^31, and the fraction; 0 if that would
// round to 1. Without the C library's floor(): the basic instruction sets of hosts have no such instruction.
struct Split {
    I32 whole;
    F32 fraction;
};
Split split(const F64& v) {
    const I32 cut = __builtin_convertvector(v, I32);
    const auto is_above = I64(__builtin_convertvector(cut, F64) > v);  // -1
    const I32 whole = cut + __builtin_convertvector(is_above, I32);
    const F64 f = v - __builtin_convertvector(whole, F64);
    const auto is_less = U32(__builtin_convertvector(I64(f < 1), I32));
    return {whole, wave::as_float(wave::as_bits(__builtin_convertvector(f, F32)) & is_less)};
}

// The size of each lane's level.
I32 level_sizes(uint32_t size, const int32_t level[kLanes], bool is_uniform) {
    const auto at = [&](unsigned n) { return int32_t(std::max(1u, size >> level[n])); };
    I32 out = I32{} + at(0);
    for (unsigned n = 1; n < kLanes && !is_uniform; ++n)
        out[n] = at(n);
    return out;
}

bool is_uniform_level(const int32_t level[kLanes]) {
    return std::all_of(level + 1, level + kLanes, [&](int32_t l) { return l == level[0]; });
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

// The neighbours of linear filters. -1: the border.
struct LaneFilter::Taps {
    alignas(64) int32_t x[2][kLanes], y[2][kLanes], z[2][kLanes];
    alignas(64) float weight[8][kLanes];
    const int32_t* level;
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
      is_checked_(!texture.format().fixed_point && !sampler.compare_enable) {
    locate();
    choose();
}

void LaneFilter::locate() {
    const pipe::raster::TextureShape& shape = texture_.view().shape;
    // Lanes that do not run have undefined values.
    const U32 used = call_.lanes == kAllLanes ? ~U32{} : wave::mask_of(call_.lanes);
    for (unsigned c = 0; c < 3; ++c)
        position_[c] = wave::select(used, call_.coord[c], F32{});
    if (shape.kind == pipe::ResourceKind::Tex2DArray)
        for (uint32_t lanes = call_.lanes; lanes; lanes &= lanes - 1) {
            const auto n = unsigned(std::countr_zero(lanes));
            z_[n] = pipe::raster::nearest_layer(call_.layer[n], shape.layers);
        }
    if (texture_.view().is_cube()) locate_cube();
    // Sizes are at most 2^16, so products are less than 2^30.
    const F32 limit = F32{} + 0x1p14f;
    U32 fits = ~U32{};
    for (unsigned c = 0; c < dimensions_; ++c)
        fits &= U32((position_[c] < limit) & (position_[c] > -limit));
    if (are_all(fits, kAllLanes)) return;
    left_ = ~wave::bits_of(fits) & call_.lanes;
    for (F32& p : position_)
        p = wave::select(fits, p, F32{});
}

void LaneFilter::locate_cube() {
    const pipe::raster::TextureShape& shape = texture_.view().shape;
    const bool is_array = shape.kind == pipe::ResourceKind::CubeArray;
    for (uint32_t lanes = call_.lanes; lanes; lanes &= lanes - 1) {
        const auto n = unsigned(std::countr_zero(lanes));
        const float direction[3] = {call_.coord[0][n], call_.coord[1][n], call_.coord[2][n]};
        const pipe::raster::CubeCoord at = pipe::raster::project_cube(direction);
        position_[0][n] = at.s;
        position_[1][n] = at.t;
        z_[n] = int32_t(at.face);
        if (is_array) z_[n] += 6 * pipe::raster::nearest_layer(call_.layer[n], shape.layers / 6);
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
    if (!is_sign || call_.lod_source != LodSource::Quad || view.is_cube() ||
        !are_all(U32(call_.lod == 0), call_.lanes))
        return false;
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
    if (choose_by_filter()) return;
    const uint32_t last = texture_.view().shape.last_level - texture_.view().shape.first_level;
    // A quad shares its level, unless the lanes have biases of their own, or cubes' directions.
    const bool is_shared = call_.lod_source == LodSource::Quad && !texture_.view().is_cube() &&
                           are_all(U32(call_.lod == 0), call_.lanes);
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

// The texels for integer coordinates; -1: the border.
I32 LaneFilter::wrap(pipe::Wrap mode, I32 i, I32 size, uint32_t lanes) const {
    const auto is_inside = U32(U32(i) < U32(size));
    if (are_all(is_inside, lanes)) return i;
    switch (mode) {
        case pipe::Wrap::ClampToEdge:
            return I32(wave::select(is_inside, U32(i), U32(I32(i >= 0) & (size - 1))));
        case pipe::Wrap::ClampToBorder:
            return i | I32(~is_inside);
        case pipe::Wrap::Repeat:
            if (are_all(U32((size & (size - 1)) == 0), lanes)) return i & (size - 1);
            break;
        case pipe::Wrap::MirroredRepeat:
        case pipe::Wrap::MirrorClampToEdge:
            break;
    }
    for (uint32_t rest = lanes & ~wave::bits_of(is_inside); rest; rest &= rest - 1) {
        const auto n = unsigned(std::countr_zero(rest));
        i[n] = pipe::raster::wrap_texel(mode, i[n], size[n]);
    }
    return i;
}

const uint32_t* LaneFilter::texel(uint32_t level, int32_t x, int32_t y, int32_t z) {
    if ((x | y | z) < 0) return sampler_.border.bits.data();
    return texture_.texel(memory_, {level, uint32_t(z), 0}, uint32_t(x), uint32_t(y), why_);
}

LaneFilter::Vector4 LaneFilter::value(const uint32_t* texel, unsigned lane) const {
    Vector4 v;
    std::memcpy(&v, texel, sizeof v);
    if (!sampler_.compare_enable) return v;
    float reference = call_.reference[lane];
    if (texture_.format().fixed_point) reference = reference > 0 ? std::min(reference, 1.0f) : 0.0f;
    return Vector4{pipe::raster::compare(sampler_.compare, reference, v[0]) ? 1.0f : 0.0f, 0, 0, 1};
}

// The place of a coordinate in the lanes' levels, in texels.
LaneFilter::Axis LaneFilter::axis(unsigned c, const int32_t level[kLanes], bool is_uniform) const {
    const pipe::raster::TextureShape& shape = texture_.view().shape;
    const uint32_t size = c == 0 ? shape.width : c == 1 ? shape.height : shape.depth;
    const pipe::Wrap mode = c == 0 ? sampler_.wrap_s : c == 1 ? sampler_.wrap_t : sampler_.wrap_r;
    Axis a{mode, level_sizes(size, level, is_uniform), {}};
    a.at = __builtin_convertvector(position_[c], F64) * __builtin_convertvector(a.size, F64);
    if (call_.has_offset) a.at += __builtin_convertvector(call_.offset[c], F64);
    return a;
}

void LaneFilter::sample_nearest(const int32_t level[kLanes], uint32_t lanes, float (*result)[4]) {
    alignas(64) int32_t at[3][kLanes];
    std::memcpy(at[2], z_, sizeof z_);
    const bool is_uniform = is_uniform_level(level);
    for (unsigned c = 0; c < dimensions_; ++c) {
        const Axis a = axis(c, level, is_uniform);
        const pipe::Wrap mode = is_seamless_ ? pipe::Wrap::ClampToEdge : a.wrap;
        store(wrap(mode, split(a.at).whole, a.size, lanes), at[c]);
    }
    for (; lanes; lanes &= lanes - 1) {
        const auto n = unsigned(std::countr_zero(lanes));
        const uint32_t* const p = texel(uint32_t(level[n]), at[0][n], at[1][n], at[2][n]);
        if (!p) {
            left_ |= 1u << n;
            continue;
        }
        if (!sampler_.compare_enable) {
            std::memcpy(result[n], p, 4 * sizeof(float));
        } else {
            const Vector4 v = value(p, n);
            store(v, result[n]);
        }
    }
}

template <bool kIsChecked>
bool LaneFilter::sum_taps(const Taps& taps, unsigned n, float out[4]) {
    const auto level = uint32_t(taps.level[n]);
    const int32_t x0 = taps.x[0][n], x1 = taps.x[1][n], y0 = taps.y[0][n], y1 = taps.y[1][n];
    Vector4 sum{};
    for (unsigned k = 0; k < (dimensions_ == 3 ? 2u : 1u); ++k) {
        const int32_t z = taps.z[k][n];
        const auto add = [&](unsigned i, const uint32_t* p) {
            const float weight = taps.weight[4 * k + i][n];
            if (!kIsChecked || weight != 0) sum += weight * value(p, n);
        };
        constexpr int32_t kInBlock = int32_t(kTexelBlock_px) - 1;
        // Neighbours are mostly in one block, and none is the border.
        if ((x0 | x1 | y0 | y1 | z) >= 0 && (((x0 ^ x1) | (y0 ^ y1)) & ~kInBlock) == 0) {
            const TexelBlock* const block =
                texture_.block(memory_, {level, uint32_t(z), 0}, uint32_t(x0) / kTexelBlock_px,
                               uint32_t(y0) / kTexelBlock_px, why_);
            if (!block) return false;
            const auto* const top = block->texel + (y0 & kInBlock) * int32_t(kTexelBlock_px);
            const auto* const bottom = block->texel + (y1 & kInBlock) * int32_t(kTexelBlock_px);
            add(0, top[x0 & kInBlock]);
            add(1, top[x1 & kInBlock]);
            add(2, bottom[x0 & kInBlock]);
            add(3, bottom[x1 & kInBlock]);
            continue;
        }
        for (unsigned i = 0; i < 4; ++i) {
            if (kIsChecked && taps.weight[4 * k + i][n] == 0) continue;
            const uint32_t* const p = texel(level, i & 1 ? x1 : x0, i & 2 ? y1 : y0, z);
            if (!p) return false;
            add(i, p);
        }
    }
    std::memcpy(out, &sum, sizeof sum);
    return true;
}

void LaneFilter::sample_linear(const int32_t level[kLanes], uint32_t lanes, float (*result)[4]) {
    Taps taps;
    taps.level = level;
    int32_t(*const at[3])[kLanes] = {taps.x, taps.y, taps.z};
    std::memcpy(taps.z[0], z_, sizeof z_);
    F32 weight[3][2];
    weight[2][0] = F32{} + 1;
    const bool is_uniform = is_uniform_level(level);
    for (unsigned c = 0; c < dimensions_; ++c) {
        const Axis a = axis(c, level, is_uniform);
        const Split s = split(a.at - 0.5);
        weight[c][0] = 1 - s.fraction;
        weight[c][1] = s.fraction;
        if (is_seamless_) {  // neighbours on other faces are left
            const U32 is_inside = U32(U32(s.whole) < U32(a.size)) & U32(U32(s.whole + 1) < U32(a.size));
            const uint32_t outside = lanes & ~wave::bits_of(is_inside);
            left_ |= outside;
            lanes &= ~outside;
        }
        store(wrap(a.wrap, s.whole, a.size, lanes), at[c][0]);
        store(wrap(a.wrap, s.whole + 1, a.size, lanes), at[c][1]);
    }
    for (unsigned i = 0; i < (dimensions_ == 3 ? 8 : 4); ++i)
        store(weight[0][i & 1] * weight[1][i >> 1 & 1] * weight[2][i >> 2], taps.weight[i]);
    for (; lanes; lanes &= lanes - 1) {
        const auto n = unsigned(std::countr_zero(lanes));
        if (!(is_checked_ ? sum_taps<true>(taps, n, result[n]) : sum_taps<false>(taps, n, result[n])))
            left_ |= 1u << n;
    }
}

void LaneFilter::sample_level(unsigned which, uint32_t lanes) {
    if (lanes & ~linear_) sample_nearest(level_[which], lanes & ~linear_, result_[which]);
    if (lanes & linear_) sample_linear(level_[which], lanes & linear_, result_[which]);
}

uint32_t LaneFilter::run(U32 out[4]) {
    const uint32_t lanes = call_.lanes & ~left_;
    if (lanes != kAllLanes) std::memset(result_, 0, sizeof result_);
    sample_level(0, lanes);
    const uint32_t mixed = mixed_ & lanes & ~left_;
    if (mixed) sample_level(1, mixed);
    const U32 mask = wave::mask_of(mixed);
    for (unsigned c = 0; c < 4; ++c) {
        alignas(64) float v[2][kLanes];
        for (unsigned which = 0; which < (mixed ? 2 : 1); ++which)
            for (unsigned n = 0; n < kLanes; ++n)
                v[which][n] = result_[which][n][c];
        std::memcpy(&out[c], v[0], sizeof v[0]);
        if (!mixed) continue;
        F32 first, second, fraction;
        std::memcpy(&first, v[0], sizeof v[0]);
        std::memcpy(&second, v[1], sizeof v[1]);
        std::memcpy(&fraction, fraction_, sizeof fraction_);
        out[c] = wave::as_bits(wave::select(mask, first * (1 - fraction) + second * fraction, first));
    }
    return left_;
}

}  // namespace terrazzo::units
