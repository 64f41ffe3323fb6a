// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/es1/key.h"

#include <algorithm>
#include <string_view>

#include "api/es1/texture_state.h"
#include "state_tracker/vertices/vertex_array.h"

namespace terrazzo::es1 {
namespace {

BaseFormat base_format(GLenum base) {
    switch (base) {
        case GL_ALPHA:
            return BaseFormat::Alpha;
        case GL_LUMINANCE:
            return BaseFormat::Luminance;
        case GL_LUMINANCE_ALPHA:
            return BaseFormat::LuminanceAlpha;
        case GL_RGB:
            return BaseFormat::Rgb;
        default:
            return BaseFormat::Rgba;
    }
}

EnvMode env_mode(GLenum mode) {
    switch (mode) {
        case GL_REPLACE:
            return EnvMode::Replace;
        case GL_DECAL:
            return EnvMode::Decal;
        case GL_BLEND:
            return EnvMode::Blend;
        case GL_ADD:
            return EnvMode::Add;
        case GL_COMBINE:
            return EnvMode::Combine;
        default:
            return EnvMode::Modulate;
    }
}

CombineFunction combine_function(GLenum f) {
    switch (f) {
        case GL_REPLACE:
            return CombineFunction::Replace;
        case GL_ADD:
            return CombineFunction::Add;
        case GL_ADD_SIGNED:
            return CombineFunction::AddSigned;
        case GL_INTERPOLATE:
            return CombineFunction::Interpolate;
        case GL_SUBTRACT:
            return CombineFunction::Subtract;
        case GL_DOT3_RGB:
            return CombineFunction::Dot3Rgb;
        case GL_DOT3_RGBA:
            return CombineFunction::Dot3Rgba;
        default:
            return CombineFunction::Modulate;
    }
}

unsigned operand_count(CombineFunction f) {
    return f == CombineFunction::Replace ? 1 : f == CombineFunction::Interpolate ? 3 : 2;
}

uint8_t combine_source(GLenum s) {
    switch (s) {
        case GL_TEXTURE:
            return uint8_t(CombineSource::Texture);
        case GL_CONSTANT:
            return uint8_t(CombineSource::Constant);
        case GL_PRIMARY_COLOR:
            return uint8_t(CombineSource::Primary);
        case GL_PREVIOUS:
            return uint8_t(CombineSource::Previous);
        default:
            return uint8_t(unsigned(CombineSource::Texture0) + (s - GL_TEXTURE0));
    }
}

uint8_t combine_operand(GLenum o) {
    return uint8_t(o == GL_SRC_COLOR             ? CombineOperand::Color
                   : o == GL_ONE_MINUS_SRC_COLOR ? CombineOperand::OneMinusColor
                   : o == GL_SRC_ALPHA           ? CombineOperand::Alpha
                                                 : CombineOperand::OneMinusAlpha);
}

CombineKey combine_key(const Combiner& c) {
    CombineKey k;
    k.function = combine_function(c.function);
    for (unsigned i = 0; i < operand_count(k.function); ++i) {
        k.source[i] = combine_source(c.source[i]);
        k.operand[i] = combine_operand(c.operand[i]);
    }
    k.scale = uint8_t(c.scale);
    return k;
}

/// Whether q is 1 in the application's texture coordinates.
bool has_q_1(const Context& ctx, unsigned unit) {
    const GLuint index = attribute::kTexCoord + unit;
    const st::VertexArray& va = *ctx.gl.vertex_array;
    return va.enabled >> index & 1 ? va.attribs[index].size < 4 : ctx.state.units[unit].coords.w == 1;
}

UnitKey unit_key(Context& ctx, unsigned unit, bool points, bool rectangle) {
    UnitKey k;
    const st::Texture* t = sampled_texture(ctx, unit);
    if (!t) return k;
    const TextureUnit& u = ctx.state.units[unit];
    k.texture = t->target == st::TextureTarget::Cube       ? TextureKind::Cube
                : t->target == st::TextureTarget::External ? TextureKind::External
                                                           : TextureKind::Flat;
    k.format = base_format(t->image(0, t->first_level())->format->base);
    k.mode = env_mode(u.mode);
    if (k.mode == EnvMode::Combine) {
        k.rgb = combine_key(u.rgb);
        if (k.rgb.function != CombineFunction::Dot3Rgba) k.alpha = combine_key(u.alpha);
    }
    if (rectangle) return k;
    k.replace = points && ctx.state.point_sprite && u.coord_replace;
    if (k.replace) return k;
    if (u.generate) k.gen = u.generate_mode == GL_NORMAL_MAP_OES ? TexGen::NormalMap : TexGen::ReflectionMap;
    const Matrix& m = ctx.texture_matrices[unit].top();
    k.matrix = m != Matrix{};
    k.projective = k.texture != TextureKind::Cube && (!keeps_q(m) || !has_q_1(ctx, unit));
    return k;
}

void set_lighting(const FixedState& s, Key* k) {
    k->lighting = true;
    k->two_side = s.two_side;
    k->color_material = s.color_material;
    k->lights = s.lights_enabled;
    for (unsigned i = 0; i < kLights; ++i) {
        const unsigned bit = s.lights_enabled & 1u << i;
        if (s.lights[i].position.w != 0) k->positional |= bit;
        if (s.lights[i].spot_cutoff != 180) k->spot |= bit;
    }
}

void set_points(Context& ctx, Key* k) {
    const FixedState& s = ctx.state;
    const float* a = s.point.attenuation;
    k->points = true;
    k->attenuate = a[0] != 1 || a[1] != 0 || a[2] != 0;
    k->sprites = s.point_sprite;
    k->smooth_points = s.point_smooth && !s.point_sprite;
    k->fade = s.multisample && st::bound_framebuffer_info(ctx.gl).samples > 1;
}

}  // namespace

size_t KeyHash::operator()(const Key& k) const {
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(&k), sizeof k});
}

Key make_key(Context& ctx, GLenum mode, bool rectangle) {
    const FixedState& s = ctx.state;
    Key k;
    k.rectangle = rectangle;
    for (unsigned unit = 0; unit < kUnits; ++unit)
        k.units[unit] = unit_key(ctx, unit, mode == GL_POINTS, rectangle);
    if (!rectangle) {
        if (s.lighting) set_lighting(s, &k);
        const bool uses_normal =
            s.lighting || std::any_of(k.units.begin(), k.units.end(),
                                      [](const UnitKey& u) { return u.gen != TexGen::None; });
        k.normalize = uses_normal && s.normalize;
        k.planes = s.planes_enabled;
        if (mode == GL_POINTS) set_points(ctx, &k);
    }
    // A point always has one colour.
    k.flat = s.shade_model == GL_FLAT && mode != GL_POINTS && !rectangle;
    if (s.fog_enabled)
        k.fog = s.fog.mode == GL_LINEAR ? FogMode::Linear
                : s.fog.mode == GL_EXP  ? FogMode::Exp
                                        : FogMode::Exp2;
    if (s.alpha_test && s.alpha_func != GL_ALWAYS) k.alpha_func = uint8_t(s.alpha_func - GL_NEVER + 1);
    if (s.logic_op_enabled && s.logic_op != GL_COPY) {
        k.logic_op = uint8_t(s.logic_op - GL_CLEAR + 1);
        std::copy_n(st::bound_framebuffer_info(ctx.gl).color_bits, 4, k.color_bits.begin());
    }
    if (s.alpha_to_one && s.multisample && !ctx.gl.state.sample_alpha_to_coverage)
        k.alpha_to_one = st::bound_framebuffer_info(ctx.gl).samples > 1;
    return k;
}

}  // namespace terrazzo::es1
