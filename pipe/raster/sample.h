// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The reference sampler: the results of texture functions, by the letter of OpenGL ES 3.2 sections 8.13 to
// 8.16 and 8.20. Slow and simple; for tests, interpreters, and the texture units of virtual GPUs. A callback
// fetches texels, so any layout and format can be sampled.
#pragma once

#include <cstdint>

#include "pipe/state.h"

namespace terrazzo::pipe::raster {

/// The levels that may be sampled, as restricted by a view. Level l of the callback has size max(1, size >>
/// l).
struct TextureShape {
    ResourceKind kind = ResourceKind::Tex2D;
    uint32_t width = 1, height = 1, depth = 1;  // of level 0, px
    uint32_t layers = 1;                        // Tex2DArray: layers; CubeArray: 6 * cubes
    uint32_t first_level = 0, last_level = 0;   // base and max level
};

/// Fetches one texel inside the level: RGBA after the view's swizzle. z: slice (3D), layer (array), face
/// (cube: +x -x +y -y +z -z), 6 * cube + face (cube array). For depth textures out[0] is the depth.
using FetchTexel = void (*)(void* data, uint32_t level, int32_t x, int32_t y, int32_t z, float out[4]);

enum class LodMode : uint8_t {
    Derivatives,  // ddx and ddy, plus bias
    Explicit,     // lod, without the shader's bias
};

struct SampleArgs {
    /// s, t, r; Tex2DArray: layer in [2]; Cube: direction in [0..2]; CubeArray: layer in [3].
    float coord[4] = {0, 0, 0, 0};
    LodMode lod_mode = LodMode::Derivatives;
    float lod = 0;
    float bias = 0;
    /// Of coord[0..2], to the next pixel on the right and to the next one above.
    float ddx[3] = {0, 0, 0}, ddy[3] = {0, 0, 0};
    float reference = 0;            // with SamplerDesc::compare_enable
    bool clamp_reference = true;    // the texture is fixed-point: reference clamps to [0,1]
    bool late_magnify = true;       // see choose_levels
    int32_t offset[3] = {0, 0, 0};  // as in texelFetchOffset, in texels; not for cubes
};

/// Filters; compares if the sampler says so (out[0] is then the result, followed by 0, 0, 1).
void sample(const SamplerDesc& sampler, const TextureShape& shape, FetchTexel fetch, void* data,
            const SampleArgs& args, float out[4]);

/// textureGather: component `component` of the four texels of linear filtering at the base level, in the
/// spec's order (i0 j1), (i1 j1), (i1 j0), (i0 j0). Compares if the sampler says so. For 2D, arrays and
/// cubes.
void gather(const SamplerDesc& sampler, const TextureShape& shape, FetchTexel fetch, void* data,
            const SampleArgs& args, unsigned component, float out[4]);

// ---- The parts, for tests and faster samplers ----

/// The texel for integer coordinate i in a level with `size` texels; -1: the border colour.
int32_t wrap_texel(Wrap wrap, int64_t i, int32_t size);

/// The array layer of a coordinate: the nearest one, clamped to the `count` layers.
int32_t nearest_layer(float layer, uint32_t count);

/// Level of detail before clamping: log2 of the scale factor, from derivatives in texels of the base level.
/// With anisotropy it is smaller, and `samples` samples are taken along `major` (0: ddx, 1: ddy).
struct Footprint {
    float lambda = 0;
    uint32_t samples = 1;
    unsigned major = 0;
};
Footprint measure_footprint(const float ddx_texels[3], const float ddy_texels[3], float max_anisotropy);

/// The levels to read, counted from the base level, and the weight of level1 (`fraction`) relative to level0.
struct LevelChoice {
    Filter filter = Filter::Nearest;
    uint32_t level0 = 0, level1 = 0;
    float fraction = 0;
};
/// `last` is the number of the last level, counted from the base. lambda must be biased and clamped.
/// `late_magnify`: with linear magnification and a *_MIPMAP_* minification of nearest texels, magnification
/// begins at a lambda of 1/2 (ES 2.0 section 3.7.8). Otherwise it always begins at 0.
LevelChoice choose_levels(const SamplerDesc& sampler, float lambda, uint32_t last, bool late_magnify = true);

/// Table 8.19: the face of a direction, and (s, t) on it. Of equal axes, x is chosen before y, and y before
/// z.
struct CubeCoord {
    uint32_t face = 0;
    float s = 0, t = 0;
};
CubeCoord project_cube(const float direction[3]);
/// Derivatives of (s, t) on that face.
void project_cube_derivative(const float direction[3], uint32_t face, const float derivative[3], float st[2]);

}  // namespace terrazzo::pipe::raster
