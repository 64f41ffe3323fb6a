// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The submits of a context (msm_gpu.c, msm_ringbuffer.c): its queues by priority, and the handling of faults.
// Under the device's lock, except where a comment says otherwise.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "winsys/virtual/jobs/gpu_run_group.h"
#include "winsys/virtual/msm/gpu.h"
#include "winsys/virtual/msm/vm.h"

namespace terrazzo::winsys::virt::msm {

/// A submitqueue. All submits of one priority run in that priority's ring, in order, even from different
/// submitqueues.
struct SubmitQueue {
    uint32_t flags = 0, priority = 0;
    uint32_t faults = 0;
    uint32_t last_fence = 0, next_fence = 1;
    std::map<uint32_t, std::shared_ptr<Fence>>
        fences;                        // by sequence number; only submits that have not ended
    std::shared_ptr<BindQueue> binds;  // only in a queue for VM_BIND
};

struct SubmitJob final : Job {
    struct Command {
        uint32_t type;  // uapi::kMsmSubmitCmd*
        Stream buffer;
    };
    std::vector<Command> commands;
    std::shared_ptr<SubmitQueue> queue;
    uint32_t fence_id = 0;
    // Set when the job starts: what the ring calls.
    mutable Submit submit;
    mutable bool started = false;
};

class Group;

class Ring final : public RunQueue {
  public:
    Ring(Group& group, uint32_t index, uint8_t priority) : RunQueue(index, priority), group_(group) {}

  private:
    void run_head(Job& job) override;
    void end_head(std::shared_ptr<Job> job, int error) override;
    Group& group_;
};

class Group final : public GpuRunGroup {
  public:
    /// `current`: the number of the group that the GPU ran last; all groups of a device share it.
    Group(Scheduler& scheduler, std::shared_ptr<Vm> vm, const GpuInfo& info, uint64_t number,
          std::atomic<uint64_t>& current);

    [[nodiscard]] Vm& vm() const { return *vm_; }
    /// A submit faulted or ran too long.
    void count_fault(SubmitQueue& queue);
    uint64_t submits = 0;  // so far

    // RunGroup.
    uint8_t run_priority() const override;
    RunResult run(RunQueue& queue, const Job& head) override;
    void fatal(RunQueue& queue, const RunResult& result) override;
    void time_out(RunQueue& queue) override;
    std::string name_of(const RunQueue& queue) const override;
    const char* exception_name(uint32_t exception) const override;

  private:
    const std::shared_ptr<Vm> vm_;
    const uint64_t number_;
    std::atomic<uint64_t>& current_;
};

}  // namespace terrazzo::winsys::virt::msm
