// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fixed-function state that the state tracker lacks, with the initial values of OpenGL ES 1.1's state tables.
#pragma once

#include <array>
#include <cstdint>

#include "api/es1/es1_commands.h"
#include "api/es1/matrix.h"

namespace terrazzo::es1 {

inline constexpr unsigned kUnits = 4, kLights = 8, kPlanes = 6;
inline constexpr unsigned kModelviewDepth = 32, kProjectionDepth = 16, kTextureDepth = 16;

struct Light {
    Vec4 ambient{0, 0, 0, 1}, diffuse{0, 0, 0, 1}, specular{0, 0, 0, 1};
    Vec4 position{0, 0, 1, 0};         // in eye coordinates
    Vec4 spot_direction{0, 0, -1, 0};  // also in eye coordinates; w is unused
    float spot_exponent = 0, spot_cutoff = 180;
    float attenuation[3] = {1, 0, 0};  // constant, linear, quadratic
};

/// For both faces: OpenGL ES 1.1 does not distinguish them.
struct Material {
    Vec4 ambient{0.2f, 0.2f, 0.2f, 1}, diffuse{0.8f, 0.8f, 0.8f, 1}, specular{0, 0, 0, 1},
        emission{0, 0, 0, 1};
    float shininess = 0;
};

/// GL_COMBINE for colour or alpha.
struct Combiner {
    GLenum function = GL_MODULATE;
    std::array<GLenum, 3> source{GL_TEXTURE, GL_PREVIOUS, GL_CONSTANT};
    std::array<GLenum, 3> operand{GL_SRC_COLOR, GL_SRC_COLOR, GL_SRC_ALPHA};
    float scale = 1;
};

struct TextureUnit {
    bool enabled_2d = false, enabled_cube = false, enabled_external = false;
    GLenum mode = GL_MODULATE;
    Vec4 color;
    Combiner rgb;
    Combiner alpha{.operand = {GL_SRC_ALPHA, GL_SRC_ALPHA, GL_SRC_ALPHA}};
    bool coord_replace = false;
    bool generate = false;  // GL_TEXTURE_GEN_STR_OES
    GLenum generate_mode = GL_REFLECTION_MAP_OES;
    Vec4 coords{0, 0, 0, 1};
};

struct Fog {
    GLenum mode = GL_EXP;
    float density = 1, start = 0, end = 1;
    Vec4 color;
};

struct PointState {
    float size = 1, min = 0, max = 0;  // max is set by Context's constructor
    float fade_threshold = 1;
    float attenuation[3] = {1, 0, 0};
};

struct Hints {
    GLenum perspective_correction = GL_DONT_CARE, point_smooth = GL_DONT_CARE, line_smooth = GL_DONT_CARE,
           fog = GL_DONT_CARE;
};

struct FixedState {
    Vec4 color{1, 1, 1, 1};
    float normal[3] = {0, 0, 1};
    std::array<TextureUnit, kUnits> units;
    unsigned client_unit = 0;
    std::array<Light, kLights> lights;
    uint8_t lights_enabled = 0;  // bit per light
    Vec4 scene_ambient{0.2f, 0.2f, 0.2f, 1};
    bool lighting = false, two_side = false, color_material = false;
    Material material;
    bool normalize = false, rescale_normal = false;
    GLenum shade_model = GL_SMOOTH;
    std::array<Vec4, kPlanes> planes{};  // in eye coordinates
    uint8_t planes_enabled = 0;
    bool fog_enabled = false;
    Fog fog;
    bool alpha_test = false;
    GLenum alpha_func = GL_ALWAYS;
    float alpha_ref = 0;
    PointState point;
    bool point_smooth = false, point_sprite = false, line_smooth = false;
    bool blend = false;  // as requested; a logic operation disables it in the state tracker
    bool logic_op_enabled = false;
    GLenum logic_op = GL_COPY;
    bool multisample = true, alpha_to_one = false;
    GLenum matrix_mode = GL_MODELVIEW;
    Hints hints;
};

}  // namespace terrazzo::es1
