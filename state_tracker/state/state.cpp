// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Commands that set fixed-function state. Rules: GLES 2.0 chapters 2 to 5, EXT_blend_minmax. A command that
// changes nothing sets no dirty bit.
#include <algorithm>
#include <cstring>
#include <optional>
#include <type_traits>

#include "state_tracker/context.h"
#include "state_tracker/context/limits.h"
#include "state_tracker/debug/debug.h"
#include "state_tracker/state/state.h"

namespace terrazzo::st {
namespace {

struct Capability {
    GLenum name;
    bool State::*field;
    uint64_t dirty;
    int version = 20;
};
constexpr Capability kCapabilities[] = {
    {GL_CULL_FACE, &State::cull_face, dirty::kRaster},
    {GL_DEPTH_TEST, &State::depth_test, dirty::kDepthStencil},
    {GL_DITHER, &State::dither, dirty::kBlend},
    {GL_POLYGON_OFFSET_FILL, &State::polygon_offset_fill, dirty::kRaster},
    {GL_SAMPLE_ALPHA_TO_COVERAGE, &State::sample_alpha_to_coverage, dirty::kBlend},
    {GL_SAMPLE_COVERAGE, &State::sample_coverage, dirty::kSampleMask},
    {GL_SAMPLE_MASK, &State::sample_mask, dirty::kSampleMask, 31},
    {GL_SAMPLE_SHADING, &State::sample_shading, dirty::kRaster, 30},
    {GL_BLEND_ADVANCED_COHERENT_KHR, &State::blend_advanced_coherent, 0, 31},
    {GL_DEPTH_CLAMP_EXT, &State::depth_clamp, dirty::kRaster | dirty::kDepthStencil},
    {GL_STENCIL_TEST, &State::stencil_test, dirty::kDepthStencil},
    {GL_RASTERIZER_DISCARD, &State::rasterizer_discard, dirty::kRaster, 30},
    {GL_PRIMITIVE_RESTART_FIXED_INDEX, &State::primitive_restart_fixed_index, 0, 30},
};

bool is_there(const Context& ctx, const Capability& c) {
    if (c.name == GL_SAMPLE_SHADING && !has_extension(ctx, extension_row("GL_OES_sample_shading")))
        return false;
    if (c.name == GL_DEPTH_CLAMP_EXT && !has_extension(ctx, extension_row("GL_EXT_depth_clamp")))
        return false;
    if (c.name == GL_BLEND_ADVANCED_COHERENT_KHR &&
        !has_extension(ctx, extension_row("GL_KHR_blend_equation_advanced_coherent")))
        return false;
    return ctx.config.version >= c.version;
}

/// The number of the clip distance that `cap` enables; none: it is another capability, or this context has
/// none.
std::optional<unsigned> clip_plane(const Context& ctx, GLenum cap) {
    if (cap < GL_CLIP_DISTANCE0_EXT || cap > GL_CLIP_DISTANCE7_EXT ||
        !has_extension(ctx, extension_row("GL_EXT_clip_cull_distance")))
        return std::nullopt;
    return cap - GL_CLIP_DISTANCE0_EXT;
}

void set_capability(Context& ctx, GLenum cap, bool on, const char* command) {
    if (cap == GL_BLEND) return set_blend(ctx, on);  // the most frequent one
    for (const Capability& c : kCapabilities)
        if (c.name == cap && is_there(ctx, c)) return assign(ctx, ctx.state.*c.field, on, c.dirty);
    if (const auto plane = clip_plane(ctx, cap)) {
        const unsigned others = ctx.state.clip_planes & ~(1u << *plane);
        return assign(ctx, ctx.state.clip_planes, uint8_t(others | unsigned(on) << *plane), dirty::kRaster);
    }
    switch (cap) {
        case GL_SCISSOR_TEST:
            return set_scissor_tests(ctx, on);
        case GL_FRAMEBUFFER_SRGB_EXT:
            if (!has_extension(ctx, extension_row("GL_EXT_sRGB_write_control"))) break;
            if (on == ctx.state.framebuffer_srgb) return;
            end_rendering(ctx);  // the open pass has its attachments' formats
            ctx.state.framebuffer_srgb = on;
            return;
        case GL_DEBUG_OUTPUT_KHR:
            ctx.debug->output = on;
            return;
        case GL_DEBUG_OUTPUT_SYNCHRONOUS_KHR:
            ctx.debug->synchronous = on;
            return;
        default:
            break;
    }
    ctx.error(GL_INVALID_ENUM, command, "cap 0x%04x is no capability", cap);
}

bool is_compare(GLenum func) {
    return func >= GL_NEVER && func <= GL_ALWAYS;
}
bool is_stencil_op(GLenum op) {
    return op == GL_KEEP || op == GL_ZERO || op == GL_REPLACE || op == GL_INCR || op == GL_DECR ||
           op == GL_INVERT || op == GL_INCR_WRAP || op == GL_DECR_WRAP;
}
bool is_face(GLenum face) {
    return face == GL_FRONT || face == GL_BACK || face == GL_FRONT_AND_BACK;
}
/// Applies `change` to the stencil state of the named faces.
template <class F>
void for_faces(Context& ctx, GLenum face, uint64_t bits, F&& change) {
    StencilFace faces[2] = {ctx.state.stencil[0], ctx.state.stencil[1]};
    if (face != GL_BACK) change(faces[0]);
    if (face != GL_FRONT) change(faces[1]);
    static_assert(std::has_unique_object_representations_v<StencilFace>);
    if (std::memcmp(faces, ctx.state.stencil, sizeof faces) == 0) return;
    std::copy_n(faces, 2, ctx.state.stencil);
    ctx.dirty |= bits;
}

void stencil_func(Context& ctx, const char* command, GLenum face, GLenum func, GLint ref, GLuint mask) {
    if (!is_face(face)) return ctx.error(GL_INVALID_ENUM, command, "face 0x%04x is none", face);
    if (!is_compare(func)) return ctx.error(GL_INVALID_ENUM, command, "func 0x%04x is no comparison", func);
    for_faces(ctx, face, dirty::kDepthStencil | dirty::kStencilRef, [&](StencilFace& s) {
        s.func = func;
        s.ref = ref;
        s.value_mask = mask;
    });
}

void stencil_op(Context& ctx, const char* command, GLenum face, GLenum fail, GLenum zfail, GLenum zpass) {
    if (!is_face(face)) return ctx.error(GL_INVALID_ENUM, command, "face 0x%04x is none", face);
    for (GLenum op : {fail, zfail, zpass})
        if (!is_stencil_op(op))
            return ctx.error(GL_INVALID_ENUM, command, "0x%04x is no stencil operation", op);
    for_faces(ctx, face, dirty::kDepthStencil, [&](StencilFace& s) {
        s.fail = fail;
        s.depth_fail = zfail;
        s.pass = zpass;
    });
}

void stencil_mask(Context& ctx, const char* command, GLenum face, GLuint mask) {
    if (!is_face(face)) return ctx.error(GL_INVALID_ENUM, command, "face 0x%04x is none", face);
    for_faces(ctx, face, dirty::kDepthStencil, [&](StencilFace& s) { s.write_mask = mask; });
}

}  // namespace

bool capability(const Context& ctx, GLenum cap, bool* on) {
    for (const Capability& c : kCapabilities)
        if (c.name == cap && is_there(ctx, c)) return *on = ctx.state.*c.field, true;
    if (const auto plane = clip_plane(ctx, cap)) return *on = ctx.state.clip_planes >> *plane & 1, true;
    switch (cap) {
        case GL_BLEND:
            *on = ctx.state.blend_enabled & 1;
            return true;
        case GL_SCISSOR_TEST:
            *on = ctx.state.viewports[0].scissor_test;
            return true;
        case GL_FRAMEBUFFER_SRGB_EXT:
            if (!has_extension(ctx, extension_row("GL_EXT_sRGB_write_control"))) return false;
            *on = ctx.state.framebuffer_srgb;
            return true;
        case GL_DEBUG_OUTPUT_KHR:
            *on = ctx.debug->output;
            return true;
        case GL_DEBUG_OUTPUT_SYNCHRONOUS_KHR:
            *on = ctx.debug->synchronous;
            return true;
        default:
            return false;
    }
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
        ctx.error(GL_INVALID_ENUM, "glIsEnabled", "cap 0x%04x is no capability", cap);
    return on;
}

void DepthFunc(Context& ctx, GLenum func) {
    if (!is_compare(func))
        return ctx.error(GL_INVALID_ENUM, "glDepthFunc", "func 0x%04x is no comparison", func);
    assign(ctx, ctx.state.depth_func, func, dirty::kDepthStencil);
}
void DepthMask(Context& ctx, GLboolean flag) {
    assign(ctx, ctx.state.depth_mask, flag != 0, dirty::kDepthStencil);
}
void ClipControl(Context& ctx, GLenum origin, GLenum depth) {
    if (origin != GL_LOWER_LEFT_EXT && origin != GL_UPPER_LEFT_EXT)
        return ctx.error(GL_INVALID_ENUM, "glClipControlEXT", "origin 0x%04x is none", origin);
    if (depth != GL_NEGATIVE_ONE_TO_ONE_EXT && depth != GL_ZERO_TO_ONE_EXT)
        return ctx.error(GL_INVALID_ENUM, "glClipControlEXT", "depth 0x%04x is none", depth);
    assign(ctx, ctx.state.clip_origin, origin, dirty::kRaster | dirty::kViewport);
    assign(ctx, ctx.state.clip_depth_mode, depth, dirty::kRaster | dirty::kViewport);
}

/// A hint for devices that bin primitives before they shade them. Terrazzo's devices bin shaded primitives,
/// and the hint must not clip.
void PrimitiveBoundingBox(Context& ctx, GLfloat minX, GLfloat minY, GLfloat minZ, GLfloat minW, GLfloat maxX,
                          GLfloat maxY, GLfloat maxZ, GLfloat maxW) {
    const GLfloat box[2][4] = {{minX, minY, minZ, minW}, {maxX, maxY, maxZ, maxW}};
    std::memcpy(ctx.state.primitive_bounding_box, box, sizeof box);
}

/// Draws always see the results of earlier draws, so there is nothing to do.
void FramebufferFetchBarrier(Context& ctx) {
    (void)ctx;
}

void StencilFunc(Context& ctx, GLenum func, GLint ref, GLuint mask) {
    stencil_func(ctx, "glStencilFunc", GL_FRONT_AND_BACK, func, ref, mask);
}
void StencilFuncSeparate(Context& ctx, GLenum face, GLenum func, GLint ref, GLuint mask) {
    stencil_func(ctx, "glStencilFuncSeparate", face, func, ref, mask);
}
void StencilOp(Context& ctx, GLenum fail, GLenum zfail, GLenum zpass) {
    stencil_op(ctx, "glStencilOp", GL_FRONT_AND_BACK, fail, zfail, zpass);
}
void StencilOpSeparate(Context& ctx, GLenum face, GLenum sfail, GLenum dpfail, GLenum dppass) {
    stencil_op(ctx, "glStencilOpSeparate", face, sfail, dpfail, dppass);
}
void StencilMask(Context& ctx, GLuint mask) {
    stencil_mask(ctx, "glStencilMask", GL_FRONT_AND_BACK, mask);
}
void StencilMaskSeparate(Context& ctx, GLenum face, GLuint mask) {
    stencil_mask(ctx, "glStencilMaskSeparate", face, mask);
}

void CullFace(Context& ctx, GLenum mode) {
    if (!is_face(mode)) return ctx.error(GL_INVALID_ENUM, "glCullFace", "mode 0x%04x is no face", mode);
    assign(ctx, ctx.state.cull_face_mode, mode, dirty::kRaster);
}
void FrontFace(Context& ctx, GLenum mode) {
    if (mode != GL_CW && mode != GL_CCW)
        return ctx.error(GL_INVALID_ENUM, "glFrontFace", "mode 0x%04x is not GL_CW or GL_CCW", mode);
    assign(ctx, ctx.state.front_face, mode, dirty::kRaster);
}
void LineWidth(Context& ctx, GLfloat width) {
    if (!(width > 0))
        return ctx.error(GL_INVALID_VALUE, "glLineWidth", "width %g is not above 0", double(width));
    assign(ctx, ctx.state.line_width, width, dirty::kRaster);
}
void PolygonOffset(Context& ctx, GLfloat factor, GLfloat units) {
    PolygonOffsetClamp(ctx, factor, units, 0);
}
void PolygonOffsetClamp(Context& ctx, GLfloat factor, GLfloat units, GLfloat clamp) {
    assign(ctx, ctx.state.polygon_offset_factor, factor, dirty::kRaster);
    assign(ctx, ctx.state.polygon_offset_units, units, dirty::kRaster);
    assign(ctx, ctx.state.polygon_offset_clamp, clamp, dirty::kRaster);
}
void SampleCoverage(Context& ctx, GLfloat value, GLboolean invert) {
    assign(ctx, ctx.state.sample_coverage_value, clamp01(value), dirty::kSampleMask);
    assign(ctx, ctx.state.sample_coverage_invert, invert != 0, dirty::kSampleMask);
}
void SampleMaski(Context& ctx, GLuint maskNumber, GLbitfield mask) {
    if (maskNumber > 0)
        return ctx.error(GL_INVALID_VALUE, "glSampleMaski",
                         "maskNumber %u is not below GL_MAX_SAMPLE_MASK_WORDS (1)", maskNumber);
    assign(ctx, ctx.state.sample_mask_value, mask, dirty::kSampleMask);
}
void MinSampleShading(Context& ctx, GLfloat value) {
    assign(ctx, ctx.state.min_sample_shading, clamp01(value), dirty::kRaster);
}
void GetMultisamplefv(Context& ctx, GLenum pname, GLuint index, GLfloat* val) {
    if (pname != GL_SAMPLE_POSITION)
        return ctx.error(GL_INVALID_ENUM, "glGetMultisamplefv", "pname 0x%04x is not GL_SAMPLE_POSITION",
                         pname);
    const uint32_t samples = bound_framebuffer_info(ctx).samples;
    if (samples < 2 || index >= samples)
        return ctx.error(GL_INVALID_VALUE, "glGetMultisamplefv", "index %u is not below GL_SAMPLES (%u)",
                         index, samples);
    if (val) ctx.screen.sample_position(samples, index, val);
}

void ClearColor(Context& ctx, GLfloat red, GLfloat green, GLfloat blue, GLfloat alpha) {
    const GLfloat in[4] = {red, green, blue, alpha};
    // OpenGL ES 2.0 clamps, except for surfaces of floats (EGL_EXT_pixel_format_float), whose purpose is
    // values outside [0,1].
    const pipe::Format surface = ctx.draw_drawable ? ctx.draw_drawable->color_format : pipe::Format::None;
    const bool keep =
        ctx.config.version >= 30 || pipe::format_info(surface).channel[0].type == pipe::ChannelType::Float;
    for (int i = 0; i < 4; ++i)
        ctx.state.clear_color[i] = keep ? in[i] : clamp01(in[i]);
}
void ClearDepthf(Context& ctx, GLfloat d) {
    ctx.state.clear_depth = clamp01(d);
}
void ClearStencil(Context& ctx, GLint s) {
    ctx.state.clear_stencil = s;
}

void Hint(Context& ctx, GLenum target, GLenum mode) {
    if (target != GL_GENERATE_MIPMAP_HINT && target != GL_FRAGMENT_SHADER_DERIVATIVE_HINT_OES)
        return ctx.error(GL_INVALID_ENUM, "glHint", "target 0x%04x is no hint", target);
    if (mode != GL_FASTEST && mode != GL_NICEST && mode != GL_DONT_CARE)
        return ctx.error(GL_INVALID_ENUM, "glHint", "mode 0x%04x is none", mode);
    (target == GL_GENERATE_MIPMAP_HINT ? ctx.state.generate_mipmap_hint
                                       : ctx.state.fragment_derivative_hint) = mode;
}

}  // namespace terrazzo::st
