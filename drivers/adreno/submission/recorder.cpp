// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/submission/recorder.h"

#include <utility>
#include <vector>

#include "drivers/adreno/submission/restore.h"

namespace terrazzo::adreno {

void Recorder::begin_streams(bool) {
    main.discard();
    dispatching = false;
    caches_.begin_submission(serial());
    called_used_color_ = stores_ = lrz_known_ = lrz_wrote_ = false;
    lrz_va_ = 0;
}

void Recorder::sync_for_sysmem(bool reads, bool color, bool depth) {
    CacheEvents what = caches_.take_missing(reads);
    what |= caches_.place_ccus(false, color, depth);
    sync_caches(main, what);
    write_sysmem_ccu(main, device().chip());
}

void Recorder::sync_for_tiles(bool reads, bool engine) {
    CacheEvents what = caches_.take_missing(reads);
    what |= caches_.place_ccus(true, engine, false);
    sync_caches(main, what);
    write_gmem_ccu(main, device().chip());
}

void Recorder::sync_for_dispatch(CacheEvents what) {
    what |= caches_.take_missing(false);
    sync_caches(main, what);
}

// Dirty lines of LRZ in the UCHE would otherwise overwrite what the 2D engine fills.
void Recorder::begin_lrz_clear() {
    if (!std::exchange(lrz_wrote_, false)) return;
    sync_caches(main, {.invalidate_color = true, .flush_uche = true, .wait_for_idle = true});
}

bool Recorder::use_lrz(uint64_t va) {
    if (!va) return false;
    const bool flush = !lrz_known_ || (lrz_va_ && lrz_va_ != va);
    lrz_known_ = true;
    lrz_va_ = va;
    return flush;
}

void Recorder::end_lrz(bool wrote, bool flushed) {
    lrz_wrote_ |= wrote;
    lrz_known_ = flushed;
    lrz_va_ = 0;
}

void Recorder::sync_caches(CsBuilder& cs, CacheEvents what) {
    if (&cs == &main)
        what = caches_.sync(what);
    else
        called_used_color_ |= what.flush_color;
    const auto timed = [&](hw::EventType type) {
        cs.packet(hw::CpEventWrite{
            .event = type, .timestamp = true, .address = fence_.va, .value = ++event_number_});
    };
    if (what.flush_color) timed(hw::EventType::PC_CCU_FLUSH_COLOR_TS);
    if (what.flush_depth) timed(hw::EventType::PC_CCU_FLUSH_DEPTH_TS);
    if (what.invalidate_color) cs.event(hw::EventType::PC_CCU_INVALIDATE_COLOR);
    if (what.invalidate_depth) cs.event(hw::EventType::PC_CCU_INVALIDATE_DEPTH);
    if (what.resolve) timed(hw::EventType::PC_CCU_RESOLVE_TS);
    if (what.flush_uche) timed(hw::EventType::CACHE_FLUSH_TS);
    if (what.invalidate_uche) cs.event(hw::EventType::CACHE_INVALIDATE);
    if (what.wait_for_idle || what.invalidates()) cs.wait_for_idle();
}

/// The kernel flushes the UCHE after the stream, and waits.
void Recorder::finish_streams() {
    sync_caches(main, {.flush_color = true, .flush_depth = true});
}

uint64_t Recorder::submit_streams(const submission::Needs& needs) {
    return queue().submit(main.finish(), needs);
}

}  // namespace terrazzo::adreno
