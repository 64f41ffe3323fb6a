// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The hull shader: the vertex shader's waves continue with it. Vertices' outputs pass through local memory.
// The shader's own instructions write its outputs to memory: values of patches and their vertices, and the
// levels for the tessellator. Source: Mesa 25.0.7, ir3_nir_lower_tess.c, ir3_compiler_nir.c
// (emit_instructions, the end), fd6_program.cc (setup_stateobj), a6xx.xml.
//
// A lane is a vertex of a patch, or an invocation for one. A register has its numbers, the header:
//   bits 0-5 the patch in the wave, 6-10 the vertex, 11-15 the invocation; if HS uses shared memory, 16-21
//   the patch of the invocation.
// Chips without tess_use_shared: lane k of a patch has vertex k and invocation k. With it: vertices fill as
// many waves as they need, invocations of all patches are in the first one, and stl and ldl replace stlw and
// ldlw.
#pragma once

#include <vector>

#include "drivers/adreno/sim/geometry/vertex_stage.h"

namespace terrazzo::adreno::sim {

/// A patch: its place in the subdraw, its number in the draw's instance, and its vertices: corners in
/// VertexShader::vertices.
struct HullPatch {
    uint32_t relative = 0, primitive_id = 0;
    uint32_t first_corner = 0;
};

class HullShader {
  public:
    /// Decodes the registers once per draw. `vertices`: of a patch.
    [[nodiscard]] bool init(Machine& machine, unsigned vertices, Fault* fault);
    /// Runs both shaders for all patches. corners[patch.first_corner ...] are indices of maker.vertices.
    [[nodiscard]] bool run(Machine& machine, WaveRunner& runner, VertexShader& maker,
                           const std::vector<HullPatch>& patches, const std::vector<uint32_t>& corners,
                           Wave& wave, Fault* fault);
    /// The vertices in all waves so far.
    uint64_t vertices_run() const { return vertices_run_; }

  private:
    struct Registers_ {
        uint8_t header = 0, patch = 0, primitive = 0;
    };
    bool run_group(Machine& machine, WaveRunner& runner, VertexShader& maker, const HullPatch* patches,
                   unsigned count, const std::vector<uint32_t>& corners, Wave& wave, Fault* fault);
    bool place_ids(const HullPatch* patches, unsigned count, unsigned first_vertex, Wave* wave,
                   Fault* fault) const;

    StageProgram program_;
    Registers_ registers_;
    std::vector<uint8_t> local_;
    unsigned vertices_ = 0, invocations_ = 0;
    unsigned lanes_ = 0;    // of a patch: for chips on which vertices and invocations share waves
    unsigned patches_ = 0;  // that run together
    bool shared_ = false;
    uint64_t vertices_run_ = 0;
};

}  // namespace terrazzo::adreno::sim
