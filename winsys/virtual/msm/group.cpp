// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/msm/group.h"

#include <algorithm>
#include <cerrno>

#include "winsys/clock.h"
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

uint64_t timestamp_of(uint64_t hz) {
    return static_cast<uint64_t>(static_cast<unsigned __int128>(monotonic_ns()) * hz / 1'000'000'000u);
}

void Ring::run_head(Job&) {
    if (!group_.can_run())
        pop()->done->signal(-ECANCELED);
    else if (group_.scheduler().simulates())
        group_.scheduler().wake();
    else
        finish_head(0);
}

void Ring::end_head(std::shared_ptr<Job> job, int error) {
    auto& submit = static_cast<SubmitJob&>(*job);
    if (error) group_.count_fault(*submit.queue);
    submit.queue->fences.erase(submit.fence_id);
    submit.done->signal(error);
}

Group::Group(Scheduler& scheduler, std::shared_ptr<Vm> vm, const GpuInfo& info, uint64_t number,
             std::atomic<uint64_t>& current)
    : scheduler_(scheduler),
      vm_(std::move(vm)),
      timestamp_hz_(info.timestamp_hz),
      number_(number),
      current_(current) {
    const uint32_t count = info.rings * kPrioritiesPerRing;
    for (uint32_t i = 0; i < count; i++)
        queues.push_back(std::make_unique<Ring>(*this, i, static_cast<uint8_t>(count - 1 - i)));
}

int Group::create(Gpu* gpu) {
    if (gpu) gpu_group_ = gpu->create_group(uint32_t(queues.size()), *this);
    return !gpu || gpu_group_ ? 0 : -ENOMEM;
}

void Group::destroy() {
    destroyed_ = true;
    lose();
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
    try {
        const bool switched = current_.exchange(number_) != number_;
        if (!job.started) start(job, switched);
        return gpu_group_->run(queue.index(), job.submit);
    } catch (...) {
        return {RunStatus::Fatal, true, static_cast<uint32_t>(Exception::OutOfMemory),
                "the host is out of memory"};
    }
}

void Group::fatal(RunQueue& queue, const RunResult&) {
    queue.finish_head(-EIO);
    queue.pump();
}

void Group::time_out(RunQueue& queue) {
    queue.finish_head(-ETIMEDOUT);
    queue.pump();
}

void Group::lose() {
    stop_.store(true, std::memory_order_relaxed);
    if (running) return;  // the worker calls this again when its run ends
    gpu_group_.reset();
    for (const auto& queue : queues)
        queue->cancel(-ECANCELED);
}

std::string Group::name_of(const RunQueue& queue) const {
    return "msm: context " + std::to_string(number_) + " priority " + std::to_string(queue.index());
}

const char* Group::exception_name(uint32_t exception) const {
    return to_string(static_cast<Exception>(exception));
}

uint64_t Group::timestamp() const {
    return timestamp_of(timestamp_hz_);
}

}  // namespace terrazzo::winsys::virt::msm
