// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "state_tracker/programs/later_stages.h"

#include "state_tracker/debug/debug.h"

namespace terrazzo::st {
namespace {

using ir::Shape;

/// GL's modes after GL_TRIANGLE_FAN have the pipe's order.
static_assert(GL_TRIANGLE_STRIP_ADJACENCY - GL_LINES_ADJACENCY ==
                  unsigned(pipe::Primitive::TriangleStripAdjacency) -
                      unsigned(pipe::Primitive::LinesAdjacency) &&
              GL_PATCHES - GL_LINES_ADJACENCY ==
                  unsigned(pipe::Primitive::Patches) - unsigned(pipe::Primitive::LinesAdjacency));

Shape shape_of(GLenum mode) {
    switch (mode) {
        case GL_POINTS:
            return Shape::Points;
        case GL_LINES:
        case GL_LINE_LOOP:
        case GL_LINE_STRIP:
            return Shape::Lines;
        case GL_LINES_ADJACENCY:
        case GL_LINE_STRIP_ADJACENCY:
            return Shape::LinesAdjacency;
        case GL_TRIANGLES_ADJACENCY:
        case GL_TRIANGLE_STRIP_ADJACENCY:
            return Shape::TrianglesAdjacency;
        case GL_PATCHES:
            return Shape::None;
        default:
            return Shape::Triangles;
    }
}

GLint gl_shape(Shape s, bool strips) {
    switch (s) {
        case Shape::None:
        case Shape::Points:
            return GL_POINTS;
        case Shape::Lines:
            return strips ? GL_LINE_STRIP : GL_LINES;
        case Shape::LinesAdjacency:
            return GL_LINES_ADJACENCY;
        case Shape::Triangles:
            return strips ? GL_TRIANGLE_STRIP : GL_TRIANGLES;
        case Shape::TrianglesAdjacency:
            return GL_TRIANGLES_ADJACENCY;
        case Shape::Quads:
            return GL_QUADS_EXT;
        case Shape::Isolines:
            return GL_ISOLINES;
    }
    return GL_POINTS;
}

GLint gl_spacing(ir::Spacing s) {
    return s == ir::Spacing::Equal            ? GL_EQUAL
           : s == ir::Spacing::FractionalEven ? GL_FRACTIONAL_EVEN
                                              : GL_FRACTIONAL_ODD;
}

struct Parameter {
    GLenum name;
    pipe::Stage stage;
    GLint (*value)(const ir::StageRecords&);
};
using Records = ir::StageRecords;
constexpr Parameter kParameters[] = {
    {GL_GEOMETRY_VERTICES_OUT, pipe::Stage::Geometry, [](const Records& r) { return GLint(r.vertices_out); }},
    {GL_GEOMETRY_INPUT_TYPE, pipe::Stage::Geometry, [](const Records& r) { return gl_shape(r.in, false); }},
    {GL_GEOMETRY_OUTPUT_TYPE, pipe::Stage::Geometry, [](const Records& r) { return gl_shape(r.out, true); }},
    {GL_GEOMETRY_SHADER_INVOCATIONS, pipe::Stage::Geometry,
     [](const Records& r) { return GLint(r.invocations); }},
    {GL_TESS_CONTROL_OUTPUT_VERTICES, pipe::Stage::TessControl,
     [](const Records& r) { return GLint(r.vertices_out); }},
    {GL_TESS_GEN_MODE, pipe::Stage::TessEval, [](const Records& r) { return gl_shape(r.in, false); }},
    {GL_TESS_GEN_SPACING, pipe::Stage::TessEval, [](const Records& r) { return gl_spacing(r.spacing); }},
    {GL_TESS_GEN_VERTEX_ORDER, pipe::Stage::TessEval,
     [](const Records& r) { return GLint(r.clockwise ? GL_CW : GL_CCW); }},
    {GL_TESS_GEN_POINT_MODE, pipe::Stage::TessEval,
     [](const Records& r) { return GLint(r.out == Shape::Points ? GL_TRUE : GL_FALSE); }},
};

}  // namespace

uint32_t modes_taken(bool tessellates, Shape geometry_takes) {
    if (tessellates) return 1u << GL_PATCHES;
    uint32_t modes = 0;
    for (GLenum mode = GL_POINTS; mode < GL_PATCHES; ++mode)
        if (geometry_takes == Shape::None || geometry_takes == shape_of(mode)) modes |= 1u << mode;
    return modes;
}

bool refuse_mode(Context& ctx, GLenum mode, const char* command) {
    const bool tessellates = ctx.executable->modes >> GL_PATCHES & 1;
    ctx.error(GL_INVALID_OPERATION, command,
              tessellates          ? "mode 0x%04x: the program tessellates, and accepts GL_PATCHES"
              : mode == GL_PATCHES ? "mode 0x%04x: the program has no tessellation stages"
                                   : "mode 0x%04x is not the primitive that the geometry shader accepts",
              mode);
    return false;
}

GLenum captured_mode(const Executable& e, GLenum mode) {
    const Shape s = e.last_gives != Shape::None ? e.last_gives : shape_of(mode);
    return s == Shape::Points                                ? GL_POINTS
           : s == Shape::Lines || s == Shape::LinesAdjacency ? GL_LINES
                                                             : GL_TRIANGLES;
}

bool stage_parameter(Context& ctx, const Program& p, GLenum pname, GLint* value, bool* known) {
    const shaders::LinkedProgram* const l =
        p.link_status && p.executable ? p.executable->linked.get() : nullptr;
    for (const Parameter& row : kParameters) {
        if (row.name != pname) continue;
        *known = true;
        const shaders::LinkedStage* const s = l ? &l->stages[size_t(row.stage)] : nullptr;
        if (!s || !*s)
            return ctx.error(GL_INVALID_OPERATION, "glGetProgramiv",
                             "program %u is not linked with the stage that has 0x%04x", p.name, pname),
                   false;
        *value = row.value(s->stored()->info().records);
        return true;
    }
    *known = false;
    return false;
}

void PatchParameteri(Context& ctx, GLenum pname, GLint value) {
    const char* const command = "glPatchParameteri";
    if (pname != GL_PATCH_VERTICES)
        return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is not GL_PATCH_VERTICES", pname);
    if (value <= 0 || value > ctx.limits.shader.patch_vertices)
        return ctx.error(GL_INVALID_VALUE, command, "%d vertices; patches have 1 to %d", value,
                         ctx.limits.shader.patch_vertices);
    ctx.patch_vertices = value;
}

}  // namespace terrazzo::st
