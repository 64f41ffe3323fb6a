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
        for (const Range& r : held[ccu])
            made.stale_in_ccu[ccu] |=
                !is_own(made.by, ccu) && r.overlaps(made.range.begin, made.range.end - made.range.begin);
    for (Write& w : writes) {
        if (w.range.begin != made.range.begin || w.by != made.by || w.key != made.key) continue;
        made.range.end = std::max(made.range.end, w.range.end);
        changed_ = w.range.end != made.range.end || w.flushed || w.uche_invalidated;
        w = made;
        return;
    }
    // Reads of a forgotten write's memory are not reported.
    if (writes.size() == kRemembered) writes.erase(writes.begin());
    writes.push_back(made);
}

void Caches::flush(Writer by) {
    busy = ++now;
    changed_ = true;
    for (Write& w : writes)
        if (w.by == by && !w.flushed) w.flushed = now;
}

void Caches::flush_color() {
    flush(Writer::Color);
    flush(Writer::Engine2d);
}

void Caches::flush_depth() {
    flush(Writer::Depth);
}

void Caches::invalidate_ccu(unsigned ccu) {
    busy = ++now;
    changed_ = true;
    held[ccu].clear();
    moved[ccu] = false;
    for (Write& w : writes) {
        const bool own = is_own(w.by, ccu);
        if (own ? w.flushed != 0 : w.stale_in_ccu[ccu]) w.ccu_invalidated[ccu] = now;
        // Contents that are not in memory yet stay.
        if (own && !w.flushed) held[ccu].push_back(w.range);
    }
}

void Caches::hold(unsigned ccu, Range range) {
    for (const Range& r : held[ccu])
        if (r.begin <= range.begin && range.end <= r.end) return;
    if (held[ccu].size() < kRemembered) held[ccu].push_back(range);
}

void Caches::invalidate_uche() {
    uche_invalidated = busy = ++now;
    changed_ = true;
    ++version_;
    for (Write& w : writes)
        if (w.flushed || (w.by == Writer::Event && w.at <= idle)) w.uche_invalidated = now;
}

void Caches::wait_for_idle() {
    if (uche_invalidated > idle) ++version_;
    changed_ |= idle != now && !writes.empty();
    idle = now;
}

void Caches::wait_mem_writes() {
    for (Write& w : writes)
        if (w.by == Writer::Processor && !w.flushed) {
            w.flushed = ++now;
            changed_ = true;
        }
}

void Caches::polled(uint64_t va) {
    for (const Write& w : writes)
        if (w.by == Writer::Event && w.range.overlaps(va, 4) && w.at > idle) {
            if (uche_invalidated > idle) ++version_;
            idle = w.at;
            changed_ = true;
        }
}

void Caches::begin_submit() {
    static_cast<CacheState&>(*this) = {};
    strict_ = changed_ = true;
    now = busy = 1;
    ++version_;
}

// Forgets the writes that every reader may read.
void Caches::forget_finished() {
    std::erase_if(writes, [&](const Write& w) {
        for (const Reader r : {Reader::Uche, Reader::Processor, Reader::EarlyProcessor, Reader::ColorCcu,
                               Reader::DepthCcu, Reader::Resolve})
            if (missing(w, r, kNobody) != Missing::Nothing) return false;
        return true;
    });
}

}  // namespace terrazzo::adreno::sim
