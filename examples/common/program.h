// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shaders from text to a program.
#pragma once

#include <GLES3/gl3.h>

#include <initializer_list>

namespace example {

/// Compiles and links. Attribute number i gets the i-th name. `captured`: outputs that transform feedback writes to one buffer (OpenGL
/// ES 3.0). On an error the compiler's log is printed and the program exits.
GLuint build_program(const char* vertex_text, const char* fragment_text,
                     std::initializer_list<const char*> attributes,
                     std::initializer_list<const char*> captured = {});

/// New buffers; none is bound afterwards. Ends the program where there is no memory for them: offsets into a
/// buffer would be taken for addresses.
void make_buffers(GLsizei count, GLuint* names);

}  // namespace example
