// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A render pass: a stream of draws, and clears before and between them. It is written into the submission
// when it ends, to be rendered in sysmem (directly to memory) or in GMEM (tile by tile). A clear after draws
// ends a part of the pass and begins the next one.
#pragma once

#include <vector>

#include "drivers/adreno/images/engine2d.h"
#include "drivers/adreno/passes/lrz.h"
#include "drivers/adreno/passes/tiles.h"
#include "drivers/adreno/passes/visibility.h"
#include "drivers/adreno/submission/query.h"
#include "drivers/adreno/submission/recorder.h"
#include "drivers/common/context/pass_desc.h"

namespace terrazzo::adreno {

class Pass : public contexts::RecordedPass<Recorder> {
  public:
    using RecordedPass::RecordedPass;

    /// The draws and their groups of state.
    CsBuilder draws{recorder_.pool};
    /// The counts of the draws, for queries.
    Counts counts;

    /// Begins a pass and records the clears of `desc`. False: an attachment cannot be drawn into (`*why`);
    /// the pass is not active.
    [[nodiscard]] bool begin(const pipe::RenderPassDesc& desc, const char** why);
    [[nodiscard]] const Targets& targets() const { return targets_; }
    /// Clears all channels of [x0, x1) x [y0, y1) of the attachments (attachment_bit), in order with the
    /// draws.
    void clear(uint32_t attachments, const pipe::Scissor& area, const pipe::ClearInfo& values);
    /// Counts draws, for the choice of the render path: `vertices` and `primitives` of all instances.
    void note_draws(uint32_t count, uint32_t instances, uint64_t vertices, uint64_t primitives) {
        draws_.count += count;
        draws_.instances += uint64_t(count) * instances;
        draws_.vertices += vertices;
        draws_.primitives += primitives;
        discarded_ = 0;
    }
    /// Later draws may read or write depth or stencil.
    void note_tests(bool tests_depth_stencil, bool writes_depth_stencil) {
        draws_.tests_depth_stencil |= tests_depth_stencil || writes_depth_stencil;
        draws_.writes_depth_stencil |= writes_depth_stencil;
    }
    /// Forbids to draw the pass tile by tile: each draw must run once. Not allowed if it must_tile().
    void need_sysmem() { needs_sysmem_ = true; }
    /// Whether draws may read the pass' colors.
    [[nodiscard]] bool may_read_colors() const { return desc_.layers <= 1; }
    /// Whether draws read the pass' colors in memory, since it is not drawn tile by tile. Caches are synced
    /// before each such draw.
    [[nodiscard]] bool reads_in_memory() const { return !may_tile_ || needs_sysmem_; }
    /// Whether the pass must be drawn tile by tile, since a draw reads its colors in GMEM.
    [[nodiscard]] bool must_tile() const { return !color_textures_.empty() && !reads_in_memory(); }
    /// A draw reads a color target through the descriptor `texture` (kTexture_dw words in the pool), which is
    /// written when the pass ends.
    void read_color(uint32_t target, uint32_t* texture) { color_textures_.push_back({target, texture}); }
    /// The use of LRZ by the next draw, and by the ones after it with the same state.
    [[nodiscard]] LrzUse use_lrz(const LrzDraw& draw);
    [[nodiscard]] bool has_lrz() const { return has_lrz_; }
    /// Whether draws must set Group::ProgramBinning.
    [[nodiscard]] bool may_bin() const { return may_bin_; }
    /// Ends the pass and writes it into the submission's stream. `goes_on`: another pass continues it, so all
    /// contents are kept.
    void end(const Segment& restore, bool goes_on);
    /// Drops the pass.
    void drop();
    /// Whether anything was drawn in the pass. (A part's first draw inherits no state from earlier draws.)
    [[nodiscard]] bool has_draws() const { return !draws.empty() || parts_.size() > 1; }
    enum class RenderPath : uint8_t { Sysmem, Tiles, BinnedTiles };
    /// For tests: the path of the last pass that was not empty.
    [[nodiscard]] RenderPath last_path() const { return last_path_; }
    /// For tests: whether a draw wrote LRZ.
    [[nodiscard]] bool writes_lrz() const { return writes_lrz_; }
    /// For tests: whether the last pass that was not empty began with the LRZ of an earlier pass.
    [[nodiscard]] bool continued_lrz() const { return continued_lrz_; }
    /// Recorded passes were not executed: their LRZ is not valid.
    void forget_kept_lrz() { kept_lrz_.forget(), kept_ = nullptr; }
    [[nodiscard]] const VisibilityStreams& visibility() const { return visibility_; }
    /// Calls the restoring stream, with which a submission begins, unless this submission has.
    void write_restore(CsBuilder& cs, const Segment& restore);

  private:
    struct Clear {
        uint32_t attachments;
        pipe::Scissor area;
        pipe::ClearInfo values;
    };
    struct Part {
        std::vector<Clear> clears;
        std::vector<Segment> draws;
        bool clears_depth = false;  // the whole attachment, to `depth`: LRZ begins again
        float depth = 0;
        bool uses_lrz = false;
        uint64_t lrz_va = 0;    // the LRZ buffer of its draws
        bool lrz_fast = false;  // it has fast-clear bits
    };
    /// The attachments (attachment_bit) that move between memory and GMEM. Depth and stencil are kDepth.
    struct Traffic {
        uint32_t loads = 0, stores = 0;
        uint32_t cleared = 0;  // by at least one clear
    };
    static constexpr uint32_t kAllTargets = ~0u;
    /// The streams that each tile calls. The `visible_` ones are for tiles in which a draw is visible: they
    /// load and store attachments that only draws change.
    struct TileStreams {
        std::vector<Segment> loads, visible_loads, stores, visible_stores;
        std::vector<std::vector<Segment>> clears;  // one for each part
        std::vector<Segment> sums;                 // adds the counts of draws
    };
    void close_part();
    void hold_targets();
    /// Called before and after work of `main` that accesses the targets through these cache paths. Work that
    /// uses other paths syncs the caches.
    void use_targets(uint32_t attachments, CachePath color, CachePath depth);
    void note_written(uint32_t attachments, CachePath color, CachePath depth);
    template <class F>
    void for_each_target(uint32_t attachments, CachePath color, CachePath depth, F&& f) const {
        using namespace pipe::attachment_bit;
        for (unsigned i = 0; i < held_.size(); ++i) {
            const bool is_depth = i == pipe::kMaxColorTargets;
            if (!held_[i] || !(attachments & (is_depth ? kDepth | kStencil : kColor0 << i))) continue;
            const pipe::Attachment& a = is_depth ? desc_.depth_stencil : desc_.color[i];
            f(adreno(*held_[i]), ImagePart::of(a.level, a.first_layer, a.layer_count),
              is_depth ? depth : color, !is_depth && color == CachePath::Color ? i : 0);
        }
    }
    void write_setup(CsBuilder& cs);
    void write_clears(CsBuilder& cs, const Part& part);
    void write_render_control(CsBuilder& cs, bool binning = false);
    void plan_lrz();
    void note_depth_clear(const pipe::Scissor& area, float depth);
    [[nodiscard]] KeptLrz::Image lrz_image() const;
    /// Makes `memory` at least `size_B` large. The recording holds it.
    pipe::Ref<Bo>& lrz_memory(pipe::Ref<Bo>& memory, uint64_t size_B);
    void prepare_lrz_buffers(CsBuilder& cs);
    void write_lrz_clears(CsBuilder& cs, const std::vector<size_t>& cleared);
    void end_lrz();
    /// After the pass: keeps its LRZ for the next pass on the same depth image.
    void keep_lrz(bool goes_on);
    /// Writes the LRZ registers before the draws of a part, unless they are those of the part before.
    void write_lrz(CsBuilder& cs, size_t part) const;
    void write_sysmem(CsBuilder& cs);
    /// Writes the descriptors by which draws read colors in memory.
    void write_memory_textures();
    /// The parts of the depth and stencil attachment, of `attachments`, that are cleared.
    [[nodiscard]] static ClearPart clear_part(uint32_t attachments);
    /// Calls clear(surface, part, value) for each plane of depth and stencil that is cleared.
    template <class F>
    void clear_depth_stencil(const Clear& c, F&& clear) const {
        using namespace pipe::attachment_bit;
        const ClearValue value{.depth = c.values.depth, .stencil = c.values.stencil};
        if (!targets_.has_stencil_plane()) return clear(targets_.depth, clear_part(c.attachments), value);
        if (c.attachments & kDepth) clear(targets_.depth, ClearPart::Depth, value);
        if (c.attachments & kStencil)
            clear(targets_.stencil, ClearPart::Color, ClearValue{.color = {.u = {c.values.stencil}}});
    }

    // --- gmem.cpp
    void plan_gmem();
    [[nodiscard]] RenderPath choose_path() const;
    [[nodiscard]] Traffic traffic(bool goes_on) const;
    void write_tile_clears(CsBuilder& cs, const Part& part) const;
    [[nodiscard]] TileStreams record_tile_streams(const Traffic& traffic);
    void write_bins(CsBuilder& cs, hw::RenderMode mode) const;
    /// Writes the descriptors by which draws read colors in GMEM.
    void write_tile_textures() const;
    void begin_tiles(CsBuilder& cs, const Traffic& traffic, bool binned);
    [[nodiscard]] bool is_drawn(uint32_t tile) const;
    void begin_tile(CsBuilder& cs, uint32_t tile, bool binned) const;
    void write_tile(CsBuilder& cs, uint32_t tile, const TileStreams& streams, bool binned) const;
    void write_gmem(CsBuilder& cs, bool binned, bool goes_on);

    [[nodiscard]] bool binning_pays() const;
    void write_binning(CsBuilder& cs);

    // --- resolve.cpp
    /// Whether an attachment has fewer samples than the pass.
    [[nodiscard]] bool resolves() const;
    void store_color_tile(CsBuilder& cs, uint32_t i);
    /// The image with a target's samples, for sysmem.
    [[nodiscard]] AdrenoResource& samples_of(uint32_t i);
    void write_sysmem_resolved(CsBuilder& cs, bool goes_on);

    Targets targets_;
    std::array<pipe::Ref<AdrenoResource>, pipe::kMaxColorTargets> samples_;  // reused by later passes
    std::vector<Part> parts_;
    struct ColorTexture {
        uint32_t target;
        uint32_t* words;
    };
    std::vector<ColorTexture> color_textures_;
    struct {
        uint64_t count = 0, instances = 0, vertices = 0, primitives = 0;
        bool tests_depth_stencil = false, writes_depth_stencil = false;
    } draws_;
    VisibilityStreams visibility_;
    TilePlan plan_;
    PipePlan pipes_;
    bool can_tile_ = false, may_tile_ = false, may_bin_ = false;
    LrzTracker lrz_;
    LrzLayout lrz_layout_;
    KeptLrz kept_lrz_;
    KeptLrz::Entry* kept_ = nullptr;       // the entry with which the pass began
    pipe::Ref<Bo> lrz_memory_, last_lrz_;  // for parts that begin with a clear; for the last of them
    bool has_lrz_ = false, writes_lrz_ = false, continued_lrz_ = false;
    RenderPath last_path_ = RenderPath::Sysmem;
    bool needs_sysmem_ = false;
    uint64_t restored_in_ = 0;  // Recorder::serial() of the last call
};

}  // namespace terrazzo::adreno
