// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Commands of OpenGL ES 3.2 that differ only in the type and number of their values. With random arguments,
// by the rules of commands.cpp.
#include <iterator>

#include "tests/fuzz/commands_es3.h"

namespace fuzz {

using namespace es3;

namespace {

// Uniforms and attributes: of the program in use or of a named one; with values or a pointer to values.
constexpr void (*kFloats[])(GLint, GLsizei, const GLfloat*) = {glUniform1fv, glUniform2fv, glUniform3fv,
                                                               glUniform4fv};
constexpr void (*kInts[])(GLint, GLsizei, const GLint*) = {glUniform1iv, glUniform2iv, glUniform3iv,
                                                           glUniform4iv};
constexpr void (*kUints[])(GLint, GLsizei, const GLuint*) = {glUniform1uiv, glUniform2uiv, glUniform3uiv,
                                                             glUniform4uiv};
constexpr void (*kMatrices[])(GLint, GLsizei, GLboolean, const GLfloat*) = {
    glUniformMatrix2fv,   glUniformMatrix3fv,   glUniformMatrix4fv,
    glUniformMatrix2x3fv, glUniformMatrix3x2fv, glUniformMatrix2x4fv,
    glUniformMatrix4x2fv, glUniformMatrix3x4fv, glUniformMatrix4x3fv};
constexpr void (*kProgramFloats[])(GLuint, GLint, GLsizei, const GLfloat*) = {
    glProgramUniform1fv, glProgramUniform2fv, glProgramUniform3fv, glProgramUniform4fv};
constexpr void (*kProgramInts[])(GLuint, GLint, GLsizei, const GLint*) = {
    glProgramUniform1iv, glProgramUniform2iv, glProgramUniform3iv, glProgramUniform4iv};
constexpr void (*kProgramUints[])(GLuint, GLint, GLsizei, const GLuint*) = {
    glProgramUniform1uiv, glProgramUniform2uiv, glProgramUniform3uiv, glProgramUniform4uiv};
constexpr void (*kProgramMatrices[])(GLuint, GLint, GLsizei, GLboolean, const GLfloat*) = {
    glProgramUniformMatrix2fv,   glProgramUniformMatrix3fv,   glProgramUniformMatrix4fv,
    glProgramUniformMatrix2x3fv, glProgramUniformMatrix3x2fv, glProgramUniformMatrix2x4fv,
    glProgramUniformMatrix4x2fv, glProgramUniformMatrix3x4fv, glProgramUniformMatrix4x3fv};

template <typename F, size_t kCount>
F any(R& r, F const (&list)[kCount]) {
    return list[r.below(kCount)];
}

GLint location(R& r) {
    return r.one_in(20) ? GLint(r.bits()) : GLint(r.below(10)) - 1;
}

void uniform_arrays(R& r) {
    const GLuint p = r.name();
    const GLint at = location(r);
    const GLsizei n = r.bounded(4);
    switch (r.below(8)) {
        case 0:
            return any(r, kFloats)(at, n, r.array<GLfloat>());
        case 1:
            return any(r, kInts)(at, n, r.array<GLint>());
        case 2:
            return any(r, kUints)(at, n, r.array<GLuint>());
        case 3:
            return any(r, kMatrices)(at, n, r.boolean(), r.array<GLfloat>());
        case 4:
            return any(r, kProgramFloats)(p, at, n, r.array<GLfloat>());
        case 5:
            return any(r, kProgramInts)(p, at, n, r.array<GLint>());
        case 6:
            return any(r, kProgramUints)(p, at, n, r.array<GLuint>());
        default:
            return any(r, kProgramMatrices)(p, at, n, r.boolean(), r.array<GLfloat>());
    }
}

void uniform_values(R& r) {
    const GLint at = location(r), i = r.count(9);
    const GLuint u = r.bits();
    const GLfloat f = r.real();
    switch (r.below(8)) {
        case 0:
            return glUniform2f(at, f, f);
        case 1:
            return glUniform2i(at, i, 1);
        case 2:
            return glUniform3i(at, i, 1, 2);
        case 3:
            return glUniform4i(at, i, 1, 2, 3);
        case 4:
            return glUniform1ui(at, u);
        case 5:
            return glUniform2ui(at, u, 1);
        case 6:
            return glUniform3ui(at, u, 1, 2);
        default:
            return glUniform4ui(at, u, 1, 2, 3);
    }
}

void program_uniform_values(R& r) {
    const GLuint p = r.name(), u = r.bits();
    const GLint at = location(r), i = r.count(9);
    const GLfloat f = r.real();
    switch (r.below(10)) {
        case 0:
            return glProgramUniform1f(p, at, f);
        case 1:
            return glProgramUniform2f(p, at, f, f);
        case 2:
            return glProgramUniform3f(p, at, f, f, f);
        case 3:
            return glProgramUniform4f(p, at, f, f, f, f);
        case 4:
            return glProgramUniform2i(p, at, i, 1);
        case 5:
            return glProgramUniform3i(p, at, i, 1, 2);
        case 6:
            return glProgramUniform4i(p, at, i, 1, 2, 3);
        case 7:
            return glProgramUniform2ui(p, at, u, 1);
        case 8:
            return glProgramUniform3ui(p, at, u, 1, 2);
        default:
            return glProgramUniform4ui(p, at, u, 1, 2, 3);
    }
}

void attribute_values(R& r) {
    const GLuint i = r.below(18);
    const GLfloat f = r.real();
    switch (r.below(9)) {
        case 0:
            return glVertexAttrib1f(i, f);
        case 1:
            return glVertexAttrib2f(i, f, f);
        case 2:
            return glVertexAttrib3f(i, f, f, f);
        case 3:
            return glVertexAttrib1fv(i, r.array<GLfloat>());
        case 4:
            return glVertexAttrib2fv(i, r.array<GLfloat>());
        case 5:
            return glVertexAttrib3fv(i, r.array<GLfloat>());
        case 6:
            return glVertexAttrib4fv(i, r.array<GLfloat>());
        case 7:
            return glVertexAttribI4iv(i, r.array<GLint>());
        default:
            return glVertexAttribI4ui(i, r.bits(), 1, 2, 3);
    }
}

/// Memory for what getters write. It is larger than what any of them may write.
template <typename T>
T* out() {
    alignas(16) static T values[4096];
    return values;
}

void get_of_programs(R& r) {
    const GLuint p = r.name();
    const GLint at = location(r);
    switch (r.below(6)) {
        case 0:
            return glGetUniformiv(p, at, out<GLint>());
        case 1:
            return glGetnUniformfv(p, at, r.bounded(64), out<GLfloat>());
        case 2:
            return glGetnUniformiv(p, at, r.bounded(64), out<GLint>());
        case 3:
            return glGetnUniformuiv(p, at, r.bounded(64), out<GLuint>());
        case 4:
            return (void)glGetUniformBlockIndex(p, r.boolean() ? "A" : "B[0]");
        default: {
            const GLuint shaders[] = {r.name(), r.name()};
            return glShaderBinary(r.bounded(2), shaders, r.bits(), r.pointer(), r.bounded(100));
        }
    }
}

void get_of_vertices_and_buffers(R& r) {
    const GLuint i = r.below(18);
    const GLenum what =
        r.pick({GL_CURRENT_VERTEX_ATTRIB, GL_VERTEX_ATTRIB_ARRAY_STRIDE, GL_VERTEX_ATTRIB_BINDING,
                GL_VERTEX_ATTRIB_ARRAY_INTEGER, GL_VERTEX_ATTRIB_RELATIVE_OFFSET});
    const GLenum target = r.pick({GL_ARRAY_BUFFER, GL_UNIFORM_BUFFER, GL_TEXTURE_BUFFER});
    switch (r.below(7)) {
        case 0:
            return glGetVertexAttribiv(i, what, out<GLint>());
        case 1:
            return glGetVertexAttribIiv(i, what, out<GLint>());
        case 2:
            return glGetVertexAttribIuiv(i, what, out<GLuint>());
        case 3:
            return glGetVertexAttribPointerv(i, r.pick({GL_VERTEX_ATTRIB_ARRAY_POINTER}), out<void*>());
        case 4:
            return glGetBufferPointerv(target, r.pick({GL_BUFFER_MAP_POINTER}), out<void*>());
        case 5:
            return glGetBufferParameteri64v(target, r.pick({GL_BUFFER_SIZE, GL_BUFFER_MAP_LENGTH}),
                                            out<GLint64>());
        default:
            return glGetInteger64i_v(r.pick({GL_UNIFORM_BUFFER_SIZE, GL_SHADER_STORAGE_BUFFER_START,
                                             GL_ATOMIC_COUNTER_BUFFER_SIZE, GL_VERTEX_BINDING_OFFSET}),
                                     r.below(40), out<GLint64>());
    }
}

void texture_forms(R& r) {
    const GLenum target = r.pick({GL_TEXTURE_2D, GL_TEXTURE_3D, GL_TEXTURE_2D_ARRAY, GL_TEXTURE_CUBE_MAP});
    const GLenum name = r.pick({GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAX_LOD, GL_TEXTURE_BORDER_COLOR,
                                GL_TEXTURE_SWIZZLE_R, GL_TEXTURE_BASE_LEVEL, GL_TEXTURE_COMPARE_MODE});
    const GLint ints[4] = {GLint(r.pick({GL_NEAREST, GL_LINEAR, GL_RED, 2})), 1, 2, 3};
    const GLfloat floats[4] = {r.real(), r.real(), 0, 1};
    const GLuint s = r.name();
    switch (r.below(9)) {
        case 0:
            return glTexParameteriv(target, name, ints);
        case 1:
            return glTexParameterfv(target, name, floats);
        case 2:
            return glGetTexParameterfv(target, name, out<GLfloat>());
        case 3:
            return glSamplerParameteriv(s, name, ints);
        case 4:
            return glSamplerParameterfv(s, name, floats);
        case 5:
            return glGetSamplerParameterfv(s, name, out<GLfloat>());
        case 6:
            return glGetTexLevelParameterfv(target, GLint(r.below(4)),
                                            r.pick({GL_TEXTURE_WIDTH, GL_TEXTURE_INTERNAL_FORMAT}),
                                            out<GLfloat>());
        case 7:
            return glGetFramebufferParameteriv(
                GL_FRAMEBUFFER, r.pick({GL_FRAMEBUFFER_DEFAULT_WIDTH, GL_FRAMEBUFFER_DEFAULT_LAYERS}),
                out<GLint>());
        default: {
            const GLsizei w = r.bounded(20), h = r.bounded(20);
            const GLsizei size = r.one_in(4) ? r.bounded(500) : ((w + 3) / 4) * ((h + 3) / 4) * 16;
            return glCompressedTexSubImage2D(
                GL_TEXTURE_2D, r.bounded(2), r.bounded(3) * 4, r.bounded(3) * 4, w, h,
                r.pick({GL_COMPRESSED_RGBA8_ETC2_EAC, GL_COMPRESSED_RGBA_ASTC_4x4}), size, r.pointer());
        }
    }
}

void GL_APIENTRY ignore_message(GLenum, GLenum, GLuint, GLenum, GLsizei, const GLchar*, const void*) {}

void odds_and_ends(R& r) {
    const GLuint n = r.name();
    char text[64];
    switch (r.below(7)) {
        case 0:
            return glStencilMaskSeparate(r.pick({GL_FRONT, GL_BACK, GL_FRONT_AND_BACK}), r.bits());
        case 1:
            return glDebugMessageCallback(r.boolean() ? ignore_message : nullptr, nullptr);
        case 2:
            return glObjectPtrLabel(r.pointer(), r.bounded(20), "a label of the fuzzer..");
        case 3:
            return glGetObjectPtrLabel(r.pointer(), r.bounded(64), nullptr, text);
        case 4:
            return glGetPointerv(r.pick({GL_DEBUG_CALLBACK_FUNCTION, GL_DEBUG_CALLBACK_USER_PARAM}),
                                 out<void*>());
        case 5:
            return (void)glGetGraphicsResetStatus();
        default:
            (void)(glIsQuery(n) + glIsSampler(n) + glIsTransformFeedback(n) + glIsProgramPipeline(n) +
                   glIsVertexArray(n));
    }
}

const Command kCommands[] = {
    {6, "arrays of uniforms", uniform_arrays},
    {4, "values of uniforms", uniform_values},
    {4, "values of a program's uniforms", program_uniform_values},
    {4, "values of attributes", attribute_values},
    {4, "getters of programs", get_of_programs},
    {4, "getters of vertices and buffers", get_of_vertices_and_buffers},
    {6, "forms of commands of textures", texture_forms},
    {4, "odds and ends", odds_and_ends},
};

}  // namespace

std::span<const Command> form_commands() {
    return kCommands;
}

}  // namespace fuzz
