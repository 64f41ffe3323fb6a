// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The compiled parts of a stage, from the compiler or the shader cache (drivers/common/program/stage_code.h).
// A cache entry has all parts of a stage. Its key is a hash of the IR and the options; the cache adds the
// build.
#pragma once

#include <array>
#include <string>
#include <tuple>

#include "drivers/common/program/stage_code.h"
#include "drivers/mali/compiler/compile.h"
#include "drivers/mali/device.h"

namespace terrazzo::mali {

/// A vertex shader has up to three parts: position, varying (code is empty: no varyings) and position without
/// point size (code is empty: `position` writes none). Fragment and compute shaders have the first part only.
struct StageCode : programs::StageHead {
    std::array<compiler::Binary, 3> parts;

    // --- required by programs::get_stage_code()
    static constexpr const char* kMaker = "mali v10";
    static constexpr std::tuple kKeyed{&compiler::Options::halves, &compiler::Options::per_sample,
                                       &compiler::Options::at_samples};
    void make(const ir::Shader& s, const compiler::Options& options);
    void write(ir::BinaryWriter* out) const;
    [[nodiscard]] bool read(ir::BinaryReader* in);
};
inline constexpr unsigned kPositionCode = 0, kVaryingCode = 1, kNoPointSizeCode = 2, kOnlyCode = 0;

/// A line of statistics, then a line for each instruction.
[[nodiscard]] std::string code_text(const compiler::Binary& binary);
/// Prints it to stderr, for TERRAZZO_DEBUG=shaders. Does nothing unless the device's debug words ask for it.
/// `name`: the text before the code.
void print_code(const Device& device, const std::string& name, const compiler::Binary& binary);

}  // namespace terrazzo::mali
