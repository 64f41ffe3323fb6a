// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Records writes, and applies events to them.
#include "drivers/adreno/sim/cp/caches.h"

#include <algorithm>

namespace terrazzo::adreno::sim {

Caches::Caches(window::Space& memory)
    : memory_(memory), uche_(*this, Reader::Uche), processor_(*this, Reader::Processor) {}

void Caches::add(const Write& write) {
    changed_ = true;
    Write made = write;
    for (const unsigned ccu : {kColor, kDepth})
        for (const Range& r : held_[ccu])
            made.stale_in_ccu[ccu] |=
                !is_own(made.by, ccu) && r.overlaps(made.range.begin, made.range.end - made.range.begin);
    for (Write& w : writes_) {
        if (w.range.begin != made.range.begin || w.by != made.by || w.key != made.key) continue;
        made.range.end = std::max(made.range.end, w.range.end);
        changed_ = w.range.end != made.range.end || w.flushed || w.uche_invalidated;
        w = made;
        return;
    }
    // Reads of a forgotten write's memory are not reported.
    if (writes_.size() == kRemembered) writes_.erase(writes_.begin());
    writes_.push_back(made);
}

void Caches::flush(Writer by) {
    busy_ = ++now_;
    changed_ = true;
    for (Write& w : writes_)
        if (w.by == by && !w.flushed) w.flushed = now_;
}

void Caches::flush_color() {
    flush(Writer::Color);
    flush(Writer::Engine2d);
}

void Caches::flush_depth() {
    flush(Writer::Depth);
}

void Caches::invalidate_ccu(unsigned ccu) {
    busy_ = ++now_;
    changed_ = true;
    held_[ccu].clear();
    moved_[ccu] = false;
    for (Write& w : writes_) {
        const bool own = is_own(w.by, ccu);
        if (own ? w.flushed != 0 : w.stale_in_ccu[ccu]) w.ccu_invalidated[ccu] = now_;
        // Contents that are not in memory yet stay.
        if (own && !w.flushed) held_[ccu].push_back(w.range);
    }
}

void Caches::hold(unsigned ccu, Range range) {
    for (const Range& r : held_[ccu])
        if (r.begin <= range.begin && range.end <= r.end) return;
    if (held_[ccu].size() < kRemembered) held_[ccu].push_back(range);
}

void Caches::invalidate_uche() {
    uche_invalidated_ = busy_ = ++now_;
    changed_ = true;
    ++version_;
    for (Write& w : writes_)
        if (w.flushed || (w.by == Writer::Event && w.at <= idle_)) w.uche_invalidated = now_;
}

void Caches::wait_for_idle() {
    if (uche_invalidated_ > idle_) ++version_;
    changed_ |= idle_ != now_ && !writes_.empty();
    idle_ = now_;
}

void Caches::wait_mem_writes() {
    for (Write& w : writes_)
        if (w.by == Writer::Processor && !w.flushed) {
            w.flushed = ++now_;
            changed_ = true;
        }
}

void Caches::polled(uint64_t va) {
    for (const Write& w : writes_)
        if (w.by == Writer::Event && w.range.overlaps(va, 4) && w.at > idle_) {
            if (uche_invalidated_ > idle_) ++version_;
            idle_ = w.at;
            changed_ = true;
        }
}

void Caches::begin_submit() {
    writes_.clear();
    held_[kColor].clear();
    held_[kDepth].clear();
    moved_[kColor] = moved_[kDepth] = false;
    uche_invalidated_ = 0;
    strict_ = changed_ = true;
    now_ = busy_ = 1;
    idle_ = early_ = early_writes_ = 0;
    ++version_;
}

// Forgets the writes that every reader may read.
void Caches::forget_finished() {
    std::erase_if(writes_, [&](const Write& w) {
        for (const Reader r : {Reader::Uche, Reader::Processor, Reader::EarlyProcessor, Reader::ColorCcu,
                               Reader::DepthCcu, Reader::Resolve})
            if (missing(w, r, kNobody) != Missing::Nothing) return false;
        return true;
    });
}

Caches::State Caches::save() const {
    return {writes_, {held_[0], held_[1]}, {moved_[0], moved_[1]}, uche_invalidated_, now_, busy_, idle_,
            early_,  early_writes_};
}

void Caches::restore(const State& s) {
    writes_ = s.writes;
    held_[0] = s.held[0];
    held_[1] = s.held[1];
    moved_[0] = s.moved[0];
    moved_[1] = s.moved[1];
    uche_invalidated_ = s.uche_invalidated;
    now_ = s.now;
    busy_ = s.busy;
    idle_ = s.idle;
    early_ = s.early;
    early_writes_ = s.early_writes;
    changed_ = true;
    ++version_;
}

}  // namespace terrazzo::adreno::sim
