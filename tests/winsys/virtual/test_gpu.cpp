// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/winsys/virtual/test_gpu.h"

#include <time.h>

#include "drivers/mali/sim/chips.h"

namespace terrazzo::test {
namespace {

using namespace winsys::virt;
using namespace winsys::virt::panthor;

class TestGroup final : public GpuGroup {
  public:
    TestGroup(GpuHost& host, GpuLog* log, size_t queues) : host_(host), log_(log), at_(queues) {
        log_->groups++;
    }
    ~TestGroup() override { log_->groups--; }

    RunResult run(uint32_t queue, const Submit& submit) override {
        At& at = at_[queue];
        const Stream& stream = submit.streams[0];
        if (at.submit != submit.number) at = {submit.number, 0};
        RunResult result;
        result.progressed = false;
        while (at.offset_B < stream.size_B) {
            if (host_.should_stop()) return {RunStatus::Stopped, true, 0, ""};
            if (!step(queue, stream.va + at.offset_B, &result)) return result;
            result.progressed = true;
            at.offset_B += sizeof(Instr);
        }
        return {};
    }

  private:
    struct At {
        uint64_t submit = 0;
        uint32_t offset_B = 0;
    };

    bool refuse(uint32_t queue, const MemoryFault& fault, RunResult* result) {
        *result = {RunStatus::Fatal, true, exception_code(fault),
                   "queue " + std::to_string(queue) + ", " + to_string(fault)};
        return false;
    }

    bool step(uint32_t queue, uint64_t va, RunResult* result) {
        MemoryFault fault;
        Instr i;
        uint64_t value = 0;
        if (!host_.memory().read(va, &i, sizeof i, &fault, Access::Execute))
            return refuse(queue, fault, result);
        switch (i.op) {
            case Op::Nop:
                return true;
            case Op::Store:
                return host_.memory().write(i.a, &i.b, sizeof i.b, &fault) || refuse(queue, fault, result);
            case Op::WaitGe:
                if (!host_.memory().read(i.a, &value, sizeof value, &fault))
                    return refuse(queue, fault, result);
                if (value < i.b) result->status = RunStatus::Blocked;
                return value >= i.b;
            case Op::Spin:
                while (!host_.should_stop()) {
                }
                *result = {RunStatus::Stopped, true, 0, ""};
                return false;
            case Op::Fault:
            case Op::Fatal:
                *result = {i.op == Op::Fault ? RunStatus::Fault : RunStatus::Fatal, true,
                           static_cast<uint32_t>(i.a), "asked for"};
                return false;
            case Op::Grow: {
                const HeapGrowth growth = host_.grow_heap(i.a, 0, 0);
                value = growth.error ? static_cast<uint64_t>(int64_t{growth.error}) : growth.chunk_va;
                return host_.memory().write(i.b, &value, sizeof value, &fault) ||
                       refuse(queue, fault, result);
            }
            case Op::Log: {
                const std::lock_guard lock(log_->mutex);
                log_->values.push_back(i.a);
                return true;
            }
            case Op::Sleep: {
                const timespec t{0, static_cast<long>(i.a) * 1'000'000};
                nanosleep(&t, nullptr);
                return true;
            }
            case Op::Doze:
                for (uint64_t ms = 0; ms < i.a; ++ms) {
                    const timespec t{0, 1'000'000};
                    nanosleep(&t, nullptr);
                    if (!host_.should_stop()) continue;
                    *result = {RunStatus::Stopped, true, 0, ""};
                    return false;
                }
                return true;
            case Op::Work:
                if (!work_ms(i.a, [&] { return host_.should_stop(); })) {
                    *result = {RunStatus::Stopped, true, 0, ""};
                    return false;
                }
                host_.note_progress();
                return true;
            case Op::Count:
                break;
        }
        *result = {RunStatus::Fatal, true, 0x49, "no such operation"};
        return false;
    }

    GpuHost& host_;
    GpuLog* const log_;
    std::vector<At> at_;
};

class TestGpu final : public Gpu {
  public:
    explicit TestGpu(GpuLog* log) : log_(log) {}
    std::unique_ptr<GpuGroup> create_group(uint32_t queues, GpuHost& host) override {
        return std::make_unique<TestGroup>(host, log_, queues);
    }

  private:
    GpuLog* const log_;
};

}  // namespace

const GpuInfo& test_info() {
    static const GpuInfo info = mali::sim::gpu_info(*mali::hw::find_chip("mali-g610"));
    return info;
}

std::unique_ptr<Gpu> create_test_gpu(GpuLog* log) {
    return std::make_unique<TestGpu>(log);
}

}  // namespace terrazzo::test
