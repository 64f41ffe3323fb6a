// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// pipe::Context of the CPU driver.
//
// Vertices are processed while draw() runs, so that vertex, index and uniform data are free to change when it
// returns. Their primitives wait in the bins of a Pass until something needs the pixels (another set of
// attachments, an access to an image that it uses, a query's result, flush()) or there is enough for idle
// workers. It then goes to the queue, and recording goes on. Ending a render pass alone does nothing: a pass
// on the same attachments that loads them goes on in the same bins.
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
    pipe::Ref<pipe::Fence> flush(uint32_t flags) override;
    void wait_fence(pipe::Fence& fence) override;
    [[nodiscard]] pipe::ResetStatus reset_status() override;
    void abandon() override { limit_.abandon(); }

  private:
    struct Textures {
        TextureUnit units[pipe::kMaxSamplers];
        pipe::SamplerView* views[pipe::kMaxSamplers] = {};
        pipe::SamplerState* samplers[pipe::kMaxSamplers] = {};
    };

    /// Has what is recorded drawn, now or soon.
    void submit();
    /// The same in the middle of a pass, where it is worth it or `must` be; drawing goes on.
    void submit_early(bool must);
    /// The same where the pass has no room for more: what it holds stays bounded.
    void relieve();
    /// All work so far is done when it returns.
    void finish();
    void submit_pass(bool continues);
    /// Recorded and queued work that stands in the way of an access to the image is done when it returns.
    /// False where it `may_not_wait` and would have to. All who write an image by other means than a pass come by here.
    bool before_access(pipe::Resource& r, bool write, bool may_not_wait = false);
    /// All that writes by the CPU at once asks: maps, copies, blits. Passes and shaders do not write such memory: what may be bound for
    /// that is imported only where it is writable (SoftResource::import).
    [[nodiscard]] bool may_write(const SoftResource& r);
    void check_failure();
    void forget_kept();
    void reserve_arrays();
    [[nodiscard]] const DrawState* current_draw_state();
    /// What depends on the viewport.
    void fill_viewport(DrawState* d, uint32_t viewport) const;
    void fill_depth_stencil(DrawState* d) const;
    void fill_blend(DrawState* d) const;
    void fill_invocations(DrawState* d) const;
    void fill_samples(DrawState* d) const;
    struct LiveDraw;
    [[nodiscard]] Rect clip_rect(uint32_t viewport = 0) const;
    void fill_fetch();
    /// The range in all its instances; what was assembled counts.
    void draw_range(DrawCall& call, const pipe::DrawInfo& info, const pipe::DrawRange& range);
    KernelStages* prepare_kernels();
    [[nodiscard]] bool drawable(const pipe::DrawInfo& info) const;
    [[nodiscard]] pipe::Mapping map_samples(SoftResource& r, const pipe::Box& box, uint32_t flags);
    [[nodiscard]] bool try_resolve(const pipe::BlitInfo& info);
    [[nodiscard]] const uint32_t* uniforms_of(pipe::Stage stage, uint32_t dwords);
    [[nodiscard]] ir::MemoryRange bound_block(pipe::Stage stage, uint32_t slot) const;
    void keep_fragment_blocks();
    /// What code finds in a stage's slots. Lies in `storage`, null where the stage has none.
    struct Storage {
        ir::MemoryRange buffers[ir::kAllStorageBuffers];
        ir::ImageRange images[ir::kMaxImages];
    };
    void fill_storage(pipe::Stage stage, const CompiledShader& s, Storage* to) const;
    void keep_fragment_storage();
    /// Before a stage runs here and now: others are done with the shared images that it reads or writes, or were given up.
    void wait_for_others(pipe::Stage stage, const CompiledShader& s, uint32_t samplers);
    [[nodiscard]] bool find_groups(const pipe::DispatchInfo& info, uint32_t groups[3]);
    const ir::MemoryRange* padded_blocks(pipe::Stage stage, const CompiledShader& s);
    void unsupported(const char* what) const;

    SoftScreen& screen_;
    const pipe::Log log_;
    const bool robust_;
    TimeLimit limit_;
    ForeignUses foreign_;
    bool told_ = false;  // of a stop
    SoftCounters counters_{primitives_, [this] { finish(); }, [this] { draw_state_ = nullptr; }};
    PassQueue queue_;
    Pass pass_;  // being recorded
    bool in_pass_ = false;
    pipe::Ref<ImplicitSamples> implicit_;  // the last: its images are taken again
    VertexStage vertices_;
    std::unique_ptr<WideDraw> wide_;               // made by the first large draw
    std::unique_ptr<FragmentArgs> constant_args_;  // made when first needed: too large for the caller's stack
    bool has_arrays_ = false;                      // threads have memory for shaders' arrays

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
    // Of the stages that run here and now.
    pipe::PerStage<std::array<ir::MemoryRange, ir::kMaxUniformBlocks>> blocks_;
    pipe::PerStage<std::array<std::vector<uint8_t>, ir::kMaxUniformBlocks>> block_copies_;
    pipe::PerStage<std::array<pipe::BufferRange, ir::kAllStorageBuffers>> storage_buffers_;
    pipe::PerStage<std::array<pipe::ImageView, ir::kMaxImages>> images_;
    Storage vertex_storage_;
    pipe::PerStage<std::unique_ptr<Storage>> kernel_storage_;  // made when first needed, as is ...
    std::unique_ptr<KernelStages> kernels_;
    std::unique_ptr<Dispatcher> dispatcher_;  // made when first needed
    bool stores_ = false;                     // work since the last barrier, not done when draw() returned
    VertexFetch fetch_[pipe::kMaxVertexAttribs] = {};

    // What of the state the pass already holds; reset when it was submitted.
    const DrawState* draw_state_ = nullptr;
    const uint32_t* kept_uniforms_ = nullptr;
    const TextureUnit* kept_textures_ = nullptr;
    const ir::MemoryRange* kept_blocks_ = nullptr;
    const Storage* kept_storage_ = nullptr;
    const SoftProgram* kept_program_ = nullptr;

    SoftQuery* samples_query_ = nullptr;
    bool shares_ = false;  // passes that were not waited for use images that other processes see
    uint64_t primitives_ = 0;
    StreamOut stream_out_;
};

}  // namespace terrazzo::soft
