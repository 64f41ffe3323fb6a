// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The fences that a request waits for and signals (msm_syncobj.c).
#pragma once

#include "winsys/uapi/msm.h"
#include "winsys/virtual/files/user_arrays.h"
#include "winsys/virtual/jobs/sync_list.h"

namespace terrazzo::winsys::virt::msm {

class Syncs : public SyncList {
  public:
    using SyncList::SyncList;

    /// Waits for a sync file. Returns 0 or -EINVAL.
    [[nodiscard]] int wait_for(int fence_fd);
    /// Reads syncobjs to wait for. Returns 0, -EINVAL, -ENOENT, -EFAULT or -ENOMEM.
    [[nodiscard]] int read_waits(uint64_t address, uint32_t count, uint32_t stride_B);
    /// Reads syncobjs to signal.
    [[nodiscard]] int read_signals(uint64_t address, uint32_t count, uint32_t stride_B);
    /// Resets the syncobjs that the caller wants reset, and stores `done` in those to signal.
    void commit(const std::shared_ptr<Fence>& done);

  private:
    std::vector<std::shared_ptr<Syncobj>> resets_;
};

}  // namespace terrazzo::winsys::virt::msm
