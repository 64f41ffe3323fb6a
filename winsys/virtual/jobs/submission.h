// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A batch of jobs and what they wait for and signal: a job may wait for what an earlier one of the batch signals.
// Nothing happens unless everything is right. Errors come in the order of panthor's (panthor_drv.c, panthor_submit_ctx).
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "winsys/virtual/files/file.h"
#include "winsys/virtual/jobs/job.h"

namespace terrazzo::winsys::virt {

/// A syncobj that a job waits for or signals.
struct SyncOp {
    uint32_t handle = 0;
    uint64_t point = 0;  // 0: a binary one
    bool signal = false;
    int error = 0;  // what is wrong with it as it stands: told when its turn comes
};

class Submission {
  public:
    explicit Submission(File& file) : file_(file) {}

    /// `queue` stays alive while the job is in it.
    void add(std::shared_ptr<JobQueue> queue, std::shared_ptr<Job> job, std::vector<SyncOp> syncs);
    /// The last job waits for this, too.
    void add_wait(std::shared_ptr<Fence> fence);
    /// 0 and all is queued, with a fence in each Job::done; or -errno and nothing is: SyncOp::error, -EINVAL for
    /// syncobjs to signal that are none, -ENOENT for those to wait for, -EINVAL where those have no fence yet.
    [[nodiscard]] int commit();

  private:
    struct Entry {
        std::shared_ptr<JobQueue> queue;
        std::shared_ptr<Job> job;
        std::vector<SyncOp> syncs;
        std::vector<std::shared_ptr<Fence>> waits;  // that have not signalled
    };
    struct Signal {
        uint32_t handle;
        uint64_t point;
        std::shared_ptr<Syncobj> syncobj;
        std::shared_ptr<Fence> fence;  // the last that this batch puts there, before: what is there
    };
    [[nodiscard]] Signal* find_signal(uint32_t handle, uint64_t point);
    [[nodiscard]] int collect_signals(const Entry& entry);
    [[nodiscard]] int collect_waits(Entry& entry);

    File& file_;
    std::vector<Entry> entries_;
    std::vector<Signal> signals_;
    std::map<std::pair<uint32_t, uint64_t>, size_t> signal_of_;  // in signals_, by handle and point
};

}  // namespace terrazzo::winsys::virt
