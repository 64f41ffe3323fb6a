// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace terrazzo::shaders {

/// Bytes that differ between any two builds of this library: the linker's build id of the file this code is
/// in, else that file's path, size and time. Code that is in no file gets an id of its process alone.
[[nodiscard]] const std::string& compiler_build_id();

}  // namespace terrazzo::shaders
