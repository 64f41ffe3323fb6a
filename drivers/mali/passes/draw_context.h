// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Passes and draws of a context. A draw is recorded in the vertex stream at once. Its pass stays open after
// end_render_pass until something needs its pixels or another pass begins. The Recorder keeps the streams
// until flush(), until the CPU accesses a resource that they use, or until they are large.
//
// The next draw packs the state that changed (Dirty). Registers that already have the value are not written
// again (CsBuilder).
#pragma once

#include "drivers/common/context/kernel_draws.h"
#include "drivers/common/context/state_context.h"
#include "drivers/mali/images/target.h"
#include "drivers/mali/passes/draw_state.h"
#include "drivers/mali/passes/tables.h"
#include "drivers/mali/state/packed.h"

namespace terrazzo::mali {

/// One RUN_COMPUTE. The caller has begun the job in the compute stream (Recorder::begin_compute and
/// begin_dispatch).
struct ComputeJob {
    const ShaderPart& shader;
    uint64_t tables = 0;  // their address and number, as in the register
    uint64_t fau_va = 0;
    uint64_t local_storage_va = 0;
    std::array<uint32_t, 3> group;   // invocations of a workgroup
    std::array<uint32_t, 3> groups;  // none is 0, unless there is `indirect_va`
    /// Where the device reads the numbers of workgroups; 0: they are `groups`.
    uint64_t indirect_va = 0;
    /// With `indirect_va`: where the shader expects these numbers; 0: nowhere. For each axis an address in
    /// its FAU, and one in its system block.
    std::array<std::array<uint64_t, 2>, 3> copies_va{};
};
void run_compute(Recorder& recorder, const ComputeJob& job);

/// Records passes and draws. MaliContext adds transfers.
class DrawContext : public contexts::StateContext<DrawContext, StateTypes>, contexts::KernelRunner {
  public:
    void bind_program(pipe::Program*) final;

    void draw(const pipe::DrawInfo&, std::span<const pipe::DrawRange>) final;
    void dispatch(const pipe::DispatchInfo&) final;
    void memory_barrier() final;

  protected:
    using StateContext::StateContext;

    friend StateContext;
    using Stage = pipe::Stage;
    using Group = contexts::Group;
    using enum DrawDirty::Bits;
    enum class PrimitiveClass : uint8_t { None, Points, Lines, Triangles };

    // --- contexts::StateContext
    static constexpr contexts::DirtyBits kDepthStencilDirty = kDepthStencil | kFlags;
    static constexpr contexts::DirtyBits kVertexLayoutDirty = kVertexTables;
    static constexpr contexts::DirtyBits kVertexBuffersDirty = kVertexTables;
    static constexpr contexts::DirtyBits kPassDirty = kPass;
    static constexpr contexts::DirtyBits kStreamOutputsDirty = kCapture;
    static constexpr contexts::DirtyBits kRasterDirty = kFlags | kPrimitive | kDepthStencil;
    static constexpr contexts::DirtyBits kScissorDirty = kScissor;
    static constexpr contexts::DirtyBits kStencilRefDirty = kDepthStencil;
    static constexpr contexts::DirtyBits kSampleMaskDirty = kFlags;
    [[nodiscard]] static bool takes(Stage s, Group g) {
        return g != Group::Storage || s == Stage::Compute || s == Stage::Fragment;
    }
    [[nodiscard]] contexts::DirtyBits blend_changes(const MaliBlend& now) const {
        const bool coverage = state_.blend->desc.alpha_to_coverage != now.desc.alpha_to_coverage;
        return kBlend | (coverage ? kFlags : contexts::DirtyBits(0));
    }
    [[nodiscard]] contexts::DirtyBits viewport_changes() const {
        return kViewport | kScissor | system_values_change();
    }
    [[nodiscard]] contexts::DirtyBits blend_color_changes() const {
        return kBlend | kBlendInputs |
               (blend_summary_.shader_takes_color ? kFragmentFau : contexts::DirtyBits(0));
    }
    [[nodiscard]] contexts::DirtyBits uniforms_change(Stage s) const {
        const bool in_memory = state_.program && state_.program->stages[s].uniform_buffer;
        return dirty_bit(s, Group::Uniforms) | (in_memory ? dirty_bit(s, Group::Textures) : 0);
    }
    /// The pass must cover the level, with large enough tiles: superblocks of AFBC are written as a whole.
    [[nodiscard]] static bool draws_compressed(const hw::Chip& chip, const pipe::RenderPassDesc& pass,
                                               const pipe::Attachment& a) {
        const pipe::LevelLayout& l = mali(*a.resource).layout.level[a.level];
        return pass.width == l.width && pass.height == l.height &&
               choose_tile_px(chip, pass) >= kLeastAfbcTile_px;
    }

    [[nodiscard]] contexts::DirtyBits system_values_change() const;

    // --- draw.cpp
    /// A direct draw of a program without later stages.
    [[nodiscard]] bool is_usual(const pipe::DrawInfo& info) const;
    void draw_unusual(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges);
    void draw_now(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges);
    /// Whether the CPU must know the parameters of an indirect draw.
    [[nodiscard]] bool needs_parameters();
    /// Packs dirty state. False: the draw is invisible.
    [[nodiscard]] bool prepare(PrimitiveClass primitive, bool restart);
    /// Called before prepare() if vertex tables are dirty, or draws are captured. False: there is nothing to
    /// draw.
    [[nodiscard]] bool prepare_vertices(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges);
    void choose_converted();
    void begin_instances(uint32_t first);
    [[nodiscard]] bool shades_samples() const;
    [[nodiscard]] bool runs_per_sample() const;
    [[nodiscard]] bool choose_fragment();
    void touch_slots();
    const SysvalValues& system_values(Stage stage);
    void pack_program();
    void pack_vertex_fau();
    /// Whether the draw uses the point sizes that the shader writes.
    [[nodiscard]] bool writes_sizes() const {
        return primitive_ == PrimitiveClass::Points && state_.program->writes_point_size;
    }
    void pack_fragment_fau();
    void find_clip();
    void pack_viewport();
    void forget_packed();
    void pack_depth_stencil();
    void pack_blend();
    void pack_flags(PrimitiveClass primitive);
    void pack_primitive(PrimitiveClass primitive, bool restart);
    [[nodiscard]] uint64_t upload_fau(const ShaderPart& part, Stage stage);
    void emit_draws(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges);
    void emit_indirect_draw(const pipe::DrawInfo& info, uint64_t run);

    // --- dispatch.cpp
    /// Runs the capture shader for the draw's vertices. The pass may begin anew.
    void capture(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges);
    /// A draw with geometry or tessellation stages.
    void draw_kernels(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges);
    void run_kernel(programs::Kernel k, uint32_t groups,
                    std::span<const contexts::KernelBuffer> buffers) final;
    void draw_records(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges,
                      const pipe::BufferRange& records) final;

    /// Records a job of the compute queue with the stage's resources. Sets `tables`, `fau_va` and
    /// `local_storage_va` of the job.
    void record_job(Stage stage, uint32_t storage_buffers, ComputeJob job);
    /// Sets `copies_va` of an indirect job.
    void find_group_counts(const ShaderPart& part, ComputeJob* job) const;
    /// The uniforms of a compute job.
    [[nodiscard]] uint64_t write_compute_fau(const ShaderPart& part, Stage stage);
    /// Sets the system values of the stage's slots.
    void find_slots(Stage stage);
    void find_storage_buffers(Stage stage);

    // --- draw_context.cpp
    [[nodiscard]] bool continue_pass(const pipe::RenderPassDesc& desc);
    void begin_pass(const pipe::RenderPassDesc& desc);
    void finish_pass(bool) { pass_.end(screen_.internal_shaders()); }
    void note_loss() override;
    void counting_changes(const contexts::Query& q) override;
    /// Called when a pass begins or continues: following draws belong to it.
    void touch_pass();
    /// Checks whether images have new memory since tables were packed.
    void note_image_changes();

    uint32_t image_changes_ = 0;  // Device::image_changes when tables were packed last

    PrimitiveClass primitive_ = PrimitiveClass::None;
    bool restart_ = false;
    // Results of packing that other packing functions, or draws, use.
    PixelRect viewport_px_, clip_;  // viewport_px_: inside of the framebuffer
    SysvalValues sysvals_;
    BlendSummary blend_summary_;
    PackedBlends packed_blends_;
    PackedFau packed_fau_;
    uint64_t packed_in_ = 0;  // the recorder's serial when they were packed
    bool needs_fragment_shader_ = true;
    Tables tables_{objects()};
    contexts::CapturedVertices stream_output_{*this};
    contexts::KernelDraws kernel_draws_{*this, *this};
    uint64_t run_ = 0;  // RUN_IDVS without the fields from DrawInfo
};

}  // namespace terrazzo::mali
