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
    [[nodiscard]] bool submit();
    /// Discards the recorded work: the queue that replaces a lost one begins without any.
    void discard();
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

    // --- a vendor's part
    /// Whether no work is recorded.
    [[nodiscard]] virtual bool is_empty() const = 0;
    /// Ends the streams. Throws std::bad_alloc.
    virtual void finish_streams() = 0;
    /// Submits the streams. Returns what the queue returns: a point, or 0 if none of the work runs.
    [[nodiscard]] virtual uint64_t submit_streams(const Needs& needs) = 0;
    virtual void discard_streams() = 0;
    /// Called after a submission or discard(). `ran`: the recorded work was submitted.
    virtual void begin_streams(bool ran) = 0;

  private:
    const std::unique_ptr<KernelQueue> queue_;
    QueueState lost_ = QueueState::Usable;
};

}  // namespace terrazzo::submission
