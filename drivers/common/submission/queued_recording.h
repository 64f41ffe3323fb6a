// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The recording of a context, and the queue that it is submitted to. A vendor's recorder adds its streams and
// submits them. One thread.
#pragma once

#include <array>
#include <memory>
#include <utility>

#include "drivers/common/submission/kernel_queue.h"
#include "drivers/common/submission/recording.h"

namespace terrazzo::submission {

class QueuedRecording : public Recording {
  public:
    [[nodiscard]] KernelQueue& queue() const { return *queue_; }
    /// Whether the work should be submitted when no pass is open.
    [[nodiscard]] bool is_much() const { return recorded_B() > kMuch_B || is_awaited(); }
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
    /// Memory that the recording owns. Throws std::bad_alloc.
    [[nodiscard]] memory::Block create_block(uint32_t size_B, uint32_t align_B);
    QueuedRecording(pipe::Ref<memory::Device> device, std::unique_ptr<KernelQueue> queue)
        : Recording(std::move(device)), queue_(std::move(queue)) {}
    /// If work was submitted, the owner must have called KernelQueue::abandon(): after that the GPU does not
    /// use memory that this object owns.
    virtual ~QueuedRecording() = default;

    // --- a vendor's part
    /// The bytes of the streams; 0: no work is recorded.
    [[nodiscard]] virtual uint64_t recorded_B() const = 0;
    /// Ends the streams. Throws std::bad_alloc.
    virtual void finish_streams() = 0;
    /// Submits the streams. Returns what the queue returns: a point, or 0 if none of the work runs.
    [[nodiscard]] virtual uint64_t submit_streams(const Needs& needs) = 0;
    virtual void discard_streams() = 0;
    /// Called after a submission or discard(). `ran`: the recorded work was submitted.
    virtual void begin_streams(bool ran) = 0;

  private:
    static constexpr uint64_t kMuch_B = 1 << 20;
    const std::unique_ptr<KernelQueue> queue_;
    QueueState lost_ = QueueState::Usable;
};

/// A vendor's recorder derives from this. `D`, `Q`: its device and its queue. `Builder`: writes a stream into
/// pool memory; it has emitted_B() and discard(). `kStreams`: how many are recorded at once.
template <class D, class Q, class Builder, size_t kStreams = 1>
class VendorRecording : public QueuedRecording {
  public:
    [[nodiscard]] D& device() const { return static_cast<D&>(pool.device()); }
    [[nodiscard]] const auto& chip() const { return device().chip(); }
    [[nodiscard]] Q& queue() const { return static_cast<Q&>(QueuedRecording::queue()); }
    /// Throws std::bad_alloc.
    VendorRecording(pipe::Ref<D> device, std::unique_ptr<Q> queue)
        : VendorRecording(std::move(device), std::move(queue), std::make_index_sequence<kStreams>()) {}

  protected:
    [[nodiscard]] uint64_t recorded_B() const final {
        uint64_t sum_B = 0;
        for (const Builder& b : builders_)
            sum_B += b.emitted_B();
        return sum_B;
    }
    void discard_streams() final {
        for (Builder& b : builders_)
            b.discard();
    }

    std::array<Builder, kStreams> builders_;

  private:
    template <size_t... kIndex>
    VendorRecording(pipe::Ref<D> device, std::unique_ptr<Q> queue, std::index_sequence<kIndex...>)
        : QueuedRecording(std::move(device), std::move(queue)),
          builders_{(static_cast<void>(kIndex), Builder(pool))...} {}
};

}  // namespace terrazzo::submission
