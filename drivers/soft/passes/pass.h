// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The work recorded for one set of attachments: primitives in the bins of the tiles that they touch, their
// draw state, and references to all objects used. One or several threads draw its tiles. Meanwhile the
// recording thread may use another Pass.
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

/// A set of addresses that may have false positives, but no false negatives.
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
    /// `limit_B`: the size at which the pass is full. `bounded`: whether a hierarchical depth is used.
    Pass(std::pmr::memory_resource* memory, size_t limit_B, bool bounded = true)
        : bins_(memory), memory_(memory), limit_B_(limit_B), bounded_(bounded) {}
    ~Pass();
    Pass(Pass&&) = default;
    Pass& operator=(Pass&&) = default;

    /// Sets the targets to the attachments and applies the load operations. No work may be pending, unless
    /// continues() is true for the descriptor. `implicit`: for colours that have more samples than their
    /// resource, else null; ignored if work is pending, which has its own.
    void begin(const pipe::RenderPassDesc& desc, pipe::Ref<ImplicitSamples> implicit = nullptr);
    /// Whether the descriptor has the same attachments, so that its draws can be recorded after the ones
    /// already here.
    [[nodiscard]] bool continues(const pipe::RenderPassDesc& desc) const;
    /// If nothing was drawn yet, merges into the tiles' first clear; else records it.
    void clear(const pipe::ClearInfo& info);

    [[nodiscard]] Arena& arena() { return bins_.arena(); }
    [[nodiscard]] Bins& bins() { return bins_; }
    /// Keeps the contents of `arena` until the pass is drawn; `arena` is then empty. Throws std::bad_alloc.
    void keep_memory(Arena& arena);
    [[nodiscard]] const TileJob& job() const { return job_; }
    /// The layers of the attachments, to which the bins can be set.
    [[nodiscard]] uint32_t layers() const { return layers_; }
    [[nodiscard]] Rect extent() const { return {0, 0, job_.width_px, job_.height_px}; }
    [[nodiscard]] pipe::Format depth_format() const { return desc_.depth_stencil.format; }
    [[nodiscard]] bool pending() const { return job_.first_clear || !bins_.touched().empty(); }

    /// Keeps an object alive until the pass has run.
    void keep(const pipe::RefCounted* object) { kept_.push_back(pipe::Ref<const pipe::RefCounted>(object)); }
    /// The same for a texture that recorded work samples.
    void keep_sampled(pipe::SamplerView* view);
    /// The same for a resource that shaders of recorded work load from or, if `written`, store to.
    void keep_storage(pipe::Resource* resource, bool written);
    [[nodiscard]] bool reads(const pipe::Resource& r) const;
    [[nodiscard]] bool writes(const pipe::Resource& r) const;

    /// The slot that counts samples for a query; `q` must not be null.
    [[nodiscard]] uint32_t query_slot(SoftQuery* q);
    /// Whether recorded work counts for the query.
    [[nodiscard]] bool counts_for(const SoftQuery& q) const;
    void set_seq_of_queries(uint64_t seq);

    /// In fragments, with the cost of primitives.
    [[nodiscard]] uint64_t drawn_px() const { return bins_.work_px() + used_B() / 8; }
    /// The same with the tiles' first clear.
    [[nodiscard]] uint64_t work_px() const {
        return drawn_px() + (first_clear_ ? uint64_t(job_.width_px) * uint64_t(job_.height_px) / 8 : 0);
    }
    /// Whether it draws to or reads an image that other processes see.
    [[nodiscard]] bool shares() const;
    /// Whether it should be submitted before more is recorded.
    [[nodiscard]] bool full() const { return used_B() > limit_B_; }

    /// Releases the attachments; no work may be pending.
    void detach();
    /// Drops the recorded work, which was drawn; the attachments stay.
    void forget();

    /// Prepares `next`, which is empty, for later work on the same attachments.
    void attach_next(Pass* next) const;

    // --- drawing: prepare, then each tile once, then finish. Only prepare may throw std::bad_alloc.
    /// `owner`: executes the passes in order (KeptBounds). `uses` waits for other users of shared images.
    void prepare(unsigned workers, Watch& watch, const void* owner, const ForeignUses& uses);
    [[nodiscard]] uint32_t bin_count() const { return bins_.count(); }
    [[nodiscard]] int32_t tiles_y() const { return (job_.height_px + kTileSize_px - 1) / kTileSize_px; }
    [[nodiscard]] uint32_t tile_count() const {
        return uint32_t(job_.first_clear ? bins_.count() : bins_.touched().size());
    }
    [[nodiscard]] uint64_t* samples_of(unsigned worker) { return samples_.data() + worker * sample_stride_; }
    /// Memory for TileWorker::edge.
    [[nodiscard]] uint8_t* edge_room_of(unsigned worker) {
        return edge_room_.data() + worker * edges_.room_B();
    }
    /// Draws the i-th tile. False: out of memory, which can only happen in the interpreter.
    [[nodiscard]] bool run_tile(RunTileFn run, uint32_t i, TileWorker& worker) const noexcept;
    void finish();

  private:
    [[nodiscard]] size_t used_B() const { return bins_.arena().used_B() + kept_B_; }
    void attach(const pipe::RenderPassDesc& desc, pipe::Ref<ImplicitSamples> implicit);
    [[nodiscard]] Rect tile_rect(uint32_t tile) const;
    void make_bins();
    [[nodiscard]] ClearPrim* make_clear(const TileJob& job, const pipe::ClearInfo& info, const Rect& r);
    /// The job for the tiles of one layer.
    [[nodiscard]] TileJob job_of(uint32_t layer) const;
    void merge_first_clear(const ClearPrim& c);
    void claim_images(const void* owner, const ForeignUses& uses);

    Bins bins_;
    std::vector<Arena> kept_memory_;  // the first kept_arenas_ are in use
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
    std::vector<pipe::Ref<SoftQuery>> queries_;  // [0] is null: counts that no query needs
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
