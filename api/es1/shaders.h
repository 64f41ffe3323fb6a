// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The fixed-function pipeline as GLSL ES 3.00. Equations: OpenGL ES 1.1.12, sections 2.12 (lighting), 3.3
// (points), 3.7.12 (texture environments), 3.8 (fog), 4.1.4 (alpha test), 4.1.9 (logic operations).
#pragma once

#include <string>

#include "api/es1/key.h"

namespace terrazzo::es1 {

[[nodiscard]] std::string vertex_shader(const Key& k);
[[nodiscard]] std::string fragment_shader(const Key& k);

/// Whether the shader needs the vertex in eye coordinates.
[[nodiscard]] inline bool uses_eye(const Key& k) {
    bool reflects = false;
    for (const UnitKey& u : k.units)
        reflects |= u.gen == TexGen::ReflectionMap;
    return reflects || k.positional || k.planes || (k.fog != FogMode::None && !k.rectangle) || k.attenuate;
}
/// The type of a unit's texture coordinates between the shaders.
[[nodiscard]] inline const char* coordinate_type(const UnitKey& u) {
    return u.texture == TextureKind::Cube ? "vec3" : u.projective ? "vec4" : "vec2";
}
/// Whether the shader needs the normal in eye coordinates.
[[nodiscard]] inline bool uses_normal(const Key& k) {
    bool generates = false;
    for (const UnitKey& u : k.units)
        generates |= u.gen != TexGen::None;
    return generates || k.lights;
}

}  // namespace terrazzo::es1
