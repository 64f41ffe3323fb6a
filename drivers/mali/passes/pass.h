// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A render pass as it is recorded, and the framebuffer that a fragment job makes of it.
#pragma once

#include <algorithm>

#include "drivers/mali/program/internal_shaders.h"
#include "drivers/mali/submission/recorder.h"
#include "pipe/state.h"

namespace terrazzo::mali {

/// [x0, x1) x [y0, y1), px.
struct PixelRect {
    int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    [[nodiscard]] bool empty() const { return x0 >= x1 || y0 >= y1; }
};
[[nodiscard]] inline PixelRect intersect(const PixelRect& a, const PixelRect& b) {
    return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

/// Registers of RUN_FRAGMENT but the framebuffer's: for the tiles of `area`, which is not empty.
void set_fragment_area(CsBuilder& b, const PixelRect& area);

class Pass {
  public:
    explicit Pass(const Recorder& recorder) : chip_(recorder.chip()) {}

    /// Takes references to the attachments.
    void begin(Recorder& recorder, const pipe::RenderPassDesc& desc);
    /// True where draws of `desc` may follow in the same tiles: same attachments, and nothing of what is
    /// there is lost.
    [[nodiscard]] bool continues(const pipe::RenderPassDesc& desc) const;
    /// Opens it again for `desc`, which continues it.
    void go_on(const pipe::RenderPassDesc& desc);
    [[nodiscard]] bool active() const { return active_; }
    /// Nothing was drawn: clears may become load operations.
    [[nodiscard]] bool fresh() const { return draws_ == 0; }
    void clear_on_load(const pipe::ClearInfo& info, uint32_t attachments);
    void discard(uint32_t attachments);

    /// Before a draw that touches `r` (inside the extent, not empty).
    void touch(const PixelRect& r);
    /// The tiler context of the pass; the first call begins tiling in the vertex stream.
    [[nodiscard]] uint64_t tiler_context(Recorder& recorder);
    /// A draw was emitted that takes at most so much of the tiler's heap.
    void count_draw(uint64_t heap_B) {
        ++draws_;
        heap_B_ += heap_B;
    }
    /// A draw tests or writes depth or stencil.
    void use_depth_stencil() { uses_depth_stencil_ = true; }

    /// Ends the tiling and appends the fragment job. Throws std::bad_alloc.
    void end(Recorder& recorder, InternalShaders& shaders);
    /// Forgets it, without drawing.
    void drop();

    [[nodiscard]] const pipe::RenderPassDesc& desc() const { return desc_; }
    [[nodiscard]] PixelRect drawn_area(bool all) const;
    [[nodiscard]] PixelRect extent() const { return {0, 0, int32_t(desc_.width), int32_t(desc_.height)}; }
    /// None: no attachment.
    [[nodiscard]] std::span<const pipe::Format> color_formats() const {
        return {formats_.data(), target_count()};
    }
    [[nodiscard]] pipe::Format depth_stencil_format() const {
        return desc_.depth_stencil.resource ? desc_.depth_stencil.format : pipe::Format::None;
    }
    [[nodiscard]] bool has_color() const {
        for (const pipe::Format f : formats_)
            if (f != pipe::Format::None) return true;
        return false;
    }
    /// At least one: hardware has no framebuffer without.
    [[nodiscard]] uint32_t target_count() const { return desc_.color_count ? desc_.color_count : 1; }
    /// Fragments (or vertices, which see to what they need themselves) read the image.
    void reads(LastJobs& image) {
        needs_.reads(image);
        note_read(image);
    }
    void note_read(LastJobs& image) const { image.note_read(QueueKind::Fragment, job_); }

  private:
    struct Plan;
    struct Crc;
    [[nodiscard]] Plan plan() const;
    [[nodiscard]] Crc choose_crc(const Plan& plan, const PixelRect& area) const;
    void note_crc(const Plan& plan, const Crc& crc, bool partial) const;
    [[nodiscard]] bool writes_clean_tiles(const pipe::Resource* r) const;
    [[nodiscard]] bool writes_clean_tiles(const Plan& plan) const;
    [[nodiscard]] uint64_t write_framebuffer(Recorder& recorder, InternalShaders& shaders, const Plan& plan,
                                             const Crc& crc);
    void finish_tiling(Recorder& recorder);
    /// `partial`: what is used where the pass was drawn in parts before; 0: it never is.
    void emit_fragment_job(Recorder& recorder, const Plan& plan, uint64_t framebuffer, uint64_t partial,
                           const PixelRect& area);
    /// What happens when the heap is exhausted (tiler_oom.h). Returns what is partial above.
    [[nodiscard]] uint64_t write_oom_context(Recorder& recorder, InternalShaders& shaders, const Plan& plan,
                                             const Crc& crc, bool in_parts, uint64_t framebuffer,
                                             const PixelRect& area);
    void write_tiler_context(Recorder& recorder, uint8_t* out) const;
    /// Calls `f(image, loads, stores)` for the attachments; all are stored where it is drawn in parts.
    template <class F>
    void each_attachment(const Plan& plan, bool in_parts, const F& f) const;

    const hw::Chip& chip_;
    pipe::RenderPassDesc desc_;
    std::array<pipe::Format, pipe::kMaxColorTargets> formats_{};
    std::array<pipe::Ref<pipe::Resource>, pipe::kMaxColorTargets + 1> attachments_;
    PixelRect touched_;
    uint32_t draws_ = 0;
    uint32_t tile_px_ = 256;
    uint64_t tiler_va_ = 0, heap_B_ = 0;
    uint64_t job_ = 0;  // the number that its fragment job will have
    Needs needs_;       // of that
    Pool::Piece oom_;
    bool active_ = false, uses_depth_stencil_ = false;
};

}  // namespace terrazzo::mali
