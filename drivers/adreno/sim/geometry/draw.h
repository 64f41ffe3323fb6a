// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// One draw: its stages, and the data from each to the next. Internal to geometry/.
//   vertex shader [-> hull shader -> tessellator -> domain shader] [-> geometry shader]
//   -> stream output, window, visibility streams
#pragma once

#include <memory>
#include <vector>

#include "drivers/adreno/sim/geometry/geometry.h"
#include "drivers/adreno/sim/geometry/geometry_shader.h"
#include "drivers/adreno/sim/geometry/hull_shader.h"
#include "drivers/adreno/sim/geometry/stream_output.h"
#include "drivers/adreno/sim/geometry/tessellation.h"
#include "drivers/adreno/sim/geometry/visibility.h"
#include "drivers/adreno/sim/geometry/window_state.h"

namespace terrazzo::adreno::sim {

class GeometryDraw {
  public:
    GeometryDraw(Machine& machine, WaveRunner& runner, const DrawCall& call);
    [[nodiscard]] bool run(PrimitiveSink& sink, Fault* fault);

  private:
    bool check(Fault* fault);
    bool init(Fault* fault);
    bool init_stages(bool first_provoking, Fault* fault);
    // All primitives of the draw; *stopped: the host stopped it.
    bool run_primitives(PrimitiveSink& sink, bool* stopped, Fault* fault);
    bool run_patches(PrimitiveSink& sink, bool* stopped, Fault* fault);
    // Patches of an instance; their numbers in the subdraw start at `base`.
    bool run_patches_of(uint32_t instance, uint32_t base, uint32_t first, uint32_t count, PrimitiveSink& sink,
                        Fault* fault);
    // The primitives that one thread sets up at a time.
    struct Part {
        std::vector<DrawnPrimitive> primitives;
        DrawnList list{{}};        // the same
        std::vector<uint32_t> of;  // the number in the list of the primitive that each is a part of
        units::WindowSetup::Shapes shapes;
        uint64_t assembled = 0;
    };
    void set_up_part(const PrimitiveList& list, size_t first, size_t end, Part* part) const;
    template <class Run>
    bool run_parts(unsigned parts, Run&& run, Fault* fault);
    bool look_up(uint64_t* at, uint64_t stop, Fault* fault);
    // Runs the last stage for the primitives of `in_` and passes them to the sink.
    bool finish_batch(VertexMaker& maker, size_t vertices, PrimitiveSink& sink, Fault* fault);
    bool set_up(const PrimitiveList& list, PrimitiveSink& sink, Fault* fault);
    void count_primitives();

    Machine& machine_;
    WaveRunner& runner_;
    const DrawCall& call_;
    Visibility& visibility_;
    Wave* const wave_;              // the runner's
    units::Primitives primitives_;  // of an instance
    VertexShader vertex_;
    HullShader hull_;
    PatchTessellator tessellator_;
    DomainShader domain_;
    GeometryShader geometry_;
    StageOutputs outputs_;
    StreamOutput stream_output_;
    units::WindowSetup setup_;
    units::BatchVertices found_;
    units::UniqueVertices unique_;
    PrimitiveList in_, emitted_;  // of a batch: before and after the geometry shader
    std::vector<HullPatch> patches_;
    std::vector<uint32_t> patch_corners_, ids_, points_of_patch_;
    VertexOutputs batch_;
    std::vector<Part> parts_;
    std::vector<DrawnList> lists_;  // of the parts
    bool binning_ = false,
         recorded_ = false;  // recorded: visibility streams have the draw under its number
    bool patched_ = false, has_geometry_ = false;
    bool discard_ = false;
    unsigned raster_stream_ = 0, provoking_ = 0, primitive_id_location_ = StageOutputs::kNoLocation;
    size_t batch_primitives_ = 0;  // the most that a batch may have before the last stage
    uint64_t vertices_run_ = 0, assembled_ = 0, drawn_ = 0;
};

}  // namespace terrazzo::adreno::sim
