// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/submission/cache_tracker.h"
#include "winsys/trap.h"

#include <algorithm>
#include <utility>

namespace terrazzo::adreno {

CacheEvents& CacheEvents::operator|=(const CacheEvents& o) {
    flush_color |= o.flush_color;
    flush_depth |= o.flush_depth;
    invalidate_color |= o.invalidate_color;
    invalidate_depth |= o.invalidate_depth;
    resolve |= o.resolve;
    flush_uche |= o.flush_uche;
    invalidate_uche |= o.invalidate_uche;
    wait_for_idle |= o.wait_for_idle;
    return *this;
}

void CacheTracker::begin_submission(uint64_t serial) {
    constexpr unsigned kStepBits = 20;  // of a submission
    for (size_t i = std::exchange(remembered_, 0); i--;)
        entries_[taken_[i]].va = 0;
    forgotten_ = 0;
    for (unsigned c = 0; c < kCaches; ++c)
        dirty_[c] = false;
    targets_want_ = reads_want_ = uche_stale_ = 0;
    waits_ = tiles_ = false;
    before_ = serial << kStepBits;
    std::fill_n(flushed_, kCaches, before_);
    std::fill_n(synced_, kCaches, before_);
    for (Ccu& ccu : ccus_)
        ccu = {.invalidated = before_};
    step_ = unsynced_ = before_ + 1;
    uche_unknown_ = true;
}

void CacheTracker::note_draws(bool color, bool depth) {
    ccus_[kColor].used |= color;
    dirty_[kColor] |= color;
    ccus_[kDepth].used |= depth;
    dirty_[kDepth] |= depth;
}

// ---- What memory was written ----

size_t CacheTracker::slot_of(uint64_t va) const {
    constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15;
    constexpr unsigned kSlotBits = 8;
    static_assert(kSlots == 1u << kSlotBits);
    size_t slot = size_t(va * kMultiplier >> (64 - kSlotBits));
    while (entries_[slot].va && entries_[slot].va != va)
        slot = (slot + 1) % kSlots;
    return slot;
}

CacheTracker::Written CacheTracker::load(const AdrenoResource& r) const {
    Written w;
    if (r.last_write_step() <= before_) return w;
    // By address, since several resources can share imported memory.
    const Entry& e = entries_[slot_of(r.va())];
    if (e.va)
        w = e.written;
    else if (forgotten_)
        w = {.step = forgotten_, .held = kAllCcus, .mixed = true};
    for (unsigned c = 0; c < kCcus; ++c)
        if (w.step <= ccus_[c].invalidated) w.held &= uint8_t(~(1u << c));
    w.mixed &= w.held != 0;
    return w;
}

void CacheTracker::store(AdrenoResource& r, const Written& w) {
    r.note_write_step(step_);
    const size_t slot = slot_of(r.va());
    if (!entries_[slot].va) {
        if (remembered_ == kMostRemembered) {
            forgotten_ = step_;
            return;
        }
        taken_[remembered_++] = uint8_t(slot);
    }
    entries_[slot] = {r.va(), w};
}

unsigned CacheTracker::caches_of(CachePath path) {
    switch (path) {
        case CachePath::Several:
            return 1u << kColor | 1u << kDepth | 1u << kResolve | 1u << kUche;
        case CachePath::Uche:
            return 1u << kUche;
        case CachePath::Color:
        case CachePath::Engine2d:
            return 1u << kColor;
        case CachePath::Depth:
            return 1u << kDepth;
        case CachePath::Resolve:
            return 1u << kResolve;
    }
    winsys::unreachable();
}

// Shaders' stores are noted when a pass' draws are recorded, and their step can end before the pass runs. For
// the UCHE the step says nothing, then, and whether it is dirty at all decides.
unsigned CacheTracker::unflushed(const Written& w) const {
    unsigned out = dirty_[kUche] && w.step > before_ ? caches_of(w.path) & 1u << kUche : 0;
    for (unsigned c = 0; c < kUche; ++c)
        if (caches_of(w.path) >> c & 1 && w.step > flushed_[c]) out |= 1u << c;
    return out;
}

bool CacheTracker::is_behind(const Written& w, const uint64_t (&steps)[kCaches]) {
    for (unsigned c = 0; c < kUche; ++c)
        if (caches_of(w.path) >> c & 1 && w.step > steps[c]) return false;
    return true;
}

void CacheTracker::note_written(AdrenoResource& r, ImagePart part, CachePath path, unsigned key) {
    const Written before = load(r);
    const bool same = before.path == path && before.key == key;
    // BLIT events and shaders do not write through the CCUs.
    const unsigned ccus = caches_of(path) & kAllCcus;
    Written now = before;
    now.step = step_;
    now.path = path;
    now.key = uint8_t(key);
    now.held |= uint8_t(ccus);
    now.mixed |= before.held && !same;
    if (ccus) now.ccu_part = before.held ? part.joined(before.ccu_part) : part;
    if (!same && !is_behind(before, flushed_)) now.path = CachePath::Several, now.key = 0;
    now.part = is_behind(before, synced_) ? part : part.joined(before.part);
    store(r, now);
}

void CacheTracker::read(const AdrenoResource& r, ImagePart part) {
    const Written w = load(r);
    if (!part.overlaps(w.part)) return;
    for (unsigned c = 0; c < kUche; ++c) {
        if (!(caches_of(w.path) >> c & 1)) continue;
        reads_want_ |= unsigned(w.step > flushed_[c]) << c;
        uche_stale_ |= unsigned(w.step > synced_[c]) << c;
    }
}

void CacheTracker::read_by_processor(const AdrenoResource& r, ImagePart part) {
    const Written w = load(r);
    if (part.overlaps(w.part)) targets_want_ |= unflushed(w);
}

void CacheTracker::use(const AdrenoResource& r, ImagePart part, CachePath path, unsigned key) {
    const Written w = load(r);
    // Work that goes on with the same path and key hits the lines of the cache, which are up to date.
    const unsigned ccus = caches_of(path) & kAllCcus;
    if (path != CachePath::Several && w.path == path && w.key == key && !(ccus && w.mixed)) return;
    if (part.overlaps(w.part)) targets_want_ |= unflushed(w);
    if (part.overlaps(w.ccu_part))
        for (unsigned c = 0; c < kCcus; ++c)
            ccus_[c].stale |= ccus & w.held & 1u << c;
}

// ---- What the stream does about it ----

CacheEvents CacheTracker::take_missing(bool reads) {
    CacheEvents out;
    unsigned want = std::exchange(targets_want_, 0u);
    out.wait_for_idle = std::exchange(waits_, false);
    if (reads) {
        want |= std::exchange(reads_want_, 0u);
        out.invalidate_uche = uche_unknown_ || uche_stale_;
        // All of them are flushed before the invalidation.
        uche_stale_ = 0;
    }
    out.invalidate_color = std::exchange(ccus_[kColor].stale, false);
    out.invalidate_depth = std::exchange(ccus_[kDepth].stale, false);
    out.flush_color = want >> kColor & 1;
    out.flush_depth = want >> kDepth & 1;
    out.resolve = want >> kResolve & 1;
    out.flush_uche = want >> kUche & 1;
    out.wait_for_idle |= want != 0;
    return out;
}

CacheEvents CacheTracker::place_ccus(bool for_tiles, bool color, bool depth) {
    CacheEvents out;
    if (tiles_ != for_tiles) {
        tiles_ = for_tiles;
        // The CCUs lose their lines: dirty ones are flushed now. Clean ones would be hit at the new place, so
        // a CCU is invalidated before it is used again.
        out.flush_color = dirty_[kColor];
        out.flush_depth = dirty_[kDepth];
        out.wait_for_idle = dirty_[kColor] || dirty_[kDepth];
        for (Ccu& ccu : ccus_)
            ccu.moved |= ccu.used;
    }
    out.invalidate_color = color && ccus_[kColor].moved;
    out.invalidate_depth = depth && ccus_[kDepth].moved;
    return out;
}

CacheEvents CacheTracker::sync(CacheEvents what) {
    what.invalidate_color &= ccus_[kColor].used;
    what.invalidate_depth &= ccus_[kDepth].used;
    // An invalidation would lose dirty lines: they are flushed first.
    what.flush_color = dirty_[kColor] && (what.flush_color || what.invalidate_color);
    what.flush_depth = dirty_[kDepth] && (what.flush_depth || what.invalidate_depth);
    what.resolve &= dirty_[kResolve];
    what.wait_for_idle |= what.invalidates();
    dirty_[kColor] &= !what.flush_color;
    dirty_[kDepth] &= !what.flush_depth;
    dirty_[kResolve] &= !what.resolve;
    dirty_[kUche] &= !(what.flush_uche && what.wait_for_idle);
    if (what.invalidate_color) ccus_[kColor] = {.invalidated = ccus_[kColor].invalidated};
    if (what.invalidate_depth) ccus_[kDepth] = {.invalidated = ccus_[kDepth].invalidated};
    if (what.wait_for_idle) finish_step(what.invalidate_uche);
    return what;
}

void CacheTracker::finish_step(bool invalidates_uche) {
    uche_unknown_ &= !invalidates_uche;
    waits_ = false;
    for (unsigned c = 0; c < kCaches; ++c) {
        const unsigned bit = dirty_[c] ? 0 : 1u << c;
        targets_want_ &= ~bit;
        reads_want_ &= ~bit;
        if (bit) flushed_[c] = step_;
        if (!invalidates_uche) continue;
        synced_[c] = flushed_[c];
        uche_stale_ &= ~bit;
    }
    for (Ccu& ccu : ccus_)
        if (!ccu.used) ccu.invalidated = step_;
    unsynced_ = *std::min_element(synced_, synced_ + kUche) + 1;
    ++step_;
}

}  // namespace terrazzo::adreno
