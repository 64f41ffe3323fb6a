// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fragment outputs of programs (OpenGL ES 3.0 section 3.9.2.3, EXT_blend_func_extended).
#include "state_tracker/programs/program.h"

namespace terrazzo::st {
namespace {

/// The output with this name, and its location; null: there is none.
const shaders::OutputInfo* find_output(const Executable& e, const GLchar* name, GLint* location) {
    const std::optional<IndexedName> n = name ? parse_name(name) : std::nullopt;
    if (!n || !e.linked->stages[size_t(pipe::Stage::Fragment)]) return nullptr;
    for (const shaders::OutputInfo& o : e.linked->outputs) {
        if (o.name != n->base || (n->index && (!o.is_array || *n->index >= o.array_size))) continue;
        *location = o.location < 0 ? -1 : o.location + GLint(n->index.value_or(0));
        return &o;
    }
    return nullptr;
}

/// The output's location. -1: there is no such output, or the error is recorded.
GLint location_of(Context& ctx, GLuint program, const GLchar* name, const char* command) {
    std::lock_guard lock(ctx.share->mutex);
    const Executable* const e = linked_executable(ctx, program, command);
    GLint location = -1;
    return e && find_output(*e, name, &location) ? location : -1;
}

GLint index_of(Context& ctx, GLuint program, const GLchar* name, const char* command) {
    std::lock_guard lock(ctx.share->mutex);
    const Executable* const e = linked_executable(ctx, program, command);
    GLint location;
    const shaders::OutputInfo* const o = e ? find_output(*e, name, &location) : nullptr;
    return o && o->location >= 0 ? o->index : -1;
}

}  // namespace

GLint GetFragDataLocation(Context& ctx, GLuint program, const GLchar* name) {
    return location_of(ctx, program, name, "glGetFragDataLocation");
}

// --- EXT_blend_func_extended. Shaders of OpenGL ES 2.0 cannot name outputs.

void BindFragDataLocationIndexed(Context& ctx, GLuint program, GLuint colorNumber, GLuint index,
                                 const GLchar* name) {
    const char* const command = "glBindFragDataLocationIndexedEXT";
    std::lock_guard lock(ctx.share->mutex);
    Program* const p = find_program(ctx, program, command);
    if (!p) return;
    const GLuint limit = index ? 1 : GLuint(ctx.limits.max_draw_buffers);
    if (index > 1 || colorNumber >= limit)
        return ctx.error(GL_INVALID_VALUE, command, "colour %u of index %u: there are %u", colorNumber, index,
                         index > 1 ? 0 : limit);
    if (!name) return;
    if (std::string_view(name).substr(0, 3) == "gl_")
        return ctx.error(GL_INVALID_OPERATION, command, "\"%.200s\" begins with gl_", name);
    for (shaders::OutputBinding& b : p->output_bindings)
        if (b.name == name) {
            b.location = colorNumber;
            b.index = index;
            return;
        }
    p->output_bindings.push_back({name, colorNumber, index});
}
void BindFragDataLocation(Context& ctx, GLuint program, GLuint color, const GLchar* name) {
    BindFragDataLocationIndexed(ctx, program, color, 0, name);
}

GLint GetFragDataIndex(Context& ctx, GLuint program, const GLchar* name) {
    return index_of(ctx, program, name, "glGetFragDataIndexEXT");
}

GLint GetProgramResourceLocationIndex(Context& ctx, GLuint program, GLenum programInterface,
                                      const GLchar* name) {
    const char* const command = "glGetProgramResourceLocationIndexEXT";
    if (programInterface != GL_PROGRAM_OUTPUT)
        return ctx.error(GL_INVALID_ENUM, command, "interface 0x%04x", programInterface), -1;
    return index_of(ctx, program, name, command);
}

}  // namespace terrazzo::st
