// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a texture unit does for one lane: derivatives from its quad, filtering by pipe/raster's sampler, fetches
// of texels. Texels come from a class of the vendor's with
//   const uint32_t* texel(level, x, y, layer, sample)   // null: a fault, which the class remembers
// whose layer is an array layer (6 * cube + face) or a slice of a 3D texture.
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

/// The direction of a place on a cube's face: inverse of table 8.19 of OpenGL ES 3.2, major axis +-1.
void cube_direction(uint32_t face, float s, float t, float direction[3]);

/// Derivatives for args from the quad's positions at (0,0), (1,0), (0,1), each times `unit`: 1, or 1 / size where coordinates
/// are texels.
void find_derivatives(const float position[3][3], const float unit[3], pipe::raster::SampleArgs* args);
/// Of a cube: positions are directions, seen on the first one's face.
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

/// Filters and compares. `out`: bits of floats, or of integers as the view's kind says. False: a texel failed.
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
/// Whether the view has that texel.
bool has_texel(const TextureView& view, const TexelPlace& at);

/// One texel; zeros where the view has none. False: it failed.
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
