// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context's queue of the kernel (panthor: a group of three; msm: a submitqueue), its timeline, and what becomes of them when
// the kernel gives the queue up: that is reported once, and then another queue is created. A vendor's queue derives
// from it. One thread (but for the timeline).
#pragma once

#include <cstdint>

#include "drivers/common/memory/device.h"
#include "drivers/common/memory/timeline.h"

namespace terrazzo::submission {

using memory::QueueState;

class KernelQueue {
  public:
    virtual ~KernelQueue() = default;
    KernelQueue(const KernelQueue&) = delete;
    KernelQueue& operator=(const KernelQueue&) = delete;

    const pipe::Ref<memory::Timeline>& timeline() const { return timeline_; }
    uint64_t last_point() const { return last_point_; }
    /// The one that the kernel has given, as in pipe::ContextDesc.
    [[nodiscard]] virtual int priority() const = 0;
    /// Ends the queue's work where it goes on for longer than pipe::kAbandonedLimit_ns, and waits for its end.
    void abandon();
    /// A lost queue is replaced by the next prepare(), after this has reported it, which it does once.
    [[nodiscard]] QueueState take_state();
    /// Before streams are built, and before each submission: replaces a queue that was lost and reported. False: there is none.
    [[nodiscard]] bool prepare();
    /// How often a queue was replaced.
    uint32_t generation() const { return generation_; }

  protected:
    explicit KernelQueue(pipe::Ref<memory::Device> device) : device_(std::move(device)) {}
    /// The first queue. False: out of memory, or refused.
    [[nodiscard]] bool init();
    /// Waits for what was submitted. Each vendor's destructor calls it.
    void finish();
    /// Says in the log that the kernel refused something; `error`: an errno, negative. False.
    bool refuse(const char* what, int error) const;
    /// The kernel has taken (error 0) or refused the next point's work: the point, or 0. Waits for what was submitted
    /// kMostInFlight points ago: programs that never wait, as compositors whose frames nobody asks for, get no further ahead.
    [[nodiscard]] uint64_t note_submission(int error);

    /// Creates a queue; `*id`: what Kernel::queue_state() knows it by. False: refused, which was logged. destroy_queue() is
    /// called in either case.
    [[nodiscard]] virtual bool create_queue(uint32_t* id) = 0;
    /// What create_queue() has made, if anything.
    virtual void destroy_queue() = 0;

    const pipe::Ref<memory::Device> device_;

  private:
    static constexpr uint64_t kMostInFlight = 32, kThrottle_ns = 1'000'000'000;  // at most so long
    [[nodiscard]] bool open();
    void close();

    pipe::Ref<memory::Timeline> timeline_;
    uint64_t last_point_ = 0;
    uint32_t generation_ = 0;
    bool open_ = false, reported_ = false;  // that it is lost
};

}  // namespace terrazzo::submission
