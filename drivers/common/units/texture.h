// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The work of a texture unit for one lane: derivatives from its quad, filtering by pipe/raster's sampler,
// fetches of texels. The vendor's class supplies texels:
//   const uint32_t* texel(level, x, y, layer, sample)   // null: a fault, which the class stores
// with an array layer (6 * cube + face) or a slice of a 3D texture as the layer.
#pragma once

#include <algorithm>
#include <bit>

#include "drivers/common/units/format.h"
#include "pipe/raster/sample.h"

namespace terrazzo::units {

struct TextureView {
    pipe::raster::TextureShape shape;
    NumberKind kind = NumberKind::Float;
    unsigned samples = 1;
};

/// The direction of a position on a cube's face: the inverse of table 8.19 of OpenGL ES 3.2, with a major
/// axis of +-1.
void cube_direction(uint32_t face, float s, float t, float direction[3]);

/// Sets the derivatives of `args` from the quad's positions at (0,0), (1,0), (0,1), each multiplied by
/// `unit`: 1, or 1 / size if coordinates are in texels.
void find_derivatives(const float position[3][3], const float unit[3], pipe::raster::SampleArgs* args);
/// As find_derivatives(), for cubes: positions are directions, projected to the first one's face.
void find_cube_derivatives(uint32_t face, const float position[3][3], pipe::raster::SampleArgs* args);

namespace detail {

template <class Texels>
struct FetchContext {
    Texels& texels;
    NumberKind kind;
    bool failed = false;
};

template <class Texels>
void fetch_filtered(void* data, uint32_t level, int32_t x, int32_t y, int32_t z, float out[4]) {
    auto& c = *static_cast<FetchContext<Texels>*>(data);
    const uint32_t* v = c.texels.texel(level, uint32_t(x), uint32_t(y), uint32_t(z), 0);
    c.failed = c.failed || !v;
    for (unsigned i = 0; i < 4; ++i)
        out[i] = !v                            ? 0.0f
                 : c.kind == NumberKind::Float ? std::bit_cast<float>(v[i])
                 : c.kind == NumberKind::Uint  ? float(v[i])
                                               : float(int32_t(v[i]));
}

}  // namespace detail

/// Filters and compares. `out`: bits of floats or integers, as the view's kind says. False: a texel failed.
template <class Texels>
[[nodiscard]] bool sample_texture(const TextureView& view, const pipe::SamplerDesc& sampler, Texels& texels,
                                  const pipe::raster::SampleArgs& args, uint32_t out[4],
                                  const unsigned* gathered_component = nullptr) {
    detail::FetchContext<Texels> context{texels, view.kind};
    float v[4];
    if (gathered_component)
        pipe::raster::gather(sampler, view.shape, detail::fetch_filtered<Texels>, &context, args,
                             *gathered_component, v);
    else
        pipe::raster::sample(sampler, view.shape, detail::fetch_filtered<Texels>, &context, args, v);
    if (context.failed) return false;
    for (unsigned c = 0; c < 4; ++c)
        out[c] = view.kind == NumberKind::Float ? std::bit_cast<uint32_t>(v[c]) : uint32_t(int64_t(v[c]));
    return true;
}

struct TexelPlace {
    int64_t x = 0, y = 0, z = 0;  // z: slice or layer
    uint32_t level = 0, sample = 0;
};
/// Whether the texel is inside of the view.
bool has_texel(const TextureView& view, const TexelPlace& at);

/// Fetches one texel; zeros if it is outside of the view. False: the fetch failed.
template <class Texels>
[[nodiscard]] bool fetch_texture(const TextureView& view, Texels& texels, const TexelPlace& at,
                                 uint32_t out[4]) {
    std::fill_n(out, 4, 0u);
    if (!has_texel(view, at)) return true;
    const uint32_t* v = texels.texel(at.level, uint32_t(at.x), uint32_t(at.y), uint32_t(at.z), at.sample);
    if (v) std::copy_n(v, 4, out);
    return v != nullptr;
}

}  // namespace terrazzo::units
