// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blending and colour masks, of all draw buffers or of one (OpenGL ES 3.2 sections 15.1.5 and 15.2.2,
// EXT_blend_minmax, EXT_blend_func_extended, EXT_draw_buffers_indexed).
#include <algorithm>
#include <optional>

#include "state_tracker/context.h"
#include "state_tracker/context/limits.h"
#include "state_tracker/state/blend_states.h"
#include "state_tracker/state/state.h"

namespace terrazzo::st {
namespace {

/// A draw buffer's index, not checked yet; none: all draw buffers.
using Buffers = std::optional<GLuint>;
constexpr Buffers kAllBuffers = std::nullopt;

bool is_blend_equation(GLenum mode) {
    return mode == GL_FUNC_ADD || mode == GL_FUNC_SUBTRACT || mode == GL_FUNC_REVERSE_SUBTRACT ||
           mode == GL_MIN_EXT || mode == GL_MAX_EXT;
}
/// Before ES 3.0 and EXT_blend_func_extended, GL_SRC_ALPHA_SATURATE is a source factor only.
bool is_blend_factor(const Context& ctx, GLenum f, bool source) {
    const bool extended = has_extension(ctx, extension_row("GL_EXT_blend_func_extended"));
    if (f == GL_SRC_ALPHA_SATURATE) return source || extended || ctx.config.version >= 30;
    if (is_second_source(f)) return extended;
    return f == GL_ZERO || f == GL_ONE || (f >= GL_SRC_COLOR && f <= GL_ONE_MINUS_DST_COLOR) ||
           (f >= GL_CONSTANT_COLOR && f <= GL_ONE_MINUS_CONSTANT_ALPHA);
}

/// Applies `f` to the state of one draw buffer, or of all.
template <class F>
void change(Context& ctx, const char* command, Buffers buf, F&& f) {
    if (buf && !is_draw_buffer(ctx, command, *buf)) return;
    State& s = ctx.state;
    if (!buf && s.blend_alike) {
        BlendTarget changed = s.blend[0];
        f(changed);
        if (changed == s.blend[0]) return;
        s.blend.fill(changed);
    } else {
        auto targets = s.blend;
        if (buf)
            f(targets[*buf]);
        else
            std::for_each(targets.begin(), targets.end(), f);
        if (targets == s.blend) return;
        s.blend = targets;
        const auto is_first = [&](const BlendTarget& t) { return t == s.blend[0]; };
        s.blend_alike = std::all_of(s.blend.begin(), s.blend.end(), is_first);
    }
    ctx.dirty |= dirty::kBlend;
}

/// An equation for colour and alpha together may be an advanced one.
void blend_equation(Context& ctx, const char* command, Buffers buf, GLenum both) {
    const bool advanced = advanced_blend(both) != pipe::AdvancedBlend::None &&
                          has_extension(ctx, extension_row("GL_KHR_blend_equation_advanced"));
    if (!advanced && !is_blend_equation(both))
        return ctx.error(GL_INVALID_ENUM, command, "0x%04x is no blend equation", both);
    change(ctx, command, buf, [&](BlendTarget& t) { t.eq_rgb = t.eq_alpha = both; });
}

void blend_equation(Context& ctx, const char* command, Buffers buf, GLenum rgb, GLenum alpha) {
    for (GLenum e : {rgb, alpha})
        if (!is_blend_equation(e))
            return ctx.error(GL_INVALID_ENUM, command, "0x%04x is no blend equation", e);
    change(ctx, command, buf, [&](BlendTarget& t) {
        t.eq_rgb = rgb;
        t.eq_alpha = alpha;
    });
}

void blend_func(Context& ctx, const char* command, Buffers buf, GLenum src_rgb, GLenum dst_rgb,
                GLenum src_alpha, GLenum dst_alpha) {
    for (GLenum f : {src_rgb, src_alpha})
        if (!is_blend_factor(ctx, f, true))
            return ctx.error(GL_INVALID_ENUM, command, "0x%04x is no source blend factor", f);
    for (GLenum f : {dst_rgb, dst_alpha})
        if (!is_blend_factor(ctx, f, false))
            return ctx.error(GL_INVALID_ENUM, command, "0x%04x is no destination blend factor", f);
    change(ctx, command, buf, [&](BlendTarget& t) {
        t.src_rgb = src_rgb;
        t.dst_rgb = dst_rgb;
        t.src_alpha = src_alpha;
        t.dst_alpha = dst_alpha;
    });
}

void color_mask(Context& ctx, const char* command, Buffers buf, std::array<bool, 4> mask) {
    change(ctx, command, buf, [&](BlendTarget& t) { t.color_mask = mask; });
}

}  // namespace

bool is_draw_buffer(Context& ctx, const char* command, GLuint buf) {
    if (buf < GLuint(ctx.limits.max_draw_buffers)) return true;
    ctx.error(GL_INVALID_VALUE, command, "draw buffer %u is not below GL_MAX_DRAW_BUFFERS (%d)", buf,
              ctx.limits.max_draw_buffers);
    return false;
}

void set_blend(Context& ctx, bool on) {
    constexpr uint8_t kAll = (1u << kMaxColorAttachments) - 1;
    assign(ctx, ctx.state.blend_enabled, on ? kAll : uint8_t(0), dirty::kBlend);
}

void set_blend(Context& ctx, GLuint buf, bool on) {
    const unsigned others = ctx.state.blend_enabled & ~(1u << buf);
    assign(ctx, ctx.state.blend_enabled, uint8_t(others | unsigned(on) << buf), dirty::kBlend);
}

void BlendColor(Context& ctx, GLfloat red, GLfloat green, GLfloat blue, GLfloat alpha) {
    const GLfloat in[4] = {red, green, blue, alpha};
    // ES 2.0 clamps the colour when it is set, later versions when it is used.
    for (int i = 0; i < 4; ++i)
        assign(ctx, ctx.state.blend_color[i], ctx.config.version >= 30 ? in[i] : clamp01(in[i]),
               dirty::kBlendColor);
}

void BlendEquation(Context& ctx, GLenum mode) {
    blend_equation(ctx, "glBlendEquation", kAllBuffers, mode);
}
void BlendEquationSeparate(Context& ctx, GLenum modeRGB, GLenum modeAlpha) {
    blend_equation(ctx, "glBlendEquationSeparate", kAllBuffers, modeRGB, modeAlpha);
}
void BlendEquationi(Context& ctx, GLuint buf, GLenum mode) {
    blend_equation(ctx, "glBlendEquationi", buf, mode);
}
void BlendEquationSeparatei(Context& ctx, GLuint buf, GLenum modeRGB, GLenum modeAlpha) {
    blend_equation(ctx, "glBlendEquationSeparatei", buf, modeRGB, modeAlpha);
}

/// Devices blend in the order of the draws, so there is nothing to do.
void BlendBarrier(Context& ctx) {
    (void)ctx;
}

void BlendFunc(Context& ctx, GLenum sfactor, GLenum dfactor) {
    blend_func(ctx, "glBlendFunc", kAllBuffers, sfactor, dfactor, sfactor, dfactor);
}
void BlendFuncSeparate(Context& ctx, GLenum sfactorRGB, GLenum dfactorRGB, GLenum sfactorAlpha,
                       GLenum dfactorAlpha) {
    blend_func(ctx, "glBlendFuncSeparate", kAllBuffers, sfactorRGB, dfactorRGB, sfactorAlpha, dfactorAlpha);
}
void BlendFunci(Context& ctx, GLuint buf, GLenum src, GLenum dst) {
    blend_func(ctx, "glBlendFunci", buf, src, dst, src, dst);
}
void BlendFuncSeparatei(Context& ctx, GLuint buf, GLenum srcRGB, GLenum dstRGB, GLenum srcAlpha,
                        GLenum dstAlpha) {
    blend_func(ctx, "glBlendFuncSeparatei", buf, srcRGB, dstRGB, srcAlpha, dstAlpha);
}

void ColorMask(Context& ctx, GLboolean red, GLboolean green, GLboolean blue, GLboolean alpha) {
    color_mask(ctx, "glColorMask", kAllBuffers, {red != 0, green != 0, blue != 0, alpha != 0});
}
void ColorMaski(Context& ctx, GLuint index, GLboolean r, GLboolean g, GLboolean b, GLboolean a) {
    color_mask(ctx, "glColorMaski", index, {r != 0, g != 0, b != 0, a != 0});
}

}  // namespace terrazzo::st
