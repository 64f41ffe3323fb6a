// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shaders from text to a program.
#include "examples/common/program.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace example {
namespace {

GLuint compile(GLenum type, const char* text) {
    const GLuint shader = glCreateShader(type);
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    GLint ok = 0, length = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (!ok) {
        glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
        std::vector<char> log(size_t(length) + 1);
        glGetShaderInfoLog(shader, length, nullptr, log.data());
        std::fprintf(stderr, "the %s shader does not compile:\n%s\n",
                     type == GL_VERTEX_SHADER ? "vertex" : "fragment", log.data());
        std::exit(1);
    }
    return shader;
}

}  // namespace

GLuint build_program(const char* vertex_text, const char* fragment_text,
                     std::initializer_list<const char*> attributes,
                     std::initializer_list<const char*> captured) {
    const GLuint program = glCreateProgram();
    const GLuint vertex = compile(GL_VERTEX_SHADER, vertex_text),
                 fragment = compile(GL_FRAGMENT_SHADER, fragment_text);
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    GLuint location = 0;
    for (const char* name : attributes)
        glBindAttribLocation(program, location++, name);
    if (captured.size())
        glTransformFeedbackVaryings(program, GLsizei(captured.size()), captured.begin(),
                                    GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glDeleteShader(vertex);  // the program keeps them
    glDeleteShader(fragment);
    GLint ok = 0, length = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok) {
        glGetProgramiv(program, GL_INFO_LOG_LENGTH, &length);
        std::vector<char> log(size_t(length) + 1);
        glGetProgramInfoLog(program, length, nullptr, log.data());
        std::fprintf(stderr, "the program does not link:\n%s\n", log.data());
        std::exit(1);
    }
    return program;
}

void make_buffers(GLsizei count, GLuint* names) {
    names[0] = 0;
    glGenBuffers(count, names);
    // Binding a name is what makes the buffer. Where that fails, an offset into it would be taken for an address.
    for (GLsizei i = 0; i < count && names[0]; ++i)
        glBindBuffer(GL_ARRAY_BUFFER, names[i]);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    const GLenum error = glGetError();
    if (names[0] && error == GL_NO_ERROR) return;
    std::fprintf(stderr, "no buffers: GL error 0x%04x\n", unsigned(error));
    std::exit(1);
}

}  // namespace example
