// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/msm/group.h"

#include <algorithm>
#include <cerrno>

#include "winsys/uapi/msm.h"

namespace terrazzo::winsys::virt::msm {
namespace {

/// Collects the buffers that the ring calls: not those that other buffers call, and restore buffers only if
/// registers were lost.
void start(const SubmitJob& job, bool switched) {
    job.submit.switched = switched;
    for (const SubmitJob::Command& command : job.commands)
        if (command.type == uapi::kMsmSubmitCmdBuf ||
            (command.type == uapi::kMsmSubmitCmdCtxRestoreBuf && switched))
            job.submit.streams.push_back(command.buffer);
    job.started = true;
}

}  // namespace

const char* to_string(Exception exception) {
    switch (exception) {
        case Exception::None:
            return "none";
        case Exception::OpcodeError:
            return "CP_OPCODE_ERROR";
        case Exception::HardwareFault:
            return "CP_HW_FAULT_ERROR";
        case Exception::RegisterProtection:
            return "CP_REGISTER_PROTECTION_ERROR";
        case Exception::IllegalInstruction:
            return "CP_ILLEGAL_INSTR_ERROR";
        case Exception::SmmuFault:
            return "SMMU fault";
        case Exception::ShaderFault:
            return "shader fault";
        case Exception::OutOfMemory:
            return "out of memory";
    }
    return "unknown";
}

void Ring::run_head(Job&) {
    if (!group_.start_head(*this)) pop()->done->signal(-ECANCELED);
}

void Ring::end_head(std::shared_ptr<Job> job, int error) {
    auto& submit = static_cast<SubmitJob&>(*job);
    if (error) group_.count_fault(*submit.queue);
    submit.queue->fences.erase(submit.fence_id);
    submit.done->signal(error);
}

Group::Group(Scheduler& scheduler, std::shared_ptr<Vm> vm, const GpuInfo& info, uint64_t number,
             std::atomic<uint64_t>& current)
    : GpuRunGroup(scheduler, {vm, &vm->space}, info.timestamp_hz),
      vm_(std::move(vm)),
      number_(number),
      current_(current) {
    const uint32_t count = info.rings * kPrioritiesPerRing;
    for (uint32_t i = 0; i < count; i++)
        queues.push_back(std::make_unique<Ring>(*this, i, static_cast<uint8_t>(count - 1 - i)));
}

void Group::count_fault(SubmitQueue& queue) {
    queue.faults++;
    vm_->faults++;
    if (!vm_->managed) vm_->unusable = true;  // as a lost device of Vulkan
    current_ = 0;                             // the GPU was reset
}

uint8_t Group::run_priority() const {
    uint8_t priority = 0;
    for (const auto& queue : queues)
        if (queue->head_ready()) priority = std::max(priority, queue->priority());
    return priority;
}

RunResult Group::run(RunQueue& queue, const Job& head) {
    const auto& job = static_cast<const SubmitJob&>(head);
    if (vm_->unusable) return {};  // later submits complete in order without running
    constexpr auto kOutOfMemory = static_cast<uint32_t>(Exception::OutOfMemory);
    const bool switched = current_.exchange(number_) != number_;
    try {
        if (!job.started) start(job, switched);
    } catch (...) {
        return {RunStatus::Fatal, true, kOutOfMemory, "the host is out of memory"};
    }
    return run_submit(queue.index(), job.submit, kOutOfMemory);
}

void Group::fatal(RunQueue& queue, const RunResult&) {
    queue.finish_head(-EIO);
    queue.pump();
}

void Group::time_out(RunQueue& queue) {
    queue.finish_head(-ETIMEDOUT);
    queue.pump();
}

std::string Group::name_of(const RunQueue& queue) const {
    return "msm: context " + std::to_string(number_) + " priority " + std::to_string(queue.index());
}

const char* Group::exception_name(uint32_t exception) const {
    return to_string(static_cast<Exception>(exception));
}

}  // namespace terrazzo::winsys::virt::msm
