// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/mali/mutation/replay.h"

#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <map>
#include <set>

#include "drivers/mali/hw/cs.h"
#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/isa/isa.h"
#include "drivers/mali/sim/core/program.h"
#include "drivers/mali/sim/csf/front_end.h"
#include "drivers/mali/sim/jobs.h"
#include "tests/mali/mutation/exhausted_jobs.h"

namespace terrazzo::test {

namespace {

using mali::isa::Flow;

constexpr unsigned kQueues = 8;  // of one group, as captures number them

/// The instructions that a mutation removes; mask: their bits for slots (0: none).
const char* name_of(CsOpcode op, uint64_t* mask) {
    constexpr uint64_t kMask16 = 0xffffull << 16;
    *mask = 0;
    switch (op) {
        case CsOpcode::WAIT:
            *mask = 0xffull << 16;
            return "WAIT";
        case CsOpcode::FINISH_FRAGMENT:
            *mask = kMask16;
            return "FINISH_FRAGMENT";
        case CsOpcode::FLUSH_CACHE2:
            *mask = kMask16;
            return "FLUSH_CACHE2";
        case CsOpcode::SYNC_ADD64:
            *mask = kMask16;
            return "SYNC_ADD64";
        case CsOpcode::HEAP_OPERATION:
            *mask = kMask16;
            return "HEAP_OPERATION";
        case CsOpcode::SYNC_WAIT64:
            return "SYNC_WAIT64";
        case CsOpcode::SET_SB_ENTRY:
            return "SET_SB_ENTRY";
        case CsOpcode::HEAP_SET:
            return "HEAP_SET";
        case CsOpcode::REQ_RESOURCE:
            return "REQ_RESOURCE";
        case CsOpcode::FINISH_TILING:
            return "FINISH_TILING";
        default:
            return nullptr;
    }
}

std::string hex(uint64_t v) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(v));
    return text;
}

/// A slot that is not waited for between a message with results and the first use of a result; -1: none.
int other_slot(const sim::Program& program, size_t message) {
    const sim::Step& step = program.steps[message];
    if (!step.staged_writes || !step.instr.info().has_slot() || step.slot > 2) return -1;
    unsigned waits = step.waits;
    size_t user = message + 1;
    for (; user < program.steps.size(); ++user) {
        const sim::Step& s = program.steps[user];
        if ((s.reads | s.writes | s.staged_reads | s.staged_writes) & step.staged_writes) break;
        waits |= s.waits;
    }
    for (int slot = 0; slot < 3 && user < program.steps.size(); ++slot)
        if (!(waits >> slot & 1)) return slot;
    return -1;
}

/// One group's machine in one run.
struct Group {
    Group(const hw::Chip& chip, sim::Host& host, bool exhausted, std::function<void(CsOpcode)> done)
        : machine(chip, host, 1), jobs(sim::make_jobs(machine), progress.order, exhausted, std::move(done)) {
        queues.reserve(kQueues);
        for (unsigned i = 0; i < kQueues; ++i)
            queues.push_back({sim::FrontEnd(machine, jobs, progress, i), false, 0, 0, {}});
    }
    struct Queue {
        sim::FrontEnd front;
        bool runs;
        uint64_t submission = 0;
        unsigned jobs = 0;  // of the stream: ended jobs of the queue's kind
        /// Places of the stream by the number of such jobs before them. A mutation after a job changes
        /// nothing before that job has ended.
        std::multimap<unsigned, Place> later{};
    };
    sim::Machine machine;
    sim::Progress progress;
    ExhaustedJobs jobs;
    std::vector<Queue> queues;
    unsigned last_queue = 0;  // the queue of the last stream
    bool announces = false;   // it has streams of the fragment queue, whose ends the host waits for
};

class MaliReplay final : public Replay, public sim::Host, public sim::Space, public sim::LoadOrder {
  public:
    MaliReplay(Recording& recording, const hw::Chip& chip)
        : Replay(recording, {{kHeap, kHeap + kChunks * kChunk_B}}), chip_(chip) {}
    unsigned variants() const override { return 2; }

  private:
    static constexpr uint64_t kHeap = 1ull << 46, kChunk_B = 2 << 20, kChunks = 256;
    static constexpr unsigned kMostQuestions = 2000;  // several times the number of an example scene

    std::string run_all() override;

    // ---- The GPU's memory ----

    sim::Space& space() override { return *this; }
    uint64_t grow_heap(uint64_t, uint32_t, uint32_t) override {
        return chunks_ == kChunks ? 0 : (kHeap + chunks_++ * kChunk_B) | kChunk_B >> 12;
    }
    uint64_t timestamp() const override { return 0; }
    bool should_stop() const override { return options.damage && ++questions_ > kMostQuestions; }
    sim::Mapping find(uint64_t va) override { return memory.find(va); }
    uint64_t epoch() const override { return 0; }
    const char* read_image(uint64_t va, uint64_t size_B) override {
        return running_->progress.order.read(queue_, va, size_B);
    }
    void stored(uint64_t va, uint64_t size_B) override {
        running_->progress.order.stored(queue_, va, size_B);
    }
    const char* loaded(uint64_t va, uint64_t size_B) override {
        return running_->progress.order.loaded(queue_, va, size_B);
    }
    void run_code(uint64_t va) override {
        if (!options.damage && codes_.insert(va).second) walk_shader(va);
    }

    // ---- Places ----

    void walk_stream(unsigned queue, uint64_t pc, uint64_t end, bool is_handler = false);
    void place_in_stream(unsigned queue, const Place& place);
    void job_ended(CsOpcode kind);
    void walk_shader(uint64_t va);
    std::string queue_name(unsigned queue) const {
        constexpr const char* kNames[] = {"vertex: ", "fragment: ", "compute: "};
        return queue < 3 ? kNames[queue] : "queue " + std::to_string(queue) + ": ";
    }

    std::string run_queue(Group& group, unsigned q, bool* goes_on);
    std::string run_queues();

    const hw::Chip& chip_;
    std::set<uint64_t> sync_objects_;
    std::map<uint64_t, unsigned> walks_;  // by submission: number of jobs that the walk over its stream found
    std::map<uint64_t, bool> jobs_in_;    // by submission: the first run had the same number

    // The state of one run:
    std::map<uint32_t, std::unique_ptr<Group>> groups_;
    Group* running_ = nullptr;
    unsigned queue_ = 0;
    uint64_t chunks_ = 0, submission_ = 0;
    uint32_t index_ = 0;
    unsigned walked_ = 0;  // jobs of the queue's kind, so far in the stream
    mutable unsigned questions_ = 0;
    std::set<uint64_t> codes_, handlers_;
};

// The place is mutated after the jobs before it, if a walk over the stream knows their number. Then the child
// process does not run the work before it again.
void MaliReplay::place_in_stream(unsigned queue, const Place& place) {
    const auto known = jobs_in_.find(submission_);
    if (!options.branch || walked_ == 0 || known == jobs_in_.end() || !known->second) return offer(place);
    running_->queues[queue].later.emplace(walked_, place);
}

void MaliReplay::job_ended(CsOpcode kind) {
    Group::Queue& q = running_->queues[queue_];
    if (kind != job_of(queue_)) return;
    const auto [first, last] = q.later.equal_range(++q.jobs);
    std::vector<Place> places;
    for (auto i = first; i != last; ++i)
        places.push_back(i->second);
    q.later.erase(first, last);
    for (const Place& p : places)
        offer(p);
}

// Uses only the values that the stream itself sets registers to.
void MaliReplay::walk_stream(unsigned queue, uint64_t pc, uint64_t end, bool is_handler) {
    std::array<uint32_t, 257> r{};
    const auto pair = [&](unsigned i) { return r[i] | uint64_t(r[i + 1]) << 32; };
    for (unsigned limit = 1u << 20; pc != end && limit; --limit, pc += 8) {
        const uint64_t* const at = memory.word(pc);
        if (!at) return;
        const uint64_t w = *at;
        const auto op = CsOpcode(w >> 56);
        const unsigned destination = w >> 48 & 0xff, address = w >> 40 & 0xff, length = w >> 32 & 0xff;
        ++index_;
        switch (op) {
            case CsOpcode::MOVE:
                r[destination + 1] = uint32_t(w >> 32 & 0xffff);
                [[fallthrough]];
            case CsOpcode::MOVE32:
                r[destination] = uint32_t(w);
                continue;
            case CsOpcode::JUMP:
                pc = pair(address) - 8;
                end = pc + 8 + r[length];
                continue;
            case CsOpcode::SET_EXCEPTION_HANDLER:
                if (handlers_.insert(pair(address)).second)
                    walk_stream(queue, pair(address), pair(address) + r[length], true);
                continue;
            case CsOpcode::SYNC_ADD64:
            case CsOpcode::SYNC_WAIT64:
                sync_objects_.insert(pair(address));
                break;
            default:
                break;
        }
        walked_ += !is_handler && op == job_of(queue);
        uint64_t mask = 0;
        const char* const name = name_of(op, &mask);
        if (!name) continue;
        const auto without = [&](uint64_t changed, const std::string& what) {
            place_in_stream(
                queue, {false, submission_, index_, {{pc, w, changed}}, queue_name(queue) + name + what});
        };
        without(0, "");
        for (uint64_t bits = w & mask; bits && (op != CsOpcode::WAIT || std::popcount(w & mask) > 1);
             bits &= bits - 1) {
            const unsigned bit = unsigned(std::countr_zero(bits));
            without(w & ~(1ull << bit), ", slot " + std::to_string(bit - 16));
        }
    }
}

void MaliReplay::walk_shader(uint64_t va) {
    sim::Window window(*this);
    const auto program = sim::decode_program(window, va);
    for (size_t i = 0; i < program->steps.size(); ++i) {
        const sim::Step& step = program->steps[i];
        if (!step.good) continue;
        if (!memory.word(va + 8 * i)) return;
        const std::string name = "shader " + hex(va) + "+" + hex(8 * i) + ": " + step.instr.info().name;
        const auto variant = [&](const mali::isa::Instr& to, const std::string& what) {
            Change change{va + 8 * i, step.word};
            if (mali::isa::encode(to, &change.without, nullptr) && change.without != step.word)
                offer({true, va, uint32_t(i), {change}, name + what});
        };
        const auto flow = [&](Flow f, const std::string& what) {
            mali::isa::Instr to = step.instr;
            to.flow = f;
            variant(to, what);
        };
        const Flow f = step.instr.flow;
        if (f <= Flow::kWait012)
            for (unsigned slot = 0; slot < 3; ++slot) {
                if (unsigned(f) >> slot & 1)
                    flow(Flow(unsigned(f) & ~(1u << slot)), ", wait " + std::to_string(slot));
            }
        if (f == Flow::kWait0126 || f == Flow::kWait) {
            flow(Flow::kNone, ", all waits");
            flow(Flow::kWait012, f == Flow::kWait ? ", wait 6 and 7" : ", wait 6");
        }
        if (f == Flow::kWait) flow(Flow::kWait0126, ", wait 7");
        if (const int slot = other_slot(*program, i); slot >= 0) {
            mali::isa::Instr to = step.instr;
            to.mods[unsigned(mali::isa::Mod::kSlot)] = uint8_t(slot);
            variant(to, ", slot " + std::to_string(slot));
        }
    }
}

std::string MaliReplay::run_queue(Group& group, unsigned q, bool* goes_on) {
    Group::Queue& queue = group.queues[q];
    if (!queue.runs) return {};
    running_ = &group;
    queue_ = q;
    switch (queue.front.run()) {
        case sim::RunStatus::Done:
            queue.runs = false;
            *goes_on = true;
            if (!options.branch && !options.change && !options.damage && options.variant == 0)
                jobs_in_[queue.submission] = queue.jobs == walks_[queue.submission];
            if (!queue.later.empty() && !options.change)
                return "a stream ended without the jobs that a walk has seen";
            break;
        case sim::RunStatus::Blocked:
            *goes_on |= queue.front.progressed();
            break;
        case sim::RunStatus::Fault:
        case sim::RunStatus::Fatal:
            return queue.front.fault().report.empty() ? kUnexplained : queue.front.fault().report;
        case sim::RunStatus::Stopped:
            return kStopped;
    }
    return {};
}

// Until no queue makes progress.
std::string MaliReplay::run_queues() {
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (auto& [number, group] : groups_)
            for (unsigned q = 0; q < kQueues; ++q)
                if (std::string report = run_queue(*group, q, &goes_on); !report.empty()) return report;
    }
    return {};
}

std::string MaliReplay::run_all() {
    groups_.clear();
    codes_.clear();
    handlers_.clear();
    chunks_ = submission_ = questions_ = 0;
    std::string report;
    for (Submission& s : recording.submissions) {
        std::unique_ptr<Group>& group = groups_[s.queue / kQueues];
        if (!group) {
            group = std::make_unique<Group>(chip_, *this, options.variant == 1,
                                            [this](CsOpcode kind) { job_ended(kind); });
            // With loads checked, warps run alone; the other variant runs them in bundles.
            if (!options.damage && options.variant == 1) group->machine.loads = this;
        }
        const unsigned q = s.queue % kQueues;
        // The streams of one submission, in the order of their queues, all begin before waiting streams
        // continue.
        if (q <= group->last_queue)
            if (report = run_queues(); !report.empty()) return report;
        group->last_queue = q;
        if (group->queues[q].runs) return "a stream waits for a value that is not written";
        begin_submission(submission_, [&](uint64_t va) { return sync_objects_.count(va) != 0; });
        index_ = walked_ = 0;
        running_ = group.get();
        group->queues[q].submission = submission_;
        group->queues[q].jobs = 0;
        group->queues[q].later.clear();
        if (!options.damage) walk_stream(q, s.va, s.va + s.size_B);
        walks_[submission_] = walked_;
        if (q == 0) group->jobs.begin_stream();
        group->announces |= q == kFragmentQueue;
        group->queues[q].front.start(s.va, s.size_B, q == kFragmentQueue, false);
        group->queues[q].runs = true;
        ++submission_;
        bool goes_on;
        if (report = run_queue(*group, q, &goes_on); !report.empty()) return report;
    }
    if (report = run_queues(); !report.empty()) return report;
    for (const auto& [number, group] : groups_)
        for (const Group::Queue& q : group->queues)
            if (q.runs) return "a stream waits for a value that is not written";
    if (!options.damage)
        for (const auto& [number, group] : groups_)
            if (group->announces && !group->progress.order.all_announced())
                return "the host never learns that all jobs have ended";
    return {};
}

}  // namespace

const char* const kRecordingDevice = "sim:mali-g610";

std::unique_ptr<Replay> create_replay(Recording& recording, std::string* why) {
    if (recording.vendor == capture::Vendor::Mali)
        for (const hw::Chip& c : hw::chips())
            if (c.gpu_id == recording.gpu_id && (c.core_features & 0xff) == recording.variant)
                return std::make_unique<MaliReplay>(recording, c);
    *why = "the recording's chip is not a known Mali";
    return nullptr;
}

}  // namespace terrazzo::test
