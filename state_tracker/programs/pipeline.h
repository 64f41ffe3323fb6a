// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Program pipeline objects (OpenGL ES 3.1 section 7.4): stages of several separable programs. Each program
// keeps its uniform values, blocks and units. Devices only accept whole programs, so a pipeline's stages are
// linked again into one executable. Before a draw it copies the programs' values (pipeline_program.cpp).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "state_tracker/programs/program.h"

namespace terrazzo::st {

using StagePrograms = std::array<pipe::Ref<Program>, pipe::kStageCount>;
using StageExecutables = std::array<pipe::Ref<Executable>, pipe::kStageCount>;

/// The stages of several executables, linked into one.
struct Composite {
    StageExecutables parts;
    pipe::Ref<Executable> executable;  // null: the parts do not match, see `log`
    std::string log;
    /// A uniform whose values are copied from a part.
    struct Uniform {
        uint8_t stage;
        uint32_t to, from;  // indices in the uniforms of the composite and of the part
    };
    std::vector<Uniform> uniforms;
    /// A uniform block whose binding point is copied from a part.
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
    pipe::Ref<Program> active;  // the program that glUniform* sets: glActiveShaderProgram
    bool validate_status = false;
    std::string info_log;
    /// The programs' executables at the last draw. A link that fails leaves the old executable in place.
    StageExecutables executables;
    std::vector<Composite> composites;  // one for each set of executables that was drawn with
};

/// Makes ctx.executable the up-to-date executable with which the bound pipeline draws (or computes). False:
/// nothing can be drawn; if that is an error, it is recorded. Call where no program is in use and a pipeline
/// is bound. Do not lock the share group.
[[nodiscard]] bool resolve_pipeline(Context& ctx, bool compute, const char* command);
/// Why a draw with the pipeline fails; empty if it does not. Do not lock the share group.
[[nodiscard]] std::string why_invalid(Context& ctx, Pipeline& p);

/// Call before the pipeline is destroyed: its programs lose a use. Lock the share group.
void release_pipeline(Context& ctx, Pipeline& p);
/// The program whose outputs transform feedback captures: the one in use, or the bound pipeline's program for
/// the last stage before rasterisation. Null: none.
[[nodiscard]] Program* capturing_program(const Context& ctx);

}  // namespace terrazzo::st
