// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Passes and draws of a context. Draws go into a vertex stream at once; the pass that they belong to stays
// open
// after end_render_pass until something needs its pixels or another one begins. Streams wait in a Recorder
// for
// flush(), for an access to a resource that they use, or until there is much of them.
//
// State is packed for the hardware by the next draw, as far as it changed (Dirty); registers that hold a
// value already are not written again (CsBuilder).
#pragma once

#include "drivers/common/context/state_context.h"
#include "drivers/mali/passes/pass.h"
#include "drivers/mali/screen.h"
#include "drivers/mali/state/packed.h"

namespace terrazzo::mali {

/// What tables and descriptors depend on of a program: another one of the same shape needs no new ones.
struct ProgramShape {
    uint32_t attributes = 0, colors = 0, colors_read = 0, half_colors = 0;
    contexts::PerStage<StageTables> stages{};
    bool writes_depth = false, writes_stencil = false, second_color = false;
};

struct StateTypes : ScreenTypes {
    using Screen = MaliScreen;
    using Recorder = mali::Recorder;
    using Pass = mali::Pass;
    struct Values {
        ProgramShape shape;  // of the last program that was bound
    };
};

/// What records passes and draws. MaliContext adds transfers.
class DrawContext : public contexts::StateContext<DrawContext, StateTypes> {
  public:
    void bind_program(pipe::Program*) final;
    void set_stream_outputs(std::span<const pipe::BufferRange>) final;

    void begin_render_pass(const pipe::RenderPassDesc&) final;
    void end_render_pass() final;
    void clear(const pipe::ClearInfo&) final;
    void draw(const pipe::DrawInfo&, std::span<const pipe::DrawRange>) final;
    void dispatch(const pipe::DispatchInfo&) final;

  protected:
    using StateContext::StateContext;

    friend StateContext;
    using Stage = pipe::Stage;
    using Group = contexts::Group;
    /// What the next draw must pack anew.
    enum Dirty : contexts::DirtyBits {
        kScissor = 1,  // clip_: viewport, scissor, framebuffer
        kDepthStencil = 2,
        kBlend = 4,
        kProgram = 8,
        kFlags = 16,  // DcdFlags and primitive flags
        kQuery = 32,
        kPass = 64,          // tiler context
        kViewport = 128,     // viewport, framebuffer
        kBlendInputs = 256,  // what blending depends on beside its state: no packed one is right any more
        // Uniforms and viewport, as shaders read them.
        kVertexFau = dirty_bit(Stage::Vertex, Group::Uniforms),
        kFragmentFau = dirty_bit(Stage::Fragment, Group::Uniforms),
        // Textures, the uniform buffer; of the vertex stage attributes and their buffers, too.
        kVertexTables = dirty_bit(Stage::Vertex, Group::Textures),
        kFragmentTables = dirty_bit(Stage::Fragment, Group::Textures),
        // Textures may have been drawn since they were asked.
        kVertexReads = dirty_bit(Stage::Vertex, Group::Order),
        kFragmentReads = dirty_bit(Stage::Fragment, Group::Order),
    };
    enum class PrimitiveClass : uint8_t { None, Points, Lines, Triangles };

    // --- contexts::StateContext
    static constexpr contexts::DirtyBits kDepthStencilDirty = kDepthStencil | kFlags;
    static constexpr contexts::DirtyBits kVertexLayoutDirty = kVertexTables;
    static constexpr contexts::DirtyBits kVertexBuffersDirty = kVertexTables;
    static constexpr contexts::DirtyBits kPassDirty = kPass;
    static constexpr contexts::DirtyBits kScissorDirty = kScissor;
    static constexpr contexts::DirtyBits kStencilRefDirty = kDepthStencil;
    /// Targets have one sample: GL_SAMPLE_COVERAGE and GL_SAMPLE_MASK have no effect (ES 2.0 section 4.1.3).
    static constexpr contexts::DirtyBits kSampleMaskDirty = 0;
    /// OpenGL ES 2.0.
    [[nodiscard]] static bool takes(Stage s, Group g) {
        return (s == Stage::Vertex || s == Stage::Fragment) && g != Group::Blocks && g != Group::Storage;
    }
    [[nodiscard]] contexts::DirtyBits raster_changes(const MaliRaster& now) const {
        const contexts::DirtyBits clip = state_.raster->desc.scissor != now.desc.scissor ? kScissor : Dirty();
        return kFlags | kDepthStencil | clip;
    }
    [[nodiscard]] contexts::DirtyBits blend_changes(const MaliBlend& now) const {
        const bool coverage = state_.blend->desc.alpha_to_coverage != now.desc.alpha_to_coverage;
        return kBlend | (coverage ? kFlags : Dirty());
    }
    [[nodiscard]] contexts::DirtyBits viewport_changes() const {
        return kViewport | kScissor | system_values_change();
    }
    [[nodiscard]] contexts::DirtyBits blend_color_changes() const {
        return kBlend | kBlendInputs | (blend_summary_.shader_takes_color ? kFragmentFau : Dirty());
    }
    [[nodiscard]] contexts::DirtyBits uniforms_change(Stage s) const {
        const bool in_memory = state_.program && state_.program->stages[s].uniform_buffer;
        return dirty_bit(s, Group::Uniforms) | (in_memory ? dirty_bit(s, Group::Textures) : 0);
    }
    static void note_view(contexts::BoundStage&, unsigned, const pipe::SamplerView*) {}
    static void note_image(contexts::BoundStage&, unsigned, const pipe::ImageView&) {}
    /// A fresh stream's registers hold nothing.
    void touch_all() { state_.dirty = contexts::kAllDirty; }

    [[nodiscard]] contexts::DirtyBits system_values_change() const;

    // --- draw.cpp, tables.cpp
    [[nodiscard]] bool drawable(const pipe::DrawInfo& info) const;
    void complain(const pipe::DrawInfo& info) const;
    /// Packs what is dirty. False: nothing can be seen of the draw.
    [[nodiscard]] bool prepare(PrimitiveClass primitive, bool restart);
    /// Vertices that the ranges read: of attributes that the CPU must convert.
    [[nodiscard]] bool find_vertices(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges);
    void convert_attributes(uint8_t* attribute_words, uint8_t* buffer_words, uint32_t first_buffer);
    void pack_program();
    void pack_vertex_fau();
    /// Whether the draw's vertices have point sizes of their own.
    [[nodiscard]] bool writes_sizes() const {
        return primitive_ == PrimitiveClass::Points && state_.program->writes_point_size;
    }
    void pack_fragment_fau();
    void pack_vertex_tables();
    [[nodiscard]] uint64_t write_vertex_tables();
    /// False: they are not of a kind that is remembered.
    [[nodiscard]] bool vertex_tables_key(PackedVertexTables::Key* key);
    void pack_fragment_tables();
    void find_clip();
    void pack_viewport();
    void pack_scissor();
    void forget_packed();
    void pack_depth_stencil();
    void pack_blend();
    void pack_flags(PrimitiveClass primitive, bool restart);
    void pack_query();
    void order_textures(Stage stage);
    [[nodiscard]] uint32_t write_textures(Stage stage, uint8_t* textures, uint8_t* samplers);
    void write_uniform_buffer(Stage stage, uint64_t va, uint8_t* data, uint8_t* descriptor);
    [[nodiscard]] uint64_t upload_fau(const ShaderPart& part, Stage stage);
    void emit_draws(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges);

    // --- draw_context.cpp
    void legalize(const pipe::RenderPassDesc& desc);
    void finish_pass(bool) { pass_.end(recorder_, screen_.internal_shaders()); }
    void touch_memory(images::StoredResource&) override {
        state_.dirty |= kVertexTables | kVertexFau | kFragmentTables;
    }
    void drop_pass() override { pass_.drop(); }
    void resume_pass(const pipe::RenderPassDesc* desc) override;
    void note_loss() override;
    [[nodiscard]] contexts::CountLayout count_layout(pipe::QueryKind kind) const override;
    void counting_changes(const contexts::Query& q) override;
    /// Draws that follow belong to the pass, which has begun or goes on.
    void touch_pass();
    /// Images have other memory than when they were packed.
    void note_image_changes();

    uint32_t image_changes_ = 0;  // Device's, when tables were packed last

    PrimitiveClass primitive_ = PrimitiveClass::None;
    bool restart_ = false;
    // Results of packing that other packing, or draws, need.
    PixelRect viewport_px_, clip_;  // the former within the framebuffer
    SysvalValues sysvals_;
    BlendSummary blend_summary_;
    PackedBlends packed_blends_;
    PackedVertexTables packed_vertex_tables_;
    PackedFau packed_fau_;
    uint64_t packed_in_ = 0;  // the recorder's serial that these are of
    bool needs_fragment_shader_ = true;
    uint64_t run_ = 0;  // RUN_IDVS but for what DrawInfo says
    // Attributes that the CPU converts for each draw (bit a location), and what of them it reads.
    uint32_t converted_ = 0, first_vertex_ = 0, vertex_count_ = 0, instance_count_ = 0, first_instance_ = 0;
};

}  // namespace terrazzo::mali
