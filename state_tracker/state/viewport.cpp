// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Viewports, depth ranges and scissors: one for all primitives (OpenGL ES 2.0 sections 2.12.1 and 4.1.2), or
// several that primitives choose from (OES_viewport_array). Capabilities with an index (OpenGL ES 3.2 section
// 2.2).
#include "state_tracker/context/limits.h"
#include "state_tracker/state/state.h"

namespace terrazzo::st {

namespace {

/// Whether the viewports exist. False: the error is recorded.
bool check_indices(Context& ctx, const char* command, GLuint first, GLsizei count) {
    if (count >= 0 && uint64_t(first) + uint64_t(count) <= uint64_t(ctx.limits.max_viewports)) return true;
    ctx.error(GL_INVALID_VALUE, command, "%d viewports from %u on; GL_MAX_VIEWPORTS_OES is %d", count, first,
              ctx.limits.max_viewports);
    return false;
}

template <class T>
bool check_size(Context& ctx, const char* command, T width, T height) {
    if (!(width < 0) && !(height < 0)) return true;
    ctx.error(GL_INVALID_VALUE, command, "%g x %g: a size is negative", double(width), double(height));
    return false;
}

/// Sets a field of viewports [first, first + count); `value(i)` returns an array.
template <class Field, class F>
void set_viewports(Context& ctx, GLuint first, GLuint count, Field ViewportState::*field, uint64_t bits,
                   F&& value) {
    for (GLuint i = 0; i < count; ++i) {
        const auto v = value(i);
        Field& own = ctx.state.viewports[first + i].*field;
        if (std::equal(v.begin(), v.end(), own)) continue;
        std::copy(v.begin(), v.end(), own);
        ctx.dirty |= bits;
    }
}

/// Sets a field of all viewports. Until one is set by its index, all are alike.
template <class Field, class T>
void set_all_viewports(Context& ctx, Field ViewportState::*field, uint64_t bits, const T& v) {
    const Field& first = ctx.state.viewports[0].*field;
    if (!ctx.state.viewport_arrays && std::equal(v.begin(), v.end(), first)) return;
    for (GLint i = 0; i < ctx.limits.max_viewports; ++i)
        std::copy(v.begin(), v.end(), ctx.state.viewports[size_t(i)].*field);
    ctx.dirty |= bits;
}

using Box = std::array<GLfloat, 4>;
Box clamped(const Context& ctx, const GLfloat* v) {
    // Viewport arrays introduced bounds (OES_viewport_array). Without them, positions are not clamped.
    const bool has_bounds = ctx.limits.max_viewports > 1;
    const auto at = [&](GLfloat x) {
        return has_bounds ? std::clamp(x, kViewportBounds[0], kViewportBounds[1]) : x;
    };
    const auto most = GLfloat(ctx.limits.max_viewport);
    return {at(v[0]), at(v[1]), std::min(v[2], most), std::min(v[3], most)};
}

void viewport_array(Context& ctx, const char* command, GLuint first, GLsizei count, const GLfloat* v) {
    if (!check_indices(ctx, command, first, count) || !v) return;
    for (GLsizei i = 0; i < count; ++i)
        if (!check_size(ctx, command, v[4 * i + 2], v[4 * i + 3])) return;
    ctx.state.viewport_arrays = true;
    set_viewports(ctx, first, GLuint(count), &ViewportState::box, dirty::kViewport,
                  [&](GLuint i) { return clamped(ctx, v + 4 * i); });
}

void scissor_array(Context& ctx, const char* command, GLuint first, GLsizei count, const GLint* v) {
    if (!check_indices(ctx, command, first, count) || !v) return;
    for (GLsizei i = 0; i < count; ++i)
        if (!check_size(ctx, command, v[4 * i + 2], v[4 * i + 3])) return;
    ctx.state.viewport_arrays = true;
    set_viewports(ctx, first, GLuint(count), &ViewportState::scissor, dirty::kScissor,
                  [&](GLuint i) { return std::span(v + 4 * i, 4); });
}

void depth_range_array(Context& ctx, const char* command, GLuint first, GLsizei count, const GLfloat* v) {
    if (!check_indices(ctx, command, first, count) || !v) return;
    ctx.state.viewport_arrays = true;
    set_viewports(ctx, first, GLuint(count), &ViewportState::depth_range, dirty::kViewport, [&](GLuint i) {
        return std::array{clamp01(v[2 * i]), clamp01(v[2 * i + 1])};
    });
}

}  // namespace

void Viewport(Context& ctx, GLint x, GLint y, GLsizei width, GLsizei height) {
    if (!check_size(ctx, "glViewport", width, height)) return;
    const GLfloat v[4] = {GLfloat(x), GLfloat(y), GLfloat(width), GLfloat(height)};
    set_all_viewports(ctx, &ViewportState::box, dirty::kViewport, clamped(ctx, v));
}
void ViewportArrayv(Context& ctx, GLuint first, GLsizei count, const GLfloat* v) {
    viewport_array(ctx, "glViewportArrayvOES", first, count, v);
}
void ViewportIndexedf(Context& ctx, GLuint index, GLfloat x, GLfloat y, GLfloat w, GLfloat h) {
    const GLfloat v[4] = {x, y, w, h};
    viewport_array(ctx, "glViewportIndexedfOES", index, 1, v);
}
void ViewportIndexedfv(Context& ctx, GLuint index, const GLfloat* v) {
    viewport_array(ctx, "glViewportIndexedfvOES", index, 1, v);
}

void Scissor(Context& ctx, GLint x, GLint y, GLsizei width, GLsizei height) {
    if (!check_size(ctx, "glScissor", width, height)) return;
    set_all_viewports(ctx, &ViewportState::scissor, dirty::kScissor, std::array{x, y, width, height});
}
void ScissorArrayv(Context& ctx, GLuint first, GLsizei count, const GLint* v) {
    scissor_array(ctx, "glScissorArrayvOES", first, count, v);
}
void ScissorIndexed(Context& ctx, GLuint index, GLint left, GLint bottom, GLsizei width, GLsizei height) {
    const GLint v[4] = {left, bottom, width, height};
    scissor_array(ctx, "glScissorIndexedOES", index, 1, v);
}
void ScissorIndexedv(Context& ctx, GLuint index, const GLint* v) {
    scissor_array(ctx, "glScissorIndexedvOES", index, 1, v);
}

void DepthRangef(Context& ctx, GLfloat n, GLfloat f) {
    set_all_viewports(ctx, &ViewportState::depth_range, dirty::kViewport, std::array{clamp01(n), clamp01(f)});
}
void DepthRangeArrayfv(Context& ctx, GLuint first, GLsizei count, const GLfloat* v) {
    depth_range_array(ctx, "glDepthRangeArrayfvOES", first, count, v);
}
void DepthRangeIndexedf(Context& ctx, GLuint index, GLfloat n, GLfloat f) {
    const GLfloat v[2] = {n, f};
    depth_range_array(ctx, "glDepthRangeIndexedfOES", index, 1, v);
}

// --- capabilities

void set_scissor_tests(Context& ctx, bool on) {
    for (GLint i = 0; i < ctx.limits.max_viewports; ++i)
        assign(ctx, ctx.state.viewports[size_t(i)].scissor_test, on, dirty::kRaster | dirty::kScissor);
}

namespace {

/// Whether the capability exists with this index. False: the error is recorded.
bool is_indexed_capability(Context& ctx, const char* command, GLenum target, GLuint index) {
    if (target == GL_BLEND) return is_draw_buffer(ctx, command, index);
    if (target == GL_SCISSOR_TEST && has_extension(ctx, extension_row("GL_OES_viewport_array")))
        return check_indices(ctx, command, index, 1);
    ctx.error(GL_INVALID_ENUM, command, "target 0x%04x is no capability with an index", target);
    return false;
}

void set_indexed(Context& ctx, const char* command, GLenum target, GLuint index, bool on) {
    if (!is_indexed_capability(ctx, command, target, index)) return;
    if (target == GL_BLEND) return set_blend(ctx, index, on);
    ctx.state.viewport_arrays = true;
    assign(ctx, ctx.state.viewports[index].scissor_test, on, dirty::kRaster | dirty::kScissor);
}

}  // namespace

void Enablei(Context& ctx, GLenum target, GLuint index) {
    set_indexed(ctx, "glEnablei", target, index, true);
}
void Disablei(Context& ctx, GLenum target, GLuint index) {
    set_indexed(ctx, "glDisablei", target, index, false);
}
GLboolean IsEnabledi(Context& ctx, GLenum target, GLuint index) {
    if (!is_indexed_capability(ctx, "glIsEnabledi", target, index)) return GL_FALSE;
    return target == GL_BLEND ? ctx.state.blend_enabled >> index & 1
                              : ctx.state.viewports[index].scissor_test;
}

}  // namespace terrazzo::st
