// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Stages between vertex shading and the rasterizer: kernels that read and write records of vertices
// (shaders/ir/stage_buffers.h). A batch of primitives is assembled, its vertices are shaded, and each stage
// runs for the whole batch. The results are clipped, captured and drawn like ordinary vertices.
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

    /// Uses this program until the next call.
    void begin(const SoftProgram& program);
    /// Sets a stage's resources. `own`: the ranges of its own buffers in args.buffers.
    void set_stage(pipe::Stage stage, const ComputeArgs& args, ir::MemoryRange* own);

    /// The primitives per batch.
    [[nodiscard]] uint32_t per_batch(const DrawCall& call) const;
    /// Draws batches [begin, end). Throws std::bad_alloc.
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
    /// Gathers `count` shaded vertices for the stage that reads them.
    void gather(const VertexStage& from, const ir::StageRecords& to, uint32_t count);
    void run(pipe::Stage s, uint32_t invocations);
    /// Runs the geometry stage on `n` primitives whose records are `input`.
    void shade_geometry(DrawCall& call, Words& input, uint32_t n, uint32_t first);
    void emit_invocation(DrawCall& call, uint32_t i);
    void add_primitive(uint32_t a, uint32_t b, uint32_t c);

    // kernel_tess.cpp
    void tessellate(DrawCall& call, uint32_t patches, uint32_t size, uint32_t first);
    void run_control(uint32_t patches);
    /// Evaluates the waiting patches' points and creates their primitives.
    void evaluate(DrawCall& call, uint32_t first);
    void feed_geometry(DrawCall& call, uint32_t first);
    void emit_evaluated(DrawCall& call);
    /// The target of a primitive.
    struct Place {
        uint32_t layer = 0, viewport = 0;
        bool operator==(const Place&) const = default;
    };
    [[nodiscard]] Place place_of(uint32_t primitive) const;
    void draw_emitted(DrawCall& call);
    /// Draws the emitted primitives.
    void flush(DrawCall& call);

    const pipe::Ref<ThreadPool> pool_;
    ShaderMemory memory_;
    VertexStage emitted_;
    const SoftProgram* program_ = nullptr;
    pipe::PerStage<Stage> stages_;
    // By dword of a record that the first stage reads: its source, or kNoOutput.
    std::vector<uint16_t> sources_;
    Words vertices_, outputs_, counts_, param_;
    std::unique_ptr<Dispatcher> dispatcher_;  // created when first needed
    // Tessellation: control points and patches of the control stage, points with their patches, the evaluated
    // points, and the corners of the primitives between them.
    pipe::Tessellator tessellator_;
    Words control_, patches_, points_, evaluated_, corners_, geometry_in_;
    // Like sources_, for evaluation's records in the geometry stage.
    std::vector<uint16_t> evaluation_sources_;
    // Waiting to be drawn: records of vertices, and the primitives' corners in emitted_.
    std::vector<const uint32_t*> records_;
    uint32_t primitives_ = 0;
    pipe::Primitive kind_ = pipe::Primitive::Points;
};

}  // namespace terrazzo::soft
