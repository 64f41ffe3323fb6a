// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/submission/recorder.h"

#include <utility>
#include <vector>

namespace terrazzo::adreno {

Recorder::Recorder(pipe::Ref<Device> device, std::unique_ptr<Queue> queue)
    : Recording(device), main(pool), device_(std::move(device)), queue_(std::move(queue)) {}

Recorder::~Recorder() {
    queue_->abandon();
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
    if (!point) lost_ = queue_->take_state();
    return point != 0;
}

void Recorder::discard() {
    main.discard();
    Recording::discard();
}

WaitResult Recorder::finish() {
    const WaitResult r =
        last_point() ? queue_->timeline()->wait(last_point(), ~uint64_t(0)) : WaitResult::Done;
    retire();
    return r;
}

}  // namespace terrazzo::adreno
