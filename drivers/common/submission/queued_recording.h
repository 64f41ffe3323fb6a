// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The recording of a context, and the queue that it is submitted to. A vendor's recorder adds its streams and
// submits them. One thread.
#pragma once

#include <memory>

#include "drivers/common/submission/kernel_queue.h"
#include "drivers/common/submission/recording.h"

namespace terrazzo::submission {

class QueuedRecording : public Recording {
  public:
    [[nodiscard]] KernelQueue& queue() const { return *queue_; }
    [[nodiscard]] const pipe::Ref<Timeline>& timeline() const { return queue_->timeline(); }
    /// The point of the last submission.
    [[nodiscard]] uint64_t last_point() const { return queue_->last_point(); }
    /// Submits all recorded work. False: the work and the queue are lost; the next recording begins in a new
    /// queue. Throws std::bad_alloc.
    [[nodiscard]] virtual bool submit() = 0;
    /// Discards the recorded work: the queue that replaces a lost one begins without any.
    virtual void discard() = 0;
    /// Releases what completed submissions used.
    virtual void retire() { Recording::retire(*timeline()); }
    /// Why the last failed submission failed.
    [[nodiscard]] QueueState lost() const { return lost_; }
    /// Waits for all submissions.
    memory::WaitResult finish();

  protected:
    QueuedRecording(pipe::Ref<memory::Device> device, std::unique_ptr<KernelQueue> queue)
        : Recording(std::move(device)), queue_(std::move(queue)) {}
    /// A vendor's destructor has abandoned the queue before: the GPU no longer uses what this object owns.
    virtual ~QueuedRecording() = default;
    /// Called after begin_submission(). `point`: what the queue returned for the work, 0 if none of it runs;
    /// then returns false.
    [[nodiscard]] bool end_submission(uint64_t point);

  private:
    const std::unique_ptr<KernelQueue> queue_;
    QueueState lost_ = QueueState::Usable;
};

}  // namespace terrazzo::submission
