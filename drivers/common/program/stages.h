// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The stages of a program that a driver is given, and what is said of those that it refuses.
#pragma once

#include <string>

#include "pipe/state.h"

namespace terrazzo::programs {

[[nodiscard]] const char* stage_name(pipe::Stage s);
[[nodiscard]] bool has_stage(const pipe::ProgramDesc& desc, pipe::Stage s);

/// The stages that a device supports in addition to the vertex and fragment stages.
struct StageSupport {
    bool later_stages = false;  // tessellation and geometry
    bool compute = false;
    bool captures = false;  // stream output
};
/// Null: the program has nothing that the device lacks, and what it needs.
[[nodiscard]] const char* refuse_stages(const pipe::ProgramDesc& desc, const StageSupport& support);

/// A message of the driver's that names the program.
[[nodiscard]] std::string message(const char* vendor, const pipe::ProgramDesc& desc, const std::string& text);
/// What a stage's code is called when it is printed. `what`: which code it is.
[[nodiscard]] std::string code_name(const pipe::ProgramDesc& desc, const std::string& what);

}  // namespace terrazzo::programs
