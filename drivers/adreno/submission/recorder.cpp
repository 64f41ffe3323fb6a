// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/submission/recorder.h"

#include <new>
#include <utility>
#include <vector>

#include "drivers/adreno/passes/restore.h"

namespace terrazzo::adreno {

Recorder::Recorder(pipe::Ref<Device> device, std::unique_ptr<Queue> queue)
    : Recording(device), main(pool), device_(std::move(device)), queue_(std::move(queue)) {
    fence_ = device_->create_block(64, 64);
    if (!fence_) throw std::bad_alloc();
    forget_caches();
}

void Recorder::forget_caches() {
    constexpr unsigned kStepBits = 20;  // of a submission
    color_dirty_ = depth_dirty_ = resolve_dirty_ = color_used_ = depth_used_ = called_used_color_ = false;
    reads_stale_ = targets_stale_ = writes_pending_ = tiles_ = lrz_known_ = lrz_wrote_ = false;
    lrz_va_ = 0;
    flushed_step_ = synced_step_ = targets_step_ = serial() << kStepBits;
    step_ = synced_step_ + 1;
}

Recorder::~Recorder() {
    queue_->abandon();
}

void Recorder::note_written(AdrenoResource& r, CachePath path, unsigned key) {
    const uint64_t before = r.written.load(std::memory_order_relaxed);
    uint64_t now = step_ << kWriterBits | uint64_t(path) << kKeyBits | key;
    // By several: nobody can go on.
    if (before >> kWriterBits == step_ && before != now) now = step_ << kWriterBits;
    r.written.store(now, std::memory_order_relaxed);
}

void Recorder::use_target(const AdrenoResource& r, CachePath path, unsigned key) {
    const uint64_t written = r.written.load(std::memory_order_relaxed), step = written >> kWriterBits;
    const uint64_t by = uint64_t(path) << kKeyBits | key;
    // Its lines are good for who goes on.
    if (step <= targets_step_ || (written & ((1u << kWriterBits) - 1)) == by) return;
    targets_stale_ |= path == CachePath::Depth ? depth_used_ : path != CachePath::Resolve && color_used_;
    writes_pending_ |= step > flushed_step_;
}

void Recorder::sync_stale() {
    const bool reads = std::exchange(reads_stale_, false), targets = std::exchange(targets_stale_, false);
    if (!std::exchange(writes_pending_, false) && !reads && !targets) return;
    sync_caches(main, {.flush_color = color_dirty_,
                       .flush_depth = depth_dirty_,
                       .invalidate_color = targets,
                       .invalidate_depth = targets,
                       .resolve = resolve_dirty_,
                       .invalidate_uche = reads,
                       .wait_for_idle = true});
}

void Recorder::place_ccus(bool for_tiles) {
    if (tiles_ != for_tiles) {
        // Nothing may be left behind. Lines that are in memory, too, are in the way of who uses the CCU again.
        sync_caches(main, {.flush_color = color_dirty_,
                           .flush_depth = depth_dirty_,
                           .invalidate_color = !for_tiles,
                           .invalidate_depth = !for_tiles,
                           .wait_for_idle = color_dirty_ || depth_dirty_});
        tiles_ = for_tiles;
    }
    if (for_tiles)
        write_gmem_ccu(main, device_->chip());
    else
        write_sysmem_ccu(main, device_->chip());
}

// The UCHE would write what LRZ has left there over what the engine fills.
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

void Recorder::sync_caches(CsBuilder& cs, Caches what) {
    const bool invalidates = what.invalidate_color || what.invalidate_depth || what.invalidate_uche;
    if (&cs == &main) {
        what.flush_color |= color_dirty_ && invalidates;
        what.flush_depth |= depth_dirty_ && invalidates;
        what.resolve |= resolve_dirty_ && invalidates;
        // The kernel invalidates the CCUs before each submission.
        what.invalidate_color &= color_used_;
        what.invalidate_depth &= depth_used_;
        color_used_ &= !what.invalidate_color;
        depth_used_ &= !what.invalidate_depth;
        color_dirty_ &= !what.flush_color;
        depth_dirty_ &= !what.flush_depth;
        resolve_dirty_ &= !what.resolve;
        reads_stale_ &= !what.invalidate_uche;
    } else {
        called_used_color_ |= what.flush_color;
    }
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
    const bool waits = what.wait_for_idle || what.invalidate_color || what.invalidate_depth ||
                       what.invalidate_uche || (invalidates && (what.flush_color || what.flush_depth));
    if (!waits) return;
    cs.wait_for_idle();
    if (&cs != &main || color_dirty_ || depth_dirty_ || resolve_dirty_) return;
    flushed_step_ = step_++;
    if (what.invalidate_uche) synced_step_ = flushed_step_;
    if (!color_used_ && !depth_used_) targets_step_ = flushed_step_;
}

bool Recorder::submit() {
    if (empty()) {
        drop_uses();
        return true;
    }
    // The kernel flushes the UCHE, and waits.
    if (color_dirty_ || depth_dirty_)
        sync_caches(main, {.flush_color = color_dirty_, .flush_depth = depth_dirty_});
    const std::span<const Segment> stream = main.finish();
    const std::vector<Point> waits = begin_submission(*queue_->timeline());
    const uint64_t point = queue_->submit(stream, waits);
    end_submission(queue_->timeline(), point);
    main.discard();
    dispatching = false;
    forget_caches();
    if (!point) lost_ = queue_->take_state();
    return point != 0;
}

void Recorder::discard() {
    main.discard();
    dispatching = false;
    Recording::discard();
    forget_caches();
}

WaitResult Recorder::finish() {
    const WaitResult r =
        last_point() ? queue_->timeline()->wait(last_point(), ~uint64_t(0)) : WaitResult::Done;
    retire();
    return r;
}

}  // namespace terrazzo::adreno
