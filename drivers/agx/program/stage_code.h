// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The code of a stage, from the compiler or the shader cache (drivers/common/program/stage_code.h).
#pragma once

#include <string>
#include <tuple>

#include "drivers/agx/compiler/compile.h"
#include "drivers/agx/compiler/stored.h"
#include "drivers/common/program/stage_code.h"

namespace terrazzo::agx {

struct StageCode : programs::BinaryCode<compiler::Binary> {
    // --- required by programs::get_stage_code()
    static constexpr const char* kMaker = "agx g13";
    static constexpr std::tuple kKeyed{&compiler::Options::flat_varyings,
                                       &compiler::Options::linear_varyings};
};

/// A line of statistics, then a line for each instruction.
[[nodiscard]] std::string code_text(const compiler::Binary& binary);

}  // namespace terrazzo::agx
