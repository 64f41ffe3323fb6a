// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A linked program's groups as words.
#pragma once

#include "drivers/adreno/program/link.h"
#include "drivers/adreno/program/program.h"

namespace terrazzo::adreno {

inline constexpr uint32_t kMostProgramWords = 2048;
using ProgramWords = StateWords<kMostProgramWords>;

/// Group::ProgramConfig.
void pack_config(const AdrenoProgram& p, ProgramWords* out);
/// Group::Program.
void pack_program(const hw::Chip& chip, const AdrenoProgram& p, const VpcLink& link, ProgramWords* out);
/// Group::SampleShading: behind Program, what each sample shaded changes of it.
void pack_sample_shading(const hw::Chip& chip, const AdrenoProgram& p, ProgramWords* out);
/// Group::Interpolation.
void pack_interpolation(const VpcLink& link, ProgramWords* out);

}  // namespace terrazzo::adreno
