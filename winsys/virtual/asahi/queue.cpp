// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/asahi/queue.h"

#include <cerrno>
#include <cstring>

#include "winsys/clock.h"
#include "winsys/virtual/asahi/driver.h"

namespace terrazzo::winsys::virt::asahi {
namespace {

struct WorkJob final : Job {
    std::shared_ptr<Command> command;
    uint32_t part = 0;
    std::shared_ptr<Fence> started;  // see Group::started_
    Submit submit;
    mutable bool running = false;
};

/// What an earlier part's failure means: the part is not run.
bool is_killed(const WorkJob& job) {
    return job.part == 1 && job.command->parts[0].done->error();
}

void write_timestamp(const TimestampWrite& write, uint64_t ns) {
    if (!write.buffer) return;
    uint8_t* const at = write.buffer->bo->host() + write.buffer->offset_B + write.offset_B;
    memcpy(at, &ns, sizeof ns);
}

void begin(Part& part) {
    part.start_ns = monotonic_ns();
    write_timestamp(part.start, part.start_ns);
}

void end(Part& part) {
    part.end_ns = monotonic_ns();
    write_timestamp(part.end, part.end_ns);
}

class Ring final : public RunQueue {
  public:
    Ring(Group& group, WorkQueue index) : RunQueue(static_cast<uint32_t>(index), 0), group_(group) {}

  private:
    void run_head(Job& head) override {
        auto& job = static_cast<WorkJob&>(head);
        if (is_killed(job)) return finish_head(-ECANCELED);
        if (group_.can_run() && !group_.scheduler().simulates()) {
            begin(job.command->parts[job.part]);
            end(job.command->parts[job.part]);
        }
        if (!group_.start_head(*this)) pop()->done->signal(group_.lost_error(*this));
    }
    void end_head(std::shared_ptr<Job> job, int error) override {
        job->done->signal(error == -EINVAL ? -EIO : error);  // -EINVAL: a fault
        group_.ended();
    }
    Group& group_;
};

}  // namespace

const char* to_string(Exception exception) {
    switch (exception) {
        case Exception::None:
            return "none";
        case Exception::Unmapped:
            return "unmapped";
        case Exception::ReadOnly:
            return "read-only";
        case Exception::WriteOnly:
            return "write-only";
        case Exception::BadCommand:
            return "bad command";
        case Exception::ShaderFault:
            return "shader fault";
        case Exception::OutOfMemory:
            return "out of memory";
    }
    return "unknown";
}

Exception exception_of(const MemoryFault& fault) {
    switch (fault.reason) {
        case FaultReason::Unmapped:
        case FaultReason::OutOfRange:
            return Exception::Unmapped;
        case FaultReason::ReadOnly:
        case FaultReason::NotExecutable:
            return Exception::ReadOnly;
        case FaultReason::WriteOnly:
            return Exception::WriteOnly;
    }
    __builtin_trap();
}

Group::Group(Driver& driver, const void* file, std::shared_ptr<Vm> vm, const QueueTraits& t, uint64_t number)
    : GpuRunGroup(driver.scheduler(), {vm, &vm->space}, driver.info().timer_hz),
      traits(t),
      driver_(driver),
      file_(file),
      vm_(std::move(vm)),
      number_(number) {
    for (const WorkQueue index : {WorkQueue::Vertex, WorkQueue::Fragment, WorkQueue::Compute})
        queues.push_back(std::make_unique<Ring>(*this, index));
}

/// Puts the registers where the GPU reads them.
int Group::place(Command& command) {
    RecordSlot slot;
    if (const int error = vm_->allocate_record(&slot)) return error;
    command.record = std::make_unique<Record>(vm_, slot);
    std::visit([&](const auto& registers) { memcpy(slot.host, &registers, sizeof registers); },
               command.registers);
    return 0;
}

int Group::submit(const Commands& commands, SyncList& syncs) {
    SyncDomain& domain = scheduler().domain();
    const auto self = shared_from_this();
    std::list<std::shared_ptr<Fence>> before(syncs.waits.begin(), syncs.waits.end());
    if (started_ && !started_->signaled()) before.push_back(started_);
    const auto started = before.empty() ? nullptr : Fence::all_of(domain, before);

    std::array<std::vector<std::shared_ptr<Fence>>, 2> marks;  // what a barrier of 0, 1, ... waits for
    for (const size_t s : {0, 1})
        marks[s].push_back(last_[s]);
    std::vector<std::pair<WorkQueue, std::shared_ptr<WorkJob>>> jobs;
    std::list<std::shared_ptr<Fence>> all;
    auto numbers = numbers_;
    for (const auto& command : commands) {
        if (scheduler().simulates())
            if (const int error = place(*command)) return error;
        std::vector<std::shared_ptr<Fence>> waits;
        if (started) waits.push_back(started);
        for (const size_t s : {0, 1})
            if (command->barriers[s] != kNoBarrier)
                if (const auto& mark = marks[s].at(command->barriers[s])) waits.push_back(mark);
        const auto add = [&](WorkQueue queue, uint32_t part) {
            auto job = std::make_shared<WorkJob>();
            job->command = command;
            job->part = part;
            job->started = started;
            job->done = command->parts[part].done = std::make_shared<Fence>(domain);
            const auto q = static_cast<uint32_t>(queue);
            job->submit = {.streams = {}, .number = ++numbers[q], .announced = syncs.signals()};
            if (command->record)
                job->submit.streams.push_back({command->record->va(), command->is_render()
                                                                          ? sizeof(RenderCommand)
                                                                          : sizeof(ComputeCommand)});
            JobQueue::depend({self, queues[q].get()}, job, waits);
            all.push_back(job->done);
            waits = {job->done};
            if (started) waits.push_back(started);
            jobs.emplace_back(queue, std::move(job));
        };
        if (command->is_render()) {
            add(WorkQueue::Vertex, 0);
            add(WorkQueue::Fragment, 1);
        } else {
            add(WorkQueue::Compute, 0);
        }
        marks[command->is_render() ? 0 : 1].push_back(all.back());
    }
    const auto done = Fence::all_of(domain, all);
    for (const size_t s : {0, 1})
        last_[s] = marks[s].back();
    numbers_ = numbers;
    started_ = started;
    size_t pushed = 0;
    try {
        for (const auto& [queue, job] : jobs)
            if (queue != WorkQueue::Vertex && job->command->on_end)
                job->done->on_signal([command = job->command](int) { command->on_end(*command); });
        for (; pushed < jobs.size(); pushed++)
            queues[static_cast<uint32_t>(jobs[pushed].first)]->push(jobs[pushed].second);
    } catch (...) {
        for (; pushed < jobs.size(); pushed++)
            jobs[pushed].second->done->signal(-ENOMEM);
        throw;
    }
    syncs.commit(done);
    return 0;
}

void Group::close() {
    closing_ = true;
    for (const auto& queue : queues)
        queue->cancel_tail(-ESRCH, [](const Job& job) {
            const auto& started = static_cast<const WorkJob&>(job).started;
            return started && !started->signaled();
        });
    ended();
}

bool Group::is_idle() const {
    for (const auto& queue : queues)
        if (queue->head()) return false;
    return true;
}

void Group::ended() {
    if (closing_ && is_idle()) driver_.remove_group(this);
}

bool Group::can_run() const {
    return GpuRunGroup::can_run() && !driver_.crashed();
}

int Group::lost_error(const RunQueue&) const {
    return driver_.crashed() ? -ENODEV : -ECANCELED;
}

RunResult Group::run(RunQueue& queue, const Job& head) {
    const auto& job = static_cast<const WorkJob&>(head);
    Part& part = job.command->parts[job.part];
    if (!job.running) begin(part);
    job.running = true;
    RunResult result = run_submit(queue.index(), job.submit, static_cast<uint32_t>(Exception::OutOfMemory));
    if (result.status == RunStatus::Fatal &&
        result.exception == static_cast<uint32_t>(Exception::OutOfMemory))
        result.status = RunStatus::Fault;  // the host's error is no crash of the GPU
    if (result.status == RunStatus::Done) end(part);
    part.exception = static_cast<Exception>(result.exception);
    part.address = result.address;
    return result;
}

void Group::fatal(RunQueue&, const RunResult&) {
    driver_.crash();
}

void Group::lose() {
    GpuRunGroup::lose();
    ended();
}

void Group::time_out(RunQueue& queue) {
    queue.finish_head(-ETIMEDOUT);
    queue.pump();
}

std::string Group::name_of(const RunQueue& queue) const {
    static const char* const kNames[kWorkQueues] = {"vertex", "fragment", "compute"};
    return "asahi: queue " + std::to_string(number_) + " " + kNames[queue.index()];
}

const char* Group::exception_name(uint32_t exception) const {
    return to_string(static_cast<Exception>(exception));
}

}  // namespace terrazzo::winsys::virt::asahi
