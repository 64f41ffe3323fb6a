// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The stages of a program, and the messages about programs that a driver refuses.
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
/// Null if the program has all stages that it needs, and only features that the device supports. Otherwise
/// the reason.
[[nodiscard]] const char* refuse_stages(const pipe::ProgramDesc& desc, const StageSupport& support);

/// A log message of the driver that names the program.
[[nodiscard]] std::string message(const char* vendor, const pipe::ProgramDesc& desc, const std::string& text);
/// The title of a stage's printed code. `what`: which of the program's code it is.
[[nodiscard]] std::string code_name(const pipe::ProgramDesc& desc, const std::string& what);

}  // namespace terrazzo::programs
