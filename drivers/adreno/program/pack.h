// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The groups of a linked program, packed as words.
#pragma once

#include "drivers/adreno/program/link.h"
#include "drivers/adreno/program/program.h"

namespace terrazzo::adreno {

inline constexpr uint32_t kMostProgramWords = 3072;
using ProgramWords = StateWords<kMostProgramWords>;

// --- for all stages
/// The values of BRANCHSTACK, CONSTLEN and SP_xS_CONFIG.
[[nodiscard]] uint32_t branch_stack(const compiler::Info& info);
[[nodiscard]] uint32_t constlen(const compiler::Info& info);
[[nodiscard]] hw::SpXsConfig stage_config(const compiler::Info& info);
/// The IBOs from number 0 to the last one that the stage uses.
[[nodiscard]] uint32_t ibo_count(const compiler::Info& info);
/// Whether the register file is large enough for waves of 128.
[[nodiscard]] bool runs_double(const compiler::Info& info, const hw::Chip& chip);
void load_code(const StageCode& code, pipe::Stage stage, const hw::Chip& chip, ProgramWords* out);
void load_immediates(const StageCode& code, pipe::Stage stage, ProgramWords* out);

/// Packs the code of all stages before the rasterizer. `vertex`: the vertex stage's, which a binning pass may
/// replace.
void pack_geometry_code(const AdrenoProgram& p, const StageCode& vertex, const hw::Chip& chip,
                        ProgramWords* out);
/// Packs the inputs of these stages, and what the last one outputs to the VPC.
void pack_geometry(const AdrenoProgram& p, const compiler::Info& vertex, const VpcLink& link,
                   const compiler::Info& fragment, ProgramWords* out);
inline constexpr uint32_t kMostPatchWords = 4;
/// Group::Patches: the state that depends on the number of a patch's vertices.
uint32_t* put_patch_size(uint32_t* out, const AdrenoProgram& p, uint32_t patch_vertices,
                         const hw::Chip& chip);

/// Group::ProgramConfig and Program, with p.fragment() or the code of a variant.
void pack_config(const AdrenoProgram& p, const StageCode& fragment, ProgramWords* out);
void pack_program(const hw::Chip& chip, const AdrenoProgram& p, const StageCode& fragment,
                  const PrivateMemory& fragment_memory, ProgramWords* out);
/// Group::StreamOut: captures the outputs of the link, in records of these strides.
void pack_stream_output(const VpcLink& link, const pipe::StreamOutputLayout& layout, ProgramWords* out);
/// Group::StreamOut of programs that capture nothing.
void pack_no_stream_output(ProgramWords* out);
/// Group::ProgramBinning: with an empty fragment stage, so that the VPC only has position and point size.
void pack_binning(const hw::Chip& chip, const AdrenoProgram& p, ProgramWords* out);
/// Group::Interpolation.
void pack_interpolation(const VpcLink& link, ProgramWords* out);

/// The state of a compute program that does not depend on the dispatch (compute.cpp).
void pack_compute(const hw::Chip& chip, const AdrenoProgram& p, ProgramWords* out);

}  // namespace terrazzo::adreno
