// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Geometry and tessellation stages as draws and programs see them (OpenGL ES 3.2 sections 11.2 and 11.3).
#pragma once

#include "state_tracker/context.h"
#include "state_tracker/programs/program.h"

namespace terrazzo::st {

/// GL's primitive as the pipe's; valid_mode() has looked at it.
[[nodiscard]] inline pipe::Primitive primitive_of(GLenum mode) {
    if (mode <= GL_TRIANGLE_FAN) return pipe::Primitive(mode);
    return pipe::Primitive(mode - GL_LINES_ADJACENCY + unsigned(pipe::Primitive::LinesAdjacency));
}
/// Executable::modes of such stages; without a geometry stage, its primitive is None.
[[nodiscard]] uint32_t modes_taken(bool tessellates, ir::Shape geometry_takes);
/// Records the error of stages_take(); false.
bool refuse_mode(Context& ctx, GLenum mode, const char* command);
/// Whether the stages of the program that draws take this primitive. False: the error is recorded.
[[nodiscard]] inline bool stages_take(Context& ctx, GLenum mode, const char* command) {
    return (ctx.executable->modes >> mode & 1) || refuse_mode(ctx, mode, command);
}
/// GL_POINTS, GL_LINES or GL_TRIANGLES: what a draw of this mode gives to transform feedback.
[[nodiscard]] GLenum captured_mode(const Executable& e, GLenum mode);
/// What these stages add to GetProgramiv. False: pname is none of it, or the error is recorded.
bool stage_parameter(Context& ctx, const Program& p, GLenum pname, GLint* value, bool* known);

}  // namespace terrazzo::st
