// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shaders from text to a program.
#include "examples/common/program.h"

#include <GLES3/gl32.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace example {
namespace {

const char* name_of(GLenum type) {
    switch (type) {
        case GL_VERTEX_SHADER:
            return "vertex";
        case GL_TESS_CONTROL_SHADER:
            return "tessellation control";
        case GL_TESS_EVALUATION_SHADER:
            return "tessellation evaluation";
        case GL_GEOMETRY_SHADER:
            return "geometry";
        case GL_COMPUTE_SHADER:
            return "compute";
        default:
            return "fragment";
    }
}

void attach(GLuint program, Stage stage) {
    const GLuint shader = glCreateShader(stage.type);
    glShaderSource(shader, 1, &stage.text, nullptr);
    glCompileShader(shader);
    GLint ok = 0, length = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (!ok) {
        glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
        std::vector<char> log(size_t(length) + 1);
        glGetShaderInfoLog(shader, length, nullptr, log.data());
        std::fprintf(stderr, "the %s shader does not compile:\n%s\n", name_of(stage.type), log.data());
        std::exit(1);
    }
    glAttachShader(program, shader);
    glDeleteShader(shader);  // the program keeps a reference
}

void link(GLuint program) {
    glLinkProgram(program);
    GLint ok = 0, length = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (ok) return;
    glGetProgramiv(program, GL_INFO_LOG_LENGTH, &length);
    std::vector<char> log(size_t(length) + 1);
    glGetProgramInfoLog(program, length, nullptr, log.data());
    std::fprintf(stderr, "the program does not link:\n%s\n", log.data());
    std::exit(1);
}

}  // namespace

GLuint build_program(std::initializer_list<Stage> stages) {
    const GLuint program = glCreateProgram();
    for (const Stage& s : stages)
        attach(program, s);
    link(program);
    return program;
}

GLuint build_program(const char* vertex_text, const char* fragment_text,
                     std::initializer_list<const char*> attributes,
                     std::initializer_list<const char*> captured) {
    const GLuint program = glCreateProgram();
    attach(program, {GL_VERTEX_SHADER, vertex_text});
    attach(program, {GL_FRAGMENT_SHADER, fragment_text});
    GLuint location = 0;
    for (const char* name : attributes)
        glBindAttribLocation(program, location++, name);
    if (captured.size())
        glTransformFeedbackVaryings(program, GLsizei(captured.size()), captured.begin(),
                                    GL_INTERLEAVED_ATTRIBS);
    link(program);
    return program;
}

void make_buffers(GLsizei count, GLuint* names) {
    names[0] = 0;
    glGenBuffers(count, names);
    // Binding a name creates the buffer. If that failed, an offset into it would be used as an address.
    for (GLsizei i = 0; i < count && names[0]; ++i)
        glBindBuffer(GL_ARRAY_BUFFER, names[i]);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    const GLenum error = glGetError();
    if (names[0] && error == GL_NO_ERROR) return;
    std::fprintf(stderr, "no buffers: GL error 0x%04x\n", unsigned(error));
    std::exit(1);
}

}  // namespace example
