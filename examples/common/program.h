// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shaders from text to a program.
#pragma once

#include <GLES2/gl2.h>

#include <initializer_list>

namespace example {

/// Compiles and links. Attribute number i gets the i-th name. On an error the compiler's log is printed and
/// the program exits.
GLuint build_program(const char* vertex_text, const char* fragment_text,
                     std::initializer_list<const char*> attributes);

/// New buffers; none is bound afterwards. Ends the program where there is no memory for them: offsets into a
/// buffer would be taken for addresses.
void make_buffers(GLsizei count, GLuint* names);

}  // namespace example
