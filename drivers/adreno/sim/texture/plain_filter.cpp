// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/texture/plain_filter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace terrazzo::adreno::sim {

using wave::U32;

namespace {

// Clamps to +-1e15, which is far outside of any texture; NaN is 0.
int64_t floor_of(double v) {
    if (!(v > -1e15)) return v <= -1e15 ? -int64_t(1e15) : 0;
    return v > 1e15 ? int64_t(1e15) : int64_t(std::floor(v));
}
float fraction_of(double v) {
    const double f = v - std::floor(v);
    return f >= 0 && f < 1 ? float(f) : 0.0f;
}

// The largest integer that is not above the value, and the fraction; 0 if that would round to 1.
struct Split {
    int64_t whole;
    float fraction;
};
inline Split split(double v) {
    if (!(std::fabs(v) < 0x1p31)) return {floor_of(v), fraction_of(v)};
    // Without the C library's floor(): the basic instruction sets of hosts have no such instruction.
    const auto cut = int32_t(v);
    const int64_t whole = int64_t(cut) - (double(cut) > v);
    const double f = v - double(whole);
    return {whole, f < 1 ? float(f) : 0.0f};
}

inline uint32_t wrapped(pipe::Wrap wrap, int64_t i, uint32_t size) {
    if (uint64_t(i) < size) return uint32_t(i);
    if (size == 1) return 0;  // there is only one texel
    if (wrap == pipe::Wrap::Repeat && std::has_single_bit(size)) return uint32_t(i) & (size - 1);
    if (wrap == pipe::Wrap::ClampToEdge) return i < 0 ? 0 : size - 1;
    return uint32_t(pipe::raster::wrap_texel(wrap, i, int32_t(size)));
}

// For sixteen lanes, each between -2^31 and 2^31.
struct Splits {
    alignas(64) int32_t whole[wave::kLanes];
    alignas(64) float fraction[wave::kLanes];
};
using F64 = wave::Lanes<double>;
// Splits coordinate * size - below.
Splits split(wave::F32 coordinate, uint32_t size, double below) {
    const F64 v = __builtin_convertvector(coordinate, F64) * double(size) - below;
    const wave::I32 cut = __builtin_convertvector(v, wave::I32);
    const F64 back = __builtin_convertvector(cut, F64);
    const wave::I64 is_above = wave::I64(back > v);  // -1
    const wave::I32 whole = cut + __builtin_convertvector(is_above, wave::I32);
    const F64 f = v - __builtin_convertvector(whole, F64);
    const auto is_less = U32(__builtin_convertvector(wave::I64(f < 1), wave::I32));
    const wave::F32 fraction = wave::as_float(wave::as_bits(__builtin_convertvector(f, wave::F32)) & is_less);
    Splits out;
    std::memcpy(out.whole, &whole, sizeof whole);
    std::memcpy(out.fraction, &fraction, sizeof fraction);
    return out;
}

// Four floats of a texel, or of a result.
using Vector4 [[gnu::vector_size(16)]] = float;

// Whether the scale of measure_footprint() is above 1. kRootIs1 is the largest number whose square root
// rounds to at most 1.
bool is_minified(const float dx[3], const float dy[3]) {
    constexpr double kRootIs1 = 1 + std::numeric_limits<double>::epsilon();
    const double x = double(dx[0]) * dx[0] + double(dx[1]) * dx[1];
    const double y = double(dy[0]) * dy[0] + double(dy[1]) * dy[1];
    return std::max(x, y) > kRootIs1;
}

}  // namespace

PlainFilter::PlainFilter(TextureState& texture, const pipe::SamplerDesc& sampler, window::Window& memory,
                         std::string* why)
    : texture_(texture), sampler_(sampler), memory_(memory), why_(why) {
    const uint32_t last = texture.view().shape.last_level;
    is_single_ = last == 0 || sampler.mip == pipe::MipFilter::None;
    if (!is_single_) return;
    for (unsigned n = 0; n < 2; ++n)
        single_[n] = pipe::raster::choose_levels(sampler, n ? 1.0f : 0.0f, last, false);
    // Nothing is added to lambda, and no clamp changes its sign.
    is_sign_of_scale_ = sampler.lod_bias == 0 && sampler.min_lod <= 0 && sampler.max_lod > 0;
}

bool PlainFilter::fits(const TextureState& texture, const pipe::SamplerDesc& sampler) {
    return texture.view().shape.kind == pipe::ResourceKind::Tex2D &&
           texture.view().kind == units::NumberKind::Float && sampler.max_anisotropy <= 1 &&
           !sampler.compare_enable && sampler.wrap_s != pipe::Wrap::ClampToBorder &&
           sampler.wrap_t != pipe::Wrap::ClampToBorder;
}

pipe::raster::LevelChoice PlainFilter::choose(float lod) const {
    float lambda = lod + sampler_.lod_bias;
    lambda = lambda > sampler_.min_lod ? lambda : sampler_.min_lod;
    lambda = lambda < sampler_.max_lod ? lambda : sampler_.max_lod;
    return pipe::raster::choose_levels(sampler_, lambda, texture_.view().shape.last_level, false);
}

pipe::raster::LevelChoice PlainFilter::choose(const float ddx[2], const float ddy[2], float bias) const {
    const auto w = float(texture_.view().shape.width), h = float(texture_.view().shape.height);
    const float dx[3] = {ddx[0] * w, ddx[1] * h, 0}, dy[3] = {ddy[0] * w, ddy[1] * h, 0};
    if (is_single_ && single_[0].filter == single_[1].filter) return single_[0];
    if (is_single_ && is_sign_of_scale_ && bias == 0) return single_[is_minified(dx, dy)];
    return choose(pipe::raster::measure_footprint(dx, dy, 1).lambda + bias);
}

const uint32_t* PlainFilter::texel(uint32_t level, uint32_t x, uint32_t y) {
    RecentBlock& recent = recent_[level & 1];
    const uint32_t bx = x / units::kTexelBlock_px, by = y / units::kTexelBlock_px;
    if (!recent.block || recent.level != level || recent.bx != bx || recent.by != by)
        recent = {texture_.block(memory_, level, bx, by, 0, 0, why_), level, bx, by};
    return recent.block ? recent.block->at(x, y) : nullptr;
}

bool PlainFilter::sample_level(pipe::Filter filter, uint32_t level, float s, float t, float out[4]) {
    const pipe::raster::TextureShape& shape = texture_.view().shape;
    const uint32_t w = std::max(1u, shape.width >> level), h = std::max(1u, shape.height >> level);
    const double u = double(s) * w, v = double(t) * h;
    if (filter == pipe::Filter::Nearest) {
        const uint32_t* p = texel(level, wrapped(sampler_.wrap_s, split(u).whole, w),
                                  wrapped(sampler_.wrap_t, split(v).whole, h));
        if (p) std::memcpy(out, p, 4 * sizeof(float));
        return p != nullptr;
    }
    const Split i = split(u - 0.5), j = split(v - 0.5);
    const float a = i.fraction, b = j.fraction;
    const uint32_t x[2] = {wrapped(sampler_.wrap_s, i.whole, w), wrapped(sampler_.wrap_s, i.whole + 1, w)};
    const uint32_t y[2] = {wrapped(sampler_.wrap_t, j.whole, h), wrapped(sampler_.wrap_t, j.whole + 1, h)};
    Vector4 sum{};
    for (unsigned n = 0; n < 4; ++n) {
        const float weight = (n & 1 ? a : 1 - a) * (n & 2 ? b : 1 - b);
        if (weight == 0) continue;  // an infinite texel of weight 0 must not affect the sum
        const uint32_t* p = texel(level, x[n & 1], y[n >> 1]);
        if (!p) return false;
        Vector4 value;
        std::memcpy(&value, p, sizeof value);
        sum += weight * value;
    }
    std::memcpy(out, &sum, sizeof sum);
    return true;
}

bool PlainFilter::sample(const pipe::raster::LevelChoice& choice, float s, float t, float out[4]) {
    if (!sample_level(choice.filter, choice.level0, s, t, out)) return false;
    if (choice.level1 == choice.level0 || choice.fraction == 0) return true;
    float other[4];
    if (!sample_level(choice.filter, choice.level1, s, t, other)) return false;
    for (unsigned c = 0; c < 4; ++c)
        out[c] = out[c] * (1 - choice.fraction) + other[c] * choice.fraction;
    return true;
}

namespace {

// Adds one neighbour with its weight to the sums of sixteen lanes.
void add_weighted(wave::F32 weight, const uint32_t texel[4], wave::F32 sum[4]) {
    for (unsigned c = 0; c < 4; ++c)
        sum[c] += weight * std::bit_cast<float>(texel[c]);
}

bool are_all(U32 mask) {
    uint64_t word[sizeof mask / 8], all = ~uint64_t(0);
    std::memcpy(word, &mask, sizeof mask);
    for (const uint64_t w : word)
        all &= w;
    return all == ~uint64_t(0);
}

// The fraction of split(coordinate, 1, 0.5), for coordinates between -2^30 and 2^30. `inside`: all lanes are
// at least 0 and less than 1.
wave::F32 fraction_of_single(wave::F32 coordinate, bool inside) {
    if (inside) {
        // Bit-identical to the other path: the difference is exact, and the sum is rounded once. In binary64
        // the sum is exact, except for numbers below 2^-29, which round to one half in both cases.
        const auto is_upper = U32(coordinate >= 0.5f);
        return coordinate + wave::select(is_upper, wave::F32{} - 0.5f, wave::F32{} + 0.5f);
    }
    const Splits parts = split(coordinate, 1, 0.5);
    wave::F32 out;
    std::memcpy(&out, parts.fraction, sizeof out);
    return out;
}

}  // namespace

// Samples level 0, which has one texel. False: not done, because the texel is infinite, so that weights of 0
// matter, or because coordinates are too large for 32-bit integers.
bool PlainFilter::sample_single_texel(pipe::Filter filter, wave::F32 s, wave::F32 t, wave::F32 out[4]) {
    const uint32_t* const p = texel(0, 0, 0);
    if (!p) return false;
    for (unsigned c = 0; c < 4; ++c) {
        if (!std::isfinite(std::bit_cast<float>(p[c]))) return false;
        out[c] = wave::F32{} + (filter == pipe::Filter::Nearest ? std::bit_cast<float>(p[c]) : 0.0f);
    }
    if (filter == pipe::Filter::Nearest) return true;
    const bool inside = are_all(U32((s >= 0) & (s < 1) & (t >= 0) & (t < 1)));
    const wave::F32 limit = wave::F32{} + 0x1p30f;
    if (!inside && !are_all(U32((s < limit) & (s > -limit) & (t < limit) & (t > -limit)))) return false;
    const wave::F32 a = fraction_of_single(s, inside), b = fraction_of_single(t, inside);
    add_weighted((1 - a) * (1 - b), p, out);
    add_weighted(a * (1 - b), p, out);
    add_weighted((1 - a) * b, p, out);
    add_weighted(a * b, p, out);
    return true;
}

bool PlainFilter::sample_lanes(const pipe::raster::LevelChoice& choice, wave::F32 s, wave::F32 t,
                               uint32_t lanes, wave::F32 out[4]) {
    alignas(64) float coordinate[2][wave::kLanes], result[4][wave::kLanes] = {};
    std::memcpy(coordinate[0], &s, sizeof s);
    std::memcpy(coordinate[1], &t, sizeof t);
    for (; lanes; lanes &= lanes - 1) {
        const auto n = unsigned(std::countr_zero(lanes));
        float v[4];
        if (!sample(choice, coordinate[0][n], coordinate[1][n], v)) return false;
        for (unsigned c = 0; c < 4; ++c)
            result[c][n] = v[c];
    }
    std::memcpy(out, result, sizeof result);
    return true;
}

bool PlainFilter::sample(const pipe::raster::LevelChoice& choice, wave::F32 s, wave::F32 t, uint32_t lanes,
                         wave::F32 out[4]) {
    const pipe::raster::TextureShape& shape = texture_.view().shape;
    if (shape.width == 1 && shape.height == 1) {
        // Lanes that do not run have undefined values.
        const bool all = lanes == 0xffff;
        const U32 used = all ? ~U32{} : wave::mask_of(lanes);
        const wave::F32 safe_s = all ? s : wave::select(used, s, wave::F32{}),
                        safe_t = all ? t : wave::select(used, t, wave::F32{});
        if (sample_single_texel(choice.filter, safe_s, safe_t, out)) return true;
    }
    return sample_lanes(choice, s, t, lanes, out);
}

}  // namespace terrazzo::adreno::sim
