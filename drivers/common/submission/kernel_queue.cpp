// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/submission/kernel_queue.h"

#include <cstring>
#include <string>

#include "pipe/time_limit.h"

namespace terrazzo::submission {

using memory::WaitResult;

bool KernelQueue::init() {
    timeline_ = memory::Timeline::create(*device_);
    return timeline_ && open();
}

bool KernelQueue::open() {
    uint32_t id = 0;
    open_ = create_queue(&id) && timeline_->attach(id, last_point_);
    if (!open_) destroy_queue();
    return open_;
}

void KernelQueue::close() {
    if (open_) timeline_->detach();
    destroy_queue();
    open_ = false;
}

void KernelQueue::finish() {
    abandon();
    if (timeline_) close();
}

void KernelQueue::abandon() {
    if (!last_point_ || timeline_->wait(last_point_, pipe::kAbandonedLimit_ns) != WaitResult::Timeout) return;
    close();
    (void)timeline_->wait(last_point_, UINT64_MAX);  // the kernel signals cancelled work, too
}

bool KernelQueue::refuse(const char* what, int error) const {
    device_->log()(pipe::Severity::Error,
                   std::string(device_->vendor) + ": " + what + ": " + strerror(-error));
    return false;
}

QueueState KernelQueue::take_state() {
    if (reported_) return QueueState::Usable;
    const QueueState state = open_ ? timeline_->queue_state() : QueueState::Guilty;
    reported_ = state != QueueState::Usable;
    return state;
}

bool KernelQueue::prepare() {
    if (!reported_) return open_;
    // The kernel has signalled all work of the lost queue: nothing of it is running.
    if (last_point_) (void)timeline_->wait(last_point_, UINT64_MAX);
    close();
    generation_++;
    reported_ = false;  // if open() fails, the loss is reported again
    return open();
}

uint64_t KernelQueue::note_submission(int error) {
    if (error) {
        if (timeline_->queue_state() == QueueState::Usable) refuse("the kernel refuses work", error);
        return 0;
    }
    timeline_->note_submitted(++last_point_);
    if (last_point_ > kMostInFlight) (void)timeline_->wait(last_point_ - kMostInFlight, kThrottle_ns);
    return last_point_;
}

}  // namespace terrazzo::submission
