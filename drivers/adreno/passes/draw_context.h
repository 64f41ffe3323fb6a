// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Passes, draws and dispatches of a context. A draw is recorded in the pass's stream at once; the pass is
// written into the submission when it ends. The Recorder keeps the submission until flush(), until the CPU
// accesses a resource that it uses, or until it is large.
//
// The next draw packs the state that changed (Dirty) as groups of draw state.
#pragma once

#include "drivers/adreno/passes/counting.h"
#include "drivers/adreno/passes/dispatch.h"
#include "drivers/adreno/passes/pass.h"
#include "drivers/adreno/passes/stream_output.h"
#include "drivers/adreno/screen.h"
#include "drivers/adreno/stream/pool_words.h"
#include "drivers/adreno/submission/counters.h"
#include "drivers/adreno/submission/query.h"
#include "drivers/common/context/state_context.h"

namespace terrazzo::adreno {

struct StateTypes : ScreenTypes {
    using Screen = AdrenoScreen;
    using Recorder = adreno::Recorder;
    using Pass = adreno::Pass;
    struct Values {
        StatePacking packing;  // of the last program for draws; differences are dirty
    };
};

/// Records passes, draws and dispatches. AdrenoContext adds transfers.
class DrawContext : public contexts::StateContext<DrawContext, StateTypes> {
  public:
    void bind_program(pipe::Program*) final;
    void set_stream_outputs(std::span<const pipe::BufferRange>) final;

    void begin_render_pass(const pipe::RenderPassDesc&) final;
    void end_render_pass() final;
    void clear(const pipe::ClearInfo&) final;
    void draw(const pipe::DrawInfo&, std::span<const pipe::DrawRange>) final;
    // --- dispatch.cpp
    void dispatch(const pipe::DispatchInfo&) final;
    void memory_barrier() final;
    pipe::PerformanceCounters* counters() final { return &counters_; }

    /// For tests.
    [[nodiscard]] const Pass& pass() const { return pass_; }

  protected:
    using StateContext::StateContext;

    friend StateContext;
    using StageGroup = contexts::Group;  // Group is that of draw state
    /// What the next draw must pack again.
    enum Dirty : contexts::DirtyBits {
        kProgram = 1,  // the program, or what its fragment variant depends on
        kRaster = 2,
        kDepthStencil = 4,
        kBlend = 8,
        kBlendColor = 16,
        kViewport = 32,
        kScissor = 64,
        kVertexBuffers = 128,
        kOutputs = 256,  // targets, program, raster discard, second colour
        kStencilRef = 512,
        kDepthPlane = 1024,
        kSampleLocations = 2048,
        kStreamOutput = 4096,    // program, buffers
        kQueries = 8192,         // the set of open queries
        kPass = 32768,           // a pass has ended: the next draw checks whether another one is open
        kPatches = 65536,        // the number of a patch's vertices
        kVertexLayout = 131072,  // layout, which buffers are bound, the attributes that the program reads
        kDiscard = kRaster | kOutputs | kScissor,  // what depends on discards()
    };
    /// All groups of the stages of draws.
    static constexpr contexts::DirtyBits kStages = contexts::kDrawStagesDirty;

    // --- contexts::StateContext
    static constexpr contexts::DirtyBits kDepthStencilDirty = kDepthStencil | kDepthPlane;
    static constexpr contexts::DirtyBits kVertexLayoutDirty = kVertexLayout;
    static constexpr contexts::DirtyBits kVertexBuffersDirty = kVertexBuffers | kVertexLayout;
    static constexpr contexts::DirtyBits kPassDirty = kPass;
    static constexpr contexts::DirtyBits kScissorDirty = kScissor;
    static constexpr contexts::DirtyBits kStencilRefDirty = kStencilRef;
    static constexpr contexts::DirtyBits kSampleMaskDirty = kBlend | kDepthPlane;
    [[nodiscard]] static bool takes(pipe::Stage, StageGroup) { return true; }
    [[nodiscard]] contexts::DirtyBits raster_changes(const AdrenoRaster& now) const;
    [[nodiscard]] contexts::DirtyBits blend_changes(const AdrenoBlend& now) const;
    [[nodiscard]] static contexts::DirtyBits viewport_changes() { return kViewport; }
    [[nodiscard]] static contexts::DirtyBits blend_color_changes() { return kBlendColor; }
    [[nodiscard]] static contexts::DirtyBits uniforms_change(pipe::Stage s) {
        return dirty_bit(s, StageGroup::Uniforms);
    }
    static void note_view(contexts::BoundStage& s, unsigned slot, const pipe::SamplerView* view);
    static void note_image(contexts::BoundStage& s, unsigned slot, const pipe::ImageView& view);
    /// Makes all state dirty.
    void touch_all();

    // --- draw.cpp, tables.cpp
    /// The values of registers in the pass's stream.
    struct DrawRegisters {
        uint32_t index_offset = 0, first_instance = 0, restart_index = 0;
        bool known = false;
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
    /// Whether the next draw reads colours that the pass draws.
    [[nodiscard]] bool reads_colors() const { return stage_code(pipe::Stage::Fragment).info.colors_read; }
    /// Whether the next draw must not be drawn tile by tile: tiles run vertices repeatedly, but some must run
    /// once. The memory of patches serves one subdraw after another; freedreno does not draw patches in
    /// tiles, either.
    [[nodiscard]] bool needs_sysmem() const {
        return state_.program->vertex().info.writes_memory || state_.program->tessellates() ||
               (stream_output_.is_set() && state_.program->stream_output.valid());
    }
    /// If the next draw needs sysmem and the pass must be drawn tile by tile, continues in another pass.
    void leave_tiles();
    [[nodiscard]] static constexpr uint32_t stage_bit(pipe::Stage s) { return 1u << unsigned(s); }
    /// Makes earlier draws' writes to memory visible to textures.
    void sync_colors_read() {
        recorder_.sync_caches(
            pass_.draws, {.flush_color = true, .flush_depth = samples_targets_, .invalidate_uche = true});
    }
    /// The code of a stage that runs: for the fragment stage it may be a variant's.
    [[nodiscard]] const StageCode& stage_code(pipe::Stage s) const {
        return s == pipe::Stage::Fragment && variant_ ? variant_->fragment : state_.program->stage(s);
    }
    void pack_stages();
    void pack_depth_stencil();
    void pack_depth_plane();
    [[nodiscard]] LrzDraw lrz_draw() const;
    void pack_blend();
    void pack_outputs();
    void pack_clip_planes();
    void pack_patches();
    /// Whether a pass is open, and a program for draws is bound.
    [[nodiscard]] bool can_draw() const {
        return in_pass_ && pass_.active() && state_.program && !state_.program->is_compute();
    }
    /// Prepares draws of patches with this many vertices. False: they cannot be drawn.
    [[nodiscard]] bool begin_patches(uint32_t vertices);
    /// For the packets of draws with the mode of `info`.
    [[nodiscard]] hw::DrawInitiator draw_initiator(const pipe::DrawInfo& info) const;
    void pack_vertex_layout();
    void pack_vertex_buffers();
    /// Group::DriverParameters of a draw.
    void pack_params(uint32_t base_vertex, uint32_t base_instance, uint32_t draw_id);

    // --- tables.cpp
    /// Packs a stage's constants or descriptors as a stream in pool memory, for a group of a draw or for a
    /// dispatch. Empty if the program's stage needs none.
    [[nodiscard]] PoolSegment pack_uniforms(pipe::Stage stage);
    [[nodiscard]] PoolSegment pack_blocks(pipe::Stage stage);
    [[nodiscard]] PoolSegment pack_textures(pipe::Stage stage);
    [[nodiscard]] Segment pack_resources(pipe::Stage stage);

    // --- storage.cpp
    /// Packs the table of storage buffers and images of a draw's stages, or of a dispatch. Empty if they have
    /// none.
    [[nodiscard]] Segment pack_storage(std::span<const pipe::Stage> stages);
    void put_storage(pipe::Stage stage, uint32_t* table);

    static constexpr uint32_t kNoRestart = 0xffffffff;
    struct IndexMemory {
        uint64_t va = 0;
        uint32_t most = 0;  // the number of indices
        uint32_t restart = kNoRestart;
    };
    template <bool kIndexed>
    void emit_draws(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges,
                    const IndexMemory& indices);
    void emit_indexed_draws(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges);
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
    void resume_pass(const pipe::RenderPassDesc* desc) override;
    [[nodiscard]] contexts::CountLayout count_layout(pipe::QueryKind kind) const override;
    void counting_changes(const contexts::Query& q) override;
    void begin_pass(const pipe::RenderPassDesc& desc);

    /// Whether the hardware discards primitives before the rasterizer. If generated primitives are counted,
    /// an empty scissor discards instead, since the hardware counts after the discard.
    [[nodiscard]] bool discards() const { return state_.raster->desc.discard && !queries_.generated; }
    // --- access.cpp
    /// Makes state dirty that was packed with the old address of the resource's memory.
    void touch_memory(images::StoredResource& r) override;
    [[nodiscard]] bool copies_compressed(const images::StoredResource& r) const override;
    [[nodiscard]] pipe::Mapping map_now(images::StoredResource& r, uint32_t level, const pipe::Box& box,
                                        uint32_t flags) override;
    void unmap_now(images::StoredResource& r, const pipe::Mapping& mapping) override;
    void copy_by_cpu(const images::ImageCopy& copy) override;
    /// Decides the form of an attachment: compressed if possible. Decompresses it if the pass cannot use that
    /// form.
    void begin_drawing(const pipe::Attachment& a);
    /// Decompresses images that are bound and used by the program in a form that the hardware does not
    /// support (BoundStage::odd_views, odd_images). Such images then stay uncompressed, so this is only
    /// called after a change of bindings. It may end and resume the pass.
    void make_views_plain() {
        for (const contexts::BoundStage& s : state_.stages)
            if (s.odd_views | s.odd_images) [[unlikely]]
                return make_odd_views_plain();
    }
    void make_odd_views_plain();

    AdrenoCounters counters_{recorder_, [this] { (void)submit(); }};

    const FragmentVariant* variant_ = nullptr;  // of the program; null: its own code
    bool syncs_colors_read_ = false;            // before each draw
    uint32_t target_samplers_ = 0;  // a bit for each stage: its packed textures are targets of the pass
    bool samples_targets_ = false;  // the next draw may read undefined colours, but needs valid caches
    /// Shaders have stored to memory since the last barrier.
    bool stores_ = false;
    Dispatches dispatches_{recorder_, pass_};
    StreamOutput stream_output_{recorder_, pass_};
    OpenCounts counts_{recorder_, pass_};

    GroupList groups_;
    bool restart_ = false;
    uint32_t patch_vertices_ = 0;
    pipe::Ref<Bo> patch_memory_;     // PatchMemory; null: no patches were drawn yet
    bool has_patch_memory_ = false;  // the pass's stream has set its address
    uint32_t depth_plane_ = ~0u;     // the one of the screen's planes that the pass's stream has set
    DrawRegisters registers_;
};

}  // namespace terrazzo::adreno
