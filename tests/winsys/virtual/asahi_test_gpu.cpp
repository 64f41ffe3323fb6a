// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/winsys/virtual/asahi_test_gpu.h"

#include <array>

#include "drivers/agx/sim/chips.h"

namespace terrazzo::test {
namespace {

using namespace winsys::virt;
using namespace winsys::virt::asahi;

class TestGroup final : public GpuGroup {
  public:
    TestGroup(GpuHost& host, AsahiLog* log) : host_(host), log_(log) { log_->groups++; }
    ~TestGroup() override { log_->groups--; }

    RunResult run(uint32_t queue, const Submit& submit) override {
        At& at = at_.at(queue);
        RunResult result;
        result.progressed = false;
        if (at.submit != submit.number) {
            at = {submit.number, 0};
            if (!begin(static_cast<WorkQueue>(queue), submit, &at.va, &result)) return result;
        }
        for (; at.va; at.va += sizeof(Instr)) {
            Instr i;
            MemoryFault fault;
            if (host_.should_stop()) return {RunStatus::Stopped, true, 0, ""};
            if (!host_.memory().read(at.va, &i, sizeof i, &fault)) return refused(fault);
            if (i.op == Op::Nop) break;
            if (!step(i, &result)) return result;
            result.progressed = true;
        }
        return {};
    }

  private:
    struct At {
        uint64_t submit = 0, va = 0;
    };

    /// Reads the command and finds its program.
    bool begin(WorkQueue queue, const Submit& submit, uint64_t* program, RunResult* result) {
        const Stream& command = submit.streams.at(0);
        MemoryFault fault;
        const std::lock_guard lock(log_->mutex);
        log_->command_va = command.va;
        const auto read = [&](auto* to) {
            if (command.size_B == sizeof *to && host_.memory().read(command.va, to, sizeof *to, &fault))
                return true;
            *result = refused(fault);
            return false;
        };
        if (queue == WorkQueue::Compute) {
            ComputeCommand c;
            if (!read(&c)) return false;
            log_->compute.push_back(c);
            *program = c.cdm_ctrl_stream_base;
            return true;
        }
        RenderCommand r;
        if (!read(&r)) return false;
        (queue == WorkQueue::Vertex ? log_->vertex : log_->fragment).push_back(r);
        *program = queue == WorkQueue::Vertex ? r.vdm_ctrl_stream_base : r.isp_dbias_base;
        return true;
    }
    static RunResult refused(const MemoryFault& fault) {
        RunResult result{RunStatus::Fault, true, static_cast<uint32_t>(exception_of(fault)),
                         winsys::virt::to_string(fault)};
        result.address = fault.va;
        return result;
    }
    static bool fail(RunStatus status, Exception exception, RunResult* result) {
        *result = {status, true, static_cast<uint32_t>(exception), "asked for"};
        return false;
    }

    bool step(const Instr& i, RunResult* result) {
        MemoryFault fault;
        uint64_t value = 0;
        switch (i.op) {
            case Op::Store:
                if (host_.memory().write(i.a, &i.b, sizeof i.b, &fault)) return true;
                *result = refused(fault);
                return false;
            case Op::WaitGe:
                if (!host_.memory().read(i.a, &value, sizeof value, &fault)) {
                    *result = refused(fault);
                    return false;
                }
                if (value < i.b) result->status = RunStatus::Blocked;
                return value >= i.b;
            case Op::Spin:
                while (!host_.should_stop()) {
                }
                return fail(RunStatus::Stopped, Exception::None, result);
            case Op::Fault:
                return fail(RunStatus::Fault, Exception::ShaderFault, result);
            case Op::Fatal:
                return fail(RunStatus::Fatal, Exception::BadCommand, result);
            case Op::Log: {
                const std::lock_guard lock(log_->mutex);
                log_->values.push_back(i.a);
                return true;
            }
            default:
                return fail(RunStatus::Fault, Exception::BadCommand, result);
        }
    }

    GpuHost& host_;
    AsahiLog* const log_;
    std::array<At, kWorkQueues> at_{};
};

class TestGpu final : public Gpu {
  public:
    explicit TestGpu(AsahiLog* log) : log_(log) {}
    std::unique_ptr<GpuGroup> create_group(uint32_t, GpuHost& host) override {
        return std::make_unique<TestGroup>(host, log_);
    }

  private:
    AsahiLog* const log_;
};

}  // namespace

GpuInfo agx_info() {
    return agx::sim::gpu_info(agx::hw::chips().front());
}

std::unique_ptr<Gpu> create_asahi_test_gpu(AsahiLog* log) {
    return std::make_unique<TestGpu>(log);
}

}  // namespace terrazzo::test
