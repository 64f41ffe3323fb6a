// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/texture/plain_filter.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace terrazzo::adreno::sim {

namespace {

// What is further out is as far away as any; NaN is 0.
int64_t floor_of(double v) {
    if (!(v > -1e15)) return v <= -1e15 ? -int64_t(1e15) : 0;
    return v > 1e15 ? int64_t(1e15) : int64_t(std::floor(v));
}
float fraction_of(double v) {
    const double f = v - std::floor(v);
    return f >= 0 && f < 1 ? float(f) : 0.0f;
}

uint32_t wrapped(pipe::Wrap wrap, int64_t i, uint32_t size) {
    if (uint64_t(i) < size) return uint32_t(i);
    return uint32_t(pipe::raster::wrap_texel(wrap, i, int32_t(size)));
}

}  // namespace

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
    return choose(pipe::raster::measure_footprint(dx, dy, 1).lambda + bias);
}

bool PlainFilter::sample_level(pipe::Filter filter, uint32_t level, float s, float t, float out[4]) {
    const pipe::raster::TextureShape& shape = texture_.view().shape;
    const uint32_t w = std::max(1u, shape.width >> level), h = std::max(1u, shape.height >> level);
    const double u = double(s) * w, v = double(t) * h;
    const auto texel = [&](uint32_t x, uint32_t y) {
        return texture_.texel(memory_, level, x, y, 0, 0, why_);
    };
    if (filter == pipe::Filter::Nearest) {
        const uint32_t* p =
            texel(wrapped(sampler_.wrap_s, floor_of(u), w), wrapped(sampler_.wrap_t, floor_of(v), h));
        for (unsigned c = 0; p && c < 4; ++c)
            out[c] = std::bit_cast<float>(p[c]);
        return p != nullptr;
    }
    const int64_t i = floor_of(u - 0.5), j = floor_of(v - 0.5);
    const float a = fraction_of(u - 0.5), b = fraction_of(v - 0.5);
    const uint32_t x[2] = {wrapped(sampler_.wrap_s, i, w), wrapped(sampler_.wrap_s, i + 1, w)};
    const uint32_t y[2] = {wrapped(sampler_.wrap_t, j, h), wrapped(sampler_.wrap_t, j + 1, h)};
    std::fill_n(out, 4, 0.0f);
    for (unsigned n = 0; n < 4; ++n) {
        const float weight = (n & 1 ? a : 1 - a) * (n & 2 ? b : 1 - b);
        if (weight == 0) continue;  // so that an infinite neighbour does no harm
        const uint32_t* p = texel(x[n & 1], y[n >> 1]);
        if (!p) return false;
        for (unsigned c = 0; c < 4; ++c)
            out[c] += weight * std::bit_cast<float>(p[c]);
    }
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

}  // namespace terrazzo::adreno::sim
