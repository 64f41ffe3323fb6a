// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Queries of program objects. Rules: GLES 2.0 sections 2.10.4 and 6.1.8.
#include <algorithm>
#include <cstring>

#include "state_tracker/context/limits.h"
#include "state_tracker/debug/debug.h"
#include "state_tracker/programs/build.h"
#include "state_tracker/programs/later_stages.h"
#include "state_tracker/programs/program.h"

namespace terrazzo::st {
namespace {

template <class List>
GLint longest_name(const List& list) {
    size_t n = 0;
    for (const auto& item : list)
        n = std::max(n, item.name.size() + 1);
    return GLint(n);
}

template <class Info>
void active_variable(const Info& v, GLsizei buf_size, GLsizei* length, GLint* size, GLenum* type,
                     GLchar* name) {
    copy_string(v.name, buf_size, length, name);
    if (size) *size = GLint(std::max(v.array_size, 1u));
    if (type) *type = gl_type(v.type);
}

/// The names that OpenGL ES 3.1 adds to GetProgramiv. False: pname is not one of them, or the error is
/// recorded.
bool es31_parameter(Context& ctx, const Program& p, GLenum pname, GLint* values, unsigned* count) {
    const shaders::LinkedProgram* const l = p.executable ? p.executable->linked.get() : nullptr;
    switch (pname) {
        case GL_ACTIVE_ATOMIC_COUNTER_BUFFERS:
            values[0] = l ? GLint(l->atomic_buffers.size()) : 0;
            return true;
        case GL_COMPUTE_WORK_GROUP_SIZE: {
            const ir::Shader* const s =
                p.link_status && l ? l->stages[size_t(pipe::Stage::Compute)].get() : nullptr;
            if (!s)
                return ctx.error(GL_INVALID_OPERATION, "glGetProgramiv",
                                 "program %u has no linked compute shader", p.name),
                       false;
            std::copy_n(s->info.workgroup_size, 3, values);
            *count = 3;
            return true;
        }
        default: {
            bool known = false;
            if (stage_parameter(ctx, p, pname, values, &known)) return true;
            if (!known)
                ctx.error(GL_INVALID_ENUM, "glGetProgramiv", "pname 0x%04x is none of a program", pname);
            return false;
        }
    }
}

/// The names that OpenGL ES 3.0 adds to GetProgramiv. False: pname is not one of them.
bool es3_parameter(const Program& p, GLenum pname, GLint* value) {
    const shaders::LinkedProgram* const l = p.executable ? p.executable->linked.get() : nullptr;
    switch (pname) {
        case GL_ACTIVE_UNIFORM_BLOCKS:
            *value = l ? GLint(l->blocks.size()) : 0;
            return true;
        case GL_ACTIVE_UNIFORM_BLOCK_MAX_NAME_LENGTH:
            *value = l ? longest_name(l->blocks) : 0;
            return true;
        case GL_TRANSFORM_FEEDBACK_BUFFER_MODE:
            *value =
                (l ? l->capture_separate : p.capture_separate) ? GL_SEPARATE_ATTRIBS : GL_INTERLEAVED_ATTRIBS;
            return true;
        case GL_TRANSFORM_FEEDBACK_VARYINGS:
            *value = l ? GLint(l->captures.size()) : 0;
            return true;
        case GL_TRANSFORM_FEEDBACK_VARYING_MAX_LENGTH:
            *value = l ? longest_name(l->captures) : 0;
            return true;
        case GL_PROGRAM_BINARY_RETRIEVABLE_HINT:
            *value = p.binary_retrievable;
            return true;
        default:
            return false;
    }
}

}  // namespace

void GetProgramiv(Context& ctx, GLuint program, GLenum pname, GLint* params) {
    const char* const command = "glGetProgramiv";
    std::lock_guard lock(ctx.share->mutex);
    Program* p = find_program(ctx, program, command);
    if (!p) return;
    const shaders::LinkedProgram* l = p->executable ? p->executable->linked.get() : nullptr;
    GLint value, values[3];
    unsigned count = 1;
    switch (pname) {
        case GL_DELETE_STATUS:
            value = p->delete_pending;
            break;
        case GL_COMPLETION_STATUS_KHR:
            value = GL_TRUE;
            break;
        case GL_LINK_STATUS:
            value = p->link_status;
            break;
        case GL_VALIDATE_STATUS:
            value = p->validate_status;
            break;
        case GL_INFO_LOG_LENGTH:
            value = p->info_log.empty() ? 0 : GLint(p->info_log.size()) + 1;
            break;
        case GL_ATTACHED_SHADERS:
            value = GLint(p->attached.size());
            break;
        case GL_ACTIVE_ATTRIBUTES:
            value = l ? GLint(vertex_attributes(*l).size()) : 0;
            break;
        case GL_ACTIVE_ATTRIBUTE_MAX_LENGTH:
            value = l ? longest_name(vertex_attributes(*l)) : 0;
            break;
        case GL_ACTIVE_UNIFORMS:
            value = l ? GLint(l->uniforms.size()) : 0;
            break;
        case GL_ACTIVE_UNIFORM_MAX_LENGTH:
            value = l ? longest_name(l->uniforms) : 0;
            break;
        case GL_PROGRAM_SEPARABLE:
            if (!has_pipelines(ctx))
                return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is none of a program", pname);
            value = p->link_status && p->executable && p->executable->separable;  // the value at link time
            break;
        case GL_PROGRAM_BINARY_LENGTH_OES:
            value = l ? GLint(program_binary(*p->executable).size()) : 0;
            break;
        default:
            if (ctx.config.version >= 30 && es3_parameter(*p, pname, &value)) break;
            if (ctx.config.version >= 31) {
                if (es31_parameter(ctx, *p, pname, values, &count) && params)
                    std::copy_n(values, count, params);
                return;
            }
            return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is none of a program", pname);
    }
    if (params) *params = value;
}

void GetProgramInfoLog(Context& ctx, GLuint program, GLsizei bufSize, GLsizei* length, GLchar* infoLog) {
    const char* const command = "glGetProgramInfoLog";
    std::lock_guard lock(ctx.share->mutex);
    Program* p = find_program(ctx, program, command);
    if (!p) return;
    if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, command, "bufSize (%d) is negative", bufSize);
    copy_string(p->info_log, bufSize, length, infoLog);
}

void GetAttachedShaders(Context& ctx, GLuint program, GLsizei maxCount, GLsizei* count, GLuint* shaders) {
    const char* const command = "glGetAttachedShaders";
    std::lock_guard lock(ctx.share->mutex);
    Program* p = find_program(ctx, program, command);
    if (!p) return;
    if (maxCount < 0) return ctx.error(GL_INVALID_VALUE, command, "maxCount (%d) is negative", maxCount);
    GLsizei n = shaders ? std::min(maxCount, GLsizei(p->attached.size())) : 0;
    for (GLsizei i = 0; i < n; ++i)
        shaders[i] = p->attached[size_t(i)]->name;
    if (count) *count = n;
}

void GetActiveAttrib(Context& ctx, GLuint program, GLuint index, GLsizei bufSize, GLsizei* length,
                     GLint* size, GLenum* type, GLchar* name) {
    const char* const command = "glGetActiveAttrib";
    std::lock_guard lock(ctx.share->mutex);
    Program* p = find_program(ctx, program, command);
    if (!p) return;
    size_t count = p->executable ? vertex_attributes(*p->executable->linked).size() : 0;
    if (index >= count)
        return ctx.error(GL_INVALID_VALUE, command, "index %u: program %u has %zu attributes", index, program,
                         count);
    if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, command, "bufSize (%d) is negative", bufSize);
    active_variable(p->executable->linked->attributes[index], bufSize, length, size, type, name);
}

void GetActiveUniform(Context& ctx, GLuint program, GLuint index, GLsizei bufSize, GLsizei* length,
                      GLint* size, GLenum* type, GLchar* name) {
    const char* const command = "glGetActiveUniform";
    std::lock_guard lock(ctx.share->mutex);
    Program* p = find_program(ctx, program, command);
    if (!p) return;
    size_t count = p->executable ? p->executable->linked->uniforms.size() : 0;
    if (index >= count)
        return ctx.error(GL_INVALID_VALUE, command, "index %u: program %u has %zu uniforms", index, program,
                         count);
    if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, command, "bufSize (%d) is negative", bufSize);
    active_variable(p->executable->linked->uniforms[index], bufSize, length, size, type, name);
}

GLint GetAttribLocation(Context& ctx, GLuint program, const GLchar* name) {
    std::lock_guard lock(ctx.share->mutex);
    const Executable* e = linked_executable(ctx, program, "glGetAttribLocation");
    if (!e || !name) return -1;
    for (const shaders::AttributeInfo& a : vertex_attributes(*e->linked))
        if (a.name == name) return a.location;
    return -1;
}

GLint GetUniformLocation(Context& ctx, GLuint program, const GLchar* name) {
    std::lock_guard lock(ctx.share->mutex);
    const Executable* e = linked_executable(ctx, program, "glGetUniformLocation");
    if (!e || !name) return -1;
    uint32_t element;
    const int32_t index = e->find_uniform(name, &element);
    if (index < 0 || e->linked->uniforms[size_t(index)].location < 0) return -1;
    return e->linked->uniforms[size_t(index)].location + GLint(element);
}

}  // namespace terrazzo::st
