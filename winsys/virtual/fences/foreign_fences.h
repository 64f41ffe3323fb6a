// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fences of other processes: their sync files, and what they do with shared memory (winsys/memory/memfd_uses.h). Nobody calls when these are
// done. A thread looks, as long as there are any.
#pragma once

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
    /// The domain outlives it.
    explicit ForeignFences(SyncDomain& domain) : domain_(domain) {}
    ~ForeignFences() { stop(); }
    ForeignFences(const ForeignFences&) = delete;
    ForeignFences& operator=(const ForeignFences&) = delete;

    /// What has not signalled never will. Without the domain's lock.
    void stop();
    /// Signals when the uses by others that such an access has to wait for have ended. Those that go on for longer than
    /// MemfdUses::kLimit_ns are given up, and not waited for again. Null: there are none. Under the domain's lock.
    [[nodiscard]] std::shared_ptr<Fence> of_others(const std::shared_ptr<MemfdUses>& file, bool writes);
    /// Signals when a sync file of another process does; the descriptor stays the caller's. Null: no descriptor is left. Under the
    /// domain's lock.
    [[nodiscard]] std::shared_ptr<Fence> of_sync_file(int fd);

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
    std::mutex mutex_;  // after the domain's
    std::condition_variable changed_;
    std::list<Wait> waits_;
    bool stop_ = false;
    std::thread thread_;
};

}  // namespace terrazzo::winsys::virt
