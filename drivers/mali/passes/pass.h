// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A render pass during recording, and the framebuffer descriptor for its fragment job.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "drivers/common/context/pass_desc.h"
#include "drivers/mali/program/internal_shaders.h"
#include "drivers/mali/submission/recorder.h"
#include "pipe/raster/edge.h"
#include "pipe/state.h"

namespace terrazzo::mali {

using pipe::raster::PixelRect;

/// Sets the registers of RUN_FRAGMENT for the tiles of `area`, which must not be empty. The framebuffer's
/// register is set by the caller.
void set_fragment_area(CsBuilder& b, const PixelRect& area);
[[nodiscard]] hw::Scissor scissor_of(const PixelRect& area);

/// What the framebuffers of all passes on these targets have in common. Tiles have `tile_px` pixels.
[[nodiscard]] hw::FramebufferParameters framebuffer_of(const Recorder& recorder,
                                                       const pipe::RenderPassDesc& desc, uint32_t tile_px);

class Pass : public contexts::RecordedPass<Recorder, contexts::ContinuedPass> {
  public:
    using RecordedPass::RecordedPass;

    /// Takes references to the attachments.
    void begin(const pipe::RenderPassDesc& desc);
    /// Called before a draw that touches `r`, which is inside the extent and not empty.
    void touch(const PixelRect& r);
    /// The tiler context of the pass. The first call begins tiling in the vertex stream.
    [[nodiscard]] uint64_t tiler_context();
    /// Notes an emitted draw. `heap_B`: the most that it uses of the tiler's heap.
    void count_draw(uint64_t heap_B) {
        ContinuedPass::count_draw();
        heap_B_ += heap_B;
    }

    /// Ends the tiling and appends the fragment job. Throws std::bad_alloc.
    void end(InternalShaders& shaders);

    [[nodiscard]] PixelRect drawn_area(bool all) const;
    /// A job draws each; at most 256.
    [[nodiscard]] uint32_t layers() const { return std::clamp(desc_.layers, 1u, 256u); }
    [[nodiscard]] bool has_color() const {
        for (const pipe::Format f : formats_)
            if (f != pipe::Format::None) return true;
        return false;
    }
    /// Of a pixel.
    [[nodiscard]] uint32_t samples() const { return samples_; }
    /// At least one: a hardware framebuffer cannot have none.
    [[nodiscard]] uint32_t target_count() const { return desc_.color_count ? desc_.color_count : 1; }
    /// Called when fragments read the image. (Vertex work records its own dependencies.)
    void reads(LastJobs& image) {
        needs_.reads(image);
        note_read(image);
    }
    /// Called when fragments store to the image.
    void writes(LastJobs& image) {
        needs_.writes(image);
        image.note_written(size_t(QueueKind::Fragment), job_);
        stores_ = true;
    }
    /// Called when fragments store to buffers.
    void store_to_buffers() { stores_ = stores_to_buffers_ = true; }
    /// Whether fragments store to memory.
    [[nodiscard]] bool stores() const { return stores_; }
    void note_read(LastJobs& image) const { image.note_read(size_t(QueueKind::Fragment), job_); }

  private:
    struct Plan;
    struct Crc;
    [[nodiscard]] Plan plan() const;
    [[nodiscard]] Crc choose_crc(const Plan& plan, const PixelRect& area) const;
    void note_crc(const Plan& plan, const Crc& crc, bool partial) const;
    [[nodiscard]] bool writes_clean_tiles(const pipe::Resource* r) const;
    [[nodiscard]] bool writes_clean_tiles(const Plan& plan) const;
    /// `again`: the pass was begun by an earlier framebuffer, and continues.
    [[nodiscard]] uint64_t write_framebuffer(InternalShaders& shaders, const Plan& plan, const Crc& crc,
                                             bool again);
    void choose_layer(uint32_t layer);
    void draw_other_layers(std::span<const uint64_t> framebuffers);
    void finish_tiling();
    /// `partial`: the framebuffer if parts of the pass were drawn before; 0: that never happens.
    void emit_fragment_job(const Plan& plan, uint64_t framebuffer, uint64_t partial, const PixelRect& area);
    /// Writes what happens when the heap is exhausted (tiler_oom.h). Returns `partial` of
    /// emit_fragment_job().
    [[nodiscard]] uint64_t write_oom_context(InternalShaders& shaders, const Plan& plan, const Crc& crc,
                                             bool in_parts, uint64_t framebuffer, const PixelRect& area);
    void write_tiler_context(uint8_t* out) const;
    /// Calls `f(image, loads, stores)` for each attachment. If the pass is drawn in parts, all are stored.
    template <class F>
    void each_attachment(const Plan& plan, bool in_parts, const F& f) const;

    /// Creates the images of samples_images_. Throws std::bad_alloc.
    void create_samples_images();
    /// The colour attachment to which tiles are written.
    [[nodiscard]] pipe::Attachment stored_color(uint32_t i) const;
    void resolve_samples(InternalShaders& shaders, const Plan& plan, const PixelRect& area);

    /// Samples of attachments with one sample whose mean the hardware cannot write. Null: it can.
    std::array<pipe::Ref<MaliResource>, pipe::kMaxColorTargets> samples_images_;
    PixelRect touched_;
    uint32_t tile_px_ = 256, samples_ = 1;
    uint64_t tiler_va_ = 0, heap_B_ = 0;
    uint64_t job_ = 0;  // the number of its future fragment job
    Needs needs_;       // dependencies of that job
    Pool::Piece oom_;
    uint32_t layer_ = 0;                  // that desc_ has attachments of, during end()
    std::vector<uint64_t> other_layers_;  // framebuffers of the layers before the last one, likewise
    bool stores_ = false, stores_to_buffers_ = false;
};

}  // namespace terrazzo::mali
