// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The geometry shader: the waves of the previous stage, which computed the vertices of primitives, continue
// with it. Vertices' outputs pass through local memory. Each lane runs the whole shader and keeps one of the
// vertices that it emits; a lane without a vertex kills itself. Source: Mesa 25.0.7, ir3_nir_lower_tess.c
// (ir3_nir_lower_gs, build_local_offset), fd6_program.cc (emit_vpc), a6xx.xml.
//
// A register, the header, has a lane's numbers: bits 0-5 the primitive in the wave, 6-10 the vertex that the
// lane computes in the previous stage, 11-15 the invocation, 16-25 the emitted vertex that it keeps. At the
// shader's end a register has the vertex's flags: bits 0-1 the stream, bit 2 the start of a strip.
#pragma once

#include <vector>

#include "drivers/adreno/sim/geometry/vertex_stage.h"
#include "drivers/common/units/assembly.h"

namespace terrazzo::adreno::sim {

/// Primitives before a stage that needs all their vertices, or before the rasterizer: corners are vertices of
/// a VertexMaker, or of VertexOutputs.
struct PrimitiveList {
    unsigned corners = 3;  // per primitive
    std::vector<uint32_t> vertices;
    std::vector<uint64_t> numbers;  // in the draw, over all instances: as visibility streams count
    std::vector<uint32_t> ids;      // gl_PrimitiveID
    std::vector<uint8_t> streams;   // per primitive; empty: 0
    size_t count() const { return numbers.size(); }
    void clear() {
        vertices.clear();
        numbers.clear();
        ids.clear();
        streams.clear();
    }
};

class GeometryShader {
  public:
    /// Decodes the registers once per draw. `corners`: of its inputs. `behind_domain`: the previous stage is
    /// a domain shader.
    [[nodiscard]] bool init(Machine& machine, unsigned corners, bool behind_domain, Fault* fault);
    units::PrimitiveKind kind() const { return kind_; }
    /// The most vertices that the invocations for one primitive may emit.
    unsigned most_vertices() const { return vertices_ * invocations_; }
    unsigned invocations() const { return invocations_; }
    /// Runs both stages for primitives [first, end) of `in`; appends the emitted vertices to *outputs, and
    /// their primitives, in order, to *out.
    [[nodiscard]] bool run(Machine& machine, WaveRunner& runner, VertexMaker& maker, const PrimitiveList& in,
                           size_t first, size_t end, const StageOutputs& stage_outputs, Wave& wave,
                           VertexOutputs* outputs, PrimitiveList* out, Fault* fault);
    uint64_t vertices_run() const { return vertices_run_; }

  private:
    // Lanes of one primitive in a wave: the first ones compute its vertices, then all run the shader, from
    // `thread` on, counted over all invocations.
    struct Block {
        uint32_t primitive = 0;
        unsigned lane = 0, lanes = 0, thread = 0, threads = 0;
    };
    // A strip that is not complete.
    struct Strip {
        std::vector<uint32_t> vertices;
        uint32_t primitive = 0;
        unsigned invocation = 0;
        uint8_t stream = 0;
    };
    bool run_wave(Machine& machine, WaveRunner& runner, VertexMaker& maker, const PrimitiveList& in,
                  const StageOutputs& stage_outputs, Wave& wave, VertexOutputs* outputs, PrimitiveList* out,
                  Fault* fault);
    bool start_wave(Machine& machine, VertexMaker& maker, const PrimitiveList& in, Wave* wave,
                    Fault* fault) const;
    void collect(const Wave& wave, const StageOutputs& stage_outputs, const PrimitiveList& in,
                 VertexOutputs* outputs, PrimitiveList* out);
    void end_strip(const PrimitiveList& in, PrimitiveList* out);

    StageProgram program_;
    units::PrimitiveKind kind_ = units::PrimitiveKind::Triangle;
    unsigned corners_ = 3, vertices_ = 1, invocations_ = 1, blocks_ = 64;
    bool behind_domain_ = false, first_provoking_ = false;
    uint8_t header_reg_ = 0, primitive_reg_ = 0;
    std::vector<uint8_t> local_;
    std::vector<Block> wave_blocks_;
    std::vector<uint32_t> wave_values_;
    Strip strip_;
    units::Primitives assembled_;
    units::VertexRuns strip_run_;
    uint64_t vertices_run_ = 0;
};

}  // namespace terrazzo::adreno::sim
