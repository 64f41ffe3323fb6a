// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Where this command is, and where its libraries are.
#pragma once

#include <string>

namespace terrazzo::command {

/// The folder of our libEGL.so.1 and libGLESv2.so.2: beside the command in the build tree, or where it was
/// installed. Empty: not found; `why` says where it looked.
[[nodiscard]] std::string library_folder(std::string* why);

}  // namespace terrazzo::command
