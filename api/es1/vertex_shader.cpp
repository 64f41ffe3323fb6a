// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/es1/shaders.h"

namespace terrazzo::es1 {
namespace {

std::string number(unsigned n) {
    return std::to_string(n);
}

/// Replaces every '#' in the text by the number of the light or unit.
std::string numbered(std::string text, unsigned n) {
    for (size_t at = 0; (at = text.find('#', at)) != std::string::npos;)
        text.replace(at, 1, number(n));
    return text;
}

constexpr char kLightUniforms[] =
    "uniform vec4 u_scene_ambient;\n"
    "uniform vec4 u_material_ambient;\n"
    "uniform vec4 u_material_diffuse;\n"
    "uniform vec4 u_material_specular;\n"
    "uniform vec4 u_material_emission;\n"
    "uniform float u_shininess;\n"
    "uniform vec4 u_light_ambient[8];\n"
    "uniform vec4 u_light_diffuse[8];\n"
    "uniform vec4 u_light_specular[8];\n"
    "uniform vec4 u_light_position[8];\n"     // of a light at infinity its direction, normalised
    "uniform vec4 u_light_spot[8];\n"         // direction, normalised; exponent
    "uniform vec4 u_light_attenuation[8];\n"  // constant, linear, quadratic; the cutoff's cosine
    ;

/// One light's part of the colour for a normal n (section 2.12.1).
std::string light_term(const Key& k, unsigned i) {
    const bool positional = k.positional >> i & 1, spot = k.spot >> i & 1;
    std::string out = "    {\n";
    if (positional)
        out +=
            "        vec3 to = u_light_position[#].xyz - eye.xyz / eye.w;\n"
            "        float d = length(to);\n"
            "        vec3 l = d > 0.0 ? to / d : vec3(0.0);\n"
            "        vec3 k = u_light_attenuation[#].xyz;\n"
            "        float f = 1.0 / (k.x + k.y * d + k.z * d * d);\n";
    else
        out +=
            "        vec3 l = u_light_position[#].xyz;\n"
            "        float f = 1.0;\n";
    if (spot)
        out +=
            "        float s = max(dot(-l, u_light_spot[#].xyz), 0.0);\n"
            "        f *= s < u_light_attenuation[#].w ? 0.0 : u_light_spot[#].w == 0.0 ? 1.0 : pow(s, "
            "u_light_spot[#].w);\n";
    out +=
        "        float nl = max(dot(n, l), 0.0);\n"
        "        vec3 h = l + vec3(0.0, 0.0, 1.0);\n"
        "        float nh = max(dot(n, h), 0.0) * inversesqrt(max(dot(h, h), 1.0e-12));\n"
        "        vec3 c = ambient.rgb * u_light_ambient[#].rgb + nl * diffuse.rgb * u_light_diffuse[#].rgb;\n"
        "        if (nl > 0.0)\n"
        "            c += (u_shininess == 0.0 ? 1.0 : pow(nh, u_shininess)) * u_material_specular.rgb * "
        "u_light_specular[#].rgb;\n"
        "        sum += f * c;\n"
        "    }\n";
    return numbered(out, i);
}

std::string light_function(const Key& k) {
    std::string out =
        "vec4 lit(vec4 eye, vec3 n, vec4 ambient, vec4 diffuse) {\n"
        "    vec3 sum = u_material_emission.rgb + ambient.rgb * u_scene_ambient.rgb;\n";
    for (unsigned i = 0; i < kLights; ++i)
        if (k.lights >> i & 1) out += light_term(k, i);
    return out + "    return clamp(vec4(sum, diffuse.a), 0.0, 1.0);\n}\n";
}

std::string declarations(const Key& k) {
    const std::string flat = k.flat ? "flat " : "";
    std::string out =
        "layout(location = 0) in vec4 a_position;\n"
        "layout(location = 2) in vec4 a_color;\n";
    if (uses_normal(k)) out += "layout(location = 1) in vec3 a_normal;\nuniform mat3 u_normal;\n";
    if (k.points) out += "layout(location = 3) in float a_point_size;\nuniform vec4 u_point;\n";
    if (k.attenuate) out += "uniform vec3 u_point_attenuation;\n";
    if (!k.rectangle) out += "uniform mat4 u_mvp;\n";
    if (uses_eye(k)) out += "uniform mat4 u_modelview;\n";
    if (k.planes) {
        out += "uniform vec4 u_plane[6];\n";
        for (unsigned i = 0; i < kPlanes; ++i)
            if (k.planes >> i & 1) out += numbered("out float v_plane#;\n", i);
    }
    out += flat + "out vec4 v_color;\n";
    if (k.two_side) out += flat + "out vec4 v_back_color;\n";
    if (k.fog != FogMode::None) out += "out float v_fog;\n";
    if (k.fade || k.smooth_points) out += "flat out vec2 v_point;\n";  // size in pixels, factor of alpha
    for (unsigned i = 0; i < kUnits; ++i) {
        const UnitKey& u = k.units[i];
        if (u.texture == TextureKind::None || u.replace) continue;
        if (u.gen == TexGen::None)
            out += numbered("layout(location = " + number(4 + i) + ") in vec4 a_coord#;\n", i);
        if (u.matrix) out += numbered("uniform mat4 u_texture_matrix#;\n", i);
        out += numbered(std::string("out ") + coordinate_type(u) + " v_coord#;\n", i);
    }
    return out;
}

std::string texture_coordinates(const UnitKey& u, unsigned unit) {
    std::string from = "a_coord#";
    if (u.gen == TexGen::NormalMap) from = "vec4(n, 1.0)";
    if (u.gen == TexGen::ReflectionMap) from = "vec4(reflect(normalize(eye.xyz), n), 1.0)";
    const char* part = u.texture == TextureKind::Cube ? ".xyz" : u.projective ? "" : ".xy";
    if (u.matrix) from = "(u_texture_matrix# * " + from + ")";
    return numbered("    v_coord# = " + from + part + ";\n", unit);
}

/// u_point: the smallest and largest size that the application sets, the fade threshold, the device's largest
/// size.
std::string point_size(const Key& k) {
    std::string out = "    float size = a_point_size;\n";
    if (k.attenuate)
        out +=
            "    float d = length(eye.xyz);\n"
            "    size *= inversesqrt(u_point_attenuation.x + u_point_attenuation.y * d + "
            "u_point_attenuation.z * d * d);\n";
    out += "    size = clamp(size, u_point.x, max(u_point.x, u_point.y));\n";
    if (k.fade)
        out +=
            "    float alpha = size < u_point.z ? (size / u_point.z) * (size / u_point.z) : 1.0;\n"
            "    size = max(size, u_point.z);\n";
    else if (k.smooth_points)
        out += "    float alpha = 1.0;\n";
    else if (!k.sprites)
        out += "    size = max(floor(size + 0.5), 1.0);\n";  // aliased points are squares of whole pixels
    out += "    size = clamp(size, 1.0, u_point.w);\n";
    if (k.fade || k.smooth_points) out += "    v_point = vec2(size, alpha);\n";
    return out + (k.smooth_points ? "    gl_PointSize = size + 1.0;\n" : "    gl_PointSize = size;\n");
}

std::string color(const Key& k) {
    if (!k.lighting) return "    v_color = clamp(a_color, 0.0, 1.0);\n";
    const std::string eye = k.positional ? "eye" : "vec4(0.0)", n = k.lights ? "n" : "vec3(0.0)";
    const std::string material =
        k.color_material ? "a_color, a_color" : "u_material_ambient, u_material_diffuse";
    std::string out = "    v_color = lit(" + eye + ", " + n + ", " + material + ");\n";
    if (k.two_side) out += "    v_back_color = lit(" + eye + ", -" + n + ", " + material + ");\n";
    return out;
}

}  // namespace

std::string vertex_shader(const Key& k) {
    std::string out = "#version 300 es\n" + declarations(k);
    if (k.lighting) out += kLightUniforms + light_function(k);
    out += "void main() {\n";
    out += k.rectangle ? "    gl_Position = a_position;\n" : "    gl_Position = u_mvp * a_position;\n";
    if (uses_eye(k)) out += "    vec4 eye = u_modelview * a_position;\n";
    if (uses_normal(k))
        out += k.normalize ? "    vec3 n = normalize(u_normal * a_normal);\n"
                           : "    vec3 n = u_normal * a_normal;\n";
    out += color(k);
    if (k.fog != FogMode::None) out += k.rectangle ? "    v_fog = 0.0;\n" : "    v_fog = abs(eye.z);\n";
    for (unsigned i = 0; i < kPlanes; ++i)
        if (k.planes >> i & 1) out += numbered("    v_plane# = dot(u_plane[#], eye);\n", i);
    for (unsigned i = 0; i < kUnits; ++i)
        if (k.units[i].texture != TextureKind::None && !k.units[i].replace)
            out += texture_coordinates(k.units[i], i);
    if (k.points) out += point_size(k);
    return out + "}\n";
}

}  // namespace terrazzo::es1
