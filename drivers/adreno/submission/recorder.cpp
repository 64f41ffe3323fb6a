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
}

Recorder::~Recorder() {
    queue_->abandon();
}

void Recorder::sync_caches(CsBuilder& cs, const Caches& what) {
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
    // The first chips of the generation go on too early behind a flush.
    if (what.wait_for_idle || what.flush_color || what.flush_depth || what.resolve || what.flush_uche)
        cs.wait_for_idle();
}

bool Recorder::submit() {
    if (empty()) {
        drop_uses();
        return true;
    }
    const std::span<const Segment> stream = main.finish();
    const std::vector<Point> waits = begin_submission(*queue_->timeline());
    const uint64_t point = queue_->submit(stream, waits);
    end_submission(queue_->timeline(), point);
    main.discard();
    dispatching = false;
    if (!point) lost_ = queue_->take_state();
    return point != 0;
}

void Recorder::discard() {
    main.discard();
    dispatching = false;
    Recording::discard();
}

WaitResult Recorder::finish() {
    const WaitResult r =
        last_point() ? queue_->timeline()->wait(last_point(), ~uint64_t(0)) : WaitResult::Done;
    retire();
    return r;
}

}  // namespace terrazzo::adreno
