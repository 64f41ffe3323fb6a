// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// LRZ in a pass: which draws use it, and with which buffers.
#include <algorithm>
#include <new>

#include "drivers/adreno/passes/pass.h"

namespace terrazzo::adreno {

using namespace pipe::attachment_bit;

KeptLrz::Entry* KeptLrz::find(const Image& image, uint64_t writes) {
    for (Entry& e : entries_)
        if (e.image == image && e.memory) {
            e.used = ++clock_;
            return e.writes == writes && e.tracker.valid() ? &e : nullptr;
        }
    return nullptr;
}

KeptLrz::Entry& KeptLrz::replace(const Image& image) {
    Entry* out = &entries_[0];
    for (Entry& e : entries_) {
        if (e.image == image) {
            out = &e;
            break;
        }
        if (e.used < out->used) out = &e;
    }
    out->image = image;
    out->used = ++clock_;
    return *out;
}

KeptLrz::Image Pass::lrz_image() const {
    const pipe::Attachment& a = desc_.depth_stencil;
    return {adreno(*a.resource).id, a.level, a.first_layer, desc_.width, desc_.height};
}

// A pass of one tile is small, and not binned: it has no LRZ.
void Pass::plan_lrz() {
    lrz_.end();
    writes_lrz_ = false;
    kept_ = nullptr;
    has_lrz_ = !recorder_.device().debug.has(pipe::DebugWord::NoLrz) && (may_bin_ || !may_tile_) &&
               desc_.layers <= 1 &&
               (targets_.depth.depth_format == hw::DepthFormat::DEPTH6_16 ||
                targets_.depth.depth_format == hw::DepthFormat::DEPTH6_24_8);
    if (!has_lrz_) return;
    lrz_layout_ = lrz_layout(recorder_.device().chip(), desc_.width, desc_.height, targets_.samples);
    const AdrenoResource& depth = adreno(*desc_.depth_stencil.resource);
    // Other processes may draw into a shared image unnoticed.
    if (desc_.depth_stencil.load == pipe::LoadOp::Load && !depth.pins.load(std::memory_order_relaxed))
        kept_ = kept_lrz_.find(lrz_image(), depth.writes());
    if (!kept_) return;
    lrz_.resume(kept_->tracker);
    parts_.front().lrz_fast = kept_->fast;
}

void Pass::note_depth_clear(const pipe::Scissor& area, float depth) {
    const bool all =
        area.x0 == 0 && area.y0 == 0 && uint32_t(area.x1) == desc_.width && uint32_t(area.y1) == desc_.height;
    if (!has_lrz_) return;
    if (!all) return lrz_.end();
    lrz_.begin();
    parts_.back().clears_depth = true;
    parts_.back().depth = depth;
    parts_.back().lrz_fast = lrz_layout_.clears_fast(depth);
}

LrzUse Pass::use_lrz(const LrzDraw& draw) {
    LrzUse use = lrz_.add(draw);
    use.fast = use.test && parts_.back().lrz_fast;
    parts_.back().uses_lrz |= use.test;
    writes_lrz_ |= use.write;
    return use;
}

pipe::Ref<Bo>& Pass::lrz_memory(pipe::Ref<Bo>& memory, uint64_t size_B) {
    if (!memory || memory->size_B < size_B) {
        memory = recorder_.device().create_bo(size_B, bo_flag::kNoCpu | bo_flag::kUndefined);
        if (!memory) throw std::bad_alloc();
    }
    recorder_.hold_always(pipe::Ref<const pipe::RefCounted>(memory.get()));
    return memory;
}

/// Allocates and clears a buffer for each run of parts that begins with a depth clear, if its draws use LRZ.
/// The first run may continue with a kept buffer. The buffer of the last run has memory of its own, to be
/// kept.
void Pass::prepare_lrz_buffers(CsBuilder& cs) {
    if (!has_lrz_) return;
    const uint64_t size_B = lrz_layout_.size_B();
    struct Run {
        size_t first, end;
    };
    std::vector<Run> runs;
    std::vector<size_t> cleared;
    uint32_t shared = 0;  // the number of runs whose buffers share one piece of memory
    for (size_t i = 0, next = 0; i < parts_.size(); i = next) {
        bool used = parts_[i].uses_lrz;
        for (next = i + 1; next < parts_.size() && !parts_[next].clears_depth; ++next)
            used |= parts_[next].uses_lrz;
        if (!used) continue;
        runs.push_back({i, next});
        if (parts_[i].clears_depth) cleared.push_back(i);
        shared += parts_[i].clears_depth && next < parts_.size();
    }
    uint64_t va = shared ? lrz_memory(lrz_memory_, shared * size_B)->va : 0;
    for (const Run& r : runs) {
        uint64_t here = va;
        if (!parts_[r.first].clears_depth)
            here = lrz_memory(kept_->memory, size_B)->va;
        else if (r.end == parts_.size())
            here = lrz_memory(last_lrz_, size_B)->va;
        else
            va += size_B;
        for (size_t k = r.first; k < r.end; ++k)
            parts_[k].lrz_va = here;
    }
    write_lrz_clears(cs, cleared);
}

void Pass::write_lrz_clears(CsBuilder& cs, const std::vector<size_t>& cleared) {
    if (cleared.empty()) return;
    for (const size_t i : cleared)
        if (parts_[i].lrz_fast) {
            if (recorder_.use_lrz(parts_[i].lrz_va)) flush_lrz(cs, false);
            clear_lrz_fast(cs, lrz_layout_, parts_[i].lrz_va);
            recorder_.note_lrz_flush();
        }
    if (std::all_of(cleared.begin(), cleared.end(), [&](size_t i) { return parts_[i].lrz_fast; })) return;
    cs.packet(hw::CpSetMarker{.mode = hw::Marker::RM6_BLIT2DSCALE});
    recorder_.begin_lrz_clear();
    recorder_.sync_for_sysmem(false, true, false);
    for (const size_t i : cleared)
        if (!parts_[i].lrz_fast)
            clear_lrz(cs, recorder_.device().chip(), lrz_layout_, parts_[i].lrz_va, parts_[i].depth);
    recorder_.note_engine_2d();
    // LRZ reads through the UCHE.
    recorder_.sync_caches(cs, {.flush_color = true, .invalidate_uche = true});
}

void Pass::keep_lrz(bool goes_on) {
    continued_lrz_ = kept_;
    if (!has_lrz_) return;
    const bool stored =
        (goes_on || desc_.depth_stencil.store == pipe::StoreOp::Store) && !(discarded_ & kDepth);
    const uint64_t va = parts_.back().lrz_va;
    const bool last = va && last_lrz_ && va == last_lrz_->va;
    // If no part cleared the depth, the kept buffer is continued, even if no draw used it.
    const bool same =
        kept_ && std::none_of(parts_.begin(), parts_.end(), [](const Part& p) { return p.clears_depth; });
    if (!stored || !lrz_.valid() || !(last || same)) return;
    KeptLrz::Entry& e = same ? *kept_ : kept_lrz_.replace(lrz_image());
    if (last) std::swap(e.memory, last_lrz_);
    e.tracker = lrz_;
    e.fast = parts_.back().lrz_fast;
    e.writes = adreno(*desc_.depth_stencil.resource).writes();
}

void Pass::write_lrz(CsBuilder& cs, size_t part) const {
    const uint64_t va = parts_[part].lrz_va;
    if (part > 0 && va == parts_[part - 1].lrz_va) return;
    if (part > 0 && parts_[part - 1].lrz_fast && parts_[part - 1].lrz_va) {
        flush_lrz(cs, true);
        recorder_.note_lrz_flush();
    }
    if (recorder_.use_lrz(va)) flush_lrz(cs, false);
    write_lrz_buffer(cs, lrz_layout_, va, parts_[part].lrz_fast);
}

void Pass::end_lrz() {
    const bool used = std::any_of(parts_.begin(), parts_.end(), [](const Part& p) { return p.lrz_va; });
    if (!used) return;
    const bool fast = parts_.back().lrz_fast && parts_.back().lrz_va;
    // Tiles do not write LRZ.
    const bool wrote = writes_lrz_ && last_path_ != RenderPath::Tiles;
    if (wrote || fast) flush_lrz(recorder_.main, fast);
    recorder_.end_lrz(wrote, wrote || fast);
}

}  // namespace terrazzo::adreno
