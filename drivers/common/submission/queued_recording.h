// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The recording of a context, and the queue that takes it. A vendor's recorder adds its streams and hands
// them over. One thread.
#pragma once

#include <memory>

#include "drivers/common/submission/kernel_queue.h"
#include "drivers/common/submission/recording.h"

namespace terrazzo::submission {

class QueuedRecording : public Recording {
  public:
    [[nodiscard]] KernelQueue& queue() const { return *queue_; }
    [[nodiscard]] const pipe::Ref<Timeline>& timeline() const { return queue_->timeline(); }
    /// The last submission's.
    [[nodiscard]] uint64_t last_point() const { return queue_->last_point(); }
    /// Hands everything to the kernel. False: it was lost (the queue is; the next recording begins in a new
    /// one). Throws
    /// std::bad_alloc.
    [[nodiscard]] virtual bool submit() = 0;
    /// Forgets what is recorded: a lost queue's successor begins with nothing.
    virtual void discard() = 0;
    /// Lets go of what finished submissions used.
    virtual void retire() { Recording::retire(*timeline()); }
    /// Why the last submission that failed did.
    [[nodiscard]] QueueState lost() const { return lost_; }
    /// Waits for all submissions.
    memory::WaitResult finish();

  protected:
    QueuedRecording(pipe::Ref<memory::Device> device, std::unique_ptr<KernelQueue> queue)
        : Recording(std::move(device)), queue_(std::move(queue)) {}
    /// A vendor's destructor has abandoned the queue: what it owns is not in use any more.
    virtual ~QueuedRecording() = default;
    /// Behind begin_submission(): `point` is what the queue has given for the work, 0 where nothing of it
    /// runs. False then.
    [[nodiscard]] bool end_submission(uint64_t point);

  private:
    const std::unique_ptr<KernelQueue> queue_;
    QueueState lost_ = QueueState::Usable;
};

}  // namespace terrazzo::submission
