// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace terrazzo::shaders {

/// Bytes that differ between any two builds of this library: the linker's build id of the file that contains
/// this code, else that file's path, size and time. If the code is in no file, an id of this process.
[[nodiscard]] const std::string& compiler_build_id();

}  // namespace terrazzo::shaders
