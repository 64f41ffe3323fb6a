// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fetches packets and dispatches them.
#include "drivers/adreno/sim/cp/command_processor.h"

#include <bit>
#include <cstdarg>
#include <cstdio>
#include <initializer_list>

#include "drivers/adreno/hw/registers.h"

namespace terrazzo::adreno::sim {

using hw::Pm4Opcode;

namespace {

constexpr uint64_t kCheckEvery = 1024;  // packets between questions whether to stop
constexpr uint32_t kMaxBuffer_dw = 0xfffff;

}  // namespace

/// The handlers of packets, and of those without one, why they are refused.
struct CommandProcessor::Packets {
    struct Refusal {
        const char* why = nullptr;
        FaultKind kind = FaultKind::Opcode;
    };
    Handlers handlers{};
    std::array<Refusal, 128> refusals{};

    Packets() {
        using enum Pm4Opcode;
        for (const Pm4Opcode opcode :
             {CP_NOP, CP_INVALIDATE_STATE, CP_CONTEXT_UPDATE, CP_SET_PSEUDO_REG, CP_CONTEXT_SWITCH_YIELD})
            handlers[unsigned(opcode)] = &CommandProcessor::nothing;
        handlers[unsigned(CP_WAIT_FOR_IDLE)] = &CommandProcessor::waits<&Caches::wait_for_idle>;
        handlers[unsigned(CP_WAIT_FOR_ME)] = &CommandProcessor::waits<&Caches::wait_for_me>;
        handlers[unsigned(CP_WAIT_MEM_WRITES)] = &CommandProcessor::waits<&Caches::wait_mem_writes>;
        add_flow(&handlers);
        add_transfers(&handlers);
        add_loads(&handlers);
        add_draws(&handlers);
        add_events(&handlers);
        refuse(
            {"only the kernel may use this packet", FaultKind::Protection},
            {CP_ME_INIT, CP_SET_PROTECTED_MODE, CP_SET_SECURE_MODE, CP_SMMU_TABLE_UPDATE, CP_CONTEXT_SWITCH,
             CP_BOOTSTRAP_UCODE, CP_INTERRUPT, CP_PREEMPT_DISABLE, CP_WHERE_AM_I, CP_REG_WR_NO_CTXT});
        refuse({"no stream may have the firmware's own packets"},
               {PKT4, IN_IB_END, IN_GMU_INTERRUPT, IN_PREEMPT});
        refuse({"a packet that no driver of an a6xx uses"},
               {CP_RECORD_PFP_TIMESTAMP, CP_DRAW_INDX, CP_SET_STATE, CP_IM_LOAD, CP_IM_LOAD_IMMEDIATE,
                CP_RUN_OPENCL, CP_SET_DRAW_INIT_FLAGS, CP_MEM_WRITE_CNTR, CP_WAIT_REG_EQ, CP_EVENT_WRITE_SHD,
                CP_EVENT_WRITE_CFL, CP_EVENT_WRITE_ZPD, CP_TEST_TWO_MEMS});
    }
    void refuse(Refusal refusal, std::initializer_list<Pm4Opcode> opcodes) {
        for (const Pm4Opcode opcode : opcodes)
            refusals[unsigned(opcode)] = refusal;
    }
};

CommandProcessor::CommandProcessor(Machine& machine, Work& work)
    : machine_(machine),
      work_(work),
      memory_(machine.caches->space(Reader::Processor)),
      access_(machine.chip),
      words_(hw::kMaxPayload_dw) {}

void CommandProcessor::start(std::span<const IndirectBuffer> commands) {
    commands_.assign(commands.begin(), commands.end());
    next_command_ = 0;
    depth_ = 0;
    packets_ = 0;
    groups_ = {};
    pending_ = immediate_ = 0;
    load_when_set_ = false;
    bins_ = {};
    predicate_ = 0;
    has_bin_data_ = visibility_override_ = false;
    visibility_index_ = 0;
    subdraw_size_.reset();
    predication_ = false;
    predication_here_ = predicate_passes_ = true;
    fault_ = {};
    machine_.caches->begin_submit();
    work_.start_submit();
    machine_.mode = RenderMode::Bypass;
    machine_.visibility = {};
    machine_.draws = 0;
}

CorePosition CommandProcessor::position() const {
    CorePosition p;
    p.command = uint32_t(next_command_ ? next_command_ - 1 : 0);
    for (unsigned i = 0; i < depth_; ++i) {
        const Frame& f = frames_[i];
        const uint32_t rest_dw = f.size_dw - f.at_dw;
        if (f.level == Level::Ib1) p.ib1_va = f.va, p.ib1_rest_dw = rest_dw;
        if (f.level == Level::Ib2) p.ib2_va = f.va, p.ib2_rest_dw = rest_dw;
    }
    return p;
}

bool CommandProcessor::next_buffer() {
    if (next_command_ == commands_.size()) return false;
    const IndirectBuffer& buffer = commands_[next_command_++];
    return enter(buffer.va, buffer.size_dw, Level::Ib1);
}

bool CommandProcessor::enter(uint64_t va, uint32_t size_dw, Level level, unsigned group) {
    if (va % 4 || size_dw > kMaxBuffer_dw || va + uint64_t(size_dw) * 4 < va)
        return bad(
            "a buffer of %u dwords at 0x%llx: its address must be a multiple of 4, and it has at most %u "
            "dwords",
            size_dw, static_cast<unsigned long long>(va), kMaxBuffer_dw);
    if (depth_ == frames_.size()) return bad("buffers call each other too deep");
    frames_[depth_++] = {va, size_dw, 0, level, uint8_t(group)};
    return true;
}

RunStatus CommandProcessor::run() {
    machine_.memory.refresh();
    update_caches();
    progressed_ = false;
    for (;;) {
        if (!depth_) {
            packet_va_ = header_ = 0;
            if (next_command_ == commands_.size()) {
                if (!holds(machine_.caches->end_submit())) return RunStatus::Fault;
                if (work_.end_submit(&fault_)) return RunStatus::Done;
                (void)passed_on();
                return RunStatus::Fault;
            }
            if (!next_buffer()) return RunStatus::Fault;
            continue;
        }
        const Frame& top = frames_[depth_ - 1];
        Step step = Step::Next;
        if (!(immediate_ && top.level != Level::Group && run_group(immediate_, &step))) {
            if (top.at_dw == top.size_dw) {
                --depth_;
                continue;
            }
            if (packets_ % kCheckEvery == 0 && machine_.host.should_stop()) return RunStatus::Stopped;
            step = packet();
        }
        switch (step) {
            case Step::Next:
            case Step::Again:
                progressed_ = true;
                break;
            case Step::Wait:
                return RunStatus::Blocked;
            case Step::Fault:
                return RunStatus::Fault;
            case Step::Stopped:
                return RunStatus::Stopped;
        }
    }
}

CommandProcessor::Step CommandProcessor::packet() {
    // A packet may call buffers, but this frame keeps its address.
    Frame& frame = frames_[depth_ - 1];
    const Frame before = frame;
    packet_va_ = frame.va + uint64_t(frame.at_dw) * 4;
    header_ = 0;
    ++machine_.work.packets;
    if (++packets_ > packet_limit) return bad("the submit does not end");
    if (!read(packet_va_, &header_, sizeof header_)) return Step::Fault;
    const hw::Pm4Header header = hw::unpack_header(header_);
    if (header.type == hw::Pm4Header::Type::Invalid)
        return fail(FaultKind::Opcode, "0x%08x begins no packet", header_);
    if (header.parity_is_wrong)
        return fail(FaultKind::Opcode, "the header 0x%08x has a wrong parity", header_);
    if (header.count_dw > frame.size_dw - frame.at_dw - 1)
        return fail(FaultKind::Opcode, "its %u dwords do not end with the buffer", header.count_dw);
    const Payload payload(words_.data(), header.count_dw);
    if (header.count_dw && !read(packet_va_ + 4, words_.data(), payload.size_bytes())) return Step::Fault;
    frame.at_dw += 1 + header.count_dw;
    const Step step = header.type == hw::Pm4Header::Type::Write ? result(write_registers(header.reg, payload))
                                                                : type7(Pm4Opcode(header.opcode), payload);
    if (step == Step::Again || step == Step::Wait) frame.at_dw = before.at_dw;
    return step;
}

CommandProcessor::Step CommandProcessor::type7(Pm4Opcode opcode, Payload payload) {
    const fields::PacketRow* row = hw::packet_row(opcode);
    if (row && payload.size() < row->least_dw)
        return bad("it has %zu of at least %u dwords", payload.size(), row->least_dw);
    static const Packets packets;
    const unsigned number = unsigned(opcode) % packets.handlers.size();
    if (const Handler handler = packets.handlers[number]) return (this->*handler)(payload);
    const Packets::Refusal& refusal = packets.refusals[number];
    if (refusal.why) return fail(refusal.kind, "%s", refusal.why);
    return fail(FaultKind::Opcode, "there is no packet 0x%02x", unsigned(opcode));
}

uint8_t CommandProcessor::mode_bit() const {
    if (machine_.mode == RenderMode::Binning) return kBinning;
    return machine_.mode == RenderMode::Bypass ? kSysmem : kGmem;
}

bool CommandProcessor::run_group(uint32_t candidates, Step* step) {
    for (; candidates; candidates &= candidates - 1) {
        const unsigned number = unsigned(std::countr_zero(candidates));
        const Group& group = groups_[number];
        if (!(group.modes & mode_bit())) continue;
        pending_ &= ~(1u << number);
        immediate_ &= ~(1u << number);
        *step = enter(group.va, group.size_dw, Level::Group, number) ? Step::Again : Step::Fault;
        return true;
    }
    return false;
}

// ---- Memory and faults ----

bool CommandProcessor::holds(std::string why) {
    return why.empty() || bad("%s", why.c_str());
}

void CommandProcessor::update_caches() {
    // Decoded texels are those that a texture cache may still have.
    if (machine_.caches->update()) ++machine_.texture_serial;
    memory_.refresh();
    machine_.uche.refresh();
}

bool CommandProcessor::refused(const window::Window& memory, uint64_t va, const char* access) {
    if (va % 4)
        return fail(FaultKind::Memory, "a %s at 0x%llx, which is no multiple of 4", access,
                    static_cast<unsigned long long>(va));
    return fail(memory.fault().why.empty() ? FaultKind::Memory : FaultKind::Hardware, "%s",
                to_string(memory.fault()).c_str());
}

bool CommandProcessor::read_from(window::Window& memory, uint64_t va, void* out, uint64_t size_B) {
    return (va % 4 == 0 && memory.read(va, out, size_B)) || refused(memory, va, "read");
}

bool CommandProcessor::read(uint64_t va, void* out, uint64_t size_B, bool early) {
    if (machine_.caches->has_changed()) update_caches();
    if (early && !holds(machine_.caches->check(Reader::EarlyProcessor, va, size_B, "what the CP reads")))
        return false;
    return read_from(memory_, va, out, size_B);
}

bool CommandProcessor::read_polled(uint64_t va, uint32_t* out) {
    return holds(machine_.caches->check_polled(va)) && read_from(machine_.memory, va, out, 4);
}

bool CommandProcessor::read_by_uche(uint64_t va, void* out, uint64_t size_B) {
    if (machine_.caches->has_changed()) update_caches();
    return read_from(machine_.uche, va, out, size_B);
}

bool CommandProcessor::write_to_memory(uint64_t va, const void* data, uint64_t size_B) {
    return (va % 4 == 0 && machine_.memory.write(va, data, size_B)) || refused(machine_.memory, va, "write");
}

bool CommandProcessor::write(uint64_t va, const void* data, uint64_t size_B) {
    if (!write_to_memory(va, data, size_B)) return false;
    machine_.caches->write_by_processor(va, size_B);
    return true;
}

bool CommandProcessor::write_later(uint64_t va, const void* data, uint64_t size_B, Writer by) {
    if (!write_to_memory(va, data, size_B)) return false;
    machine_.caches->write_by_event(va, size_B, by);
    return true;
}

CommandProcessor::Failed CommandProcessor::fail(FaultKind kind, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const Failed failed = report(kind, format, arguments);
    va_end(arguments);
    return failed;
}

CommandProcessor::Failed CommandProcessor::bad(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const Failed failed = report(FaultKind::Hardware, format, arguments);
    va_end(arguments);
    return failed;
}

CommandProcessor::Failed CommandProcessor::report(FaultKind kind, const char* format, va_list arguments) {
    char text[512];
    std::vsnprintf(text, sizeof text, format, arguments);
    fault_.kind = kind;
    fault_.report = text;
    return passed_on();
}

CommandProcessor::Failed CommandProcessor::passed_on() {
    static constexpr const char* kLevels[] = {"the ring", "IB1", "IB2", "draw state"};
    const Frame* const frame = depth_ ? &frames_[depth_ - 1] : nullptr;
    std::string where = frame ? kLevels[unsigned(frame->level)] : kLevels[0];
    if (frame && frame->level == Level::Group) where += " group " + std::to_string(frame->group);
    const hw::Pm4Header header = hw::unpack_header(header_);
    if (header.type == hw::Pm4Header::Type::Packet) {
        const char* const name = hw::enum_name(Pm4Opcode(header.opcode));
        where += std::string(", ") + (name ? name : "packet");
    } else if (header.type == hw::Pm4Header::Type::Write && header.reg < Registers::kCount) {
        where += ", write of " + hw::register_name(uint16_t(header.reg));
    }
    char at[64];
    std::snprintf(at, sizeof at, " at 0x%llx, draw %u: ", static_cast<unsigned long long>(packet_va_),
                  machine_.draws);
    fault_.report = where + at + fault_.report;
    return {};
}

}  // namespace terrazzo::adreno::sim
