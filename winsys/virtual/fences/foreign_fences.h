// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fences of other processes: their sync files, and their uses of shared memory (winsys/memory/memfd_uses.h).
// No callback tells when these complete. A thread polls them as long as there are any.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

#include "winsys/memory/memfd_uses.h"
#include "winsys/virtual/fences/fence.h"

namespace terrazzo::winsys::virt {

class ForeignFences {
  public:
    /// The domain must outlive this object.
    explicit ForeignFences(SyncDomain& domain) : domain_(domain) {}
    ~ForeignFences() { stop(); }
    ForeignFences(const ForeignFences&) = delete;
    ForeignFences& operator=(const ForeignFences&) = delete;

    /// Ends the thread; fences that have not signalled never will. Called without the domain's lock.
    void stop();
    /// A fence that signals when other processes' uses that conflict with this access have ended. A use that
    /// lasts longer than the limit is given up: stderr names its process, and later calls ignore it. Null:
    /// there are no such uses. Under the domain's lock.
    [[nodiscard]] std::shared_ptr<Fence> of_others(const std::shared_ptr<MemfdUses>& file, bool writes);
    /// A fence that signals when another process' sync file does. The caller keeps `fd`. Null: no descriptor
    /// is left. Under the domain's lock.
    [[nodiscard]] std::shared_ptr<Fence> of_sync_file(int fd);
    /// Limits the time of later waits, to kDrawLimit_ns at most.
    void limit_waits(uint64_t limit_ns) { limit_ns_ = std::min(limit_ns, kDrawLimit_ns); }

  private:
    struct Wait {
        std::shared_ptr<Fence> fence;
        std::function<bool()> ended;
        std::function<void()> give_up;  // may be empty; throws nothing
        uint64_t give_up_ns;
    };
    [[nodiscard]] std::shared_ptr<Fence> watch(std::function<bool()> ended, std::function<void()> give_up);
    [[nodiscard]] bool start();
    void run();

    SyncDomain& domain_;
    std::mutex mutex_;  // acquired after the domain's
    std::condition_variable changed_;
    std::list<Wait> waits_;
    std::atomic<uint64_t> limit_ns_ = kDrawLimit_ns;
    bool stop_ = false;
    std::thread thread_;
};

}  // namespace terrazzo::winsys::virt
