// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Queries of program objects. Rules: GLES 2.0 sections 2.10.4 and 6.1.8.
#include <algorithm>
#include <cstring>
#include <optional>

#include "state_tracker/core/debug.h"
#include "state_tracker/core/program.h"

namespace terrazzo::st {
namespace {

template <class List>
GLint longest_name(const List& list) {
    size_t n = 0;
    for (const auto& item : list)
        n = std::max(n, item.name.size() + 1);
    return GLint(n);
}

/// Splits "name[12]". No leading zeros, no signs, nothing behind.
struct IndexedName {
    std::string_view base;
    std::optional<uint32_t> index;
};
std::optional<IndexedName> parse_name(std::string_view name) {
    if (!name.ends_with(']')) return IndexedName{name, {}};
    size_t open = name.rfind('[');
    if (open == std::string_view::npos) return {};
    std::string_view digits = name.substr(open + 1, name.size() - open - 2);
    if (digits.empty() || digits.size() > 9 || (digits.size() > 1 && digits[0] == '0')) return {};
    uint32_t index = 0;
    for (char c : digits) {
        if (c < '0' || c > '9') return {};
        index = index * 10 + uint32_t(c - '0');
    }
    return IndexedName{name.substr(0, open), index};
}

/// The linked program; null with GL_INVALID_OPERATION where it is not linked.
const Executable* linked(Context& ctx, GLuint program, const char* command) {
    Program* p = find_program(ctx, program, command);
    if (!p) return nullptr;
    if (!p->link_status) {
        ctx.error(GL_INVALID_OPERATION, command, "program %u is not linked", program);
        return nullptr;
    }
    return p->executable.get();
}

template <class Info>
void active_variable(const Info& v, GLsizei buf_size, GLsizei* length, GLint* size, GLenum* type,
                     GLchar* name) {
    copy_string(v.name, buf_size, length, name);
    if (size) *size = GLint(std::max(v.array_size, 1u));
    if (type) *type = gl_type(v.type);
}

}  // namespace

void GetProgramiv(Context& ctx, GLuint program, GLenum pname, GLint* params) {
    const char* const command = "glGetProgramiv";
    std::lock_guard lock(ctx.share->mutex);
    Program* p = find_program(ctx, program, command);
    if (!p) return;
    const shaders::LinkedProgram* l = p->executable ? p->executable->linked.get() : nullptr;
    GLint value;
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
            value = l ? GLint(l->attributes.size()) : 0;
            break;
        case GL_ACTIVE_ATTRIBUTE_MAX_LENGTH:
            value = l ? longest_name(l->attributes) : 0;
            break;
        case GL_ACTIVE_UNIFORMS:
            value = l ? GLint(l->uniforms.size()) : 0;
            break;
        case GL_ACTIVE_UNIFORM_MAX_LENGTH:
            value = l ? longest_name(l->uniforms) : 0;
            break;
        case GL_PROGRAM_BINARY_LENGTH_OES:
            value = l ? GLint(shaders::serialize(*l).size()) : 0;
            break;
        default:
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
    size_t count = p->executable ? p->executable->linked->attributes.size() : 0;
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
    const Executable* e = linked(ctx, program, "glGetAttribLocation");
    if (!e || !name) return -1;
    for (const shaders::AttributeInfo& a : e->linked->attributes)
        if (a.name == name) return a.location;
    return -1;
}

GLint GetUniformLocation(Context& ctx, GLuint program, const GLchar* name) {
    std::lock_guard lock(ctx.share->mutex);
    const Executable* e = linked(ctx, program, "glGetUniformLocation");
    if (!e || !name) return -1;
    std::optional<IndexedName> n = parse_name(name);
    if (!n) return -1;
    auto it = e->uniform_names.find(std::string(n->base));
    if (it == e->uniform_names.end()) return -1;
    const shaders::UniformInfo& u = e->linked->uniforms[it->second];
    if (u.location < 0 || (n->index && (!u.is_array || *n->index >= u.array_size))) return -1;
    return u.location + GLint(n->index.value_or(0));
}

// --- EXT_blend_func_extended: programs of OpenGL ES 2.0 have no outputs with names of their own

void BindFragDataLocationIndexed(Context& ctx, GLuint program, GLuint colorNumber, GLuint index,
                                 const GLchar* name) {
    const char* const command = "glBindFragDataLocationIndexedEXT";
    std::lock_guard lock(ctx.share->mutex);
    if (!find_program(ctx, program, command)) return;
    const GLuint limit = index ? 1 : GLuint(ctx.limits.max_draw_buffers);
    if (index > 1 || colorNumber >= limit)
        return ctx.error(GL_INVALID_VALUE, command, "colour %u of index %u: there are %u", colorNumber, index,
                         index > 1 ? 0 : limit);
    if (name && std::string_view(name).substr(0, 3) == "gl_")
        return ctx.error(GL_INVALID_OPERATION, command, "\"%.200s\" begins with gl_", name);
}
void BindFragDataLocation(Context& ctx, GLuint program, GLuint color, const GLchar* name) {
    BindFragDataLocationIndexed(ctx, program, color, 0, name);
}
GLint GetFragDataIndex(Context& ctx, GLuint program, const GLchar* name) {
    std::lock_guard lock(ctx.share->mutex);
    (void)name;
    (void)linked(ctx, program, "glGetFragDataIndexEXT");
    return -1;
}
GLint GetProgramResourceLocationIndex(Context& ctx, GLuint program, GLenum programInterface,
                                      const GLchar* name) {
    std::lock_guard lock(ctx.share->mutex);
    (void)name;
    if (programInterface != GL_PROGRAM_OUTPUT) {
        ctx.error(GL_INVALID_ENUM, "glGetProgramResourceLocationIndexEXT", "interface 0x%04x",
                  programInterface);
        return -1;
    }
    (void)linked(ctx, program, "glGetProgramResourceLocationIndexEXT");
    return -1;
}

}  // namespace terrazzo::st
