// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// More variants of DrawArrays and DrawElements: with a range, a base vertex, a base instance, several at once
// (OpenGL ES 3.2 section 10.5, EXT_draw_elements_base_vertex, EXT_base_instance, EXT_multi_draw_arrays).
#include "state_tracker/draws/draw_cache.h"

namespace terrazzo::st {
namespace {

/// The application's range is only a hint, and not trusted: the range that is read is computed, or the device
/// checks each index.
void draw_range_elements(Context& ctx, GLenum mode, GLuint start, GLuint end, GLsizei count, GLenum type,
                         const void* indices, GLint base_vertex, const char* command) {
    if (end < start) return ctx.error(GL_INVALID_VALUE, command, "end (%u) is below start (%u)", end, start);
    draw_elements(ctx, mode, count, type, indices, base_vertex, {}, command);
}

/// False: there is nothing to do, or the error is recorded.
bool has_draws(Context& ctx, GLsizei primcount, const char* command) {
    if (primcount < 0) ctx.error(GL_INVALID_VALUE, command, "primcount (%d) is negative", primcount);
    return primcount > 0;
}

}  // namespace

void DrawRangeElements(Context& ctx, GLenum mode, GLuint start, GLuint end, GLsizei count, GLenum type,
                       const void* indices) {
    draw_range_elements(ctx, mode, start, end, count, type, indices, 0, "glDrawRangeElements");
}

void DrawElementsBaseVertex(Context& ctx, GLenum mode, GLsizei count, GLenum type, const void* indices,
                            GLint basevertex) {
    draw_elements(ctx, mode, count, type, indices, basevertex, {}, "glDrawElementsBaseVertex");
}
void DrawRangeElementsBaseVertex(Context& ctx, GLenum mode, GLuint start, GLuint end, GLsizei count,
                                 GLenum type, const void* indices, GLint basevertex) {
    draw_range_elements(ctx, mode, start, end, count, type, indices, basevertex,
                        "glDrawRangeElementsBaseVertex");
}
void DrawElementsInstancedBaseVertex(Context& ctx, GLenum mode, GLsizei count, GLenum type,
                                     const void* indices, GLsizei instancecount, GLint basevertex) {
    draw_elements(ctx, mode, count, type, indices, basevertex, {instancecount, 0},
                  "glDrawElementsInstancedBaseVertex");
}

void DrawArraysInstancedBaseInstance(Context& ctx, GLenum mode, GLint first, GLsizei count,
                                     GLsizei instancecount, GLuint baseinstance) {
    draw_arrays(ctx, mode, first, count, {instancecount, baseinstance},
                "glDrawArraysInstancedBaseInstanceEXT");
}
void DrawElementsInstancedBaseInstance(Context& ctx, GLenum mode, GLsizei count, GLenum type,
                                       const void* indices, GLsizei instancecount, GLuint baseinstance) {
    draw_elements(ctx, mode, count, type, indices, 0, {instancecount, baseinstance},
                  "glDrawElementsInstancedBaseInstanceEXT");
}
void DrawElementsInstancedBaseVertexBaseInstance(Context& ctx, GLenum mode, GLsizei count, GLenum type,
                                                 const void* indices, GLsizei instancecount, GLint basevertex,
                                                 GLuint baseinstance) {
    draw_elements(ctx, mode, count, type, indices, basevertex, {instancecount, baseinstance},
                  "glDrawElementsInstancedBaseVertexBaseInstanceEXT");
}

// Draws with a count of 0 or less are skipped, as EXT_multi_draw_arrays specifies.
void MultiDrawArrays(Context& ctx, GLenum mode, const GLint* first, const GLsizei* count, GLsizei primcount) {
    const char* const command = "glMultiDrawArraysEXT";
    if (!valid_mode(ctx, mode, command) || !has_draws(ctx, primcount, command)) return;
    for (GLsizei i = 0; i < primcount; ++i)
        if (count[i] > 0) draw_arrays(ctx, mode, first[i], count[i], {}, command);
}
void MultiDrawElements(Context& ctx, GLenum mode, const GLsizei* count, GLenum type,
                       const void* const* indices, GLsizei primcount) {
    const char* const command = "glMultiDrawElementsEXT";
    if (!valid_mode(ctx, mode, command) || !has_draws(ctx, primcount, command)) return;
    for (GLsizei i = 0; i < primcount; ++i)
        if (count[i] > 0) draw_elements(ctx, mode, count[i], type, indices[i], 0, {}, command);
}
void MultiDrawElementsBaseVertex(Context& ctx, GLenum mode, const GLsizei* count, GLenum type,
                                 const void* const* indices, GLsizei drawcount, const GLint* basevertex) {
    const char* const command = "glMultiDrawElementsBaseVertexEXT";
    if (!valid_mode(ctx, mode, command) || !has_draws(ctx, drawcount, command)) return;
    // Checked before `basevertex` is read. This command has the errors of DrawElementsBaseVertex, unlike the
    // two above: a negative count is an error.
    if (index_type(type) == pipe::IndexType::None)
        return ctx.error(GL_INVALID_ENUM, command, "type 0x%04x", type);
    for (GLsizei i = 0; i < drawcount; ++i) {
        if (count[i] < 0)
            return ctx.error(GL_INVALID_VALUE, command, "count[%d] (%d) is negative", i, count[i]);
        if (count[i]) draw_elements(ctx, mode, count[i], type, indices[i], basevertex[i], {}, command);
    }
}

}  // namespace terrazzo::st
