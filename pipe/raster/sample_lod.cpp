// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Level of detail, choice of levels, wrapping and cube faces. Source: OpenGL ES 3.2 sections 8.13 and 8.14;
// EXT_texture_filter_anisotropic for the shape of anisotropic footprints.
#include <algorithm>
#include <cmath>

#include "pipe/raster/sample.h"

namespace terrazzo::pipe::raster {

int32_t wrap_texel(Wrap wrap, int64_t i, int32_t size) {
    const auto modulo = [](int64_t a, int64_t n) { return (a % n + n) % n; };
    switch (wrap) {
        case Wrap::Repeat:
            return int32_t(modulo(i, size));
        case Wrap::ClampToEdge:
            return int32_t(std::clamp<int64_t>(i, 0, size - 1));
        case Wrap::MirroredRepeat: {
            const int64_t m = modulo(i, 2 * int64_t(size)) - size;
            return int32_t(size - 1 - (m >= 0 ? m : -(1 + m)));
        }
        case Wrap::MirrorClampToEdge:
            return int32_t(std::min<int64_t>(i < 0 ? -1 - i : i, size - 1));
        case Wrap::ClampToBorder:
            return i >= 0 && i < size ? int32_t(i) : -1;
    }
    return 0;
}

int32_t nearest_layer(float layer, uint32_t count) {
    if (!(layer > 0)) return 0;
    const float rounded = std::floor(layer + 0.5f);
    return rounded >= float(count) ? int32_t(count) - 1 : int32_t(rounded);
}

Footprint measure_footprint(const float ddx[3], const float ddy[3], float max_anisotropy) {
    const double px = std::sqrt(double(ddx[0]) * ddx[0] + double(ddx[1]) * ddx[1] + double(ddx[2]) * ddx[2]);
    const double py = std::sqrt(double(ddy[0]) * ddy[0] + double(ddy[1]) * ddy[1] + double(ddy[2]) * ddy[2]);
    Footprint f;
    f.major = py > px ? 1 : 0;
    const double longest = std::max(px, py), shortest = std::min(px, py);
    double scale = longest;
    if (max_anisotropy > 1.0f && longest > 0) {
        const double ratio = shortest > 0 ? longest / shortest : double(max_anisotropy);
        constexpr double kMost = 16;
        const double most = std::min(std::floor(double(max_anisotropy)), kMost);
        // Both may be infinite, and the ratio a NaN: one sample.
        f.samples = ratio > 1 ? uint32_t(std::min(std::ceil(ratio), most)) : 1;
        scale = longest / f.samples;
    }
    f.lambda = scale > 0 ? float(std::log2(scale)) : -1000.0f;  // no change at all: the largest magnification
    if (!std::isfinite(scale)) f.lambda = scale > 0 ? 1000.0f : 0.0f;
    return f;
}

LevelChoice choose_levels(const SamplerDesc& sampler, float lambda, uint32_t last, bool late_magnify) {
    LevelChoice choice;
    const bool late = late_magnify && sampler.mag == Filter::Linear && sampler.min == Filter::Nearest &&
                      sampler.mip != MipFilter::None;
    if (!(lambda > (late ? 0.5f : 0.0f))) {
        choice.filter = sampler.mag;
        return choice;
    }
    choice.filter = sampler.min;
    switch (sampler.mip) {
        case MipFilter::None:
            break;
        case MipFilter::Nearest:
            if (lambda > 0.5f) {
                const float level = std::ceil(lambda + 0.5f) - 1.0f;
                choice.level0 = choice.level1 = level >= float(last) ? last : uint32_t(level);
            }
            break;
        case MipFilter::Linear:
            if (lambda >= float(last)) {
                choice.level0 = choice.level1 = last;
            } else {
                choice.level0 = uint32_t(lambda);
                choice.level1 = choice.level0 + 1;
                choice.fraction = lambda - float(choice.level0);
            }
            break;
    }
    return choice;
}

namespace {

// A row of table 8.19: the components and signs of s_c, t_c and m_a.
struct FaceAxes {
    int s, t, m;
    float s_sign, t_sign, m_sign;
};
constexpr FaceAxes kFaces[6] = {
    {2, 1, 0, -1, -1, 1}, {2, 1, 0, 1, -1, -1}, {0, 2, 1, 1, 1, 1},
    {0, 2, 1, 1, -1, -1}, {0, 1, 2, 1, -1, 1},  {0, 1, 2, -1, -1, -1},
};

}  // namespace

CubeCoord project_cube(const float d[3]) {
    const float ax = std::abs(d[0]), ay = std::abs(d[1]), az = std::abs(d[2]);
    CubeCoord c;
    if (ax >= ay && ax >= az)
        c.face = std::signbit(d[0]) ? 1 : 0;
    else if (ay >= az)
        c.face = std::signbit(d[1]) ? 3 : 2;
    else
        c.face = std::signbit(d[2]) ? 5 : 4;
    const FaceAxes& f = kFaces[c.face];
    const float m = std::abs(d[f.m]);
    if (!(m > 0)) {  // the zero vector or NaN: undefined; here the centre of the face
        c.s = c.t = 0.5f;
        return c;
    }
    c.s = 0.5f * (f.s_sign * d[f.s] / m + 1.0f);
    c.t = 0.5f * (f.t_sign * d[f.t] / m + 1.0f);
    return c;
}

void project_cube_derivative(const float d[3], uint32_t face, const float derivative[3], float st[2]) {
    const FaceAxes& f = kFaces[face];
    const double m = f.m_sign * double(d[f.m]), dm = f.m_sign * double(derivative[f.m]);
    const double s = f.s_sign * double(d[f.s]), ds = f.s_sign * double(derivative[f.s]);
    const double t = f.t_sign * double(d[f.t]), dt = f.t_sign * double(derivative[f.t]);
    if (!(m > 0)) {
        st[0] = st[1] = 0;
        return;
    }
    st[0] = float(0.5 * (ds * m - s * dm) / (m * m));
    st[1] = float(0.5 * (dt * m - t * dm) / (m * m));
}

}  // namespace terrazzo::pipe::raster
