// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/es1/shaders.h"

namespace terrazzo::es1 {
namespace {

std::string numbered(std::string text, unsigned n) {
    for (size_t at = 0; (at = text.find('#', at)) != std::string::npos;)
        text.replace(at, 1, std::to_string(n));
    return text;
}

std::string declarations(const Key& k) {
    std::string extensions, out;
    if (k.logic_op) extensions += "#extension GL_EXT_shader_framebuffer_fetch : require\n";
    for (unsigned i = 0; i < kUnits; ++i) {
        const UnitKey& u = k.units[i];
        if (u.texture == TextureKind::None) continue;
        const char* type = u.texture == TextureKind::Cube   ? "samplerCube"
                           : u.texture == TextureKind::Flat ? "sampler2D"
                                                            : "samplerExternalOES";
        if (u.texture == TextureKind::External && extensions.find("external") == std::string::npos)
            extensions += "#extension GL_OES_EGL_image_external_essl3 : require\n";
        out += numbered(std::string("uniform ") + type + " u_texture#;\n", i);
        if (!u.replace) out += numbered(std::string("in ") + coordinate_type(u) + " v_coord#;\n", i);
        const auto constant = [](const CombineKey& c) {
            return c.source[0] == uint8_t(CombineSource::Constant) ||
                   c.source[1] == uint8_t(CombineSource::Constant) ||
                   c.source[2] == uint8_t(CombineSource::Constant);
        };
        if (u.mode == EnvMode::Blend || constant(u.rgb) || constant(u.alpha))
            out += numbered("uniform vec4 u_env_color#;\n", i);
    }
    const std::string flat = k.flat ? "flat " : "";
    out += flat + "in vec4 v_color;\n";
    if (k.two_side) out += flat + "in vec4 v_back_color;\n";
    for (unsigned i = 0; i < kPlanes; ++i)
        if (k.planes >> i & 1) out += numbered("in float v_plane#;\n", i);
    if (k.fog != FogMode::None) out += "in float v_fog;\nuniform vec4 u_fog;\nuniform vec4 u_fog_color;\n";
    if (k.fade || k.smooth_points) out += "flat in vec2 v_point;\n";
    if (k.alpha_func) out += "uniform float u_alpha_ref;\n";
    return "#version 300 es\n" + extensions + "precision highp float;\nprecision highp int;\n" + out +
           (k.logic_op ? "inout" : "out") + " vec4 o_color;\n";
}

std::string fetch(const UnitKey& u, unsigned unit) {
    std::string coordinates = u.replace                        ? "gl_PointCoord"
                              : u.texture == TextureKind::Cube ? "v_coord#"
                              : u.projective                   ? "v_coord#.xy / v_coord#.w"
                                                               : "v_coord#";
    if (u.replace && u.texture == TextureKind::Cube) coordinates = "vec3(gl_PointCoord, 0.0)";
    return numbered("    vec4 t# = texture(u_texture#, " + coordinates + ");\n", unit);
}

bool has_color(BaseFormat f) {
    return f != BaseFormat::Alpha;
}
bool has_alpha(BaseFormat f) {
    return f == BaseFormat::Alpha || f == BaseFormat::LuminanceAlpha || f == BaseFormat::Rgba;
}

/// Tables 3.15 and 3.16: the colour and the alpha, from the previous colour (`c`), the texture (t#) and the
/// environment's colour.
std::string simple_environment(const UnitKey& u, unsigned unit) {
    std::string rgb, alpha;
    switch (u.mode) {
        case EnvMode::Replace:
            rgb = "t#.rgb", alpha = "t#.a";
            break;
        case EnvMode::Modulate:
            rgb = "c.rgb * t#.rgb", alpha = "c.a * t#.a";
            break;
        case EnvMode::Decal:  // undefined for other textures than RGB and RGBA
            rgb = u.format == BaseFormat::Rgb    ? "t#.rgb"
                  : u.format == BaseFormat::Rgba ? "mix(c.rgb, t#.rgb, t#.a)"
                                                 : "";
            break;
        case EnvMode::Blend:
            rgb = "mix(c.rgb, u_env_color#.rgb, t#.rgb)", alpha = "c.a * t#.a";
            break;
        case EnvMode::Add:
            rgb = "min(c.rgb + t#.rgb, 1.0)", alpha = "c.a * t#.a";
            break;
        case EnvMode::Combine:
            break;
    }
    if (!has_color(u.format) || rgb.empty()) rgb = "c.rgb";
    if (!has_alpha(u.format) || alpha.empty()) alpha = "c.a";
    return numbered("    c = vec4(" + rgb + ", " + alpha + ");\n", unit);
}

std::string source(uint8_t s, unsigned unit, const Key& k) {
    switch (CombineSource(s)) {
        case CombineSource::Texture:
            return numbered("t#", unit);
        case CombineSource::Constant:
            return numbered("u_env_color#", unit);
        case CombineSource::Primary:
            return "primary";
        case CombineSource::Previous:
            return "c";
        case CombineSource::Texture0:
            break;
    }
    // Another unit's texture (OES_texture_env_crossbar). Without a texture there the result is undefined.
    const unsigned other = s - unsigned(CombineSource::Texture0);
    return k.units[other].texture == TextureKind::None ? "vec4(0.0)" : numbered("t#", other);
}

std::string operand(const CombineKey& c, unsigned i, bool alpha, unsigned unit, const Key& k) {
    const std::string from = source(c.source[i], unit, k);
    switch (CombineOperand(c.operand[i])) {
        case CombineOperand::Color:
            return from + ".rgb";
        case CombineOperand::OneMinusColor:
            return "(1.0 - " + from + ".rgb)";
        case CombineOperand::Alpha:
            return alpha ? from + ".a" : "vec3(" + from + ".a)";
        case CombineOperand::OneMinusAlpha:
            return alpha ? "(1.0 - " + from + ".a)" : "vec3(1.0 - " + from + ".a)";
    }
    return from;
}

/// Tables 3.17 to 3.20, before clamping.
std::string combined(const CombineKey& c, bool alpha, unsigned unit, const Key& k) {
    const auto arg = [&](unsigned i) { return operand(c, i, alpha, unit, k); };
    std::string value;
    switch (c.function) {
        case CombineFunction::Replace:
            value = arg(0);
            break;
        case CombineFunction::Modulate:
            value = arg(0) + " * " + arg(1);
            break;
        case CombineFunction::Add:
            value = arg(0) + " + " + arg(1);
            break;
        case CombineFunction::AddSigned:
            value = arg(0) + " + " + arg(1) + " - 0.5";
            break;
        case CombineFunction::Interpolate:
            value = "mix(" + arg(1) + ", " + arg(0) + ", " + arg(2) + ")";
            break;
        case CombineFunction::Subtract:
            value = arg(0) + " - " + arg(1);
            break;
        case CombineFunction::Dot3Rgb:
        case CombineFunction::Dot3Rgba:
            value = "vec3(4.0 * dot(" + arg(0) + " - 0.5, " + arg(1) + " - 0.5))";
            break;
    }
    return c.scale == 1 ? value : std::to_string(c.scale) + ".0 * (" + value + ")";
}

std::string combine_environment(const UnitKey& u, unsigned unit, const Key& k) {
    const std::string rgb = combined(u.rgb, false, unit, k);
    if (u.rgb.function == CombineFunction::Dot3Rgba) return "    c = clamp((" + rgb + ").xxxx, 0.0, 1.0);\n";
    return "    c = clamp(vec4(" + rgb + ", " + combined(u.alpha, true, unit, k) + "), 0.0, 1.0);\n";
}

/// u_fog: density, start, end, 1 / (end - start).
std::string fog(FogMode mode) {
    std::string f;
    switch (mode) {
        case FogMode::None:
            return {};
        case FogMode::Linear:
            f = "(u_fog.z - v_fog) * u_fog.w";
            break;
        case FogMode::Exp:
            f = "exp(-u_fog.x * v_fog)";
            break;
        case FogMode::Exp2:
            f = "exp(-(u_fog.x * v_fog) * (u_fog.x * v_fog))";
            break;
    }
    return "    c.rgb = mix(u_fog_color.rgb, c.rgb, clamp(" + f + ", 0.0, 1.0));\n";
}

/// Discards the fragment if the comparison fails.
std::string alpha_test(uint8_t func) {
    static constexpr const char* kFails[] = {"true",
                                             "c.a >= u_alpha_ref",
                                             "c.a != u_alpha_ref",
                                             "c.a > u_alpha_ref",
                                             "c.a <= u_alpha_ref",
                                             "c.a == u_alpha_ref",
                                             "c.a < u_alpha_ref"};
    return std::string("    if (") + kFails[func - 1] + ") discard;\n";
}

/// Operates on the framebuffer's bits: s of the fragment, d of the framebuffer.
std::string logic_op(const Key& k) {
    static constexpr const char* kOperations[16] = {
        "ivec4(0)", "s & d",    "s & ~d", "s",      "~s & d", "d",      "s ^ d",    "s | d",
        "~(s | d)", "~(s ^ d)", "~d",     "s | ~d", "~s",     "~s | d", "~(s & d)", "ivec4(-1)"};
    std::string most = "vec4(";
    for (unsigned i = 0; i < 4; ++i)
        most += (i ? ", " : "") + std::to_string((1u << k.color_bits[i]) - 1) + ".0";
    return "    vec4 most = " + most +
           ");\n"
           "    ivec4 s = ivec4(clamp(c, 0.0, 1.0) * most + 0.5), d = ivec4(o_color * most + 0.5);\n"
           "    c = vec4((" +
           kOperations[k.logic_op - 1] + ") & ivec4(most)) / max(most, 1.0);\n";
}

}  // namespace

std::string fragment_shader(const Key& k) {
    std::string out = declarations(k) + "void main() {\n";
    for (unsigned i = 0; i < kUnits; ++i)
        if (k.units[i].texture != TextureKind::None) out += fetch(k.units[i], i);
    out += k.two_side ? "    vec4 primary = gl_FrontFacing ? v_color : v_back_color;\n"
                      : "    vec4 primary = v_color;\n";
    out += "    vec4 c = primary;\n";
    for (unsigned i = 0; i < kUnits; ++i) {
        const UnitKey& u = k.units[i];
        if (u.texture == TextureKind::None) continue;
        out += u.mode == EnvMode::Combine ? combine_environment(u, i, k) : simple_environment(u, i);
    }
    out += fog(k.fog);
    if (k.smooth_points)
        out +=
            "    float r = length(gl_PointCoord - 0.5) * (v_point.x + 1.0);\n"
            "    c.a *= clamp(v_point.x * 0.5 + 0.5 - r, 0.0, 1.0);\n";
    if (k.fade || k.smooth_points) out += "    c.a *= v_point.y;\n";
    // After the texture accesses, whose derivatives need the adjacent pixels.
    for (unsigned i = 0; i < kPlanes; ++i)
        if (k.planes >> i & 1) out += numbered("    if (v_plane# < 0.0) discard;\n", i);
    if (k.alpha_func) out += alpha_test(k.alpha_func);
    if (k.alpha_to_one) out += "    c.a = 1.0;\n";
    if (k.logic_op) out += logic_op(k);
    return out + "    o_color = c;\n}\n";
}

}  // namespace terrazzo::es1
