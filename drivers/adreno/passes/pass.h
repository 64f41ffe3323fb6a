// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A render pass: a stream of draws, and clears before and between them. It is written into the submission when it ends: in sysmem (directly to
// memory) or in GMEM (tile by tile). A clear after draws ends a part of the pass and begins the next one.
#pragma once

#include <vector>

#include "drivers/adreno/images/engine2d.h"
#include "drivers/adreno/passes/tiles.h"
#include "drivers/adreno/submission/recorder.h"

namespace terrazzo::adreno {

class Pass {
  public:
    explicit Pass(Recorder& recorder) : draws(recorder.pool), recorder_(recorder) {}

    /// Draws and their groups.
    CsBuilder draws;

    /// False: an attachment cannot be drawn into (`*why`); the pass is not active then. Clears what `desc` says.
    [[nodiscard]] bool begin(const pipe::RenderPassDesc& desc, const char** why);
    [[nodiscard]] bool active() const { return active_; }
    [[nodiscard]] const pipe::RenderPassDesc& desc() const { return desc_; }
    [[nodiscard]] const Targets& targets() const { return targets_; }
    /// Whole pixels of [x0, x1) x [y0, y1) of the attachments (attachment_bit), in order with the draws.
    void clear(uint32_t attachments, const pipe::Scissor& area, const pipe::ClearInfo& values);
    /// Of each draw: its vertices, and whether it may read or write depth or stencil.
    void note_draw(uint64_t vertices, bool tests_depth_stencil, bool writes_depth_stencil);
    /// It must not be drawn tile by tile: each draw runs once.
    void need_sysmem() { needs_sysmem_ = true; }
    /// What these attachments hold now nobody wants after the pass.
    void discard(uint32_t attachments) { discarded_ |= attachments; }
    /// Writes all of it into the submission's stream. `goes_on`: another pass continues it, so all contents are wanted.
    void end(const Segment& restore, bool goes_on);
    /// Forgets it.
    void drop();
    /// The first draw of a part, or of the whole pass, has nothing of the draws before it.
    [[nodiscard]] bool has_draws() const { return !draws.empty() || parts_.size() > 1; }
    /// What a submission begins with, where it has not yet.
    void write_restore(CsBuilder& cs, const Segment& restore);
    /// Which submission the restoring stream was called in last.
    void forget_restore() { restored_in_ = 0; }

  private:
    struct Clear {
        uint32_t attachments;
        pipe::Scissor area;
        pipe::ClearInfo values;
    };
    struct Part {
        std::vector<Clear> clears;
        std::vector<Segment> draws;
    };
    /// What moves between memory and GMEM (attachment_bit); depth and stencil are kDepth.
    struct Traffic {
        uint32_t loads = 0, stores = 0;
    };
    void close_part();
    void hold_targets();
    void write_setup(CsBuilder& cs);
    void write_clears(CsBuilder& cs, const Part& part);
    void write_render_control(CsBuilder& cs);
    void write_sysmem(CsBuilder& cs);
    /// Depth, stencil or both of attachments that have one of them.
    [[nodiscard]] static ClearPart clear_part(uint32_t attachments);

    // --- gmem.cpp
    [[nodiscard]] bool choose_gmem(TilePlan* plan) const;
    [[nodiscard]] Traffic traffic(bool goes_on) const;
    void write_tile_clears(CsBuilder& cs, const Part& part, const GmemPlaces& places) const;
    void begin_tiles(CsBuilder& cs, const TilePlan& plan);
    void begin_tile(CsBuilder& cs, const TilePlan& plan, uint32_t tile) const;
    void write_gmem(CsBuilder& cs, const TilePlan& plan, bool goes_on);

    // --- resolve.cpp
    /// Whether an attachment has fewer samples than the pass.
    [[nodiscard]] bool resolves() const;
    void store_color_tile(CsBuilder& cs, const TilePlan& plan, uint32_t i);
    /// Where a target's samples are in sysmem.
    [[nodiscard]] AdrenoResource& samples_of(uint32_t i);
    void write_sysmem_resolved(CsBuilder& cs, bool goes_on);

    Recorder& recorder_;
    pipe::RenderPassDesc desc_;
    std::array<pipe::Ref<pipe::Resource>, pipe::kMaxColorTargets + 1> held_;
    Targets targets_;
    std::array<pipe::Ref<AdrenoResource>, pipe::kMaxColorTargets> samples_;  // kept from pass to pass
    std::vector<Part> parts_;
    uint32_t draw_count_ = 0, discarded_ = 0;
    uint64_t vertices_ = 0;
    bool tests_depth_stencil_ = false, writes_depth_stencil_ = false;
    bool active_ = false, needs_sysmem_ = false;
    uint64_t restored_in_ = 0;  // the recorder's serial
};

}  // namespace terrazzo::adreno
