// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A group of queues whose jobs a virtual GPU runs: the part that all kernel drivers share. A driver adds its
// queues, and decides what a fault loses. Under the device's lock, except what GpuHost says.
#pragma once

#include <memory>

#include "winsys/virtual/jobs/gpu.h"
#include "winsys/virtual/jobs/scheduler.h"

namespace terrazzo::winsys::virt {

class GpuRunGroup : public GpuHost, public RunGroup {
  public:
    /// `timestamp_hz`: of GpuHost::timestamp().
    GpuRunGroup(Scheduler& scheduler, std::shared_ptr<AddressSpace> space, uint64_t timestamp_hz)
        : scheduler_(scheduler), space_(std::move(space)), timestamp_hz_(timestamp_hz) {}

    /// Called once all queues exist. `gpu` null: jobs are not run. Returns 0 or -ENOMEM.
    [[nodiscard]] int create(Gpu* gpu);
    [[nodiscard]] Scheduler& scheduler() const { return scheduler_; }
    /// The user has closed it: its jobs are cancelled.
    void destroy();
    /// A queue's head is ready: a worker runs it, or it ends at once. False: the group is lost.
    [[nodiscard]] bool start_head(RunQueue& queue);

    // RunGroup.
    [[nodiscard]] bool can_run() const override { return !destroyed_; }
    [[nodiscard]] AddressSpace& run_space() override { return *space_; }
    void lose() override;

    // GpuHost.
    [[nodiscard]] AddressSpace& memory() override { return *space_; }
    [[nodiscard]] uint64_t timestamp() const override;
    [[nodiscard]] bool should_stop() const override { return RunGroup::should_stop(); }
    void note_progress() override { RunGroup::note_progress(); }

  protected:
    /// Runs a submit. Does not throw: without memory the result is Fatal with this exception.
    [[nodiscard]] RunResult run_submit(uint32_t queue, const Submit& submit, uint32_t out_of_memory) const;
    /// The error of the jobs that lose() ends.
    [[nodiscard]] virtual int lost_error(const RunQueue& queue) const {
        (void)queue;
        return -ECANCELED;
    }

  private:
    Scheduler& scheduler_;
    const std::shared_ptr<AddressSpace> space_;
    const uint64_t timestamp_hz_;
    std::unique_ptr<GpuGroup> gpu_group_;
    bool destroyed_ = false;
};

}  // namespace terrazzo::winsys::virt
