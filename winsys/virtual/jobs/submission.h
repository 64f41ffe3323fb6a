// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A batch of jobs with the syncobjs that they wait for and signal. A job may wait for a point that an earlier
// job of the batch signals. An error anywhere rejects the whole batch. Errors have panthor's order
// (panthor_drv.c, panthor_submit_ctx).
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
    uint64_t point = 0;  // 0: a binary syncobj
    bool signal = false;
    int error = 0;  // an error in the operation itself; commit() returns it when it reaches this operation
};

class Submission {
  public:
    explicit Submission(File& file) : file_(file) {}

    /// `queue` must outlive the job.
    void add(std::shared_ptr<JobQueue> queue, std::shared_ptr<Job> job, std::vector<SyncOp> syncs);
    /// The last job waits for this fence, too.
    void add_wait(std::shared_ptr<Fence> fence);
    /// Returns 0 when all jobs are queued, each with a fence in Job::done. On an error nothing is queued:
    /// SyncOp::error; -EINVAL: a handle to signal is no syncobj; -ENOENT: a handle to wait for is none;
    /// -EINVAL: a point to wait for has no fence yet.
    [[nodiscard]] int commit();

  private:
    struct Entry {
        std::shared_ptr<JobQueue> queue;
        std::shared_ptr<Job> job;
        std::vector<SyncOp> syncs;
        std::vector<std::shared_ptr<Fence>> waits;  // those that have not signalled
    };
    struct Signal {
        uint32_t handle;
        uint64_t point;
        std::shared_ptr<Syncobj> syncobj;
        // the last fence that this batch puts there; at first the syncobj's own
        std::shared_ptr<Fence> fence;
    };
    [[nodiscard]] Signal* find_signal(uint32_t handle, uint64_t point);
    [[nodiscard]] int collect_signals(const Entry& entry);
    [[nodiscard]] int collect_waits(Entry& entry);

    File& file_;
    std::vector<Entry> entries_;
    std::vector<Signal> signals_;
    std::map<std::pair<uint32_t, uint64_t>, size_t> signal_of_;  // indices into signals_, by handle and point
};

}  // namespace terrazzo::winsys::virt
