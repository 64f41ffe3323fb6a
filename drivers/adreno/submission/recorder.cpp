// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/submission/recorder.h"

#include <new>
#include <utility>
#include <vector>

namespace terrazzo::adreno {

Recorder::Recorder(pipe::Ref<Device> device, std::unique_ptr<Queue> queue)
    : Recording(device), main(pool), device_(std::move(device)), queue_(std::move(queue)) {
    fence_ = device_->create_block(64, 64);
    if (!fence_) throw std::bad_alloc();
    forget_caches();
}

void Recorder::forget_caches() {
    constexpr unsigned kStepBits = 20;  // of a submission
    color_dirty_ = depth_dirty_ = color_used_ = depth_used_ = called_used_color_ = reads_stale_ = false;
    synced_step_ = serial() << kStepBits;
    step_ = synced_step_ + 1;
}

Recorder::~Recorder() {
    queue_->abandon();
}

void Recorder::sync_caches(CsBuilder& cs, Caches what) {
    if (&cs == &main) {
        what.flush_color |= color_dirty_ && (what.invalidate_color || what.invalidate_uche);
        what.flush_depth |= depth_dirty_ && (what.invalidate_depth || what.invalidate_uche);
        // The kernel invalidates the CCUs before each submission.
        color_used_ |= what.flush_color;
        depth_used_ |= what.flush_depth;
        what.invalidate_color &= color_used_;
        what.invalidate_depth &= depth_used_;
        color_used_ &= !what.invalidate_color;
        depth_used_ &= !what.invalidate_depth;
        color_dirty_ &= !what.flush_color;
        depth_dirty_ &= !what.flush_depth;
        if (what.invalidate_uche) synced_step_ = step_++;
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
    // What comes next must not read before caches have done it.
    if (what.wait_for_idle || what.flush_color || what.flush_depth || what.resolve || what.flush_uche ||
        what.invalidate_color || what.invalidate_depth || what.invalidate_uche)
        cs.wait_for_idle();
}

bool Recorder::submit() {
    if (empty()) {
        drop_uses();
        return true;
    }
    // The kernel flushes the UCHE.
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
