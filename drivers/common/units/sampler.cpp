// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/sampler.h"

#include <bit>

#include "drivers/common/units/filter.h"
#include "drivers/common/units/four_lanes.h"

namespace terrazzo::units {

namespace {

using pipe::raster::SampleArgs;
using wave::F32;
using wave::U32;

float number_of(uint32_t bits, NumberKind kind) {
    switch (kind) {
        case NumberKind::Float:
            break;
        case NumberKind::Uint:
            return float(bits);
        case NumberKind::Sint:
            return float(int32_t(bits));
    }
    return std::bit_cast<float>(bits);
}

// Fetches texels for pipe/raster's sampler, which computes in binary32. Wide integers are sampled in two
// halves, which binary32 represents exactly.
struct Fetch {
    Texture& texture;
    window::Window& memory;
    std::string* why;
    NumberKind kind;
    bool is_half;
    unsigned shift = 0;
    bool failed = false;

    float number(uint32_t bits) const { return number_of(is_half ? bits >> shift & 0xffff : bits, kind); }
    static void texel(void* data, uint32_t level, int32_t x, int32_t y, int32_t z, float out[4]) {
        Fetch& f = *static_cast<Fetch*>(data);
        const uint32_t* const v =
            f.failed ? nullptr
                     : f.texture.texel(f.memory, {level, uint32_t(z), 0}, uint32_t(x), uint32_t(y), f.why);
        f.failed = !v;
        for (unsigned c = 0; c < 4; ++c)
            out[c] = v ? f.number(v[c]) : 0.0f;
    }
};

SampleArgs args_of(const Texture& texture, const SampleLanes& call, unsigned lane) {
    SampleArgs a;
    const bool is_level = call.lod_source == LodSource::Level;
    a.lod_mode = is_level ? pipe::raster::LodMode::Explicit : pipe::raster::LodMode::Derivatives;
    (is_level ? a.lod : a.bias) = call.lod[lane];
    for (unsigned c = 0; c < 3; ++c) {
        a.coord[c] = call.coord[c][lane];
        if (!is_level) a.ddx[c] = call.ddx[c][lane], a.ddy[c] = call.ddy[c][lane];
        if (call.has_offset) a.offset[c] = call.offset[c][lane];
    }
    const pipe::ResourceKind kind = texture.view().shape.kind;
    if (kind == pipe::ResourceKind::Tex2DArray) a.coord[2] = call.layer[lane];
    if (kind == pipe::ResourceKind::CubeArray) a.coord[3] = call.layer[lane];
    a.reference = call.reference[lane];
    a.clamp_reference = texture.format().fixed_point;
    a.late_magnify = call.late_magnify;
    return a;
}

// The lanes with a bit in `lanes`; others of `out` are not changed.
bool sample_lanes(Texture& texture, const pipe::SamplerDesc& sampler, const SampleLanes& call, uint32_t lanes,
                  window::Window& memory, U32 out[4], std::string* why) {
    const bool is_wide = texture.format().wide_integer;
    const NumberKind kind = is_wide ? NumberKind::Uint : texture.kind();
    Fetch fetch{texture, memory, why, kind, is_wide};
    pipe::SamplerDesc desc = sampler;
    for (; lanes; lanes &= lanes - 1) {
        const auto lane = unsigned(std::countr_zero(lanes));
        const SampleArgs args = args_of(texture, call, lane);
        uint32_t bits[4] = {};
        for (fetch.shift = 0; fetch.shift < (is_wide ? 32 : 16); fetch.shift += 16) {
            for (unsigned c = 0; c < 4; ++c)
                desc.border.bits[c] = std::bit_cast<uint32_t>(fetch.number(sampler.border.bits[c]));
            float v[4];
            if (call.gathers)
                pipe::raster::gather(desc, texture.view().shape, Fetch::texel, &fetch, args, call.component,
                                     v);
            else
                pipe::raster::sample(desc, texture.view().shape, Fetch::texel, &fetch, args, v);
            if (fetch.failed) return false;
            for (unsigned c = 0; c < 4; ++c)
                bits[c] |= kind == NumberKind::Float ? std::bit_cast<uint32_t>(v[c])
                                                     : uint32_t(int64_t(v[c])) << fetch.shift;
        }
        for (unsigned c = 0; c < 4; ++c)
            out[c][lane] = bits[c];
    }
    return true;
}

// The difference from `from` to `to`, both projected to the face of `from`.
void cube_delta(uint32_t face, const float from[3], const float to[3], float delta[3]) {
    const unsigned axis = face / 2;
    const float along = to[axis] * from[axis];
    const float scale = along > 0 ? 1 / along : 1;
    for (unsigned i = 0; i < 3; ++i)
        delta[i] = to[i] * scale - from[i];
}

}  // namespace

bool sample_each(Texture& texture, const pipe::SamplerDesc& sampler, const SampleLanes& call,
                 window::Window& memory, U32 out[4], std::string* why) {
    return sample_lanes(texture, sampler, call, call.lanes, memory, out, why);
}

bool sample(Texture& texture, const pipe::SamplerDesc& sampler, const SampleLanes& call,
            window::Window& memory, U32 out[4], std::string* why) {
    uint32_t left = call.lanes;
    if (LaneFilter::fits(texture, sampler, call)) {
        LaneFilter filter(texture, sampler, call, memory, why);
        left = filter.run(out);
    }
    return left == 0 || sample_lanes(texture, sampler, call, left, memory, out, why);
}

void find_scale(const TextureView& view, bool is_normalized, float scale[3]) {
    const float size[3] = {float(view.shape.width), float(view.shape.height), float(view.shape.depth)};
    for (unsigned c = 0; c < 3; ++c)
        scale[c] = is_normalized ? 1.0f : 1.0f / size[c];
}

void find_derivatives(F32 v, float scale, F32* ddx, F32* ddy) {
    // Works on one quad at a time: compilers shuffle vectors element by element if the host has none as wide.
    four::F4 quads[2][wave::kLanes / 4];
    for (unsigned n = 0; n < wave::kLanes; n += 4) {
        const four::F4 q = four::four_of(v, n), first = __builtin_shufflevector(q, q, 0, 0, 0, 0);
        quads[0][n / 4] = (__builtin_shufflevector(q, q, 1, 1, 1, 1) - first) * scale;
        quads[1][n / 4] = (__builtin_shufflevector(q, q, 2, 2, 2, 2) - first) * scale;
    }
    *ddx = four::load<F32>(quads[0]);
    *ddy = four::load<F32>(quads[1]);
}

void cube_direction(uint32_t face, float s, float t, float direction[3]) {
    const float sc = 2 * s - 1, tc = 2 * t - 1;
    const float rows[6][3] = {{1, -tc, -sc}, {-1, -tc, sc}, {sc, 1, tc},
                              {sc, -1, -tc}, {sc, -tc, 1},  {-sc, -tc, -1}};
    std::copy_n(rows[std::min(face, 5u)], 3, direction);
}

void find_cube_derivatives(uint32_t face, const float position[3][3], float ddx[3], float ddy[3]) {
    cube_delta(face, position[0], position[1], ddx);
    cube_delta(face, position[0], position[2], ddy);
}

float find_lambda(const TextureView& view, const float position[3], const float ddx[3], const float ddy[3],
                  float max_anisotropy) {
    float x[3] = {ddx[0], ddx[1], view.is_3d() ? ddx[2] : 0};
    float y[3] = {ddy[0], ddy[1], view.is_3d() ? ddy[2] : 0};
    if (view.is_cube()) {
        const uint32_t face = pipe::raster::project_cube(position).face;
        pipe::raster::project_cube_derivative(position, face, ddx, x);
        pipe::raster::project_cube_derivative(position, face, ddy, y);
    }
    const uint32_t level = view.shape.first_level;
    const float size[3] = {float(view.width_px(level)), float(view.height_px(level)),
                           float(view.depth_px(level))};
    for (unsigned c = 0; c < 3; ++c)
        x[c] *= size[c], y[c] *= size[c];
    return pipe::raster::measure_footprint(x, y, max_anisotropy).lambda;
}

}  // namespace terrazzo::units
