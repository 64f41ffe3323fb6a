// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/texture.h"

namespace terrazzo::units {

namespace {

// The difference from `from` to `to`, both projected to the face of `from`.
void cube_delta(uint32_t face, const float from[3], const float to[3], float delta[3]) {
    const unsigned axis = face / 2;
    const float along = to[axis] * from[axis];
    const float scale = along > 0 ? 1 / along : 1;
    for (unsigned i = 0; i < 3; ++i)
        delta[i] = to[i] * scale - from[i];
}

}  // namespace

void cube_direction(uint32_t face, float s, float t, float direction[3]) {
    const float sc = 2 * s - 1, tc = 2 * t - 1;
    const float rows[6][3] = {{1, -tc, -sc}, {-1, -tc, sc}, {sc, 1, tc},
                              {sc, -1, -tc}, {sc, -tc, 1},  {-sc, -tc, -1}};
    std::copy_n(rows[std::min(face, 5u)], 3, direction);
}

void find_derivatives(const float position[3][3], const float unit[3], pipe::raster::SampleArgs* args) {
    for (unsigned c = 0; c < 3; ++c) {
        args->ddx[c] = (position[1][c] - position[0][c]) * unit[c];
        args->ddy[c] = (position[2][c] - position[0][c]) * unit[c];
    }
}

void find_cube_derivatives(uint32_t face, const float position[3][3], pipe::raster::SampleArgs* args) {
    cube_delta(face, position[0], position[1], args->ddx);
    cube_delta(face, position[0], position[2], args->ddy);
}

bool has_texel(const TextureView& view, const TexelPlace& at) {
    const pipe::raster::TextureShape& s = view.shape;
    const auto inside = [&](int64_t i, uint32_t size) {
        return i >= 0 && i < int64_t(std::max(1u, size >> at.level));
    };
    if (at.level > s.last_level || at.sample >= view.samples) return false;
    if (!inside(at.x, s.width) || !inside(at.y, s.height)) return false;
    if (s.kind == pipe::ResourceKind::Tex3D) return inside(at.z, s.depth);
    return at.z >= 0 && at.z < int64_t(s.layers);
}

}  // namespace terrazzo::units
