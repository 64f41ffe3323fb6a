// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Which reader may read a write: memory as readers see it, and the missing operation.
#include <algorithm>

#include "drivers/adreno/sim/cp/caches.h"
#include "drivers/common/host/text.h"

namespace terrazzo::adreno::sim {

namespace {

struct WriterRow {
    const char* name;    // of what it wrote; null: by the draw's number
    const char* holder;  // the unit or cache that holds a write
    const char* flush;   // the event or packet that writes it to memory
};
// By Writer.
constexpr WriterRow kWriters[] = {
    {nullptr, "the colour CCU", "PC_CCU_FLUSH_COLOR_TS"},
    {nullptr, "the depth CCU", "PC_CCU_FLUSH_DEPTH_TS"},
    {"what the 2D engine wrote", "the colour CCU", "PC_CCU_FLUSH_COLOR_TS"},
    {"what a BLIT event wrote", "the cache of BLIT events", "PC_CCU_RESOLVE_TS"},
    {nullptr, "the UCHE", "CACHE_FLUSH_TS"},
    {"what the CP wrote", "the CP's queue", "CP_WAIT_MEM_WRITES"},
    {"what an event writes", "work that runs", "CP_WAIT_FOR_IDLE"},
};
const WriterRow& row_of(Writer by) {
    return kWriters[unsigned(by)];
}

std::string name_of(Writer by, uint32_t draw) {
    const char* const name = row_of(by).name;
    return name ? name : "what draw " + std::to_string(draw) + " wrote";
}

}  // namespace

// ---- Memory as readers see it ----

window::Mapping Caches::View::find(uint64_t va) {
    window::Mapping m = caches_.memory_.find(va);
    if (!m.end) return m;
    if (reader_ == Reader::Uche && caches_.strict_ &&
        (!caches_.uche_invalidated || caches_.uche_invalidated > caches_.idle)) {
        m.readable = false;
        return m;
    }
    const auto next = std::upper_bound(refused.begin(), refused.end(), va,
                                       [](uint64_t at, const Refused& r) { return at < r.end; });
    uint64_t begin = m.begin, end = m.end;
    if (next != refused.begin()) begin = std::max(begin, std::prev(next)->end);
    if (next != refused.end()) {
        if (va >= next->begin) {
            m.readable = false;
            begin = std::max(m.begin, next->begin);
            end = std::min(end, next->end);
        } else {
            end = std::min(end, next->begin);
        }
    }
    m.host += begin - m.begin;
    m.begin = begin;
    m.end = end;
    return m;
}

uint64_t Caches::View::epoch() const {
    return caches_.memory_.epoch() + caches_.version_;
}

std::string Caches::View::refusal(uint64_t va) {
    return caches_.check(reader_, va, 1, "it");
}

bool Caches::update() {
    if (!changed_) return false;
    changed_ = false;
    forget_finished();
    bool grew = false;
    for (View* view : {&uche_, &processor_}) {
        std::vector<Refused> ranges = refused_for(view == &uche_ ? Reader::Uche : Reader::Processor);
        const auto same = [](const Refused& a, const Refused& b) {
            return a.begin == b.begin && a.end == b.end;
        };
        if (std::equal(ranges.begin(), ranges.end(), view->refused.begin(), view->refused.end(), same))
            continue;
        grew |= view == &uche_ && !ranges.empty();
        view->refused = std::move(ranges);
        ++version_;
    }
    return grew;
}

std::vector<Caches::Refused> Caches::refused_for(Reader reader) const {
    std::vector<Refused> out;
    for (const Write& w : writes)
        if (missing(w, reader, kNobody) != Missing::Nothing) out.push_back({w.range.begin, w.range.end});
    std::sort(out.begin(), out.end(), [](const Refused& a, const Refused& b) { return a.begin < b.begin; });
    size_t n = 0;
    for (const Refused& r : out) {
        if (n && r.begin <= out[n - 1].end)
            out[n - 1].end = std::max(out[n - 1].end, r.end);
        else
            out[n++] = r;
    }
    out.resize(n);
    return out;
}

// ---- Which reader may read ----

bool Caches::is_own(Writer by, unsigned ccu) {
    return ccu == kDepth ? by == Writer::Depth : by == Writer::Color || by == Writer::Engine2d;
}

Caches::Missing Caches::to_memory(const Write& w) const {
    if (w.by == Writer::Event) return w.at <= idle ? Missing::Nothing : Missing::End;
    if (!w.flushed) return Missing::Flush;
    return w.by == Writer::Processor || w.flushed <= idle ? Missing::Nothing : Missing::IdleAfterFlush;
}

Caches::Missing Caches::missing_of_ccu(const Write& w, unsigned ccu, unsigned key) const {
    const bool own = is_own(w.by, ccu);
    // Its lines stay valid after a flush, for accesses with the same target.
    if (own && w.key == key && !w.ccu_invalidated[ccu]) return Missing::Nothing;
    if (const Missing m = to_memory(w); m != Missing::Nothing) return m;
    if (!own && !w.stale_in_ccu[ccu]) return Missing::Nothing;
    if (!w.ccu_invalidated[ccu]) return Missing::Invalidation;
    return w.ccu_invalidated[ccu] <= idle ? Missing::Nothing : Missing::IdleAfterInvalidation;
}

Caches::Missing Caches::missing(const Write& w, Reader reader, unsigned key) const {
    switch (reader) {
        case Reader::Uche: {
            if (w.by == Writer::Uche) return orders_stores && w.at > idle ? Missing::End : Missing::Nothing;
            if (const Missing m = to_memory(w); m != Missing::Nothing) return m;
            if (!w.uche_invalidated) return Missing::Invalidation;
            return w.uche_invalidated <= idle ? Missing::Nothing : Missing::IdleAfterInvalidation;
        }
        case Reader::Resolve:
            // BLIT events share one cache. (And rows of a bin extend into its neighbours.)
            return w.by == Writer::Resolve ? Missing::Nothing : to_memory(w);
        case Reader::Processor:
            return to_memory(w);
        case Reader::EarlyProcessor: {
            if (const Missing m = to_memory(w); m != Missing::Nothing) return m;
            const bool waited =
                w.by == Writer::Processor ? w.flushed <= early_writes : std::max(w.at, w.flushed) <= early;
            return waited ? Missing::Nothing : Missing::WaitForMe;
        }
        case Reader::ColorCcu:
            return missing_of_ccu(w, kColor, key);
        case Reader::DepthCcu:
            return missing_of_ccu(w, kDepth, key);
    }
    return Missing::Nothing;
}

std::string Caches::text(const Write& w, Missing missing, Reader reader) {
    const WriterRow& way = row_of(w.by);
    const char* const event = reader == Reader::ColorCcu   ? "PC_CCU_INVALIDATE_COLOR"
                              : reader == Reader::DepthCcu ? "PC_CCU_INVALIDATE_DEPTH"
                                                           : "CACHE_INVALIDATE";
    switch (missing) {
        case Missing::Nothing:
            break;
        case Missing::Flush:
            return std::string("which ") + way.holder + " holds: " + way.flush + " is missing";
        case Missing::IdleAfterFlush:
            return std::string("which ") + way.holder + " may still hold: a CP_WAIT_FOR_IDLE after " +
                   way.flush + " is missing";
        case Missing::End:
            return "which may not be there yet: a CP_WAIT_FOR_IDLE, or a wait for the value, is missing";
        case Missing::Invalidation:
            return std::string("and ") + (reader == Reader::Uche ? "the UCHE" : "the CCU") +
                   " may hold what was there before: " + event + " is missing";
        case Missing::IdleAfterInvalidation:
            return std::string("and a CP_WAIT_FOR_IDLE after ") + event + " is missing";
        case Missing::WaitForMe:
            return "and the CP looks at the packet early: CP_WAIT_FOR_ME is missing";
    }
    return "";
}

std::string Caches::check_writes(Reader reader, Range range, unsigned key, const std::string& what) const {
    for (const Write& w : writes) {
        if (!w.range.overlaps(range.begin, range.end - range.begin)) continue;
        const Missing m = missing(w, reader, key);
        if (m != Missing::Nothing)
            return what + " at " + host::hex_text(std::max(w.range.begin, range.begin)) + " is " +
                   name_of(w.by, w.draw) + ", " + text(w, m, reader);
    }
    return "";
}

std::string Caches::check(Reader reader, uint64_t va, uint64_t size_B, const std::string& what) const {
    if (reader == Reader::Uche && strict_ && !uche_invalidated)
        return what + " at " + host::hex_text(va) +
               " is read through the UCHE, which may hold what was there before the submit: no "
               "CACHE_INVALIDATE came";
    if (reader == Reader::Uche && strict_ && uche_invalidated > idle)
        return what + " at " + host::hex_text(va) +
               " is read through the UCHE: a CP_WAIT_FOR_IDLE after CACHE_INVALIDATE is missing";
    return check_writes(reader, {va, va + size_B}, 0, what);
}

std::string Caches::check_lrz(uint64_t va, uint64_t size_B) const {
    for (const Write& w : writes) {
        if (!w.range.overlaps(va, size_B) || (!is_own(w.by, kColor) && !is_own(w.by, kDepth))) continue;
        const Missing m = !w.flushed            ? Missing::Flush
                          : !w.uche_invalidated ? Missing::Invalidation
                                                : Missing::Nothing;
        if (m != Missing::Nothing)
            return "LRZ's buffer at " + host::hex_text(w.range.begin) + " is " + name_of(w.by, w.draw) +
                   ", " + text(w, m, Reader::Uche);
    }
    return "";
}

std::string Caches::check_polled(uint64_t va) const {
    for (const Write& w : writes)
        if (w.by == Writer::Processor && !w.flushed && w.range.overlaps(va, 4))
            return "the value at " + host::hex_text(va) + " is " + name_of(w.by, w.draw) + ", " +
                   text(w, Missing::Flush, Reader::Processor);
    return "";
}

std::string Caches::check_target(unsigned ccu, Range range, unsigned key, const char* what) const {
    if (moved[ccu])
        return std::string(what) + " goes through a CCU that has lines from before its memory moved: " +
               (ccu == kColor ? "PC_CCU_INVALIDATE_COLOR" : "PC_CCU_INVALIDATE_DEPTH") + " is missing";
    return check_writes(ccu == kColor ? Reader::ColorCcu : Reader::DepthCcu, range, key, what);
}

std::string Caches::move_ccus() {
    for (const Write& w : writes)
        if ((is_own(w.by, kColor) || is_own(w.by, kDepth)) && !w.flushed)
            return "one holds " + name_of(w.by, w.draw) + " at " + host::hex_text(w.range.begin) + ": " +
                   row_of(w.by).flush + " is missing";
    for (const unsigned ccu : {kColor, kDepth})
        moved[ccu] |= !held[ccu].empty();
    return "";
}

std::string Caches::end_submit() const {
    for (const Write& w : writes) {
        if (w.flushed || (!is_own(w.by, kColor) && !is_own(w.by, kDepth))) continue;
        return std::string("the submit ends while ") + row_of(w.by).holder + " holds " +
               name_of(w.by, w.draw) + " at " + host::hex_text(w.range.begin) + ": " + row_of(w.by).flush +
               " is missing";
    }
    return "";
}

}  // namespace terrazzo::adreno::sim
