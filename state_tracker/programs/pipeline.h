// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Program pipeline objects (OpenGL ES 3.1 section 7.4): stages taken from separable programs. Each program keeps its
// uniform values, blocks and units. Devices know whole programs alone, so a pipeline's stages are linked again into one
// executable, which takes over the programs' values before a draw (pipeline_program.cpp).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "state_tracker/programs/program.h"

namespace terrazzo::st {

using StagePrograms = std::array<pipe::Ref<Program>, pipe::kStageCount>;
using StageExecutables = std::array<pipe::Ref<Executable>, pipe::kStageCount>;

/// The stages of several executables as one.
struct Composite {
    StageExecutables parts;
    pipe::Ref<Executable> executable;  // null: the parts do not fit together, see `log`
    std::string log;
    /// A uniform that takes its values from a part.
    struct Uniform {
        uint8_t stage;
        uint32_t to, from;  // indices in the uniforms of the whole and of the part
    };
    std::vector<Uniform> uniforms;
    /// A uniform block that takes its binding point from a part.
    struct Block {
        uint8_t stage;
        uint32_t to, from;
    };
    std::vector<Block> blocks;
    std::array<uint64_t, pipe::kStageCount> seen{};  // Executable::change_stamp of the parts
};

class Pipeline final : public Object {
  public:
    explicit Pipeline(uint32_t n) : Object(n) {}
    StagePrograms programs;
    pipe::Ref<Program> active;  // what glUniform* sets: glActiveShaderProgram
    bool validate_status = false;
    std::string info_log;
    /// What the programs were when a draw last looked: a link that failed leaves the old executable in place.
    StageExecutables executables;
    std::vector<Composite> composites;  // for sets of executables that were drawn with
};

/// Makes ctx.executable what the bound pipeline draws (or computes) with, up to date. False: nothing can be drawn; where
/// that is an error it is recorded. Call where no program is in use and a pipeline is bound. Do not lock the share group.
[[nodiscard]] bool resolve_pipeline(Context& ctx, bool compute, const char* command);
/// Why a draw with the pipeline fails; empty: it does not. Do not lock the share group.
[[nodiscard]] std::string why_invalid(Context& ctx, Pipeline& p);

/// Before the pipeline goes: its programs lose a use. Lock the share group.
void release_pipeline(Context& ctx, Pipeline& p);
/// The program whose outputs transform feedback captures: the one in use, or the bound pipeline's of the last stage before
/// rasterisation. Null: none.
[[nodiscard]] Program* capturing_program(const Context& ctx);

}  // namespace terrazzo::st
