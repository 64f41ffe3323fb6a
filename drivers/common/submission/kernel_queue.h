// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context's kernel queue (panthor: a group of three; msm: a submitqueue) and its timeline. If the kernel
// stops a queue, the loss is reported once, and then another queue is created. A vendor's queue derives from
// this class. One thread, except the timeline.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "drivers/common/memory/device.h"
#include "drivers/common/memory/timeline.h"

namespace terrazzo::submission {

using memory::QueueState;

/// What the kernel must know about a submission in addition to its streams.
struct Needs {
    struct Use {
        uint32_t handle;  // the kernel's handle of an object
        bool write;
    };
    std::vector<memory::Point> waits;  // the submission begins after them
    std::vector<Use> uses;             // also of memory that is shared only while this is submitted
};

class KernelQueue {
  public:
    virtual ~KernelQueue() = default;
    KernelQueue(const KernelQueue&) = delete;
    KernelQueue& operator=(const KernelQueue&) = delete;

    const pipe::Ref<memory::Timeline>& timeline() const { return timeline_; }
    uint64_t last_point() const { return last_point_; }
    /// The priority that the kernel has granted, as in pipe::ContextDesc.
    [[nodiscard]] int priority() const { return priority_; }
    /// Waits for the queue's work. If it takes longer than pipe::kAbandonedLimit_ns, closes the queue, which
    /// cancels the rest.
    void abandon();
    /// The state of the queue. Each loss is reported once; after that the next prepare() replaces the queue.
    [[nodiscard]] QueueState take_state();
    /// Called before streams are built and before each submission: replaces a queue whose loss was reported.
    /// False: there is no queue.
    [[nodiscard]] bool prepare();
    /// The number of times that the queue was replaced.
    uint32_t generation() const { return generation_; }

  protected:
    /// `priority` as in pipe::ContextDesc.
    KernelQueue(pipe::Ref<memory::Device> device, int priority);
    /// Creates the first queue. False: out of memory, or the kernel refused.
    [[nodiscard]] bool init();
    /// Waits for submitted work and closes the queue. The destructor of each class that implements
    /// destroy_queue() calls it.
    void finish();
    /// Logs that the kernel refused something. `error`: a negative errno. Returns false.
    bool refuse(const char* what, int error) const;
    /// The kernel has accepted (`error` 0) or refused the work of the next point. Returns that point, or 0.
    /// Waits for the work submitted kMostInFlight points ago: it throttles programs that never wait, such as
    /// compositors.
    [[nodiscard]] uint64_t note_submission(int error);

    /// Creates a queue with priority(), which it may correct. `*id`: the number for Kernel::queue_state().
    /// Returns 0, or a negative errno: nothing was created, and the reason is logged here. The kernel may
    /// refuse the highest priority (-EACCES, -EPERM, -EINVAL): it is called again with a lower one.
    [[nodiscard]] virtual int create_queue(uint32_t* id) = 0;
    virtual void destroy_queue(uint32_t id) = 0;
    /// Only while the queue exists.
    [[nodiscard]] uint32_t id() const { return *id_; }

    const pipe::Ref<memory::Device> device_;
    int priority_;

  private:
    static constexpr uint64_t kMostInFlight = 32, kThrottle_ns = 1'000'000'000;  // at most this long
    [[nodiscard]] bool open();
    void close();

    pipe::Ref<memory::Timeline> timeline_;
    uint64_t last_point_ = 0;
    uint32_t generation_ = 0;
    std::optional<uint32_t> id_;  // empty: there is no queue
    bool reported_ = false;       // that it is lost
};

/// `Self` is a vendor's queue, which derives from this, and `D` its device. Self has
///   using VendorQueue::VendorQueue, or Self(pipe::Ref<D>, int priority)
///   bool allocate()       optional. False: out of memory
///   struct DestroyQueue   the argument of the request that destroys a queue; begins with its number
///   static constexpr unsigned long kDestroyQueue
template <class Self, class D>
class VendorQueue : public KernelQueue {
  public:
    // The destructor waits for the submitted work.
    /// `priority` as in pipe::ContextDesc; lower if the kernel does not permit it. Null: out of memory, or
    /// the kernel refused (see the log).
    [[nodiscard]] static std::unique_ptr<Self> create(pipe::Ref<D> device, int priority) {
        try {
            std::unique_ptr<Self> queue(new Self(std::move(device), priority));
            if constexpr (requires { queue->allocate(); })
                if (!queue->allocate()) return nullptr;
            return queue->init() ? std::move(queue) : nullptr;
        } catch (const std::bad_alloc&) {
            return nullptr;
        }
    }

  protected:
    VendorQueue(pipe::Ref<D> device, int priority) : KernelQueue(std::move(device), priority) {}
    ~VendorQueue() override { finish(); }
    void destroy_queue(uint32_t id) override {
        typename Self::DestroyQueue args{id};
        (void)device_->drm().ioctl(Self::kDestroyQueue, &args);
    }
    [[nodiscard]] D& device() const { return static_cast<D&>(*device_); }
};

}  // namespace terrazzo::submission
