// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What was recorded for one set of attachments: primitives in the bins of the tiles they touch, the state
// they were drawn with, and references to all of it. run() draws the tiles; recording may then go on.
#pragma once

#include <vector>

#include "drivers/soft/pass_memory.h"
#include "drivers/soft/query.h"
#include "drivers/soft/raster_types.h"
#include "drivers/soft/resource.h"
#include "drivers/soft/thread_pool.h"

namespace terrazzo::soft {

class Pass {
  public:
    explicit Pass(std::pmr::memory_resource* memory) : arena_(memory) {}
    ~Pass();
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

    /// Points the targets at the attachments and applies the load operations. Nothing may be pending.
    void begin(const pipe::RenderPassDesc& desc);
    /// True where the descriptor names the same memory, so that its draws may be recorded after those already
    /// here.
    [[nodiscard]] bool continues(const pipe::RenderPassDesc& desc) const;
    /// Merges into the clear that opens the tiles where nothing was drawn yet, else records it.
    void clear(const pipe::ClearInfo& info);

    [[nodiscard]] Arena& arena() { return arena_; }
    [[nodiscard]] const TileJob& job() const { return job_; }
    [[nodiscard]] Rect extent() const { return {0, 0, job_.width_px, job_.height_px}; }
    [[nodiscard]] pipe::Format depth_format() const { return desc_.depth_stencil.format; }
    [[nodiscard]] bool pending() const { return job_.first_clear || !touched_.empty(); }

    /// Keeps an object alive until the pass is run.
    void keep(const pipe::RefCounted* object) { kept_.push_back(pipe::Ref<const pipe::RefCounted>(object)); }
    /// The slot that counts samples for a query; the query must not be null.
    [[nodiscard]] uint32_t query_slot(SoftQuery* q);

    /// Whether recorded work counts for the query.
    [[nodiscard]] bool counts_for(const SoftQuery& q) const;

    /// Appends to one tile's bin.
    void push(int32_t tile_x, int32_t tile_y, const PrimHeader* prim) {
        Bin& bin = bins_[size_t(tile_y) * size_t(job_.tiles_x) + size_t(tile_x)];
        if (!bin.last || bin.last->count == BinChunk::kCapacity) grow(bin);
        bin.last->prims[bin.last->count++] = prim;
    }
    /// To every tile that the rectangle (inside the extent, not empty) touches.
    void push_rect(const Rect& r, const PrimHeader* prim);
    /// An estimate of the fragments, for deciding how many threads are worth waking.
    void add_work(uint64_t px) { work_px_ += px; }

    /// Lets go of the attachments; nothing may be pending.
    void detach() { attachments_.clear(); }
    /// Draws everything recorded and forgets it.
    void run(ThreadPool& pool, RunTileFn run_tile);

  private:
    void grow(Bin& bin);
    void attach(const pipe::RenderPassDesc& desc);
    [[nodiscard]] ClearPrim* make_clear(const pipe::ClearInfo& info, const Rect& r);
    void merge_first_clear(const ClearPrim& c);
    void forget();

    Arena arena_;
    pipe::RenderPassDesc desc_;
    TileJob job_;
    ClearPrim* first_clear_ = nullptr;
    std::vector<Bin> bins_;
    std::vector<uint32_t> touched_;
    std::vector<pipe::Ref<const pipe::RefCounted>> kept_;
    std::vector<pipe::Ref<pipe::Resource>> attachments_;
    std::vector<pipe::Ref<SoftQuery>> queries_;  // [0] is null: counts that nobody wants
    std::vector<uint64_t> samples_;              // threads x slots
    std::vector<TileWorker> workers_;
    uint64_t work_px_ = 0;
};

}  // namespace terrazzo::soft
