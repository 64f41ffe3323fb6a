// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Geometry and tessellation stages, as draws and programs need them (OpenGL ES 3.2 sections 11.2 and 11.3).
#pragma once

#include "state_tracker/context.h"
#include "state_tracker/programs/program.h"

namespace terrazzo::st {

/// The pipe's primitive for a GL mode that valid_mode() accepted.
[[nodiscard]] inline pipe::Primitive primitive_of(GLenum mode) {
    if (mode <= GL_TRIANGLE_FAN) return pipe::Primitive(mode);
    return pipe::Primitive(mode - GL_LINES_ADJACENCY + unsigned(pipe::Primitive::LinesAdjacency));
}
/// The modes that such stages accept (Executable::modes). `geometry_takes` is None without a geometry stage.
[[nodiscard]] uint32_t modes_taken(bool tessellates, ir::Shape geometry_takes);
/// Records the error of stages_take(). Returns false.
bool refuse_mode(Context& ctx, GLenum mode, const char* command);
/// Whether the stages of the current executable accept this primitive. False: the error is recorded.
[[nodiscard]] inline bool stages_take(Context& ctx, GLenum mode, const char* command) {
    return (ctx.executable->modes >> mode & 1) || refuse_mode(ctx, mode, command);
}
/// The primitives that transform feedback captures of a draw of this mode: GL_POINTS, GL_LINES or
/// GL_TRIANGLES.
[[nodiscard]] GLenum captured_mode(const Executable& e, GLenum mode);
/// The names that these stages add to GetProgramiv. False: the error is recorded, or pname is none of these
/// names (`known` tells which).
bool stage_parameter(Context& ctx, const Program& p, GLenum pname, GLint* value, bool* known);

}  // namespace terrazzo::st
