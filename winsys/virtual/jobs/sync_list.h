// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The fences that a request waits for, and the syncobjs that it signals.
#pragma once

#include <memory>
#include <vector>

#include "winsys/virtual/fences/syncobj.h"
#include "winsys/virtual/files/file.h"

namespace terrazzo::winsys::virt {

/// Under the device's lock.
class SyncList {
  public:
    explicit SyncList(File& file) : file_(file) {}

    /// Waits for a point (0: the current fence). Returns 0; -ENOENT: no such syncobj; -EINVAL: it has no
    /// such fence. `*syncobj`, if wanted, is set on success.
    [[nodiscard]] int wait(uint32_t handle, uint64_t point, std::shared_ptr<Syncobj>* syncobj = nullptr);
    /// Signals a point (0: as a binary syncobj). False: there is no such syncobj.
    [[nodiscard]] bool signal(uint32_t handle, uint64_t point) {
        return add_signal(handle, point, point != 0);
    }
    /// Signals a point of a timeline, which may be 0.
    [[nodiscard]] bool signal_point(uint32_t handle, uint64_t point) {
        return add_signal(handle, point, true);
    }
    /// Stores `done` in the syncobjs to signal.
    void commit(const std::shared_ptr<Fence>& done);
    [[nodiscard]] bool signals() const { return !signals_.empty(); }

    std::vector<std::shared_ptr<Fence>> waits;  // those that have not signalled

  protected:
    File& file_;

  private:
    struct Signal {
        std::shared_ptr<Syncobj> syncobj;
        uint64_t point;
        bool is_timeline;
    };
    [[nodiscard]] bool add_signal(uint32_t handle, uint64_t point, bool is_timeline);
    std::vector<Signal> signals_;
};

/// Signals a fence with an error unless release() was called: a thread that already waits for it must not
/// wait for ever.
class FenceGuard {
  public:
    explicit FenceGuard(std::shared_ptr<Fence> fence) : fence_(std::move(fence)) {}
    ~FenceGuard() {
        if (fence_) fence_->signal(-12);  // ENOMEM
    }
    FenceGuard(const FenceGuard&) = delete;
    FenceGuard& operator=(const FenceGuard&) = delete;
    void release() { fence_.reset(); }

  private:
    std::shared_ptr<Fence> fence_;
};

}  // namespace terrazzo::winsys::virt
