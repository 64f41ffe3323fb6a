// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Programs as .shader_test files, which `terrazzo shader-db` and piglit read.
#pragma once

#include <span>
#include <string>

#include "state_tracker/programs/build.h"

namespace terrazzo::st {

/// The text of a program with a vertex and a fragment shader.
[[nodiscard]] std::string shader_test_text(std::span<const LinkStage> stages);

/// Writes a program to a file in the folder, which is created if necessary. The file's name is a hash of its
/// content; an existing file is left unchanged. Processes may do so concurrently. Errors of the file system
/// are reported only if no file can be created.
void dump_program(const std::string& folder, std::span<const LinkStage> stages);

}  // namespace terrazzo::st
