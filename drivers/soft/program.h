// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A vertex and a fragment shader ready to run, and how the outputs of the one become the inputs of the other.
#pragma once

#include <memory>
#include <vector>

#include "drivers/soft/front/front.h"
#include "pipe/state.h"
#include "shaders/ir/stored.h"

namespace terrazzo::soft {

class SoftProgram final : public pipe::Program {
  public:
    /// Null: a stage is missing or did not compile (said in the log), or out of memory.
    [[nodiscard]] static pipe::Ref<pipe::Program> create(const pipe::ProgramDesc& desc,
                                                         ShaderCompiler& compiler, const pipe::Log& log);

    std::unique_ptr<CompiledShader> vertex, fragment;
    std::vector<PlaneLink> links;
    uint32_t plane_count = 0;
    uint32_t point_coord = 0;        // gl_PointCoord's first plane, where the fragment shader reads it
    bool has_flat = false;           // of `links`
    bool has_arrays = false;         // a stage has private memory
    uint32_t output_components = 0;  // floats a vertex
    uint16_t position = 0;           // component of gl_Position.x
    uint16_t point_size = kNoOutput;
    uint32_t sampler_count[2] = {};  // [0] vertex, [1] fragment
    uint32_t uniform_dw[2] = {};

  private:
    SoftProgram() = default;
    void link();
};

}  // namespace terrazzo::soft
