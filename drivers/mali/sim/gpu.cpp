// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A group is a machine with a front end for each queue. Adapters give access to the kernel's address space
// and heap.
#include "drivers/mali/sim/gpu.h"

#include <new>
#include <vector>

#include "drivers/mali/sim/csf/front_end.h"

namespace terrazzo::mali::sim {

namespace {

namespace virt = winsys::virt;

class KernelSpace final : public Space {
  public:
    explicit KernelSpace(virt::AddressSpace& space) : space_(space) {}
    Mapping find(uint64_t va) override {
        const virt::Region r = space_.lookup(va);
        return {r.va_begin, r.va_end, r.host, r.allows(virt::Access::Write), r.allows(virt::Access::Execute)};
    }
    uint64_t epoch() const override { return space_.epoch(); }
    const char* read_image(uint64_t va, uint64_t size_B) override {
        return order_ ? order_->read(queue_, va, size_B) : nullptr;
    }
    void stored(uint64_t va, uint64_t size_B) override {
        if (order_) order_->stored(queue_, va, size_B);
    }
    /// Sets the queue whose jobs read from now on.
    void enter(Order& order, unsigned queue) {
        order_ = &order;
        queue_ = queue;
    }

  private:
    virt::AddressSpace& space_;
    Order* order_ = nullptr;
    unsigned queue_ = 0;
};

class KernelHost final : public Host {
  public:
    explicit KernelHost(virt::panthor::GpuHost& host) : host_(host), space_(host.memory()) {}
    KernelSpace& space() override { return space_; }
    uint64_t grow_heap(uint64_t context_va, uint32_t in_flight, uint32_t pending_fragment) override {
        const virt::panthor::HeapGrowth g = host_.grow_heap(context_va, in_flight, pending_fragment);
        return g.error ? 0 : g.chunk_va;
    }
    uint64_t timestamp() const override { return host_.timestamp(); }
    bool should_stop() const override { return host_.should_stop(); }
    void note_progress() override { host_.note_progress(); }

  private:
    virt::panthor::GpuHost& host_;
    KernelSpace space_;
};

class Group final : public virt::panthor::GpuGroup {
  public:
    Group(const hw::Chip& chip, virt::panthor::GpuHost& host, unsigned threads, size_t queues,
          MakeJobs make_jobs)
        : space_(host.memory()), host_(host), machine_(chip, host_, threads), jobs_(make_jobs(machine_)) {
        queues_.reserve(queues);
        for (size_t i = 0; i < queues; ++i)
            queues_.push_back({FrontEnd(machine_, *jobs_, progress_, unsigned(i)), 0});
    }
    bool usable() const { return jobs_ != nullptr; }

    virt::RunResult run(uint32_t queue, const virt::panthor::Stream& stream) override {
        virt::RunResult result;
        if (queue >= queues_.size()) {
            result.status = virt::RunStatus::Fatal;
            result.exception = uint32_t(hw::ExceptionCode::CS_CONFIG_FAULT);
            result.report = "no such queue";
            return result;
        }
        Queue& q = queues_[queue];
        const virt::AddressSpace::Use use(space_);
        if (q.stream != stream.number) {
            q.stream = stream.number;
            q.front.start(stream.va, stream.size_B, stream.announced);
        }
        host_.space().enter(progress_.order, queue);
        StreamStatus status = StreamStatus::Fault;
        try {
            status = q.front.run();
        } catch (const std::bad_alloc&) {
            result.status = virt::RunStatus::Fatal;
            result.exception = uint32_t(hw::ExceptionCode::OOM);
            result.report = "the host has no memory for this job";
            return result;
        }
        result.progressed = q.front.progressed();
        switch (status) {
            case StreamStatus::Done:
                result.status = virt::RunStatus::Done;
                break;
            case StreamStatus::Blocked:
                result.status = virt::RunStatus::Blocked;
                break;
            case StreamStatus::Stopped:
                result.status = virt::RunStatus::Stopped;
                break;
            case StreamStatus::Fault: {
                const Fault& f = q.front.fault();
                result.status = virt::RunStatus::Fatal;  // every fault of the front end loses the group
                result.exception = uint32_t(f.code);
                result.report = f.report;
                break;
            }
        }
        return result;
    }

  private:
    struct Queue {
        FrontEnd front;
        uint64_t stream = 0;  // its number
    };

    virt::AddressSpace& space_;
    KernelHost host_;
    Machine machine_;
    Progress progress_;
    std::unique_ptr<Jobs> jobs_;
    std::vector<Queue> queues_;
};

class VirtualGpu final : public virt::panthor::Gpu {
  public:
    VirtualGpu(const hw::Chip& chip, MakeJobs make_jobs, unsigned threads)
        : chip_(chip), make_jobs_(make_jobs), threads_(threads), info_(gpu_info(chip)) {}
    const virt::panthor::GpuInfo& info() const override { return info_; }
    std::unique_ptr<virt::panthor::GpuGroup> create_group(const virt::panthor::GroupDesc& desc,
                                                          virt::panthor::GpuHost& host) override {
        auto group = std::make_unique<Group>(chip_, host, threads_, desc.queue_priorities.size(), make_jobs_);
        return group->usable() ? std::move(group) : nullptr;
    }

  private:
    const hw::Chip& chip_;
    MakeJobs make_jobs_;
    unsigned threads_;
    virt::panthor::GpuInfo info_;
};

}  // namespace

virt::panthor::GpuInfo gpu_info(const hw::Chip& c) {
    virt::panthor::GpuInfo i{};
    i.name = c.name;
    i.gpu.gpu_id = c.gpu_id;
    i.gpu.gpu_rev = c.gpu_rev;
    i.gpu.csf_id = c.csf_id;
    i.gpu.l2_features = c.l2_features;
    i.gpu.tiler_features = c.tiler_features;
    i.gpu.mem_features = c.mem_features;
    i.gpu.mmu_features = c.mmu_features;
    i.gpu.thread_features = c.thread_features;
    i.gpu.max_threads = c.max_threads;
    i.gpu.thread_max_workgroup_size = c.thread_max_workgroup_size;
    i.gpu.thread_max_barrier_size = c.thread_max_barrier_size;
    i.gpu.coherency_features = c.coherency_features;
    for (unsigned k = 0; k < 4; ++k)
        i.gpu.texture_features[k] = c.texture_features[k];
    i.gpu.as_present = c.as_present;
    i.gpu.shader_present = c.shader_present;
    i.gpu.l2_present = c.l2_present;
    i.gpu.tiler_present = c.tiler_present;
    i.gpu.core_features = c.core_features;
    i.csif.csg_slot_count = c.csg_slot_count;
    i.csif.cs_slot_count = c.cs_slot_count;
    i.csif.cs_reg_count = c.cs_reg_count;
    i.csif.scoreboard_slot_count = c.scoreboard_slot_count;
    i.csif.unpreserved_cs_reg_count = c.unpreserved_cs_reg_count;
    i.timestamp_hz = 24'000'000;  // the system counter of RK3588 boards
    return i;
}

std::unique_ptr<virt::panthor::Gpu> create_gpu(const hw::Chip& chip, MakeJobs make_jobs, unsigned threads) {
    return std::unique_ptr<virt::panthor::Gpu>(new (std::nothrow) VirtualGpu(chip, make_jobs, threads));
}

}  // namespace terrazzo::mali::sim
