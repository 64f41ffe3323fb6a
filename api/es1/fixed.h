// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// 16.16 fixed point, and parameters of commands that have a variant for it. Enums are not scaled.
#pragma once

#include <cmath>

#include "api/es1/es1_commands.h"

namespace terrazzo::es1 {

[[nodiscard]] inline float from_fixed(GLfixed x) {
    return float(double(x) / 65536);
}
/// Rounds; clamps values out of range.
[[nodiscard]] inline GLfixed to_fixed(float x) {
    const double scaled = std::nearbyint(double(x) * 65536);
    return scaled >= 2147483647.0    ? INT32_MAX
           : scaled <= -2147483648.0 ? INT32_MIN
           : scaled == scaled        ? GLfixed(scaled)
                                     : 0;
}

/// Number of values of a parameter of Light*, Material*, Fog*, LightModel*, TexEnv*, TexParameter*, TexGen*,
/// PointParameter*. Other parameters have one.
[[nodiscard]] inline unsigned parameter_count(GLenum pname) {
    switch (pname) {
        case GL_AMBIENT:
        case GL_DIFFUSE:
        case GL_AMBIENT_AND_DIFFUSE:
        case GL_SPECULAR:
        case GL_EMISSION:
        case GL_POSITION:
        case GL_FOG_COLOR:
        case GL_LIGHT_MODEL_AMBIENT:
        case GL_TEXTURE_ENV_COLOR:
        case GL_TEXTURE_CROP_RECT_OES:
            return 4;
        case GL_SPOT_DIRECTION:
        case GL_POINT_DISTANCE_ATTENUATION:
            return 3;
        default:
            return 1;
    }
}

/// Whether the value is an enum or a boolean.
[[nodiscard]] inline bool is_enum_parameter(GLenum pname) {
    switch (pname) {
        case GL_FOG_MODE:
        case GL_LIGHT_MODEL_TWO_SIDE:
        case GL_TEXTURE_ENV_MODE:
        case GL_COMBINE_RGB:
        case GL_COMBINE_ALPHA:
        case GL_SRC0_RGB:
        case GL_SRC1_RGB:
        case GL_SRC2_RGB:
        case GL_SRC0_ALPHA:
        case GL_SRC1_ALPHA:
        case GL_SRC2_ALPHA:
        case GL_OPERAND0_RGB:
        case GL_OPERAND1_RGB:
        case GL_OPERAND2_RGB:
        case GL_OPERAND0_ALPHA:
        case GL_OPERAND1_ALPHA:
        case GL_OPERAND2_ALPHA:
        case GL_COORD_REPLACE_OES:
        case GL_TEXTURE_MIN_FILTER:
        case GL_TEXTURE_MAG_FILTER:
        case GL_TEXTURE_WRAP_S:
        case GL_TEXTURE_WRAP_T:
        case GL_GENERATE_MIPMAP:
        case GL_TEXTURE_GEN_MODE_OES:
            return true;
        default:
            return false;
    }
}

/// `count` fixed-point values, converted to floats.
template <unsigned N>
struct Floats {
    explicit Floats(const GLfixed* x, unsigned count) {
        for (unsigned i = 0; i < count; ++i)
            v[i] = from_fixed(x[i]);
    }
    GLfloat v[N] = {};
};

/// Convert the values of `pname` to floats, and back.
[[nodiscard]] inline Floats<4> fixed_parameters(GLenum pname, const GLfixed* x) {
    Floats<4> f(x, parameter_count(pname));
    if (is_enum_parameter(pname)) f.v[0] = GLfloat(x[0]);
    return f;
}
inline void write_fixed_parameters(GLenum pname, const GLfloat* v, GLfixed* out) {
    for (unsigned i = 0; i < parameter_count(pname); ++i)
        out[i] = is_enum_parameter(pname) ? GLfixed(v[i]) : to_fixed(v[i]);
}

}  // namespace terrazzo::es1
