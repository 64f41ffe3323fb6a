// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fences: work that will complete or fail (linux/dma-fence.h), and points of a timeline (dma-fence-chain.h).
// The lock of a device's SyncDomain guards everything of that device except the running GPU. It is a "big
// kernel lock", held for the length of an ioctl.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>

namespace terrazzo::winsys::virt {

class ChainFence;

/// Receives the fence's error.
using FenceCallback = std::function<void(int)>;

/// A device's lock, and the condition that wakes waiters. Thread: any.
class SyncDomain {
  public:
    std::mutex mutex;
    /// Notified when a fence signals and when a syncobj changes. Waits use CLOCK_MONOTONIC.
    std::condition_variable changed;

    [[nodiscard]] uint64_t next_context() { return ++last_context_; }  // under the lock

  private:
    friend class Fence;
    struct Waiting {
        FenceCallback callback;
        int error = 0;
    };
    void run(std::list<Waiting>& callbacks, int error);

    std::list<Waiting> pending_;
    uint64_t last_context_ = 0;
    bool running_ = false;
};

/// Signals once. All methods except signaled() need the domain's lock.
class Fence {
  public:
    explicit Fence(SyncDomain& domain) : domain_(domain) {}
    Fence(const Fence&) = delete;
    Fence& operator=(const Fence&) = delete;

    /// A fence that has signalled.
    [[nodiscard]] static std::shared_ptr<Fence> done(SyncDomain& domain, int error = 0);
    /// A fence that signals when all of `parts` have, with the error of the first part in the list that has
    /// one.
    [[nodiscard]] static std::shared_ptr<Fence> all_of(SyncDomain& domain,
                                                       const std::list<std::shared_ptr<Fence>>& parts);

    [[nodiscard]] bool signaled() const { return signaled_; }
    /// 0, or a negative errno of failed work.
    [[nodiscard]] int error() const { return error_; }
    /// When the fence signalled (CLOCK_MONOTONIC).
    [[nodiscard]] uint64_t timestamp_ns() const { return timestamp_ns_; }
    /// Runs `callback` under the lock when the fence signals, or at once if it has signalled. Callbacks never
    /// nest.
    void on_signal(FenceCallback callback);
    /// Allocates nothing. Only the first call has an effect.
    void signal(int error);
    /// Destroys the callbacks, which may hold this fence: it will never signal.
    void abandon() { callbacks_.clear(); }
    /// This fence as a point of a timeline, or null if it is none.
    [[nodiscard]] ChainFence* chain();

  protected:
    Fence(SyncDomain& domain, bool is_chain) : domain_(domain), is_chain_(is_chain) {}

    SyncDomain& domain_;

  private:
    std::list<SyncDomain::Waiting> callbacks_;
    uint64_t timestamp_ns_ = 0;
    int error_ = 0;
    bool signaled_ = false;
    const bool is_chain_ = false;
};

/// A point of a timeline. Signals when its own fence and all points before it have signalled. It never has an
/// error: of those of its parts, only parts_of() tells.
class ChainFence final : public Fence {
  public:
    /// A point that follows `prev` (null: the first one). A number that is not above the last point's starts
    /// a new timeline, as in the kernel.
    [[nodiscard]] static std::shared_ptr<ChainFence> create(SyncDomain& domain, std::shared_ptr<Fence> prev,
                                                            std::shared_ptr<Fence> contained, uint64_t point);
    ~ChainFence();

    [[nodiscard]] uint64_t point() const { return point_; }
    [[nodiscard]] uint64_t previous_point() const { return previous_point_; }
    [[nodiscard]] uint64_t context() const { return context_; }
    /// The point before this one; null once that has signalled.
    [[nodiscard]] const std::shared_ptr<Fence>& previous();
    /// Its own fence; null: none.
    [[nodiscard]] const std::shared_ptr<Fence>& contained() const { return contained_; }

  private:
    explicit ChainFence(SyncDomain& domain) : Fence(domain, true) {}
    void part_done();

    std::shared_ptr<Fence> prev_, contained_;
    uint64_t point_ = 0, previous_point_ = 0, context_ = 0;
    uint32_t missing_ = 1;  // parts that have not signalled
};

inline ChainFence* Fence::chain() {
    return is_chain_ ? static_cast<ChainFence*>(this) : nullptr;
}

/// The fences that a sync file of `fence` is made of (linux/dma-fence-unwrap.h): those in the points of a
/// timeline that have not signalled, the last one first, and at least the last one; or `fence` itself.
[[nodiscard]] std::list<std::shared_ptr<Fence>> parts_of(const std::shared_ptr<Fence>& fence);

/// `*fence` is the last point of a timeline; replaces it with the fence of `point`. Returns 0, or -EINVAL if
/// `*fence` is no timeline or ends before `point`. `*fence` becomes null if the point signalled long ago.
/// Point 0 leaves `*fence` unchanged.
[[nodiscard]] int find_point(std::shared_ptr<Fence>* fence, uint64_t point);

}  // namespace terrazzo::winsys::virt
