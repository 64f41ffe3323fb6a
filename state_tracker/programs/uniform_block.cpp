// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Uniform blocks of programs (OpenGL ES 3.0 section 2.12.6): queries and bindings.
#include <algorithm>

#include "state_tracker/debug/debug.h"
#include "state_tracker/programs/program.h"

namespace terrazzo::st {
namespace {

/// The executable of the program, if it has the block. Null: it has not, and the error is recorded. Lock the
/// share group.
Executable* find_block(Context& ctx, GLuint program, GLuint index, const char* command) {
    Program* const p = find_program(ctx, program, command);
    if (!p) return nullptr;
    const size_t count = p->executable ? p->executable->linked->blocks.size() : 0;
    if (index < count) return p->executable.get();
    ctx.error(GL_INVALID_VALUE, command, "index %u: program %u has %zu uniform blocks", index, program,
              count);
    return nullptr;
}

/// The program interface's property for a name of GetActiveUniformsiv; GL_NONE: unknown name.
GLenum property_of(GLenum pname) {
    switch (pname) {
        case GL_UNIFORM_TYPE:
            return GL_TYPE;
        case GL_UNIFORM_SIZE:
            return GL_ARRAY_SIZE;
        case GL_UNIFORM_NAME_LENGTH:
            return GL_NAME_LENGTH;
        case GL_UNIFORM_BLOCK_INDEX:
            return GL_BLOCK_INDEX;
        case GL_UNIFORM_OFFSET:
            return GL_OFFSET;
        case GL_UNIFORM_ARRAY_STRIDE:
            return GL_ARRAY_STRIDE;
        case GL_UNIFORM_MATRIX_STRIDE:
            return GL_MATRIX_STRIDE;
        case GL_UNIFORM_IS_ROW_MAJOR:
            return GL_IS_ROW_MAJOR;
        default:
            return GL_NONE;
    }
}

}  // namespace

void GetUniformIndices(Context& ctx, GLuint program, GLsizei uniformCount, const GLchar* const* uniformNames,
                       GLuint* uniformIndices) {
    const char* const command = "glGetUniformIndices";
    std::lock_guard lock(ctx.share->mutex);
    const Program* const p = find_program(ctx, program, command);
    if (!p) return;
    if (uniformCount < 0)
        return ctx.error(GL_INVALID_VALUE, command, "uniformCount (%d) is negative", uniformCount);
    if (!uniformNames || !uniformIndices) return;
    for (GLsizei i = 0; i < uniformCount; ++i) {
        uint32_t element = 0;
        const int32_t at =
            p->executable && uniformNames[i] ? p->executable->find_uniform(uniformNames[i], &element) : -1;
        uniformIndices[i] = at >= 0 && element == 0 ? GLuint(at) : GL_INVALID_INDEX;
    }
}

void GetActiveUniformsiv(Context& ctx, GLuint program, GLsizei uniformCount, const GLuint* uniformIndices,
                         GLenum pname, GLint* params) {
    const char* const command = "glGetActiveUniformsiv";
    std::lock_guard lock(ctx.share->mutex);
    const Program* const p = find_program(ctx, program, command);
    if (!p) return;
    if (uniformCount < 0)
        return ctx.error(GL_INVALID_VALUE, command, "uniformCount (%d) is negative", uniformCount);
    const GLenum property = property_of(pname);
    if (property == GL_NONE)
        return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is none of a uniform", pname);
    if (!uniformIndices) return;
    const size_t count = p->executable ? p->executable->linked->uniforms.size() : 0;
    // Client memory is read once. Nothing is written before all indices were checked.
    const std::vector<GLuint> indices(uniformIndices, uniformIndices + uniformCount);
    for (const GLuint index : indices)
        if (index >= count)
            return ctx.error(GL_INVALID_VALUE, command, "index %u: program %u has %zu uniforms", index,
                             program, count);
    for (size_t i = 0; params && i < indices.size(); ++i)
        (void)uniform_property(p->executable->linked->uniforms[indices[i]], property, &params[i]);
}

GLuint GetUniformBlockIndex(Context& ctx, GLuint program, const GLchar* uniformBlockName) {
    std::lock_guard lock(ctx.share->mutex);
    const Program* const p = find_program(ctx, program, "glGetUniformBlockIndex");
    if (!p || !p->executable || !uniformBlockName) return GL_INVALID_INDEX;
    const auto& blocks = p->executable->linked->blocks;
    const std::string_view name = uniformBlockName;
    for (size_t i = 0; i < blocks.size(); ++i) {
        std::string_view have = blocks[i].name;
        if (have == name) return GLuint(i);
        // An array's name without an index means its first element.
        if (have.ends_with("[0]") && have.substr(0, have.size() - 3) == name) return GLuint(i);
    }
    return GL_INVALID_INDEX;
}

void GetActiveUniformBlockiv(Context& ctx, GLuint program, GLuint uniformBlockIndex, GLenum pname,
                             GLint* params) {
    const char* const command = "glGetActiveUniformBlockiv";
    std::lock_guard lock(ctx.share->mutex);
    const Executable* const e = find_block(ctx, program, uniformBlockIndex, command);
    if (!e) return;
    const shaders::UniformBlockInfo& b = e->linked->blocks[uniformBlockIndex];
    GLint value = 0;
    switch (pname) {
        case GL_UNIFORM_BLOCK_BINDING:
            value = GLint(e->block_bindings[uniformBlockIndex]);
            break;
        case GL_UNIFORM_BLOCK_DATA_SIZE:
            value = GLint(b.size_B);
            break;
        case GL_UNIFORM_BLOCK_NAME_LENGTH:
            value = GLint(b.name.size()) + 1;
            break;
        case GL_UNIFORM_BLOCK_ACTIVE_UNIFORMS:
            value = GLint(b.members.size());
            break;
        case GL_UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES:
            if (params) std::copy(b.members.begin(), b.members.end(), params);
            return;
        case GL_UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER:
            value = b.slot[size_t(pipe::Stage::Vertex)] >= 0;
            break;
        case GL_UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER:
            value = b.slot[size_t(pipe::Stage::Fragment)] >= 0;
            break;
        default:
            return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is none of a uniform block", pname);
    }
    if (params) *params = value;
}

void GetActiveUniformBlockName(Context& ctx, GLuint program, GLuint uniformBlockIndex, GLsizei bufSize,
                               GLsizei* length, GLchar* uniformBlockName) {
    const char* const command = "glGetActiveUniformBlockName";
    std::lock_guard lock(ctx.share->mutex);
    const Executable* const e = find_block(ctx, program, uniformBlockIndex, command);
    if (!e) return;
    if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, command, "bufSize (%d) is negative", bufSize);
    copy_string(e->linked->blocks[uniformBlockIndex].name, bufSize, length, uniformBlockName);
}

void UniformBlockBinding(Context& ctx, GLuint program, GLuint uniformBlockIndex, GLuint uniformBlockBinding) {
    const char* const command = "glUniformBlockBinding";
    std::lock_guard lock(ctx.share->mutex);
    Executable* const e = find_block(ctx, program, uniformBlockIndex, command);
    if (!e) return;
    if (uniformBlockBinding >= GLuint(ctx.limits.max_uniform_buffer_bindings))
        return ctx.error(GL_INVALID_VALUE, command,
                         "binding %u is not below GL_MAX_UNIFORM_BUFFER_BINDINGS (%d)", uniformBlockBinding,
                         ctx.limits.max_uniform_buffer_bindings);
    if (e->block_bindings[uniformBlockIndex] == uniformBlockBinding) return;
    e->block_bindings[uniformBlockIndex] = uniformBlockBinding;
    ++e->change_stamp;
    ctx.dirty |= dirty::kUniformBuffers;
}

}  // namespace terrazzo::st
