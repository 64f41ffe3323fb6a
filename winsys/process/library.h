// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Libraries of ours that are opened when they are first needed and never closed. They are in the folder of
// the library that opens them or, when installed, in its subfolder `terrazzo`.
#pragma once

#include <string>

namespace terrazzo::winsys {

/// The path of `file` in the subfolder `terrazzo` of the folder of the library or program that contains
/// `code`; if it does not exist there, its path in that folder. Empty: the loader does not know the folder.
[[nodiscard]] std::string file_beside(const void* code, const char* file);

/// Finds a function that a library exports. Null: `*why` is the error in one line. `path` must be absolute,
/// as from file_beside(): for a relative name, the search path or the current folder would choose the code
/// that runs.
[[nodiscard]] void* open_library(const std::string& path, const char* function, std::string* why);

}  // namespace terrazzo::winsys
