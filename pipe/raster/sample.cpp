// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Filtering. Source: OpenGL ES 3.2 sections 8.13 (cubes, seamless), 8.14.2 (filters), 8.20
// (comparison), 11.1.3.1 (gather).
#include "pipe/raster/sample.h"

#include <algorithm>
#include <cmath>

#include "pipe/raster/depth_stencil.h"

namespace terrazzo::pipe::raster {

namespace {

bool is_cube(ResourceKind kind) {
    return kind == ResourceKind::Cube || kind == ResourceKind::CubeArray;
}

struct Source {
    const SamplerDesc& sampler;
    const TextureShape& shape;
    FetchTexel fetch;
    void* data;
    const SampleArgs& args;
};

// The centre of the footprint in the selected image, in normalized coordinates.
struct Position {
    float s = 0, t = 0, r = 0;
    int32_t layer = 0;  // array layer or 6 * cube
    uint32_t face = 0;
};

int32_t level_size(uint32_t size, uint32_t level) {
    return int32_t(std::max(1u, level < 32 ? size >> level : 0));
}

int64_t floor_int(double v) {
    if (!(v > -1e15)) return v <= -1e15 ? -int64_t(1e15) : 0;  // NaN: 0
    return v > 1e15 ? int64_t(1e15) : int64_t(std::floor(v));
}

float fraction(double v) {
    const double f = v - std::floor(v);
    return f >= 0 && f < 1 ? float(f) : 0.0f;
}

void apply_compare(const Source& src, float texel[4]) {
    float reference = src.args.reference;
    if (src.args.clamp_reference) reference = reference > 0 ? std::min(reference, 1.0f) : 0.0f;
    texel[0] = compare(src.sampler.compare, reference, texel[0]) ? 1.0f : 0.0f;
    texel[1] = texel[2] = 0.0f;
    texel[3] = 1.0f;
}

// ---- One texel at integer coordinates that may be outside ----

void fetch_plain(const Source& src, uint32_t level, int64_t x, int64_t y, int64_t z, int32_t layer,
                 float out[4]) {
    const TextureShape& t = src.shape;
    const int32_t i = wrap_texel(src.sampler.wrap_s, x, level_size(t.width, level));
    const int32_t j = wrap_texel(src.sampler.wrap_t, y, level_size(t.height, level));
    const int32_t k =
        t.kind == ResourceKind::Tex3D ? wrap_texel(src.sampler.wrap_r, z, level_size(t.depth, level)) : layer;
    if (i < 0 || j < 0 || k < 0)
        for (unsigned n = 0; n < 4; ++n)
            out[n] = src.sampler.border[n];
    else
        src.fetch(src.data, level, i, j, k, out);
    if (src.sampler.compare_enable) apply_compare(src, out);
}

// The direction of a texel's centre on a face, with major axis 1. The inverse of table 8.19.
void face_direction(uint32_t face, float s, float t, float d[3]) {
    const float sc = 2 * s - 1, tc = 2 * t - 1;
    switch (face) {
        case 0:
            d[0] = 1, d[1] = -tc, d[2] = -sc;
            break;
        case 1:
            d[0] = -1, d[1] = -tc, d[2] = sc;
            break;
        case 2:
            d[0] = sc, d[1] = 1, d[2] = tc;
            break;
        case 3:
            d[0] = sc, d[1] = -1, d[2] = -tc;
            break;
        case 4:
            d[0] = sc, d[1] = -tc, d[2] = 1;
            break;
        default:
            d[0] = -sc, d[1] = -tc, d[2] = -1;
            break;
    }
}

// The texel of the adjacent cube face that touches the edge at the same place.
void fetch_neighbour(const Source& src, uint32_t level, const Position& p, int64_t x, int64_t y,
                     float out[4]) {
    const int32_t n = level_size(src.shape.width, level);
    // The point on the edge, then moved by half a texel into the adjacent face.
    const float s = x < 0 ? 0.0f : x >= n ? 1.0f : (float(x) + 0.5f) / float(n);
    const float t = y < 0 ? 0.0f : y >= n ? 1.0f : (float(y) + 0.5f) / float(n);
    float d[3];
    face_direction(p.face, s, t, d);
    d[p.face / 2] *= 1.0f - 1.0f / float(n);
    const CubeCoord c = project_cube(d);
    const int64_t i = std::clamp<int64_t>(floor_int(double(c.s) * n), 0, n - 1);
    const int64_t j = std::clamp<int64_t>(floor_int(double(c.t) * n), 0, n - 1);
    src.fetch(src.data, level, int32_t(i), int32_t(j), p.layer + int32_t(c.face), out);
    if (src.sampler.compare_enable) apply_compare(src, out);
}

void fetch_seamless(const Source& src, uint32_t level, const Position& p, int64_t x, int64_t y,
                    float out[4]) {
    const int64_t n = level_size(src.shape.width, level);
    const bool out_x = x < 0 || x >= n, out_y = y < 0 || y >= n;
    if (!out_x && !out_y) {
        src.fetch(src.data, level, int32_t(x), int32_t(y), p.layer + int32_t(p.face), out);
        if (src.sampler.compare_enable) apply_compare(src, out);
        return;
    }
    if (out_x != out_y) return fetch_neighbour(src, level, p, x, y, out);
    // Three faces meet at a corner. The missing fourth texel is the average of their texels.
    const int64_t in_x = std::clamp<int64_t>(x, 0, n - 1), in_y = std::clamp<int64_t>(y, 0, n - 1);
    float a[4], b[4], c[4];
    fetch_seamless(src, level, p, in_x, in_y, a);
    fetch_neighbour(src, level, p, x, in_y, b);
    fetch_neighbour(src, level, p, in_x, y, c);
    for (int i = 0; i < 4; ++i)
        out[i] = (a[i] + b[i] + c[i]) / 3.0f;
}

void fetch_any(const Source& src, uint32_t level, const Position& p, int64_t x, int64_t y, int64_t z,
               float out[4]) {
    if (is_cube(src.shape.kind) && src.sampler.seamless_cube) return fetch_seamless(src, level, p, x, y, out);
    fetch_plain(src, level, x, y, z, p.layer + int32_t(p.face), out);
}

// ---- Filters in one level ----

void filter_level(const Source& src, uint32_t level, Filter filter, const Position& p, float out[4]) {
    const TextureShape& shape = src.shape;
    const double u = double(p.s) * level_size(shape.width, level) + src.args.offset[0];
    const double v = double(p.t) * level_size(shape.height, level) + src.args.offset[1];
    const bool is_3d = shape.kind == ResourceKind::Tex3D;
    const double w = is_3d ? double(p.r) * level_size(shape.depth, level) + src.args.offset[2] : 0;
    if (filter == Filter::Nearest) {
        int64_t x = floor_int(u), y = floor_int(v);
        if (is_cube(shape.kind) && src.sampler.seamless_cube) {  // the last texel of the same face at s = 1
            x = std::clamp<int64_t>(x, 0, level_size(shape.width, level) - 1);
            y = std::clamp<int64_t>(y, 0, level_size(shape.height, level) - 1);
        }
        fetch_any(src, level, p, x, y, floor_int(w), out);
        return;
    }
    const int64_t i = floor_int(u - 0.5), j = floor_int(v - 0.5), k = is_3d ? floor_int(w - 0.5) : 0;
    const float a = fraction(u - 0.5), b = fraction(v - 0.5), c = is_3d ? fraction(w - 0.5) : 0.0f;
    std::fill_n(out, 4, 0.0f);
    for (int n = 0; n < (is_3d ? 8 : 4); ++n) {
        const float weight = (n & 1 ? a : 1 - a) * (n & 2 ? b : 1 - b) * (n & 4 ? c : 1 - c);
        if (weight == 0) continue;  // an infinite neighbour with weight 0 must not count
        float texel[4];
        fetch_any(src, level, p, i + (n & 1), j + (n >> 1 & 1), k + (n >> 2 & 1), texel);
        for (int x = 0; x < 4; ++x)
            out[x] += weight * texel[x];
    }
}

void filter_levels(const Source& src, const LevelChoice& choice, const Position& p, float out[4]) {
    filter_level(src, src.shape.first_level + choice.level0, choice.filter, p, out);
    if (choice.level1 == choice.level0 || choice.fraction == 0) return;
    float other[4];
    filter_level(src, src.shape.first_level + choice.level1, choice.filter, p, other);
    for (int i = 0; i < 4; ++i)
        out[i] = out[i] * (1 - choice.fraction) + other[i] * choice.fraction;
}

// ---- From arguments to positions ----

Position locate(const TextureShape& shape, const SampleArgs& args) {
    Position p;
    switch (shape.kind) {
        case ResourceKind::Buffer:
        case ResourceKind::Tex2D:
            p.s = args.coord[0], p.t = args.coord[1];
            break;
        case ResourceKind::Tex3D:
            p.s = args.coord[0], p.t = args.coord[1], p.r = args.coord[2];
            break;
        case ResourceKind::Tex2DArray:
            p.s = args.coord[0], p.t = args.coord[1];
            p.layer = nearest_layer(args.coord[2], shape.layers);
            break;
        case ResourceKind::Cube:
        case ResourceKind::CubeArray: {
            const CubeCoord c = project_cube(args.coord);
            p.s = c.s, p.t = c.t, p.face = c.face;
            if (shape.kind == ResourceKind::CubeArray)
                p.layer = 6 * nearest_layer(args.coord[3], shape.layers / 6);
            break;
        }
    }
    return p;
}

// Derivatives of the normalized position (s, t, r).
void position_derivative(const TextureShape& shape, const SampleArgs& args, const Position& p,
                         const float d[3], float out[3]) {
    out[0] = d[0], out[1] = d[1];
    out[2] = shape.kind == ResourceKind::Tex3D ? d[2] : 0.0f;
    if (is_cube(shape.kind)) project_cube_derivative(args.coord, p.face, d, out);
}

}  // namespace

void sample(const SamplerDesc& sampler, const TextureShape& shape, FetchTexel fetch, void* data,
            const SampleArgs& args, float out[4]) {
    const Source src{sampler, shape, fetch, data, args};
    const Position p = locate(shape, args);
    const uint32_t last = shape.last_level - shape.first_level;
    float dx[3] = {}, dy[3] = {};
    Footprint footprint;
    float lambda = args.lod;
    if (args.lod_mode == LodMode::Derivatives) {
        position_derivative(shape, args, p, args.ddx, dx);
        position_derivative(shape, args, p, args.ddy, dy);
        const float size[3] = {float(level_size(shape.width, shape.first_level)),
                               float(level_size(shape.height, shape.first_level)),
                               float(level_size(shape.depth, shape.first_level))};
        float tx[3], ty[3];
        for (int i = 0; i < 3; ++i)
            tx[i] = dx[i] * size[i], ty[i] = dy[i] * size[i];
        footprint = measure_footprint(tx, ty, sampler.max_anisotropy);
        lambda = footprint.lambda + args.bias;
    }
    lambda += sampler.lod_bias;
    lambda = lambda > sampler.min_lod ? lambda : sampler.min_lod;
    lambda = lambda < sampler.max_lod ? lambda : sampler.max_lod;
    const LevelChoice choice = choose_levels(sampler, lambda, last, args.late_magnify);
    if (footprint.samples == 1) return filter_levels(src, choice, p, out);
    // The samples are spread evenly along the longer axis of the footprint.
    const float* along = footprint.major ? dy : dx;
    float sum[4] = {};
    for (uint32_t i = 0; i < footprint.samples; ++i) {
        const float at = (float(i) + 0.5f) / float(footprint.samples) - 0.5f;
        Position q = p;
        q.s += at * along[0], q.t += at * along[1], q.r += at * along[2];
        float tap[4];
        filter_levels(src, choice, q, tap);
        for (int c = 0; c < 4; ++c)
            sum[c] += tap[c];
    }
    for (int c = 0; c < 4; ++c)
        out[c] = sum[c] / float(footprint.samples);
}

void gather(const SamplerDesc& sampler, const TextureShape& shape, FetchTexel fetch, void* data,
            const SampleArgs& args, unsigned component, float out[4]) {
    const Source src{sampler, shape, fetch, data, args};
    const Position p = locate(shape, args);
    const uint32_t level = shape.first_level;
    const double u = double(p.s) * level_size(shape.width, level) + args.offset[0];
    const double v = double(p.t) * level_size(shape.height, level) + args.offset[1];
    const int64_t i = floor_int(u - 0.5), j = floor_int(v - 0.5);
    constexpr int kOrder[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    for (int n = 0; n < 4; ++n) {
        float texel[4];
        fetch_any(src, level, p, i + kOrder[n][0], j + kOrder[n][1], 0, texel);
        out[n] = texel[sampler.compare_enable ? 0 : component];
    }
}

}  // namespace terrazzo::pipe::raster
