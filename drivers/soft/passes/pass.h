// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What was recorded for one set of attachments: primitives in the bins of the tiles they touch, the state
// they were drawn with, and references to all of it. Its tiles are drawn by one thread or several; who
// records may go on with another Pass meanwhile.
#pragma once

#include <vector>

#include "drivers/soft/binning/bins.h"
#include "drivers/soft/binning/raster_types.h"
#include "drivers/soft/context/query.h"
#include "drivers/soft/passes/edge_tiles.h"
#include "drivers/soft/passes/implicit_samples.h"
#include "drivers/soft/passes/kept_bounds.h"
#include "drivers/soft/resources/foreign_uses.h"
#include "drivers/soft/resources/resource.h"

namespace terrazzo::soft {

/// A set of addresses that may say yes wrongly, never no.
class AddressFilter {
  public:
    void add(const void* p) { bits_[index(p) / 64] |= uint64_t(1) << index(p) % 64; }
    [[nodiscard]] bool may_have(const void* p) const { return bits_[index(p) / 64] >> index(p) % 64 & 1; }
    void clear() { *this = AddressFilter(); }

  private:
    static unsigned index(const void* p) {
        return unsigned(uint64_t(reinterpret_cast<uintptr_t>(p)) * 0x9e3779b97f4a7c15u >> 55);
    }
    uint64_t bits_[8] = {};
};

class Pass {
  public:
    /// `limit_B`: how much it should hold at most. `bounded`: whether a hierarchical depth saves work.
    Pass(std::pmr::memory_resource* memory, size_t limit_B, bool bounded = true)
        : bins_(memory), memory_(memory), limit_B_(limit_B), bounded_(bounded) {}
    ~Pass();
    Pass(Pass&&) = default;
    Pass& operator=(Pass&&) = default;

    /// Points the targets at the attachments and applies the load operations. Nothing may be pending, but for what the
    /// descriptor continues(). `implicit`: of colours that have more samples than their resource, else null; not looked at where
    /// something is pending, which has its own.
    void begin(const pipe::RenderPassDesc& desc, pipe::Ref<ImplicitSamples> implicit = nullptr);
    /// True where the descriptor names the same memory, so that its draws may be recorded after those already
    /// here.
    [[nodiscard]] bool continues(const pipe::RenderPassDesc& desc) const;
    /// Merges into the clear that opens the tiles where nothing was drawn yet, else records it.
    void clear(const pipe::ClearInfo& info);

    [[nodiscard]] Arena& arena() { return bins_.arena(); }
    [[nodiscard]] Bins& bins() { return bins_; }
    /// Has what `arena` holds stay until the pass is drawn; `arena` is then an empty one. Throws std::bad_alloc.
    void keep_memory(Arena& arena);
    [[nodiscard]] const TileJob& job() const { return job_; }
    /// Of the attachments: what the bins can be set to.
    [[nodiscard]] uint32_t layers() const { return layers_; }
    [[nodiscard]] Rect extent() const { return {0, 0, job_.width_px, job_.height_px}; }
    [[nodiscard]] pipe::Format depth_format() const { return desc_.depth_stencil.format; }
    [[nodiscard]] bool pending() const { return job_.first_clear || !bins_.touched().empty(); }

    /// Keeps an object alive until the pass is run.
    void keep(const pipe::RefCounted* object) { kept_.push_back(pipe::Ref<const pipe::RefCounted>(object)); }
    /// The same, of a texture that recorded work samples.
    void keep_sampled(pipe::SamplerView* view);
    /// The same, of what shaders of recorded work load from, and `written`: store to.
    void keep_storage(pipe::Resource* resource, bool written);
    [[nodiscard]] bool reads(const pipe::Resource& r) const;
    [[nodiscard]] bool writes(const pipe::Resource& r) const;

    /// The slot that counts samples for a query; the query must not be null.
    [[nodiscard]] uint32_t query_slot(SoftQuery* q);
    /// Whether recorded work counts for the query.
    [[nodiscard]] bool counts_for(const SoftQuery& q) const;
    void set_seq_of_queries(uint64_t seq);

    /// In fragments; primitives cost something, too.
    [[nodiscard]] uint64_t drawn_px() const { return bins_.work_px() + used_B() / 8; }
    /// With the clear that opens the tiles.
    [[nodiscard]] uint64_t work_px() const {
        return drawn_px() + (first_clear_ ? uint64_t(job_.width_px) * uint64_t(job_.height_px) / 8 : 0);
    }
    /// Whether it draws to, or reads, an image that other processes see.
    [[nodiscard]] bool shares() const;
    /// Whether it should be drawn before more is recorded.
    [[nodiscard]] bool full() const { return used_B() > limit_B_; }

    /// Lets go of the attachments; nothing may be pending.
    void detach();
    /// Forgets what is recorded and was drawn; the attachments stay.
    void forget();

    /// Prepares `next`, which has nothing recorded, for what comes after this in the same attachments.
    void attach_next(Pass* next) const;

    // --- drawing: prepare, then each tile once, then finish. The first may throw std::bad_alloc.
    /// `owner`: who has the passes drawn, one after the other (KeptBounds). `uses` waits for what others do with shared images.
    void prepare(unsigned workers, Watch& watch, const void* owner, const ForeignUses& uses);
    [[nodiscard]] uint32_t bin_count() const { return bins_.count(); }
    [[nodiscard]] int32_t tiles_y() const { return (job_.height_px + kTileSize_px - 1) / kTileSize_px; }
    [[nodiscard]] uint32_t tile_count() const {
        return uint32_t(job_.first_clear ? bins_.count() : bins_.touched().size());
    }
    [[nodiscard]] uint64_t* samples_of(unsigned worker) { return samples_.data() + worker * sample_stride_; }
    /// For TileWorker::edge.
    [[nodiscard]] uint8_t* edge_room_of(unsigned worker) {
        return edge_room_.data() + worker * edges_.room_B();
    }
    /// The i-th tile; false: out of memory (which only the interpreter can run into).
    [[nodiscard]] bool run_tile(RunTileFn run, uint32_t i, TileWorker& worker) const noexcept;
    void finish();

  private:
    [[nodiscard]] size_t used_B() const { return bins_.arena().used_B() + kept_B_; }
    void attach(const pipe::RenderPassDesc& desc, pipe::Ref<ImplicitSamples> implicit);
    [[nodiscard]] Rect tile_rect(uint32_t tile) const;
    void make_bins();
    [[nodiscard]] ClearPrim* make_clear(const TileJob& job, const pipe::ClearInfo& info, const Rect& r);
    /// The job as the tiles of one layer see it.
    [[nodiscard]] TileJob job_of(uint32_t layer) const;
    void merge_first_clear(const ClearPrim& c);
    void claim_images(const void* owner, const ForeignUses& uses);

    Bins bins_;
    std::vector<Arena> kept_memory_;  // the first kept_arenas_ hold something
    size_t kept_arenas_ = 0, kept_B_ = 0;
    std::pmr::memory_resource* memory_;
    pipe::RenderPassDesc desc_;
    TileJob job_;  // of the first layer
    uint32_t layers_ = 1;
    uint64_t color_layer_B_[pipe::kMaxColorTargets] = {}, depth_layer_B_ = 0;
    ClearPrim* first_clear_ = nullptr;
    std::vector<pipe::Ref<const pipe::RefCounted>> kept_;
    std::vector<pipe::Ref<pipe::Resource>> attachments_;
    pipe::Ref<ImplicitSamples> implicit_;
    EdgeTiles edges_;
    std::vector<uint8_t> edge_room_;             // workers x edges_.room_B()
    std::vector<pipe::Ref<SoftQuery>> queries_;  // [0] is null: counts that nobody wants
    std::vector<uint64_t> samples_;              // workers x sample_stride_, by slot
    size_t sample_stride_ = 0;
    std::vector<pipe::Ref<pipe::SamplerView>> sampled_;
    std::vector<pipe::Ref<pipe::Resource>> loaded_, stored_;
    AddressFilter sampled_filter_;
    pipe::Ref<TileBounds> bounds_;  // from prepare to finish
    size_t limit_B_;
    bool bounded_;
};

}  // namespace terrazzo::soft
