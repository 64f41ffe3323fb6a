// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Programs as .shader_test files, which `terrazzo shader-db` and piglit read.
#pragma once

#include <span>
#include <string>

#include "state_tracker/programs/build.h"

namespace terrazzo::st {

/// The text of a program. Stages are vertex and fragment shader.
[[nodiscard]] std::string shader_test_text(std::span<const LinkStage> stages);

/// Writes it into the folder, which is made, under the name of its content: a program that is there stays as
/// it is. Any number of processes may do so at once. What the file system refuses is not said.
void dump_program(const std::string& folder, std::span<const LinkStage> stages);

}  // namespace terrazzo::st
