// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/passes/pass.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "drivers/soft/binning/pipeline_limits.h"
#include "drivers/soft/passes/targets.h"

namespace terrazzo::soft {

namespace {

bool same_image(const pipe::Attachment& a, const pipe::Attachment& b) {
    return a.resource == b.resource &&
           (!a.resource || (a.format == b.format && a.level == b.level && a.first_layer == b.first_layer &&
                            a.layer_count == b.layer_count && a.samples == b.samples));
}

/// For all layers of a pass: without attachments, there is no other limit.
constexpr uint32_t kMaxTiles = 1u << 20;

bool names(const std::vector<pipe::Ref<pipe::Resource>>& list, const pipe::Resource& r) {
    return std::any_of(list.begin(), list.end(), [&](const auto& a) { return a.get() == &r; });
}

}  // namespace

Pass::~Pass() = default;

bool Pass::continues(const pipe::RenderPassDesc& desc) const {
    if (desc.width != desc_.width || desc.height != desc_.height || desc.color_count != desc_.color_count ||
        desc.samples != desc_.samples || desc.layers != desc_.layers)
        return false;
    for (uint32_t i = 0; i < desc.color_count; ++i)
        if (!same_image(desc.color[i], desc_.color[i])) return false;
    return same_image(desc.depth_stencil, desc_.depth_stencil) && !attachments_.empty();
}

void Pass::attach(const pipe::RenderPassDesc& asked, pipe::Ref<ImplicitSamples> implicit) {
    detach();
    attachments_.reserve(2 * pipe::kMaxColorTargets + 1);
    pipe::RenderPassDesc desc = asked;
    implicit_ = std::move(implicit);
    if (implicit_) implicit_->redirect(&desc);
    for (uint32_t i = 0; i < asked.color_count; ++i)
        if (desc.color[i].resource != asked.color[i].resource)
            attachments_.push_back(pipe::Ref<pipe::Resource>(asked.color[i].resource));
    job_ = TileJob();
    job_.color_count = std::min<uint32_t>(desc.color_count, pipe::kMaxColorTargets);
    for (uint32_t i = 0; i < job_.color_count; ++i) {
        job_.color[i] = color_target(desc.color[i]);
        if (!desc.color[i].resource) continue;
        attachments_.push_back(pipe::Ref<pipe::Resource>(desc.color[i].resource));
        edges_.add(i, soft(*desc.color[i].resource), desc.color[i].level, job_.color[i].block_B);
    }
    job_.depth = depth_target(desc.depth_stencil);
    job_.depth.bounded = bounded_ && job_.depth.has_depth;
    if (desc.depth_stencil.resource)
        attachments_.push_back(pipe::Ref<pipe::Resource>(desc.depth_stencil.resource));
    job_.width_px = int32_t(desc.width);
    job_.height_px = int32_t(desc.height);
    // Never more than the attachments have, whatever the caller passes: the code below relies on it.
    const auto limit = [&](const pipe::Attachment& a) {
        if (!a.resource) return;
        const LevelLayout& l = soft(*a.resource).level(a.level);
        // Attachments of a pass have the same number of samples; the smallest one is used.
        job_.samples = std::min(job_.samples, a.resource->desc.samples);
        job_.width_px = std::min(job_.width_px, int32_t(l.width));
        job_.height_px = std::min(job_.height_px, int32_t(l.height));
        layers_ = std::min(layers_, a.first_layer < l.slices ? l.slices - a.first_layer : 1);
    };
    layers_ = std::max(1u, desc.layers);
    job_.samples = kMaxSamples;
    for (uint32_t i = 0; i < job_.color_count; ++i)
        limit(desc.color[i]);
    limit(desc.depth_stencil);
    // Without attachments, shaders run as well.
    if (attachments_.empty()) {
        job_.samples = std::bit_floor(std::clamp(desc.samples, 1u, uint32_t(kMaxSamples)));
        job_.width_px = std::min(job_.width_px, int32_t(kMaxTarget_px));
        job_.height_px = std::min(job_.height_px, int32_t(kMaxTarget_px));
    }
    job_.tiles_x = (job_.width_px + kTileSize_px - 1) / kTileSize_px;
    layers_ = std::min(layers_, std::max(1u, kMaxTiles / std::max(1u, uint32_t(job_.tiles_x * tiles_y()))));
    const auto step_B = [](const pipe::Attachment& a) {
        return a.resource ? soft(*a.resource).level(a.level).layer_stride_B : 0;
    };
    for (uint32_t i = 0; i < job_.color_count; ++i)
        color_layer_B_[i] = step_B(desc.color[i]);
    depth_layer_B_ = step_B(desc.depth_stencil);
}

TileJob Pass::job_of(uint32_t layer) const {
    TileJob job = job_;
    for (uint32_t i = 0; i < job.color_count; ++i)
        if (job.color[i].base) job.color[i].base += color_layer_B_[i] * layer;
    if (job.depth.base) job.depth.base += depth_layer_B_ * layer;
    const size_t first = size_t(bins_.per_layer()) * layer;
    if (job.bins) job.bins += first;
    if (job.depth_bounds) job.depth_bounds += first * kBoundsPerTile;
    return job;
}

Rect Pass::tile_rect(uint32_t tile) const {
    const int32_t x = int32_t(tile) % job_.tiles_x * kTileSize_px,
                  y = int32_t(tile) / job_.tiles_x * kTileSize_px;
    return {x, y, std::min(x + kTileSize_px, job_.width_px), std::min(y + kTileSize_px, job_.height_px)};
}

void Pass::make_bins() {
    bins_.resize(job_.tiles_x, tiles_y(), layers_);
}

void Pass::begin(const pipe::RenderPassDesc& desc, pipe::Ref<ImplicitSamples> implicit) {
    if (!continues(desc) || (implicit && !pending())) {
        forget();
        attach(desc, std::move(implicit));
        make_bins();
        desc_ = desc;
    }
    pipe::ClearInfo info;
    for (uint32_t i = 0; i < job_.color_count; ++i) {
        info.color[i] = desc.clear_color[i];
        if (desc.color[i].load == pipe::LoadOp::Clear) info.attachments |= pipe::attachment_bit::kColor0 << i;
    }
    info.depth = desc.clear_depth;
    info.stencil = desc.clear_stencil;
    if (desc.depth_stencil.load == pipe::LoadOp::Clear) info.attachments |= pipe::attachment_bit::kDepth;
    if (desc.stencil_load == pipe::LoadOp::Clear) info.attachments |= pipe::attachment_bit::kStencil;
    if (info.attachments) clear(info);
}

ClearPrim* Pass::make_clear(const TileJob& job, const pipe::ClearInfo& info, const Rect& r) {
    ClearPrim* c = bins_.arena().make<ClearPrim>();
    c->kind = PrimKind::Clear;
    c->bounds = r;
    c->count = 0;
    c->draw = nullptr;
    for (uint32_t i = 0; i < job.color_count; ++i)
        if ((info.attachments & pipe::attachment_bit::kColor0 << i) && job.color[i].base)
            if (color_fill(job.color[i], desc_.color[i].format, info.color[i], info.color_mask[i],
                           &c->ops[c->op_count]))
                ++c->op_count;
    const bool depth = info.attachments & pipe::attachment_bit::kDepth;
    const bool stencil = info.attachments & pipe::attachment_bit::kStencil;
    if (job.depth.base && (depth || stencil))
        if (depth_fill(job.depth, desc_.depth_stencil.format, depth, info.depth,
                       stencil ? info.stencil_mask : 0, info.stencil, &c->ops[c->op_count])) {
            ++c->op_count;
            c->clears_depth = depth && job.depth.has_depth;
            c->depth = info.depth;
        }
    return c;
}

void Pass::merge_first_clear(const ClearPrim& c) {
    if (c.clears_depth) {
        first_clear_->clears_depth = true;
        first_clear_->depth = c.depth;
    }
    for (uint32_t i = 0; i < c.op_count; ++i) {
        FillOp* const end = first_clear_->ops + first_clear_->op_count;
        FillOp* const old =
            std::find_if(first_clear_->ops, end, [&](const FillOp& o) { return o.base == c.ops[i].base; });
        if (old == end) {
            *old = c.ops[i];
            ++first_clear_->op_count;
            continue;
        }
        for (unsigned b = 0; b < old->block_B; ++b) {
            const uint8_t mask = c.ops[i].mask[b];
            old->value[b] = uint8_t((old->value[b] & ~mask) | (c.ops[i].value[b] & mask));
            old->mask[b] |= mask;
        }
        old->whole = is_whole(*old);
    }
}

void Pass::clear(const pipe::ClearInfo& info) {
    Rect r = extent();
    if (info.scissored)
        r = {std::max(r.x0, info.scissor.x0), std::max(r.y0, info.scissor.y0),
             std::min(r.x1, info.scissor.x1), std::min(r.y1, info.scissor.y1)};
    if (r.empty()) return;
    if (layers_ > 1) {
        // Each layer has its own clear, since the clear contains the pixels' address.
        for (uint32_t layer = 0; layer < layers_; ++layer) {
            ClearPrim* const c = make_clear(job_of(layer), info, r);
            bins_.set_layer(layer);
            if (c->op_count) bins_.push_rect(r, c);
        }
        bins_.set_layer(0);
        bins_.add_work(uint64_t(r.x1 - r.x0) * uint64_t(r.y1 - r.y0) * layers_ / 8);
        return;
    }
    ClearPrim* const c = make_clear(job_, info, r);
    if (!c->op_count) return;
    const bool covers_all = r.x0 == 0 && r.y0 == 0 && r.x1 == job_.width_px && r.y1 == job_.height_px;
    if (covers_all && bins_.touched().empty()) {
        if (first_clear_)
            merge_first_clear(*c);
        else
            job_.first_clear = first_clear_ = c;
        return;
    }
    bins_.push_rect(r, c);
    bins_.add_work(uint64_t(r.x1 - r.x0) * uint64_t(r.y1 - r.y0) / 8);
}

uint32_t Pass::query_slot(SoftQuery* q) {
    if (queries_.empty()) queries_.emplace_back();
    for (size_t i = 1; i < queries_.size(); ++i)
        if (queries_[i].get() == q) return uint32_t(i);
    queries_.push_back(pipe::Ref<SoftQuery>(q));
    return uint32_t(queries_.size() - 1);
}

bool Pass::counts_for(const SoftQuery& q) const {
    return std::any_of(queries_.begin(), queries_.end(), [&](const auto& r) { return r.get() == &q; });
}

void Pass::set_seq_of_queries(uint64_t seq) {
    for (size_t i = 1; i < queries_.size(); ++i)
        queries_[i]->seq = seq;
}

void Pass::keep_memory(Arena& arena) {
    if (kept_arenas_ == kept_memory_.size()) kept_memory_.emplace_back(memory_);
    kept_B_ += arena.used_B();
    std::swap(kept_memory_[kept_arenas_++], arena);
}

void Pass::keep_sampled(pipe::SamplerView* view) {
    // Most draws use the same textures as the draw before.
    const size_t n = sampled_.size();
    for (size_t i = n - std::min<size_t>(n, 8); i < n; ++i)
        if (sampled_[i].get() == view) return;
    sampled_.push_back(pipe::Ref<pipe::SamplerView>(view));
    sampled_filter_.add(view->resource.get());
}

void Pass::keep_storage(pipe::Resource* resource, bool written) {
    auto& list = written ? stored_ : loaded_;
    if (!names(list, *resource)) list.emplace_back(resource);
}

bool Pass::reads(const pipe::Resource& r) const {
    if (names(loaded_, r)) return true;
    return sampled_filter_.may_have(&r) && std::any_of(sampled_.begin(), sampled_.end(), [&](const auto& v) {
               return v->resource.get() == &r;
           });
}

bool Pass::writes(const pipe::Resource& r) const {
    return names(attachments_, r) || names(stored_, r);
}

// --- to the next pass --------------------------------------------------------------------------------------

void Pass::attach_next(Pass* next) const {
    next->forget();
    next->attach(desc_, implicit_);
    next->make_bins();
    next->desc_ = desc_;
}

void Pass::forget() {
    bins_.forget();
    for (size_t i = 0; i < kept_arenas_; ++i)
        kept_memory_[i].reset();
    kept_arenas_ = kept_B_ = 0;
    job_.first_clear = first_clear_ = nullptr;
    kept_.clear();
    sampled_.clear();
    loaded_.clear();
    stored_.clear();
    sampled_filter_.clear();
    queries_.clear();
}

bool Pass::shares() const {
    const auto is_shared = [](const pipe::Ref<pipe::Resource>& r) { return soft(*r).shared(); };
    return std::any_of(attachments_.begin(), attachments_.end(), is_shared) ||
           std::any_of(stored_.begin(), stored_.end(), is_shared) ||
           std::any_of(loaded_.begin(), loaded_.end(), is_shared) ||
           std::any_of(sampled_.begin(), sampled_.end(),
                       [](const pipe::Ref<pipe::SamplerView>& v) { return soft(*v->resource).shared(); });
}

void Pass::detach() {
    attachments_.clear();
    edges_.clear();
    implicit_ = nullptr;
}

// --- drawing -----------------------------------------------------------------------------------------------

/// Called now, not when the pass began: all writers of the image so far have been waited for.
void Pass::claim_images(const void* owner, const ForeignUses& uses) {
    const pipe::Attachment& depth = desc_.depth_stencil;
    ForeignUses::Wait wait(uses);
    for (const auto& list : {&attachments_, &stored_})
        for (const pipe::Ref<pipe::Resource>& r : *list) {
            wait.for_image(soft(*r), true);
            // Other users of a shared image may write it at any time.
            if (r.get() != depth.resource || soft(*r).shared()) soft(*r).forget_bounds();
        }
    for (const pipe::Ref<pipe::Resource>& r : loaded_)
        wait.for_image(soft(*r), false);
    for (const pipe::Ref<pipe::SamplerView>& v : sampled_)
        wait.for_image(soft(*v->resource), false);
    if (!job_.depth.bounded || attachments_.empty()) return;
    const BoundedPart part = {depth.format, depth.level,   depth.first_layer, layers_,
                              job_.samples, job_.width_px, job_.height_px};
    bounds_ = soft(*depth.resource).bounds().acquire(part, bins_.count(), owner);
    job_.depth_bounds = bounds_ ? bounds_->data() : nullptr;
}

void Pass::prepare(unsigned workers, Watch& watch, const void* owner, const ForeignUses& uses) {
    job_.watch = &watch;
    const size_t slots = std::max<size_t>(1, queries_.size());
    sample_stride_ = (slots + 7) & ~size_t(7);
    samples_.assign(sample_stride_ * workers, 0);
    if (edge_room_.size() < edges_.room_B() * workers) edge_room_.resize(edges_.room_B() * workers);
    job_.bins = bins_.data();
    claim_images(owner, uses);
}

bool Pass::run_tile(RunTileFn run, uint32_t i, TileWorker& worker) const noexcept {
    const uint32_t tile = job_.first_clear ? i : bins_.touched()[i];
    try {
        if (implicit_) implicit_->load(tile, tile_rect(tile));
        if (edges_.any() && edges_.reach_over(tile_rect(tile)))
            edges_.run(run, job_, tile, tile_rect(tile), worker,
                       worker.edge);  // imported images have one layer
        else if (layers_ > 1)
            run(job_of(tile / bins_.per_layer()), tile % bins_.per_layer(), worker);
        else
            run(job_, tile, worker);
        if (implicit_) implicit_->resolve(tile_rect(tile));
        return true;
    } catch (const std::bad_alloc&) {
        if (bounds_) std::fill_n(bounds_->data() + size_t(tile) * kBoundsPerTile, kBoundsPerTile, kNoBound);
        return false;
    }
}

void Pass::finish() {
    if (bounds_) bounds_->end_use();
    bounds_ = nullptr;
    job_.depth_bounds = nullptr;
    for (size_t q = 1; q < queries_.size(); ++q)
        for (size_t at = q; at < samples_.size(); at += sample_stride_)
            queries_[q]->value += samples_[at];
}

}  // namespace terrazzo::soft
