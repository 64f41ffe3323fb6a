// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/winsys/virtual/msm_test_gpu.h"

#include <time.h>

#include <map>

namespace terrazzo::test {
namespace {

using namespace winsys::virt;
using namespace winsys::virt::msm;

class TestGroup final : public GpuGroup {
  public:
    TestGroup(GpuHost& host, GpuLog* log) : host_(host), log_(log) { log_->groups++; }
    ~TestGroup() override { log_->groups--; }

    RunResult run(uint32_t queue, const Submit& submit) override {
        At& at = at_[queue];
        if (at.submit != submit.number) {
            at = {submit.number, 0, 0};
            if (submit.switched) log(1000 + queue);
        }
        RunResult result;
        result.progressed = false;
        for (; at.buffer < submit.streams.size(); at.buffer++, at.offset_B = 0) {
            const Stream& buffer = submit.streams[at.buffer];
            for (; at.offset_B + sizeof(Instr) <= buffer.size_B; at.offset_B += sizeof(Instr)) {
                if (host_.should_stop()) return {RunStatus::Stopped, true, 0, ""};
                if (!step(buffer.va + at.offset_B, &result)) return result;
                result.progressed = true;
            }
        }
        return {};
    }

  private:
    struct At {
        uint64_t submit = 0;
        size_t buffer = 0;
        uint64_t offset_B = 0;
    };

    void log(uint64_t value) {
        const std::lock_guard lock(log_->mutex);
        log_->values.push_back(value);
    }
    static bool fail(RunStatus status, Exception exception, const std::string& why, RunResult* result) {
        *result = {status, true, static_cast<uint32_t>(exception), why};
        return false;
    }
    static bool refuse(const MemoryFault& fault, RunResult* result) {
        return fail(RunStatus::Fatal, Exception::SmmuFault, winsys::virt::to_string(fault), result);
    }

    bool step(uint64_t va, RunResult* result) {
        MemoryFault fault;
        Instr i;
        uint64_t value = 0;
        if (!host_.memory().read(va, &i, sizeof i, &fault)) return refuse(fault, result);
        const timespec time{0, static_cast<long>(i.a) * 1'000'000};
        switch (i.op) {
            case Op::Nop:
                return true;
            case Op::Store:
                return host_.memory().write(i.a, &i.b, sizeof i.b, &fault) || refuse(fault, result);
            case Op::WaitGe:
                if (!host_.memory().read(i.a, &value, sizeof value, &fault)) return refuse(fault, result);
                if (value < i.b) result->status = RunStatus::Blocked;
                return value >= i.b;
            case Op::Spin:
                while (!host_.should_stop()) {
                }
                return fail(RunStatus::Stopped, Exception::None, "", result);
            case Op::Fault:
                return fail(RunStatus::Fault, Exception::ShaderFault, "asked for", result);
            case Op::Fatal:
                return fail(RunStatus::Fatal, Exception::HardwareFault, "asked for", result);
            case Op::Log:
                log(i.a);
                return true;
            case Op::Sleep:
                if (i.a < 1000) nanosleep(&time, nullptr);
                return true;
            case Op::Work:
                if (!work_ms(i.a, [&] { return host_.should_stop(); }))
                    return fail(RunStatus::Stopped, Exception::None, "", result);
                host_.note_progress();
                return true;
            case Op::Grow:
            case Op::Doze:
            case Op::Count:
                break;
        }
        return fail(RunStatus::Fatal, Exception::OpcodeError, "no such operation", result);
    }

    GpuHost& host_;
    GpuLog* const log_;
    std::map<uint32_t, At> at_;
};

class TestGpu final : public Gpu {
  public:
    explicit TestGpu(GpuLog* log) : log_(log) {}
    std::unique_ptr<GpuGroup> create_group(uint32_t, GpuHost& host) override {
        return std::make_unique<TestGroup>(host, log_);
    }

  private:
    GpuLog* const log_;
};

}  // namespace

GpuInfo msm_test_info(bool allow_relocs) {
    GpuInfo info{};
    info.name = "adreno-630";
    info.gpu_id = 630;
    info.chip_id = 0x06030001;
    info.gmem_size_B = 1 << 20;
    info.gmem_base = 0x100000;
    info.max_freq_hz = 710'000'000;
    info.timestamp_hz = 19'200'000;
    info.rings = 1;
    info.va_start = info.va_size_B = 1ull << 32;
    info.highest_bank_bit = 15;
    info.ubwc_swizzle = 6;
    info.uche_trap_base = 0x1fffffffff000;
    info.allow_relocs = allow_relocs;
    return info;
}

std::unique_ptr<winsys::virt::Gpu> create_msm_test_gpu(GpuLog* log) {
    return std::make_unique<TestGpu>(log);
}

}  // namespace terrazzo::test
