// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Stages that make vertices, each alone: the vertex shader, and the domain shader behind the tessellator. Either is the last stage, and its outputs
// go to VPC, or its waves go on with a stage that sees whole primitives (chain.h).
#pragma once

#include <vector>

#include "drivers/adreno/sim/draw/primitive.h"
#include "drivers/adreno/sim/geometry/attributes.h"
#include "drivers/adreno/sim/geometry/stage_outputs.h"
#include "drivers/adreno/sim/geometry/stage_program.h"

namespace terrazzo::adreno::sim {

class VertexMaker {
  public:
    virtual ~VertexMaker() = default;
    /// Puts the inputs of vertices which[0] to which[count - 1] into the wave's first lanes.
    [[nodiscard]] virtual bool load(Machine& machine, const uint32_t* which, unsigned count, Wave* wave,
                                    Fault* fault) const = 0;
    StageProgram& program() { return program_; }

  protected:
    StageProgram program_;
};

class VertexShader final : public VertexMaker {
  public:
    /// Decodes the registers once a draw.
    [[nodiscard]] bool init(Machine& machine, bool chains, bool rectangles, Fault* fault);
    bool load(Machine& machine, const uint32_t* which, unsigned count, Wave* wave,
              Fault* fault) const override;
    std::vector<VertexInvocation> vertices;

  private:
    VertexFetch fetch_;
};

/// A point of a patch's domain. The third coordinate follows from the others in the shader.
struct DomainPoint {
    uint32_t patch = 0;  // in the subdraw
    uint32_t primitive_id = 0;
    float u = 0, v = 0;
};

class DomainShader final : public VertexMaker {
  public:
    [[nodiscard]] bool init(Machine& machine, bool chains, Fault* fault);
    bool load(Machine& machine, const uint32_t* which, unsigned count, Wave* wave,
              Fault* fault) const override;
    std::vector<DomainPoint> points;

  private:
    uint8_t patch_reg_ = 0, id_reg_ = 0, u_reg_ = 0, v_reg_ = 0;
};

/// Runs all vertices of a maker that is the last stage: out->values has theirs, in order. `wave` is used.
[[nodiscard]] bool make_vertices(Machine& machine, WaveRunner& runner, VertexMaker& maker, size_t count,
                                 const StageOutputs& outputs, Wave& wave, VertexOutputs* out, Fault* fault);

}  // namespace terrazzo::adreno::sim
