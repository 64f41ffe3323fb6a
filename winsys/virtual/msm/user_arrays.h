// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Reads arrays of a caller's structs, and the fences that a request waits for and signals (msm_syncobj.c).
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "winsys/uapi/msm.h"
#include "winsys/virtual/fences/syncobj.h"
#include "winsys/virtual/files/file.h"

namespace terrazzo::winsys::virt::msm {

/// The largest allocation of the kernel: a request that needs more fails with -ENOMEM.
constexpr uint64_t kMaxKernelAllocation_B = 4 << 20;

/// Calls `each(T, index)` for every struct of an array, in order, until it returns an error. Returns 0, that
/// error, or -EFAULT at the first struct that cannot be read.
template <typename T, typename F>
[[nodiscard]] int for_each_struct(const UserMemory& user, uint64_t address, uint32_t count, F&& each) {
    constexpr uint32_t kPart = 32;
    T part[kPart];
    for (uint32_t first = 0; first < count; first += kPart) {
        const uint32_t n = std::min(kPart, count - first);
        const uint64_t at = address + uint64_t{first} * sizeof(T);
        const bool whole = user.read(part, at, n * sizeof(T)) == 0;
        for (uint32_t i = 0; i < n; i++) {
            if (!whole)
                if (const int error = user.read(&part[i], at + i * sizeof(T), sizeof(T))) return error;
            if (const int error = each(part[i], first + i)) return error;
        }
    }
    return 0;
}

/// The fences that a request waits for, and the syncobjs that it signals.
class Syncs {
  public:
    explicit Syncs(File& file) : file_(file) {}

    /// Waits for a sync file. Returns 0 or -EINVAL.
    [[nodiscard]] int wait_for(int fence_fd);
    /// Reads syncobjs to wait for. Returns 0, -EINVAL, -ENOENT, -EFAULT or -ENOMEM.
    [[nodiscard]] int read_waits(uint64_t address, uint32_t count, uint32_t stride_B);
    /// Reads syncobjs to signal.
    [[nodiscard]] int read_signals(uint64_t address, uint32_t count, uint32_t stride_B);
    /// Resets the syncobjs that the caller wants reset, and stores `done` in those to signal.
    void commit(const std::shared_ptr<Fence>& done);

    std::vector<std::shared_ptr<Fence>> waits;

  private:
    struct Signal {
        std::shared_ptr<Syncobj> syncobj;
        uint64_t point;
    };
    File& file_;
    std::vector<std::shared_ptr<Syncobj>> resets_;
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

}  // namespace terrazzo::winsys::virt::msm
