// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A group of queues (panthor_sched.c): its submissions, and whether it is lost. Under the device's lock,
// except where a comment says otherwise.
#pragma once

#include <memory>
#include <vector>

#include "winsys/virtual/jobs/gpu_run_group.h"
#include "winsys/virtual/panthor/gpu.h"
#include "winsys/virtual/panthor/vm.h"

namespace terrazzo::winsys::virt::panthor {

struct StreamJob final : Job {
    Submit submit;  // of one stream
};

class Group;

class Queue final : public RunQueue {
  public:
    Queue(Group& group, uint32_t index, uint8_t priority) : RunQueue(index, priority), group_(group) {}

    std::shared_ptr<KernelObject> ring;  // never read: the virtual GPU runs the streams directly
    uint64_t next_number = 1;

  private:
    void run_head(Job& job) override;
    /// Adds 1 to the queue's sync object.
    void end_head(std::shared_ptr<Job> job, int error) override;

    Group& group_;
    int last_error_ = 0;
};

class Group final : public GpuRunGroup {
  public:
    Group(Scheduler& scheduler, std::shared_ptr<Vm> vm, uint8_t priority, uint64_t timestamp_hz)
        : GpuRunGroup(scheduler, {vm, &vm->space}, timestamp_hz), vm_(std::move(vm)), priority_(priority) {}

    /// Creates the queues; `gpu` null: streams are not run. Returns 0 or -errno.
    [[nodiscard]] int create(Gpu* gpu, const std::vector<uapi::drm_panthor_queue_create>& queues);
    [[nodiscard]] bool can_run() const override {
        return GpuRunGroup::can_run() && !timedout && fatal_queues == 0;
    }
    [[nodiscard]] Vm& vm() const { return *vm_; }
    /// The queue's sync object: 64 bits that count its completed streams.
    [[nodiscard]] uint64_t* sync_value(uint32_t queue) const;

    // RunGroup.
    uint8_t run_priority() const override { return priority_; }
    RunResult run(RunQueue& queue, const Job& head) override;
    void fatal(RunQueue& queue, const RunResult& result) override;
    void time_out(RunQueue& queue) override;
    std::string name_of(const RunQueue& queue) const override;
    const char* exception_name(uint32_t exception) const override;

    // GpuHost, called without the lock.
    HeapGrowth grow_heap(uint64_t context_va, uint32_t in_flight, uint32_t pending_fragment) override;

    uint32_t fatal_queues = 0;
    bool timedout = false, innocent = false;
    uint32_t number = 0;  // its handle, for reports

  protected:
    int lost_error(const RunQueue& queue) const override;

  private:
    std::shared_ptr<Vm> vm_;
    const uint8_t priority_;
    std::shared_ptr<KernelObject> syncobjs_;
};

}  // namespace terrazzo::winsys::virt::panthor
