// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Libraries of ours that are opened when they are first needed. They lie beside the one that asks, or installed, in the
// folder `terrazzo` there; they are never closed.
#pragma once

#include <string>

namespace terrazzo::winsys {

/// The path of a file in the folder `terrazzo` beside the library (or program) that has `code` in it, and where there is no such file, of one beside it.
/// Empty: the loader does not say where that is.
[[nodiscard]] std::string file_beside(const void* code, const char* file);

/// The function that a library exports by that name. Null: `*why` says in one line what is wrong. `path` is absolute, as
/// file_beside() gives it: of a name alone, the search path or the current folder would choose the code that runs.
[[nodiscard]] void* open_library(const std::string& path, const char* function, std::string* why);

}  // namespace terrazzo::winsys
