// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// glEnable, glDisable and glIsEnabled.
#include "api/es1/enable.h"

#include "api/es1/arrays.h"
#include "state_tracker/context/limits.h"
#include "state_tracker/state/state.h"
#include "state_tracker/vertices/vertex_array.h"

namespace terrazzo::es1 {
namespace {

struct Capability {
    GLenum name;
    bool FixedState::*field;
};
constexpr Capability kCapabilities[] = {
    {GL_ALPHA_TEST, &FixedState::alpha_test},
    {GL_BLEND, &FixedState::blend},
    {GL_COLOR_LOGIC_OP, &FixedState::logic_op_enabled},
    {GL_COLOR_MATERIAL, &FixedState::color_material},
    {GL_FOG, &FixedState::fog_enabled},
    {GL_LIGHTING, &FixedState::lighting},
    {GL_LINE_SMOOTH, &FixedState::line_smooth},
    {GL_MULTISAMPLE, &FixedState::multisample},
    {GL_NORMALIZE, &FixedState::normalize},
    {GL_POINT_SMOOTH, &FixedState::point_smooth},
    {GL_POINT_SPRITE_OES, &FixedState::point_sprite},
    {GL_RESCALE_NORMAL, &FixedState::rescale_normal},
    {GL_SAMPLE_ALPHA_TO_ONE, &FixedState::alpha_to_one},
};

bool TextureUnit::*unit_field(GLenum cap) {
    switch (cap) {
        case GL_TEXTURE_2D:
            return &TextureUnit::enabled_2d;
        case GL_TEXTURE_CUBE_MAP_OES:
            return &TextureUnit::enabled_cube;
        case GL_TEXTURE_EXTERNAL_OES:
            return &TextureUnit::enabled_external;
        case GL_TEXTURE_GEN_STR_OES:
            return &TextureUnit::generate;
        default:
            return nullptr;
    }
}

/// Capabilities of the state tracker.
bool is_below(GLenum cap) {
    return cap == GL_CULL_FACE || cap == GL_DEPTH_TEST || cap == GL_DITHER || cap == GL_POLYGON_OFFSET_FILL ||
           cap == GL_SAMPLE_ALPHA_TO_COVERAGE || cap == GL_SAMPLE_COVERAGE || cap == GL_SCISSOR_TEST ||
           cap == GL_STENCIL_TEST;
}

/// The bits of lights or planes that contain `cap`; null: it is neither.
uint8_t* bit_field(FixedState& s, GLenum cap, unsigned* bit) {
    if (cap >= GL_LIGHT0 && cap < GL_LIGHT0 + kLights) return *bit = cap - GL_LIGHT0, &s.lights_enabled;
    if (cap >= GL_CLIP_PLANE0 && cap < GL_CLIP_PLANE0 + kPlanes)
        return *bit = cap - GL_CLIP_PLANE0, &s.planes_enabled;
    return nullptr;
}

/// Applies the effects of a changed capability.
void apply(Context& ctx, GLenum cap) {
    FixedState& s = ctx.state;
    if (cap == GL_RESCALE_NORMAL) ctx.touch(Group::Transform);
    if (cap == GL_COLOR_MATERIAL && s.color_material) {
        s.material.ambient = s.material.diffuse = s.color;
        ctx.touch(Group::Material);
    }
    // Section 4.1.9: a logic operation disables blending.
    if (cap == GL_BLEND || cap == GL_COLOR_LOGIC_OP) st::set_blend(ctx.gl, s.blend && !s.logic_op_enabled);
}

void set_capability(Context& ctx, GLenum cap, bool on, const char* command) {
    if (is_below(cap)) return on ? st::Enable(ctx.gl, cap) : st::Disable(ctx.gl, cap);
    if (on && cap == GL_COLOR_LOGIC_OP &&
        !st::has_extension(ctx.gl, st::extension_row("GL_EXT_shader_framebuffer_fetch")))
        return ctx.gl.error(
            GL_INVALID_OPERATION, command,
            "logic operations read the framebuffer, and the device lacks GL_EXT_shader_framebuffer_fetch");
    for (const Capability& c : kCapabilities)
        if (c.name == cap) {
            if (ctx.state.*c.field == on) return;
            ctx.state.*c.field = on;
            return apply(ctx, cap);
        }
    if (auto field = unit_field(cap)) {
        ctx.state.units[ctx.active_unit()].*field = on;
        return;
    }
    unsigned bit = 0;
    uint8_t* bits = bit_field(ctx.state, cap, &bit);
    if (!bits) return ctx.gl.error(GL_INVALID_ENUM, command, "cap 0x%04x is no capability", cap);
    *bits = uint8_t((*bits & ~(1u << bit)) | unsigned(on) << bit);
}

}  // namespace

bool capability(Context& ctx, GLenum cap, bool* on) {
    if (is_below(cap)) return st::capability(ctx.gl, cap, on);
    for (const Capability& c : kCapabilities)
        if (c.name == cap) return *on = ctx.state.*c.field, true;
    if (auto field = unit_field(cap)) return *on = ctx.state.units[ctx.active_unit()].*field, true;
    unsigned bit = 0;
    if (const uint8_t* bits = bit_field(ctx.state, cap, &bit)) return *on = *bits >> bit & 1, true;
    GLuint array;
    if (find_array(ctx, cap, &array)) return *on = ctx.gl.vertex_array->enabled >> array & 1, true;
    return false;
}

void Enable(Context& ctx, GLenum cap) {
    set_capability(ctx, cap, true, "glEnable");
}
void Disable(Context& ctx, GLenum cap) {
    set_capability(ctx, cap, false, "glDisable");
}
GLboolean IsEnabled(Context& ctx, GLenum cap) {
    bool on = false;
    if (!capability(ctx, cap, &on))
        ctx.gl.error(GL_INVALID_ENUM, "glIsEnabled", "cap 0x%04x is no capability", cap);
    return on;
}

}  // namespace terrazzo::es1
