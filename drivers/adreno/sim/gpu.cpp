// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/gpu.h"

#include <algorithm>
#include <map>
#include <vector>

#include "drivers/adreno/sim/cp/command_processor.h"
#include "drivers/adreno/sim/cp/core_dump.h"
#include "drivers/adreno/sim/picture.h"
#include "drivers/adreno/sim/work.h"
#include "winsys/virtual/msm/gpu.h"

namespace terrazzo::adreno::sim {

namespace {

using host::RunResult;
using host::RunStatus;
using host::Submit;
using winsys::virt::msm::Exception;

// By FaultKind.
constexpr Exception kExceptions[] = {Exception::OpcodeError,        Exception::HardwareFault,
                                     Exception::RegisterProtection, Exception::IllegalInstruction,
                                     Exception::SmmuFault,          Exception::ShaderFault};
static_assert(unsigned(FaultKind::Shader) + 1 == std::size(kExceptions));

class Group final : public host::Group {
  public:
    Group(const hw::Chip& chip, Host& host, const host::GroupOptions& options)
        : machine_(chip, host, options.threads),
          work_(options.draws_nothing ? std::make_unique<Work>()
                                      : create_work(machine_, options.watches ? &target_ : nullptr)) {}

    RunResult run(uint32_t queue, const Submit& submit) override {
        Queue& q = queues_.try_emplace(queue, machine_, *work_).first->second;
        begin(q, submit);
        work_->begin_submit();
        const RunStatus status = q.processor.run();
        work_->count();
        q.waits = status == RunStatus::Blocked;
        RunResult result{status, q.processor.progressed(), 0, {}};
        if (status == RunStatus::Fault) {
            result.exception = uint32_t(kExceptions[unsigned(q.processor.fault().kind)]);
            result.report = q.processor.fault().report;
        }
        return result;
    }
    const host::Counters& counters() const override { return machine_.work; }
    bool take_picture(host::Picture* out, std::string* why) override {
        const bool good = target_.any() && read_picture(machine_, target_.desc(), out, why);
        target_.forget();
        return good;
    }
    bool write_core_dump(std::FILE* file, const Submit& submit,
                         const winsys::virt::AddressSpace& space) override {
        CoreDumpWriter writer(file);
        writer.begin(machine_.chip, last_->processor.fault().report);
        std::vector<CoreDumpWriter::Commands> commands;
        for (const host::Stream& s : submit.streams)
            commands.push_back({s.va, uint32_t(s.size_B / 4)});
        writer.ring(commands, last_->processor.position());
        for (const winsys::virt::Region& r : space.regions())
            writer.memory(r.va_begin, {r.host, size_t(r.va_end - r.va_begin)});
        std::vector<CoreDumpWriter::Register> registers;
        for (uint32_t r = 0; r < Registers::kCount; ++r)
            if (machine_.registers.is_set(uint16_t(r)))
                registers.push_back({uint16_t(r), machine_.registers.value(uint16_t(r))});
        writer.registers(registers);
        return writer.good();
    }

  private:
    /// The saved state of a submit that waits while another queue's runs.
    struct Saved {
        ContextState state;
        CacheState caches;
    };
    struct Queue {
        Queue(Machine& machine, Work& work) : processor(machine, work) {}
        CommandProcessor processor;
        uint64_t submit = 0;  // its number
        bool waits = false;   // run() continues it
        std::unique_ptr<Saved> saved;
    };

    void begin(Queue& q, const Submit& submit) {
        if (last_ && last_ != &q && last_->waits)
            last_->saved = std::make_unique<Saved>(Saved{machine_, machine_.caches->save()});
        last_ = &q;
        if (q.submit == submit.number && q.waits) {
            if (!q.saved) return;
            machine_.restore(std::move(q.saved->state));
            machine_.caches->restore(q.saved->caches);
            q.saved.reset();
            return;
        }
        q.saved.reset();
        q.submit = submit.number;
        if (submit.switched) machine_.registers.forget();
        std::vector<IndirectBuffer> commands;
        for (const host::Stream& s : submit.streams)
            commands.push_back({s.va, uint32_t(std::min<uint64_t>(s.size_B / 4, UINT32_MAX))});
        q.processor.start(commands);
    }

    Machine machine_;
    LastTarget target_;
    const std::unique_ptr<Work> work_;
    std::map<uint32_t, Queue> queues_;
    Queue* last_ = nullptr;
};

}  // namespace

std::unique_ptr<host::Group> create_group(const hw::Chip& chip, host::Host& host,
                                          const host::GroupOptions& options) {
    return std::make_unique<Group>(chip, host, options);
}

}  // namespace terrazzo::adreno::sim
