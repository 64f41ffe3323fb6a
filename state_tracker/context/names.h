// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shared by all Gen* commands.
#pragma once

#include "state_tracker/gl_commands.h"
#include "state_tracker/object.h"

namespace terrazzo::st {

/// Reserves n names. Throws std::bad_alloc; then none stays reserved.
template <class T>
void reserve_names(NameTable<T>& table, GLsizei n, GLuint* names) {
    if (!names) return;
    struct Undo {
        NameTable<T>& table;
        GLuint* names;
        GLsizei done = 0;
        bool keep = false;
        ~Undo() {
            while (!keep && done > 0)
                table.remove(names[--done]);
        }
    } undo{table, names};
    for (; undo.done < n; ++undo.done)
        names[undo.done] = table.reserve();
    undo.keep = true;
}

}  // namespace terrazzo::st
