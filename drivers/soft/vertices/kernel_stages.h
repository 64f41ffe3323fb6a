// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Stages between vertex shading and the rasterizer: kernels that read and write records of vertices
// (shaders/ir/stage_buffers.h). A batch of primitives is assembled, its vertices shaded, and each stage run for all of it; what
// comes out is clipped, captured and drawn as vertices of a plain draw are.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "drivers/soft/compute/dispatch.h"
#include "drivers/soft/screen/thread_pool.h"
#include "drivers/soft/vertices/draw.h"
#include "pipe/tess/tess.h"

namespace terrazzo::soft {

class KernelStages {
  public:
    /// Throws std::bad_alloc.
    explicit KernelStages(pipe::Ref<ThreadPool> pool);

    /// For draws with this program, until the next call.
    void begin(const SoftProgram& program);
    /// What a stage reads and writes. `own`: where the ranges of its own buffers stand in args.buffers.
    void set_stage(pipe::Stage stage, const ComputeArgs& args, ir::MemoryRange* own);

    /// Primitives that are worked on together.
    [[nodiscard]] uint32_t per_batch(const DrawCall& call) const;
    /// Batches [begin, end) of a draw. Throws std::bad_alloc.
    void draw(DrawCall& call, VertexStage& stage, const Batches& all, uint64_t begin, uint64_t end);

  private:
    using Words = std::vector<uint32_t>;
    struct Stage {
        ComputeArgs args = {};
        ir::MemoryRange* own = nullptr;
        [[nodiscard]] ir::MemoryRange& buffer(uint32_t binding) const {
            return own[binding - ir::kMaxStorageBuffers];
        }
    };

    static ir::MemoryRange range_of(Words& w) {
        return {reinterpret_cast<uint8_t*>(w.data()), uint32_t(w.size() * 4)};
    }
    /// Of `count` shaded vertices, for the stage that takes them.
    void gather(const VertexStage& from, const ir::StageRecords& to, uint32_t count);
    void run(pipe::Stage s, uint32_t invocations);
    /// The geometry stage, of `n` primitives whose records are `input`.
    void shade_geometry(DrawCall& call, Words& input, uint32_t n, uint32_t first);
    void emit_invocation(DrawCall& call, uint32_t i);
    void add_primitive(uint32_t a, uint32_t b, uint32_t c);

    // kernel_tess.cpp
    void tessellate(DrawCall& call, uint32_t patches, uint32_t size, uint32_t first);
    void run_control(uint32_t patches);
    /// Points of patches that wait for the evaluation stage become primitives.
    void evaluate(DrawCall& call, uint32_t first);
    void feed_geometry(DrawCall& call, uint32_t first);
    void emit_evaluated(DrawCall& call);
    /// Where a primitive is drawn.
    struct Place {
        uint32_t layer = 0, viewport = 0;
        bool operator==(const Place&) const = default;
    };
    [[nodiscard]] Place place_of(uint32_t primitive) const;
    void draw_emitted(DrawCall& call);
    /// Draws what was emitted.
    void flush(DrawCall& call);

    const pipe::Ref<ThreadPool> pool_;
    ShaderMemory memory_;
    VertexStage emitted_;
    const SoftProgram* program_ = nullptr;
    pipe::PerStage<Stage> stages_;
    std::vector<uint16_t> sources_;  // of each dword of a record that the first stage reads, or kNoOutput
    Words vertices_, outputs_, counts_, param_;
    std::unique_ptr<Dispatcher> dispatcher_;  // made when first needed
    // Of tessellation: control points and patches that the control stage left, points with their patches, what evaluation made
    // of them, and the corners of the primitives between them.
    pipe::Tessellator tessellator_;
    Words control_, patches_, points_, evaluated_, corners_, geometry_in_;
    std::vector<uint16_t> evaluation_sources_;  // as sources_, of evaluation's records for the geometry stage
    // What waits to be drawn: records of vertices, and the primitives' corners in emitted_.
    std::vector<const uint32_t*> records_;
    uint32_t primitives_ = 0;
    pipe::Primitive kind_ = pipe::Primitive::Points;
};

}  // namespace terrazzo::soft
