// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A group of queues (panthor_sched.c): what is submitted to it, and whether it is lost. Under the device's
// lock but where it says otherwise.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "winsys/virtual/panthor/gpu.h"
#include "winsys/virtual/panthor/vm.h"

namespace terrazzo::winsys::virt::panthor {

class Scheduler;

struct StreamJob final : Job {
    Stream stream;
};

class Group;

class Queue final : public JobQueue {
  public:
    Queue(Group& group, uint32_t index, uint8_t priority)
        : group_(group), index_(index), priority_(priority) {}

    [[nodiscard]] uint32_t index() const { return index_; }
    [[nodiscard]] uint8_t priority() const { return priority_; }
    /// Takes the head away, its work done or failed: adds to the queue's sync object and signals.
    void finish_head(int error);

    std::shared_ptr<KernelObject> ring;  // never read: the streams are called directly
    uint64_t next_number = 1;
    uint64_t run_ns = 0;   // how long the head has run, by the clock or the process' CPU time: the shorter
    bool blocked = false;  // the head waits for memory:
    uint64_t blocked_ns = 0, tried_ns = 0;          // how long; when that was last seen
    uint64_t blocked_at = 0, group_blocked_at = 0;  // what had made progress then: all, its group
    uint64_t last_run = 0;                          // for taking turns

  private:
    void run_head(Job& job) override;

    Group& group_;
    const uint32_t index_;
    const uint8_t priority_;
    int last_error_ = 0;
};

class Group final : public GpuHost {
  public:
    Group(Scheduler& scheduler, std::shared_ptr<Vm> vm, GroupDesc desc, uint64_t timestamp_hz)
        : vm_(std::move(vm)), desc_(std::move(desc)), scheduler_(scheduler), timestamp_hz_(timestamp_hz) {}

    /// Makes the queues; `gpu` null: streams are not run. 0 or -errno.
    [[nodiscard]] int create(Gpu* gpu, const std::vector<uapi::drm_panthor_queue_create>& queues);
    [[nodiscard]] bool can_run() const { return !destroyed_ && !timedout && fatal_queues == 0; }
    [[nodiscard]] const GroupDesc& desc() const { return desc_; }
    [[nodiscard]] Vm& vm() const { return *vm_; }
    [[nodiscard]] Scheduler& scheduler() const { return scheduler_; }
    [[nodiscard]] GpuGroup* gpu_group() const { return gpu_group_.get(); }
    /// The queue's sync object: 64 bits that count its streams.
    [[nodiscard]] uint64_t* sync_value(uint32_t queue) const;
    /// Its handle was closed: what waits is cancelled.
    void destroy();
    /// Stops what runs; once nothing does, ends all jobs with the error that fits the group's state.
    void lose();

    // GpuHost, without the lock.
    AddressSpace& memory() override { return vm_->space; }
    HeapGrowth grow_heap(uint64_t context_va, uint32_t in_flight, uint32_t pending_fragment) override;
    uint64_t timestamp() const override;
    bool should_stop() const override;

    std::vector<std::unique_ptr<Queue>> queues;
    uint32_t fatal_queues = 0;
    bool timedout = false, innocent = false;
    bool running = false;  // a worker is in gpu_group()->run()
    uint32_t number = 0;   // the handle, for reports
    // Of the stream that runs. By the clock and by the time that this process has had: one that was stopped,
    // or starves, is not the stream's fault.
    std::atomic<uint64_t> deadline_ns{UINT64_MAX}, cpu_deadline_ns{UINT64_MAX};
    uint64_t progress = 0;  // how often a stream of it ended or went on
    std::atomic<bool> stop{false};

  private:
    std::shared_ptr<Vm> vm_;
    const GroupDesc desc_;
    Scheduler& scheduler_;
    const uint64_t timestamp_hz_;
    std::shared_ptr<KernelObject> syncobjs_;
    std::unique_ptr<GpuGroup> gpu_group_;
    bool destroyed_ = false;
};

}  // namespace terrazzo::winsys::virt::panthor
