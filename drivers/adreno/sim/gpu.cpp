// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A group is a machine with one command processor per queue; an adapter gives it the kernel's address space.
#include "drivers/adreno/sim/gpu.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <new>
#include <utility>
#include <vector>

#include "drivers/adreno/decode/core_dump.h"
#include "drivers/adreno/sim/chips.h"
#include "drivers/adreno/sim/cp/command_processor.h"
#include "winsys/environment/file_size.h"

namespace terrazzo::adreno::sim {

namespace {

namespace virt = winsys::virt;
using virt::msm::Exception;

class KernelSpace final : public window::Space {
  public:
    explicit KernelSpace(virt::AddressSpace& space) : space_(space) {}
    window::Mapping find(uint64_t va) override {
        const virt::Region r = space_.lookup(va);
        return {r.va_begin, r.va_end, r.host, r.allows(virt::Access::Write), r.allows(virt::Access::Execute)};
    }
    uint64_t epoch() const override { return space_.epoch(); }

  private:
    virt::AddressSpace& space_;
};

class KernelHost final : public Host {
  public:
    explicit KernelHost(virt::msm::GpuHost& host) : host_(host), space_(host.memory()) {}
    KernelSpace& space() override { return space_; }
    uint64_t timestamp() const override { return host_.timestamp(); }
    bool should_stop() const override { return host_.should_stop(); }
    void note_progress() override { host_.note_progress(); }

  private:
    virt::msm::GpuHost& host_;
    KernelSpace space_;
};

Exception exception_of(FaultKind kind) {
    switch (kind) {
        case FaultKind::Opcode:
            return Exception::OpcodeError;
        case FaultKind::Hardware:
            return Exception::HardwareFault;
        case FaultKind::Protection:
            return Exception::RegisterProtection;
        case FaultKind::Illegal:
            return Exception::IllegalInstruction;
        case FaultKind::Memory:
            return Exception::SmmuFault;
        case FaultKind::Shader:
            return Exception::ShaderFault;
    }
    return Exception::HardwareFault;
}

/// The saved state of a submit that waits while another queue's runs.
struct Context {
    Registers registers;
    std::array<StageState, kStages> stages;
    std::vector<uint8_t> gmem;
    RenderMode mode;
    VisibilityUse visibility;
    uint32_t draws;
    Caches::State caches;
};

/// Writes the GPU's state at its first fault to a file. Thread: any.
class CoreDump {
  public:
    explicit CoreDump(std::string file) : file_(std::move(file)) {}
    void write(const Machine& machine, const CommandProcessor& processor, const virt::msm::Submit& submit,
               const virt::AddressSpace& space) {
        if (file_.empty() || written_.test_and_set()) return;
        const winsys::FileSizeSignalBlock no_signal;
        std::FILE* const file = std::fopen(file_.c_str(), "wb");
        if (!file) return complain();
        decode::CoreDumpWriter writer(file);
        writer.begin(machine.chip, processor.fault().report);
        std::vector<decode::CoreDumpWriter::Commands> commands;
        for (const virt::msm::CommandBuffer& c : submit.commands)
            commands.push_back({c.iova, c.size_dw});
        writer.ring(commands, processor.position());
        for (const virt::Region& r : space.regions())
            writer.memory(r.va_begin, {r.host, size_t(r.va_end - r.va_begin)});
        std::vector<decode::CoreDumpWriter::Register> registers;
        for (uint32_t r = 0; r < Registers::kCount; ++r)
            if (machine.registers.is_set(uint16_t(r)))
                registers.push_back({uint16_t(r), machine.registers.value(uint16_t(r))});
        writer.registers(registers);
        const bool good = writer.good();
        if (std::fclose(file) != 0 || !good) return complain();
        std::fprintf(stderr, "terrazzo: trace: %s has what the GPU was at its first fault\n", file_.c_str());
    }

  private:
    void complain() const {
        std::fprintf(stderr, "terrazzo: trace: %s: %s\n", file_.c_str(), std::strerror(errno));
    }
    const std::string file_;
    std::atomic_flag written_;
};

class Group final : public virt::msm::GpuGroup {
  public:
    Group(const hw::Chip& chip, virt::msm::GpuHost& host, unsigned threads, CreateWork create_work,
          CoreDump& dump)
        : space_(host.memory()),
          host_(host),
          machine_(chip, host_, threads),
          work_(create_work(machine_)),
          dump_(dump) {}
    bool usable() const { return work_ != nullptr; }

    virt::RunResult run(uint32_t queue, const virt::msm::Submit& submit) override {
        const virt::AddressSpace::Use use(space_);
        try {
            Queue& q = queues_.try_emplace(queue, machine_, *work_).first->second;
            begin(q, submit);
            work_->begin_submit();
            const CpStatus status = q.processor.run();
            q.waits = status == CpStatus::Blocked;
            if (status == CpStatus::Fault) dump_.write(machine_, q.processor, submit, space_);
            return end(q, status);
        } catch (const std::bad_alloc&) {
            return {virt::RunStatus::Fault, true, uint32_t(Exception::OutOfMemory),
                    "the host has no memory for this submit"};
        }
    }

  private:
    struct Queue {
        Queue(Machine& machine, Work& work) : processor(machine, work) {}
        CommandProcessor processor;
        uint64_t submit = 0;  // its number
        bool waits = false;   // run() continues it
        std::unique_ptr<Context> saved;
    };

    void begin(Queue& q, const virt::msm::Submit& submit) {
        if (last_ && last_ != &q && last_->waits) save(*last_);
        last_ = &q;
        if (q.submit == submit.number && q.waits) {
            restore(q);
            return;
        }
        q.saved.reset();
        q.submit = submit.number;
        if (submit.switched) machine_.registers.forget();
        std::vector<IndirectBuffer> commands;
        for (const virt::msm::CommandBuffer& c : submit.commands)
            commands.push_back({c.iova, c.size_dw});
        q.processor.start(commands);
    }

    virt::RunResult end(const Queue& q, CpStatus status) const {
        virt::RunResult result;
        result.progressed = q.processor.progressed();
        switch (status) {
            case CpStatus::Done:
                result.status = virt::RunStatus::Done;
                break;
            case CpStatus::Blocked:
                result.status = virt::RunStatus::Blocked;
                break;
            case CpStatus::Stopped:
                result.status = virt::RunStatus::Stopped;
                break;
            case CpStatus::Fault:
                result.status = virt::RunStatus::Fault;
                result.exception = uint32_t(exception_of(q.processor.fault().kind));
                result.report = q.processor.fault().report;
                break;
        }
        return result;
    }

    void save(Queue& q) {
        q.saved = std::make_unique<Context>(Context{machine_.registers, machine_.stages, machine_.gmem,
                                                    machine_.mode, machine_.visibility, machine_.draws,
                                                    machine_.caches->save()});
    }
    void restore(Queue& q) {
        if (!q.saved) return;
        const uint64_t serial = machine_.registers.serial();
        machine_.registers = q.saved->registers;
        machine_.registers.touch(serial);
        for (unsigned i = 0; i < kStages; ++i) {
            const uint64_t stage_serial = machine_.stages[i].serial;
            machine_.stages[i] = std::move(q.saved->stages[i]);
            machine_.stages[i].serial = stage_serial + 1;
        }
        machine_.gmem = std::move(q.saved->gmem);
        machine_.mode = q.saved->mode;
        machine_.visibility = q.saved->visibility;
        machine_.draws = q.saved->draws;
        machine_.caches->restore(q.saved->caches);
        q.saved.reset();
    }

    virt::AddressSpace& space_;
    KernelHost host_;
    Machine machine_;
    std::unique_ptr<Work> work_;
    std::map<uint32_t, Queue> queues_;
    Queue* last_ = nullptr;
    CoreDump& dump_;
};

class VirtualGpu final : public virt::msm::Gpu {
  public:
    VirtualGpu(const hw::Chip& chip, CreateWork create_work, unsigned threads, std::string core_dump_file)
        : chip_(chip),
          create_work_(create_work),
          threads_(threads),
          info_(gpu_info(chip)),
          dump_(std::move(core_dump_file)) {}
    const virt::msm::GpuInfo& info() const override { return info_; }
    std::unique_ptr<virt::msm::GpuGroup> create_group(virt::msm::GpuHost& host) override {
        auto group = std::make_unique<Group>(chip_, host, threads_, create_work_, dump_);
        return group->usable() ? std::move(group) : nullptr;
    }

  private:
    const hw::Chip& chip_;
    const CreateWork create_work_;
    const unsigned threads_;
    const virt::msm::GpuInfo info_;
    CoreDump dump_;
};

}  // namespace

std::unique_ptr<virt::msm::Gpu> create_gpu(const hw::Chip& chip, CreateWork create_work, unsigned threads,
                                           std::string core_dump_file) {
    return std::unique_ptr<virt::msm::Gpu>(
        new (std::nothrow) VirtualGpu(chip, create_work, threads, std::move(core_dump_file)));
}

}  // namespace terrazzo::adreno::sim
