// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Stages whose invocations each compute one vertex: the vertex shader, and the domain shader after the
// tessellator. Either is the last stage, and its outputs go to the VPC, or its waves continue with a stage
// that reads whole primitives (hull_shader.h, geometry_shader.h).
#pragma once

#include <vector>

#include "drivers/adreno/sim/draw/primitive.h"
#include "drivers/adreno/sim/geometry/attributes.h"
#include "drivers/adreno/sim/geometry/stage_outputs.h"
#include "drivers/adreno/sim/geometry/stage_program.h"
#include "drivers/common/units/window_setup.h"

namespace terrazzo::adreno::sim {

class VertexMaker {
  public:
    virtual ~VertexMaker() = default;
    /// Writes the inputs of vertices which[0] to which[count - 1] to the wave's first lanes.
    [[nodiscard]] virtual bool load(window::Window& memory, const uint32_t* which, unsigned count, Wave* wave,
                                    Fault* fault) const = 0;
    StageProgram& program() { return program_; }

  protected:
    StageProgram program_;
};

class VertexShader final : public VertexMaker {
  public:
    /// Decodes the registers once per draw.
    [[nodiscard]] bool init(Machine& machine, bool chains, bool rectangles, Fault* fault);
    bool load(window::Window& memory, const uint32_t* which, unsigned count, Wave* wave,
              Fault* fault) const override;
    std::vector<VertexInvocation> vertices;

  private:
    VertexFetch fetch_;
};

/// A point of a patch's domain. The shader computes the third coordinate from the others.
struct DomainPoint {
    uint32_t patch = 0;  // in the subdraw
    uint32_t primitive_id = 0;
    float u = 0, v = 0;
};

class DomainShader final : public VertexMaker {
  public:
    [[nodiscard]] bool init(Machine& machine, bool chains, Fault* fault);
    bool load(window::Window& memory, const uint32_t* which, unsigned count, Wave* wave,
              Fault* fault) const override;
    std::vector<DomainPoint> points;

  private:
    uint8_t patch_reg_ = 0, id_reg_ = 0, u_reg_ = 0, v_reg_ = 0;
};

/// Sets the fault of a draw for which the host has no memory.
void fail_without_memory(Fault* fault);
/// Calls run(worker, n, &fault) for each n below `parts`, on several threads (units::run_areas).
template <class Run>
[[nodiscard]] bool run_parts(Machine& machine, unsigned parts, unsigned threads, Fault* fault, Run&& run) {
    return units::run_areas(
               parts, machine.on_threads(threads), run, fail_without_memory, [] { return false; }, fault) ==
           units::AreaResult::Done;
}

/// Runs all vertices of a maker that is the last stage, on several threads. Writes their outputs to
/// out->values, in order. `setup`: also sets up the vertices; null: it does not. Of several faults, that of
/// the first wave is reported. `wave`: runs the waves of the calling thread.
[[nodiscard]] bool make_vertices(Machine& machine, WaveRunner& runner, VertexMaker& maker, size_t count,
                                 const StageOutputs& outputs, units::WindowSetup* setup, Wave& wave,
                                 VertexOutputs* out, Fault* fault);

}  // namespace terrazzo::adreno::sim
