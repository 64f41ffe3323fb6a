// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// pipe::Context of Mali. Draws go into a vertex stream at once; the pass that they belong to stays open after
// end_render_pass until something needs its pixels or another one begins. Streams wait in a Recorder for
// flush(), for an access to a resource that they use, or until there is much of them.
//
// State is packed for the hardware by the next draw, as far as it changed (Dirty); registers that hold a
// value already are not written again (CsBuilder).
#pragma once

#include <vector>

#include "drivers/common/images/access.h"
#include "drivers/mali/passes/pass.h"
#include "drivers/mali/screen.h"
#include "drivers/mali/state/packed.h"

namespace terrazzo::mali {

class MaliContext final : public images::ImageAccess {
  public:
    /// Throws std::bad_alloc; null: the kernel refuses (said in the log).
    [[nodiscard]] static std::unique_ptr<MaliContext> create(MaliScreen& screen,
                                                             const pipe::ContextDesc& desc);
    ~MaliContext() override;

    void bind_raster(pipe::RasterState*) override;
    void bind_depth_stencil(pipe::DepthStencilState*) override;
    void bind_blend(pipe::BlendState*) override;
    void bind_vertex_layout(pipe::VertexLayout*) override;
    void bind_program(pipe::Program*) override;
    void set_viewport(const pipe::Viewport&) override;
    void set_scissor(const pipe::Scissor&) override;
    void set_blend_color(const float rgba[4]) override;
    void set_stencil_ref(uint8_t front, uint8_t back) override;
    void set_sample_mask(float coverage, bool invert, uint32_t mask) override;
    void set_vertex_buffers(std::span<const pipe::VertexBuffer> buffers) override;
    void set_uniforms(pipe::Stage stage, std::span<const uint32_t> dwords) override;
    void set_constant_buffers(pipe::Stage stage, uint32_t first, std::span<const pipe::BufferRange>) override;
    void set_textures(pipe::Stage stage, uint32_t first, std::span<pipe::SamplerView* const> views,
                      std::span<pipe::SamplerState* const> samplers) override;
    void set_storage_buffers(pipe::Stage stage, uint32_t first, std::span<const pipe::BufferRange>) override;
    void set_stream_outputs(std::span<const pipe::BufferRange>) override;

    void begin_render_pass(const pipe::RenderPassDesc&) override;
    void end_render_pass() override;
    void discard_attachments(uint32_t attachments) override;
    void clear(const pipe::ClearInfo&) override;
    void draw(const pipe::DrawInfo&, std::span<const pipe::DrawRange>) override;
    void dispatch(const pipe::DispatchInfo&) override;

    [[nodiscard]] bool try_blit(const pipe::BlitInfo& info) override;

  private:
    /// What the next draw must pack anew.
    enum Dirty : uint32_t {
        kVertexFau = 1,  // uniforms and viewport, as vertex shaders read them
        kFragmentFau = 2,
        kVertexTables = 4,  // attributes, buffers, textures, the uniform buffer of the vertex stage
        kFragmentTables = 8,
        kScissor = 16,  // clip_: viewport, scissor, framebuffer
        kDepthStencil = 32,
        kBlend = 64,
        kProgram = 128,
        kFlags = 256,  // DcdFlags and primitive flags
        kQuery = 512,
        kPass = 1024,         // tiler context
        kViewport = 2048,     // viewport, framebuffer
        kBlendInputs = 4096,  // what blending depends on beside its state: no packed one is right any more
        kVertexReads = 8192,  // textures may have been drawn since they were asked
        kFragmentReads = 16384,
        kAll = 32767
    };
    enum class PrimitiveClass : uint8_t { None, Points, Lines, Triangles };
    /// What tables and descriptors depend on of a program: another one of the same shape needs no new ones.
    struct ProgramShape {
        uint32_t attributes = 0, colors = 0, colors_read = 0, half_colors = 0;
        std::array<uint32_t, 2> textures{}, cube_textures{}, volume_textures{};
        std::array<bool, 2> uniform_buffer{};
        bool writes_depth = false, writes_stencil = false, second_color = false;
    };
    struct Textures {
        std::array<pipe::SamplerView*, pipe::kMaxSamplers> views{};
        std::array<pipe::SamplerState*, pipe::kMaxSamplers> samplers{};
    };

    MaliContext(MaliScreen& screen, const pipe::ContextDesc& desc, std::unique_ptr<Queues> queues);

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
        return primitive_ == PrimitiveClass::Points && program_->writes_point_size;
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
    void order_textures(unsigned stage);
    [[nodiscard]] uint32_t write_textures(unsigned stage, uint8_t* textures, uint8_t* samplers);
    void write_uniform_buffer(unsigned stage, uint64_t va, uint8_t* data, uint8_t* descriptor);
    [[nodiscard]] uint64_t upload_fau(const ShaderPart& part, unsigned stage);
    void emit_draws(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges);

    // --- clear.cpp
    void draw_clear(const pipe::ClearInfo& info, uint32_t attachments);

    // --- context.cpp
    [[nodiscard]] submission::QueuedRecording& recording() override { return recorder_; }
    void end_pass(bool goes_on = false) override;
    void drop_pass() override { pass_.drop(); }
    [[nodiscard]] const pipe::RenderPassDesc* open_pass() const override {
        return pass_.active() ? &pass_.desc() : nullptr;
    }
    void resume_pass(const pipe::RenderPassDesc* desc) override;
    void note_loss() override;
    [[nodiscard]] contexts::CountLayout count_layout(pipe::QueryKind kind) const override;
    void counting_changes(const contexts::Query& q) override;
    /// Images have other memory than when they were packed.
    void note_image_changes();

    // --- state_aside.h
    class StateAside;

    // --- access.cpp
    [[nodiscard]] bool blit_by_compute(const pipe::BlitInfo& info);
    void touch_memory(images::StoredResource&) override {
        dirty_ |= kVertexTables | kVertexFau | kFragmentTables;
    }
    [[nodiscard]] pipe::Ref<images::StoredResource> create_staged(const pipe::ResourceDesc& desc,
                                                                  images::StagingMemory& memory) override;
    [[nodiscard]] bool copy_by_device(const images::ImageCopy& copy) override;
    [[nodiscard]] uint64_t least_device_copy_B() const override;
    void record_plain_copy(images::StoredResource& from, const Bo& to) override;
    void after_gpu_copy();
    /// By fragment jobs.
    void copy_by_tiles(const images::ImageCopy& copy);
    /// Attachments that cannot be compressed in this pass.
    void legalize(const pipe::RenderPassDesc& desc);

    MaliScreen& screen_;
    Recorder recorder_;
    Pass pass_;
    uint32_t image_changes_ = 0;  // Device's, when tables were packed last

    MaliRaster* raster_;
    MaliDepthStencil* depth_stencil_;
    MaliBlend* blend_;
    MaliVertexLayout* layout_;
    MaliProgram* program_ = nullptr;
    ProgramShape shape_;  // of the last program that was bound
    pipe::Viewport viewport_{};
    pipe::Scissor scissor_;
    float blend_color_[4] = {};
    uint8_t stencil_ref_front_ = 0, stencil_ref_back_ = 0;
    std::vector<pipe::VertexBuffer> vertex_buffers_;
    std::vector<uint32_t> uniforms_[2];  // [0] vertex, [1] fragment
    Textures textures_[2];

    uint32_t dirty_ = kAll;
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
