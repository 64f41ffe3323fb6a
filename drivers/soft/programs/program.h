// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shaders ready to run: a vertex and a fragment shader with the links from outputs to inputs, or a compute
// shader.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "drivers/soft/compute/dispatch.h"
#include "drivers/soft/front/front.h"
#include "drivers/soft/vertices/stream_out.h"
#include "pipe/per_stage.h"
#include "shaders/ir/limits.h"
#include "shaders/ir/stored.h"

namespace terrazzo::soft {

class SoftProgram final : public pipe::Program {
  public:
    /// Null: a stage is missing or did not compile (logged), or out of memory.
    [[nodiscard]] static pipe::Ref<pipe::Program> create(const pipe::ProgramDesc& desc,
                                                         ShaderCompiler& compiler, const pipe::Log& log);

    /// Vertex and fragment, optionally geometry and both tessellation stages; or only compute.
    std::unique_ptr<CompiledShader> vertex, fragment, compute, control, evaluation, geometry;
    ir::StageRecords control_records, evaluation_records, geometry_records;
    std::unique_ptr<LocalIds> kernel_ids, control_ids;  // for geometry and evaluation; for control
    std::unique_ptr<LocalIds> local_ids;                // for a compute shader
    uint32_t shared_B = 0;
    std::vector<PlaneLink> links;
    StreamPlan captured;
    uint32_t plane_count = 0;
    uint32_t point_coord = 0;        // gl_PointCoord's first plane, if the fragment shader reads it
    bool has_flat = false;           // any of `links` is flat
    bool has_arrays = false;         // a stage has private arrays
    uint32_t output_components = 0;  // floats per vertex
    uint16_t position = 0;           // the component of gl_Position.x
    uint16_t point_size = kNoOutput;
    uint16_t layer = kNoOutput, viewport_index = kNoOutput;
    /// The clip distances that the last vertex stage writes, followed by cull distances, with their
    /// components.
    uint32_t clip_distances = 0, cull_distances = 0;
    std::array<uint16_t, ir::kMaxDistances> distances{};
    [[nodiscard]] bool has_distances() const { return clip_distances || cull_distances; }
    pipe::PerStage<uint32_t> sampler_count, uniform_dw;

    /// The program must have this stage.
    [[nodiscard]] const CompiledShader* stage(pipe::Stage s) const { return slot(s).get(); }
    /// Whether there are stages between the vertex stage and the rasterizer (kernel_stages.h).
    [[nodiscard]] bool has_kernels() const { return geometry || evaluation; }

  private:
    SoftProgram() = default;
    [[nodiscard]] const std::unique_ptr<CompiledShader>& slot(pipe::Stage s) const {
        switch (s) {
            case pipe::Stage::Vertex:
                break;
            case pipe::Stage::TessControl:
                return control;
            case pipe::Stage::TessEval:
                return evaluation;
            case pipe::Stage::Geometry:
                return geometry;
            case pipe::Stage::Fragment:
                return fragment;
            case pipe::Stage::Compute:
                return compute;
        }
        return vertex;
    }
    [[nodiscard]] bool create_kernels(const pipe::ProgramDesc& desc, ShaderCompiler& compiler,
                                      const pipe::Log& log);
    void add_stage(pipe::Stage s, const ir::ShaderInfo& info);
    [[nodiscard]] bool create_compute(std::shared_ptr<const ir::StoredShader> s, ShaderCompiler& compiler,
                                      const pipe::Log& log);
    void link();
    [[nodiscard]] uint16_t output_of(uint8_t slot) const;
    void link_distances(uint32_t clip, uint32_t cull);
    void link_captured(const pipe::StreamOutputLayout& layout);
};

}  // namespace terrazzo::soft
