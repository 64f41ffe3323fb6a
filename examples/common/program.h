// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shaders from text to a program.
#pragma once

#include <GLES3/gl3.h>

#include <initializer_list>

namespace example {

struct Stage {
    GLenum type;  // GL_VERTEX_SHADER, ...
    const char* text;
};

/// Compiles and links shaders of any stages. On an error the compiler's log is printed and the program exits.
GLuint build_program(std::initializer_list<Stage> stages);

/// Likewise for a vertex and a fragment shader. Attribute number i gets the i-th name. `captured`: outputs
/// that transform feedback writes to one buffer (OpenGL ES 3.0).
GLuint build_program(const char* vertex_text, const char* fragment_text,
                     std::initializer_list<const char*> attributes,
                     std::initializer_list<const char*> captured = {});

/// A vertex shader for fragment shaders of version 3.10 that draw every pixel: a triangle around the
/// viewport. Draw 3 vertices without attributes.
inline constexpr const char* kWholeViewport = R"(#version 310 es
    void main() {
        gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0, 1);
    })";

/// New buffers; none stays bound. Ends the program if there is no memory for them: offsets into a buffer
/// would be used as addresses.
void make_buffers(GLsizei count, GLuint* names);

}  // namespace example
