// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Passes, draws and dispatches of a context. A draw is recorded in the pass's stream at once; the pass is
// written into the submission when it ends. The Recorder keeps the submission until flush(), until the CPU
// accesses a resource that it uses, or until it is large.
//
// The next draw packs the state that changed (Dirty) as groups of draw state.
#pragma once

#include "drivers/adreno/hw/pm4.h"
#include "drivers/adreno/passes/counting.h"
#include "drivers/adreno/passes/dispatch.h"
#include "drivers/adreno/passes/patches.h"
#include "drivers/adreno/passes/stream_output.h"
#include "drivers/adreno/passes/tables.h"
#include "drivers/adreno/stream/segment.h"
#include "drivers/adreno/submission/counters.h"
#include "drivers/adreno/submission/query.h"
#include "drivers/common/context/state_context.h"

namespace terrazzo::adreno {

/// For programs whose only stage before rasterization is the vertex stage.
[[nodiscard]] hw::DrawInitiator plain_initiator(pipe::Primitive mode, pipe::IndexType type);
/// For the packets of draws with the mode of `info`, by any program.
[[nodiscard]] hw::DrawInitiator draw_initiator(const AdrenoProgram& program, const pipe::DrawInfo& info);

/// Records passes, draws and dispatches. AdrenoContext adds transfers.
class DrawContext : public contexts::StateContext<DrawContext, StateTypes> {
  public:
    void bind_program(pipe::Program*) final;

    void draw(const pipe::DrawInfo&, std::span<const pipe::DrawRange>) final;
    // --- dispatch.cpp
    void dispatch(const pipe::DispatchInfo&) final;
    void memory_barrier() final { tables_.barrier(); }
    pipe::PerformanceCounters* counters() final { return &counters_; }

    /// For tests.
    [[nodiscard]] const Pass& pass() const { return pass_; }

  protected:
    using StateContext::StateContext;

    friend StateContext;
    using StageGroup = contexts::Group;  // Group is that of draw state
    using enum DrawDirty::Bits;
    /// All groups of the stages of draws.
    static constexpr contexts::DirtyBits kStages = contexts::kDrawStagesDirty;

    // --- contexts::StateContext
    static constexpr contexts::DirtyBits kDepthStencilDirty = kDepthStencil | kDepthPlane;
    static constexpr contexts::DirtyBits kVertexLayoutDirty = kVertexLayout;
    static constexpr contexts::DirtyBits kVertexBuffersDirty = kVertexBuffers | kVertexLayout;
    static constexpr contexts::DirtyBits kPassDirty = kPass;
    static constexpr contexts::DirtyBits kStreamOutputsDirty = kStreamOutput;
    static constexpr contexts::DirtyBits kScissorDirty = kScissor;
    static constexpr contexts::DirtyBits kStencilRefDirty = kStencilRef;
    static constexpr contexts::DirtyBits kSampleMaskDirty = kBlend | kDepthPlane;
    static constexpr contexts::DirtyBits kViewportDirty = kViewport;
    static constexpr contexts::DirtyBits kBlendColorDirty = kBlendColor;
    [[nodiscard]] static bool takes(pipe::Stage, StageGroup) { return true; }
    [[nodiscard]] contexts::DirtyBits raster_changes(const AdrenoRaster& now) const;
    [[nodiscard]] contexts::DirtyBits blend_changes(const AdrenoBlend& now) const;
    void forget_groups();

    // --- draw.cpp
    /// The values of registers in the pass's stream, packed so that a draw compares two numbers.
    struct DrawRegisters {
        static constexpr uint64_t kUnknown = ~uint64_t(0);
        uint64_t offsets = 0;         // of indices (low half) and instances
        uint64_t restart = kUnknown;  // the restart index; kUnknown: no register is known
        static constexpr uint64_t pack(uint32_t index_offset, uint32_t first_instance) {
            return index_offset | uint64_t(first_instance) << 32;
        }
        bool operator==(const DrawRegisters&) const = default;
    };
    /// Logs why a draw has no effect.
    void refuse_draw(const pipe::DrawInfo& info) const;
    void write_draw_registers(const DrawRegisters& now);
    void prepare(bool restart);
    void pack_program();
    /// Chooses the code of the fragment stage for the current state, and makes what depends on it dirty.
    /// False: it cannot be compiled (logged).
    [[nodiscard]] bool choose_fragment();
    [[nodiscard]] FragmentKey fragment_key() const;
    [[nodiscard]] bool choose_variant();
    /// Whether the next draw reads colours that the pass draws.
    [[nodiscard]] bool reads_colors() const {
        return stage_code(state_, pipe::Stage::Fragment).info.colors_read;
    }
    /// Whether the next draw must not be drawn tile by tile: tiles run vertices repeatedly, but some must run
    /// once. The memory of patches serves one subdraw after another; freedreno does not draw patches in
    /// tiles, either.
    [[nodiscard]] bool needs_sysmem() const {
        return state_.program->vertex().info.writes_memory || state_.program->tessellates() ||
               (stream_output_.is_set() && state_.program->stream_output.valid());
    }
    /// If the next draw needs sysmem and the pass must be drawn tile by tile, continues in another pass.
    void leave_tiles();
    /// Makes earlier draws' writes to memory visible to textures.
    void sync_colors_read() {
        recorder_.sync_caches(
            pass_.draws, {.flush_color = true, .flush_depth = samples_targets_, .invalidate_uche = true});
    }
    void pack_stages();
    void pack_depth_stencil();
    void pack_depth_plane();
    [[nodiscard]] LrzDraw lrz_draw() const;
    void pack_blend();
    void pack_outputs();
    void pack_clip_planes();
    /// Whether a pass is open, and a program for draws is bound.
    [[nodiscard]] bool can_draw() const {
        return in_pass_ && pass_.active() && state_.program && !state_.program->is_compute();
    }
    /// Prepares draws of patches with this many vertices. False: they cannot be drawn.
    [[nodiscard]] bool begin_patches(uint32_t vertices);
    void pack_patches();
    /// Group::DriverParameters of a draw.
    void pack_params(uint32_t base_vertex, uint32_t base_instance, uint32_t draw_id);

    static constexpr uint32_t kNoRestart = 0xffffffff;
    struct IndexMemory {
        uint64_t va = 0;
        uint32_t most = 0;  // the number of indices
        uint32_t restart = kNoRestart;
    };
    template <bool kIndexed>
    void emit_draws(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges,
                    const IndexMemory& indices);
    /// Of a draw with indices. `most` is 0: no index is inside the buffer.
    [[nodiscard]] IndexMemory index_memory(const pipe::DrawInfo& info);
    void emit_indirect_draw(const pipe::DrawInfo& info);
    void flush_captured(const pipe::Resource& parameters);
    template <class F>
    void set_group(Group g, uint32_t most_dw, F&& write) {
        groups_.set(g, pool_words(recorder_.pool, most_dw, write));
    }

    // --- draw_context.cpp
    [[nodiscard]] bool hand_over() override;
    void finish_pass(bool goes_on);
    void drop_pass() override;
    void counting_changes(const contexts::Query& q) override;
    void begin_pass(const pipe::RenderPassDesc& desc);
    [[nodiscard]] uint32_t clear_in_pass(const pipe::ClearInfo& info, clears::Plan plan);

    /// Whether the hardware discards primitives before the rasterizer. If generated primitives are counted,
    /// an empty scissor discards instead, since the hardware counts after the discard.
    [[nodiscard]] bool discards() const { return state_.raster->desc.discard && !queries_.open.generated; }
    [[nodiscard]] bool copies_compressed(const images::StoredResource& r) const override {
        return r.desc.samples == 1 && !pipe::format_info(r.desc.format).is_depth_stencil();
    }

    AdrenoCounters counters_{recorder_, [this] { (void)submit(); }};

    bool syncs_colors_read_ = false;  // before each draw
    bool samples_targets_ = false;    // the next draw may read undefined colours, but needs valid caches
    Patches patches_{objects()};
    Tables tables_{objects(), patches_};
    Dispatches dispatches_{objects()};
    StreamOutput stream_output_{objects()};
    OpenCounts counts_{objects()};

    GroupList groups_;
    bool restart_ = false;
    uint32_t depth_plane_ = ~0u;  // the one of the screen's planes that the pass's stream has set
    DrawRegisters registers_;
};

}  // namespace terrazzo::adreno
