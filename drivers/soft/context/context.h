// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// pipe::Context of the CPU driver.
//
// draw() processes the vertices, so that vertex, index and uniform data may change when it returns. The
// primitives wait in the bins of a Pass until the pixels are needed (another set of attachments, an access to
// an image that the pass uses, a query's result, flush()) or until there is enough work for idle workers.
// Then the pass is queued, and recording continues. The end of a render pass alone does not submit: a pass
// that loads the same attachments continues in the same bins.
#pragma once

#include <memory>
#include <vector>

#include "drivers/soft/compute/dispatch.h"
#include "drivers/soft/context/counters.h"
#include "drivers/soft/passes/pass_queue.h"
#include "drivers/soft/resources/foreign_uses.h"
#include "drivers/soft/screen/screen.h"
#include "drivers/soft/screen/time_limit.h"
#include "drivers/soft/vertices/draw.h"
#include "drivers/soft/vertices/kernel_stages.h"
#include "drivers/soft/vertices/wide_draw.h"
#include "pipe/context.h"

namespace terrazzo::soft {

class SoftContext final : public pipe::Context {
  public:
    /// Throws std::bad_alloc.
    SoftContext(SoftScreen& screen, const pipe::ContextDesc& desc);
    ~SoftContext() override;

    void bind_raster(pipe::RasterState*) override;
    void bind_depth_stencil(pipe::DepthStencilState*) override;
    void bind_blend(pipe::BlendState*) override;
    void bind_vertex_layout(pipe::VertexLayout*) override;
    void bind_program(pipe::Program*) override;
    void set_viewport(const pipe::Viewport&) override;
    void set_scissor(const pipe::Scissor&) override;
    void set_viewport_array(std::span<const pipe::Viewport>, std::span<const pipe::Scissor>) override;
    void set_blend_color(const float rgba[4]) override;
    void set_stencil_ref(uint8_t front, uint8_t back) override;
    void set_sample_mask(float coverage, bool invert, uint32_t mask) override;
    void set_vertex_buffers(std::span<const pipe::VertexBuffer> buffers) override;
    void set_uniforms(pipe::Stage stage, std::span<const uint32_t> dwords) override;
    void set_constant_buffers(pipe::Stage stage, uint32_t first, std::span<const pipe::BufferRange>) override;
    void set_textures(pipe::Stage stage, uint32_t first, std::span<pipe::SamplerView* const> views,
                      std::span<pipe::SamplerState* const> samplers) override;
    void set_storage_buffers(pipe::Stage stage, uint32_t first, std::span<const pipe::BufferRange>) override;
    void set_images(pipe::Stage stage, uint32_t first, std::span<const pipe::ImageView>) override;
    void set_stream_outputs(std::span<const pipe::BufferRange>) override;

    void begin_render_pass(const pipe::RenderPassDesc&) override;
    void end_render_pass() override;
    void discard_attachments(uint32_t attachments) override;
    void clear(const pipe::ClearInfo&) override;
    void draw(const pipe::DrawInfo&, std::span<const pipe::DrawRange>) override;
    void dispatch(const pipe::DispatchInfo&) override;
    void memory_barrier() override;

    [[nodiscard]] pipe::Mapping map(pipe::Resource&, uint32_t level, const pipe::Box&,
                                    uint32_t flags) override;
    void unmap(pipe::Resource&, const pipe::Mapping&) override;
    void copy_region(pipe::Resource& dst, uint32_t dst_level, int32_t x, int32_t y, int32_t z,
                     pipe::Resource& src, uint32_t src_level, const pipe::Box& src_box) override;
    [[nodiscard]] bool try_blit(const pipe::BlitInfo&) override;

    [[nodiscard]] pipe::Ref<pipe::Query> create_query(pipe::QueryKind) override;
    void begin_query(pipe::Query&) override;
    void end_query(pipe::Query&) override;
    [[nodiscard]] bool query_result(pipe::Query&, bool wait, uint64_t* out) override;

    pipe::PerformanceCounters* counters() override { return &counters_; }
    pipe::Ref<pipe::Fence> flush() override;
    void wait_fence(pipe::Fence& fence) override;
    [[nodiscard]] pipe::ResetStatus reset_status() override;
    void abandon() override { limit_.abandon(); }

  private:
    struct Textures {
        TextureUnit units[pipe::kMaxSamplers];
        pipe::SamplerView* views[pipe::kMaxSamplers] = {};
        pipe::SamplerState* samplers[pipe::kMaxSamplers] = {};
    };

    /// Queues the recorded work.
    void submit();
    /// Queues the recorded work in the middle of a pass, if that pays off or if it `must`; drawing continues.
    void submit_early(bool must);
    /// As submit_early(), called when the pass is full, so that its memory stays bounded.
    void relieve();
    /// Completes all work so far.
    void finish();
    void submit_pass(bool continues);
    /// Completes recorded and queued work that conflicts with the access. Returns false if `may_not_wait` and
    /// it would have to wait. Every writer of an image, except passes, must call this.
    bool before_access(pipe::Resource& r, bool write, bool may_not_wait = false);
    /// Must be asked before the CPU writes directly: maps, copies, blits. Passes and shaders cannot write
    /// such memory: binds for writing are only imported with writable memory (SoftResource::import).
    [[nodiscard]] bool may_write(const SoftResource& r);
    void check_failure();
    void forget_kept();
    void reserve_arrays();
    [[nodiscard]] const DrawState* current_draw_state();
    /// Fills the fields that depend on the viewport.
    void fill_viewport(DrawState* d, uint32_t viewport) const;
    void fill_depth_stencil(DrawState* d) const;
    void fill_blend(DrawState* d) const;
    void fill_invocations(DrawState* d) const;
    void fill_samples(DrawState* d) const;
    struct LiveDraw;
    [[nodiscard]] Rect clip_rect(uint32_t viewport = 0) const;
    void fill_fetch();
    /// Draws the range in all its instances and counts the assembled primitives.
    void draw_range(DrawCall& call, const pipe::DrawInfo& info, const pipe::DrawRange& range);
    KernelStages* prepare_kernels();
    [[nodiscard]] bool drawable(const pipe::DrawInfo& info) const;
    [[nodiscard]] pipe::Mapping map_samples(SoftResource& r, const pipe::Box& box, uint32_t flags);
    [[nodiscard]] bool try_resolve(const pipe::BlitInfo& info);
    [[nodiscard]] const uint32_t* uniforms_of(pipe::Stage stage, uint32_t dwords);
    [[nodiscard]] ir::MemoryRange bound_block(pipe::Stage stage, uint32_t slot) const;
    void keep_fragment_blocks();
    /// A stage's storage buffers and images, in the form that shader code reads.
    struct Storage {
        ir::MemoryRange buffers[ir::kAllStorageBuffers];
        ir::ImageRange images[ir::kMaxImages];
    };
    void fill_storage(pipe::Stage stage, const CompiledShader& s, Storage* to) const;
    void keep_fragment_storage();
    /// Called before a stage runs on this thread: waits until other processes no longer use the shared images
    /// that it reads or writes, or gives up.
    void wait_for_others(pipe::Stage stage, const CompiledShader& s, uint32_t samplers);
    [[nodiscard]] bool find_groups(const pipe::DispatchInfo& info, uint32_t groups[3]);
    const ir::MemoryRange* padded_blocks(pipe::Stage stage, const CompiledShader& s);
    void unsupported(const char* what) const;

    SoftScreen& screen_;
    const pipe::Log log_;
    const bool robust_;
    TimeLimit limit_;
    ForeignUses foreign_;
    bool told_ = false;  // reset_status() has reported the stop
    SoftCounters counters_{primitives_, [this] { finish(); }, [this] { draw_state_ = nullptr; }};
    PassQueue queue_;
    Pass pass_;  // being recorded
    bool in_pass_ = false;
    pipe::Ref<ImplicitSamples> implicit_;  // the last one; its images are reused
    VertexStage vertices_;
    std::unique_ptr<WideDraw> wide_;  // created by the first large draw
    // Created when first needed: too large for the caller's stack.
    std::unique_ptr<FragmentArgs> constant_args_;
    bool has_arrays_ = false;  // threads have memory for shaders' arrays

    SoftRaster* raster_;
    SoftDepthStencil* depth_stencil_;
    SoftBlend* blend_;
    SoftVertexLayout* layout_;
    SoftProgram* program_ = nullptr;
    std::array<pipe::Viewport, pipe::kMaxViewports> viewports_{};
    std::array<pipe::Scissor, pipe::kMaxViewports> scissors_;
    float blend_color_[4] = {};
    uint8_t stencil_ref_[2] = {};  // [0] back, [1] front
    float coverage_ = 1;
    bool invert_coverage_ = false;
    uint32_t sample_mask_ = ~0u;
    std::vector<pipe::VertexBuffer> vertex_buffers_;
    pipe::PerStage<std::vector<uint32_t>> uniforms_;
    pipe::PerStage<Textures> textures_;
    pipe::PerStage<std::array<pipe::BufferRange, pipe::kMaxConstantBuffers>> constant_buffers_;
    // For stages that run inside the draw call:
    pipe::PerStage<std::array<ir::MemoryRange, ir::kMaxUniformBlocks>> blocks_;
    pipe::PerStage<std::array<std::vector<uint8_t>, ir::kMaxUniformBlocks>> block_copies_;
    pipe::PerStage<std::array<pipe::BufferRange, ir::kAllStorageBuffers>> storage_buffers_;
    pipe::PerStage<std::array<pipe::ImageView, ir::kMaxImages>> images_;
    Storage vertex_storage_;
    pipe::PerStage<std::unique_ptr<Storage>> kernel_storage_;  // created when first needed, as is `kernels_`
    std::unique_ptr<KernelStages> kernels_;
    std::unique_ptr<Dispatcher> dispatcher_;  // created when first needed
    // There are shader writes since the last barrier that may not be complete.
    bool stores_ = false;
    VertexFetch fetch_[pipe::kMaxVertexAttribs] = {};

    // State that the pass has already recorded; reset by a submit.
    const DrawState* draw_state_ = nullptr;
    const uint32_t* kept_uniforms_ = nullptr;
    const TextureUnit* kept_textures_ = nullptr;
    const ir::MemoryRange* kept_blocks_ = nullptr;
    const Storage* kept_storage_ = nullptr;
    const SoftProgram* kept_program_ = nullptr;

    SoftQuery* samples_query_ = nullptr;
    bool shares_ = false;  // passes in flight use images that other processes see
    uint64_t primitives_ = 0;
    StreamOut stream_out_;
};

}  // namespace terrazzo::soft
