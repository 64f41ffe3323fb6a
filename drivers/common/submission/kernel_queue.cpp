// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/submission/kernel_queue.h"

#include <algorithm>
#include <cerrno>
#include <string>

#include "pipe/time_limit.h"

namespace terrazzo::submission {

using memory::WaitResult;

namespace {

constexpr int kHighest = 2;  // priority

}  // namespace

KernelQueue::KernelQueue(pipe::Ref<memory::Device> device, int priority)
    : device_(std::move(device)), priority_(std::clamp(priority, 0, kHighest)) {}

bool KernelQueue::init() {
    timeline_ = memory::Timeline::create(*device_);
    return timeline_ && open();
}

bool KernelQueue::open() {
    uint32_t id = 0;
    int error = create_queue(&id);
    if (priority_ == kHighest && (error == -EACCES || error == -EPERM || error == -EINVAL)) {
        priority_--;
        error = create_queue(&id);
    }
    if (error) return refuse("the kernel does not create a queue", error);
    id_ = id;
    if (timeline_->attach(id, last_point_)) return true;
    close();
    return false;
}

void KernelQueue::close() {
    if (!id_) return;
    timeline_->detach();
    destroy_queue(*id_);
    id_.reset();
}

void KernelQueue::finish() {
    abandon();
    close();
}

void KernelQueue::abandon() {
    if (!last_point_ || timeline_->wait(last_point_, pipe::kAbandonedLimit_ns) != WaitResult::Timeout) return;
    close();
    (void)timeline_->wait(last_point_, UINT64_MAX);  // the kernel signals cancelled work, too
}

bool KernelQueue::refuse(const char* what, int error) const {
    device_->log()(pipe::Severity::Error, std::string(device_->vendor) + ": " + memory::reason(what, error));
    return false;
}

QueueState KernelQueue::take_state() {
    if (reported_) return QueueState::Usable;
    const QueueState state = id_ ? timeline_->queue_state() : QueueState::Guilty;
    reported_ = state != QueueState::Usable;
    return state;
}

bool KernelQueue::prepare() {
    if (!reported_) return id_.has_value();
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
