// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/submission/queued_recording.h"

#include <new>

namespace terrazzo::submission {

memory::Block QueuedRecording::create_block(uint32_t size_B, uint32_t align_B) {
    memory::Block block = pool.device().create_block(size_B, align_B);
    if (!block) throw std::bad_alloc();
    return block;
}

bool QueuedRecording::submit() {
    if (!recorded_B()) {
        drop_uses();  // of passes that recorded nothing
        return true;
    }
    finish_streams();
    const Needs needs = begin_submission(*timeline());
    uint64_t point = 0;
    try {
        point = submit_streams(needs);
    } catch (...) {  // before the kernel's request: none of the work runs
        end_submission(timeline(), 0);
        begin_streams(false);
        throw;
    }
    end_submission(timeline(), point);
    if (!point) lost_ = queue_->take_state();
    begin_streams(point != 0);
    return point != 0;
}

void QueuedRecording::discard() {
    discard_streams();
    Recording::discard();
    begin_streams(false);
}

memory::WaitResult QueuedRecording::finish() {
    const memory::WaitResult r =
        last_point() ? timeline()->wait(last_point(), ~uint64_t(0)) : memory::WaitResult::Done;
    retire();
    return r;
}

}  // namespace terrazzo::submission
