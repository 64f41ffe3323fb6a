// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Adreno's part of tests/common/mutation. A mutation removes one of: a packet that waits, the effect of a
// cache event (its write remains), (ss), (sy), or one cycle of a nop. A nop with one cycle is swapped with
// the next instruction.
#include <map>
#include <set>

#include "drivers/adreno/hw/pm4.h"
#include "drivers/adreno/hw/registers.h"
#include "drivers/adreno/isa/isa.h"
#include "drivers/adreno/sim/core/program.h"
#include "drivers/adreno/sim/cp/caches.h"
#include "drivers/adreno/sim/cp/command_processor.h"
#include "drivers/adreno/sim/work.h"
#include "tests/common/mutation/mutation.h"

namespace terrazzo::test {

namespace {

namespace hw = adreno::hw;
namespace isa = adreno::isa;
namespace sim = adreno::sim;
using hw::EventType;
using hw::Pm4Opcode;

constexpr uint32_t kQueues = 16;  // one context, as captures number them

bool is_cache_event(EventType type) {
    switch (type) {
        case EventType::CACHE_FLUSH_TS:
        case EventType::CACHE_INVALIDATE:
        case EventType::PC_CCU_FLUSH_COLOR_TS:
        case EventType::PC_CCU_FLUSH_DEPTH_TS:
        case EventType::PC_CCU_INVALIDATE_COLOR:
        case EventType::PC_CCU_INVALIDATE_DEPTH:
        case EventType::PC_CCU_RESOLVE_TS:
        case EventType::LRZ_FLUSH:
            return true;
        default:
            return false;
    }
}

std::string hex(uint64_t v) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(v));
    return text;
}

/// One context's machine in one run.
struct Context {
    Context(const hw::Chip& chip, sim::Host& host, bool reads_all_levels)
        : machine(chip, host, 1), work(sim::create_work(machine)), processor(machine, *work) {
        machine.reads_all_levels = reads_all_levels;
        machine.caches->orders_stores = true;
    }
    sim::Machine machine;
    std::unique_ptr<sim::Work> work;
    sim::CommandProcessor processor;
};

class AdrenoReplay final : public Replay, public sim::Host, public window::Space {
  public:
    AdrenoReplay(Recording& recording, const hw::Chip& chip) : Replay(recording, {}), chip_(chip) {}
    uint64_t result() const override { return memory.digest(); }
    /// 1: every level of a sampled texture is read. Missing flushes of levels that this picture does not need
    /// are then noticed, too.
    unsigned variants() const override { return 2; }

  private:
    static constexpr unsigned kMostQuestions = 100000;  // several times the number of an example scene

    window::Space& space() override { return *this; }
    uint64_t timestamp() const override { return 0; }
    bool should_stop() const override { return options.damage && ++questions_ > kMostQuestions; }
    window::Mapping find(uint64_t va) override { return memory.find(va); }
    uint64_t epoch() const override { return 0; }
    void run_code(uint64_t va) override {
        if (!options.damage && codes_.insert(va).second) walk_shader(va);
    }

    std::string run_all() override;
    std::string run_submission(size_t first, size_t count);

    // ---- Places ----

    bool load(uint64_t va, uint32_t* out) const {
        const uint64_t* const w = memory.word(va);
        if (!w) return false;
        *out = uint32_t(*w >> (va % 8) * 8);
        return true;
    }
    void walk_stream(uint64_t va, uint32_t size_dw, const char* level);
    std::string name_at(uint64_t va) const;
    void packet(uint64_t va, const hw::Pm4Header& header, const std::string& where);
    void offer_word(uint64_t va, uint32_t to, std::string what);
    void walk_shader(uint64_t va);
    void offer_nop(const sim::Program& program, size_t i, const std::set<size_t>& targets,
                   const std::string& name);

    const hw::Chip& chip_;
    // The state of one run:
    std::map<uint32_t, std::unique_ptr<Context>> contexts_;
    std::set<uint64_t> codes_, streams_;
    uint64_t submission_ = 0;
    uint32_t index_ = 0;
    std::string mode_;  // of the stream, at the walk's position
    mutable unsigned questions_ = 0;
};

// ---- Streams ----

void AdrenoReplay::offer_word(uint64_t va, uint32_t to, std::string what) {
    const uint64_t* const w = memory.word(va);
    if (!w) return;
    const unsigned shift = unsigned(va % 8) * 8;
    const uint64_t rest = *w & ~(0xffffffffull << shift);
    offer({false,
           submission_,
           index_,
           {{va & ~7ull, *w, rest | uint64_t(to) << shift, rest | 0xffffffffull << shift}},
           std::move(what)});
}

/// The packet or register at the address: the mutation is before it.
std::string AdrenoReplay::name_at(uint64_t va) const {
    uint32_t word = 0;
    if (!load(va, &word)) return "the end";
    const hw::Pm4Header h = hw::unpack_header(word);
    if (h.type == hw::Pm4Header::Type::Write) return hw::register_name(uint16_t(h.reg));
    const char* const name =
        h.type == hw::Pm4Header::Type::Packet ? hw::enum_name(Pm4Opcode(h.opcode)) : nullptr;
    if (!name) return "the end";
    uint32_t first = 0;
    if (Pm4Opcode(h.opcode) == Pm4Opcode::CP_EVENT_WRITE && load(va + 4, &first))
        if (const char* const event = hw::enum_name(EventType(first & 0xff))) return event;
    return name;
}

void AdrenoReplay::packet(uint64_t va, const hw::Pm4Header& header, const std::string& where) {
    const auto opcode = Pm4Opcode(header.opcode);
    const std::string before = " before " + name_at(va + 4 + 4 * header.count_dw);
    switch (opcode) {
        case Pm4Opcode::CP_WAIT_FOR_IDLE:
        case Pm4Opcode::CP_WAIT_FOR_ME:
        case Pm4Opcode::CP_WAIT_MEM_WRITES:
            offer_word(va, hw::pack_type7(Pm4Opcode::CP_NOP, header.count_dw),
                       where + hw::enum_name(opcode) + before);
            return;
        case Pm4Opcode::CP_EVENT_WRITE: {
            uint32_t word = 0;
            if (!load(va + 4, &word) || !is_cache_event(EventType(word & 0xff))) return;
            const EventType other = header.count_dw > 1 ? EventType::RB_DONE_TS : EventType::LABEL;
            offer_word(va + 4, (word & ~0xffu) | uint32_t(other),
                       where + hw::enum_name(EventType(word & 0xff)) + before);
            return;
        }
        default:
            return;
    }
}

void AdrenoReplay::walk_stream(uint64_t va, uint32_t size_dw, const char* level) {
    if (!streams_.insert(va).second) return;
    for (uint32_t at = 0; at < size_dw;) {
        uint32_t word = 0;
        if (!load(va + 4ull * at, &word)) return;
        const hw::Pm4Header h = hw::unpack_header(word);
        if (h.type == hw::Pm4Header::Type::Invalid || h.count_dw >= size_dw - at) return;
        ++index_;
        const uint64_t here = va + 4ull * at;
        at += 1 + h.count_dw;
        if (h.type != hw::Pm4Header::Type::Packet) continue;
        std::vector<uint32_t> payload(h.count_dw);
        for (uint32_t i = 0; i < h.count_dw; ++i)
            if (!load(here + 4 + 4ull * i, &payload[i])) return;
        const auto opcode = Pm4Opcode(h.opcode);
        if (opcode == Pm4Opcode::CP_INDIRECT_BUFFER && payload.size() >= 3) {
            const auto p = sim::unpacked<hw::CpIndirectBuffer>(payload);
            walk_stream(p.address, p.size_dw, "IB2");
        } else if (opcode == Pm4Opcode::CP_SET_DRAW_STATE) {
            for (std::span<const uint32_t> rest = payload; rest.size() >= 3; rest = rest.subspan(3)) {
                const auto p = sim::unpacked<hw::CpSetDrawState>(rest);
                if (!p.disable && p.count_dw) walk_stream(p.address, p.count_dw, "group");
            }
        } else if (opcode == Pm4Opcode::CP_SET_MARKER && !payload.empty()) {
            const char* const name = hw::enum_name(sim::unpacked<hw::CpSetMarker>(payload).mode);
            mode_ = name ? name : "a mode";
        } else {
            packet(here, h, std::string(level) + ", " + mode_ + ": ");
        }
    }
}

// ---- Shaders ----

// A nop with one cycle less.
void AdrenoReplay::offer_nop(const sim::Program& program, size_t i, const std::set<size_t>& targets,
                             const std::string& name) {
    const sim::Step& step = program.steps[i];
    const uint64_t va = program.va + 8 * i;
    isa::Instr to = step.instr;
    Change change{va, step.word};
    if (step.instr.op != isa::Op::kNop || step.instr.repeat()) {
        if (step.instr.op == isa::Op::kNop)
            to.set_repeat(step.instr.repeat() - 1);
        else
            to.set_nop(step.instr.nop() - 1);
        if (isa::encode(to, &change.without, nullptr))
            offer({true, program.va, uint32_t(i), {change}, name + ", a cycle of its nop"});
        return;
    }
    // The end of a straight run of instructions does not move, nor does a jump's target.
    if (i + 1 >= program.steps.size() || targets.count(i + 1)) return;
    const sim::Step& next = program.steps[i + 1];
    if (!next.good || next.kind == sim::StepKind::Flow || next.kind == sim::StepKind::Barrier) return;
    change.without = next.word;
    offer({true, program.va, uint32_t(i), {change, {va + 8, next.word, step.word}}, name + ", a nop"});
}

void AdrenoReplay::walk_shader(uint64_t va) {
    window::Window window(*this);
    const auto program = sim::decode_program(window, va);
    std::set<size_t> targets;
    for (size_t i = 0; i < program->steps.size(); ++i) {
        const sim::Step& s = program->steps[i];
        if (s.good && s.kind == sim::StepKind::Flow && s.instr.info().has_offset())
            targets.insert(size_t(int64_t(i) + s.instr.offset));
    }
    for (size_t i = 0; i < program->steps.size(); ++i) {
        const sim::Step& step = program->steps[i];
        if (!step.good) continue;
        const std::string name = "shader " + hex(va) + "+" + hex(8 * i) + ": " + step.instr.info().name;
        const auto flag = [&](isa::Instr& (isa::Instr::*set)(bool), const char* what) {
            isa::Instr to = step.instr;
            (to.*set)(false);
            Change change{va + 8 * i, step.word};
            if (isa::encode(to, &change.without, nullptr))
                offer({true, va, uint32_t(i), {change}, name + what});
        };
        if (step.ss) flag(&isa::Instr::set_ss, ", (ss)");
        if (step.sy) flag(&isa::Instr::set_sy, ", (sy)");
        if (step.instr.op == isa::Op::kNop || step.instr.nop()) offer_nop(*program, i, targets, name);
    }
}

// ---- Runs ----

std::string AdrenoReplay::run_submission(size_t first, size_t count) {
    std::vector<sim::IndirectBuffer> commands;
    streams_.clear();
    index_ = 0;
    mode_ = "no mode";
    submission_ = first;
    for (size_t i = first; i < first + count; ++i) {
        begin_submission(i, [](uint64_t) { return false; });
        const Submission& s = recording.submissions[i];
        commands.push_back({s.va, s.size_B / 4});
        if (!options.damage) walk_stream(s.va, s.size_B / 4, "IB1");
    }
    std::unique_ptr<Context>& context = contexts_[recording.submissions[first].queue / kQueues];
    if (!context) context = std::make_unique<Context>(chip_, *this, options.variant == 1);
    // Another context may have used the GPU.
    context->machine.registers.forget();
    context->work->begin_submit();
    context->processor.start(commands);
    switch (context->processor.run()) {
        case sim::RunStatus::Done:
            return "";
        case sim::RunStatus::Blocked:
            return "it waits for a value that is not written";
        case sim::RunStatus::Stopped:
            return kStopped;
        case sim::RunStatus::Fault:
        case sim::RunStatus::Fatal:
            break;
    }
    const std::string& report = context->processor.fault().report;
    return report.empty() ? kUnexplained : report;
}

std::string AdrenoReplay::run_all() {
    contexts_.clear();
    codes_.clear();
    questions_ = 0;
    const std::vector<Submission>& all = recording.submissions;
    // Command buffers of one submit run one after another, and memory does not change between them.
    for (size_t i = 0; i < all.size();) {
        size_t end = i + 1;
        while (end < all.size() && all[end].continues)
            ++end;
        const std::string report = run_submission(i, end - i);
        if (!report.empty()) return report;
        i = end;
    }
    return "";
}

}  // namespace

const char* const kRecordingDevice = "sim:adreno-630";

std::unique_ptr<Replay> create_replay(Recording& recording, std::string* why) {
    const hw::Chip* const chip = recording.vendor == capture::Vendor::Adreno
                                     ? hw::find_chip(recording.gpu_id, recording.variant)
                                     : nullptr;
    if (chip) return std::make_unique<AdrenoReplay>(recording, *chip);
    *why = "the recording's chip is not a known Adreno";
    return nullptr;
}

}  // namespace terrazzo::test
