// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/submission/queued_recording.h"

namespace terrazzo::submission {

bool QueuedRecording::end_submission(uint64_t point) {
    Recording::end_submission(timeline(), point);
    if (!point) lost_ = queue_->take_state();
    return point != 0;
}

memory::WaitResult QueuedRecording::finish() {
    const memory::WaitResult r =
        last_point() ? timeline()->wait(last_point(), ~uint64_t(0)) : memory::WaitResult::Done;
    retire();
    return r;
}

}  // namespace terrazzo::submission
