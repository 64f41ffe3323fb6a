// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fetches packets and dispatches them.
#include "drivers/adreno/sim/cp/command_processor.h"

#include <cstdarg>
#include <cstdio>
#include <initializer_list>

#include "drivers/adreno/hw/registers.h"

namespace terrazzo::adreno::sim {

using hw::Pm4Opcode;

namespace {

constexpr uint64_t kCheckEvery = 1024;  // packets between questions whether to stop
constexpr uint32_t kMaxBuffer_dw = 0xfffff;

/// The part that executes a packet.
enum class Kind : uint8_t {
    None,     // no such packet
    Nothing,  // nothing to do
    Wait,     // all work has ended before the next packet is read: the caches record it
    Flow,
    Transfer,
    Load,
    Work,
    Kernel,    // only the kernel may use it
    Firmware,  // no stream has it
    Unused,    // no driver of an a6xx uses it
};

constexpr std::array<Kind, 128> make_kinds() {
    std::array<Kind, 128> kinds{};
    const auto set = [&](Kind kind, std::initializer_list<Pm4Opcode> opcodes) {
        for (const Pm4Opcode opcode : opcodes)
            kinds[unsigned(opcode)] = kind;
    };
    using enum Pm4Opcode;
    set(Kind::Nothing,
        {CP_NOP, CP_INVALIDATE_STATE, CP_CONTEXT_UPDATE, CP_SET_PSEUDO_REG, CP_CONTEXT_SWITCH_YIELD});
    set(Kind::Wait, {CP_WAIT_FOR_ME, CP_WAIT_MEM_WRITES, CP_WAIT_FOR_IDLE});
    set(Kind::Flow,
        {CP_INDIRECT_BUFFER, CP_INDIRECT_BUFFER_PFD, CP_INDIRECT_BUFFER_CHAIN, CP_START_BIN, CP_END_BIN,
         CP_SET_DRAW_STATE, CP_SET_MODE, CP_SET_MARKER, CP_SET_AMBLE, CP_SET_BIN_DATA5, CP_SET_SUBDRAW_SIZE,
         CP_SET_BIN_DATA5_OFFSET, CP_SET_VISIBILITY_OVERRIDE, CP_SKIP_IB2_ENABLE_GLOBAL,
         CP_SKIP_IB2_ENABLE_LOCAL, CP_REG_TEST, CP_COND_EXEC, CP_COND_REG_EXEC});
    set(Kind::Transfer, {CP_REG_RMW, CP_REG_WRITE, CP_CONTEXT_REG_BUNCH, CP_REG_TO_MEM,
                         CP_REG_TO_MEM_OFFSET_REG, CP_REG_TO_MEM_OFFSET_MEM, CP_MEM_TO_REG, CP_MEM_TO_MEM,
                         CP_MEMCPY, CP_MEM_WRITE, CP_REG_TO_SCRATCH, CP_SCRATCH_TO_REG, CP_SCRATCH_WRITE,
                         CP_COND_WRITE5, CP_WAIT_REG_MEM, CP_WAIT_MEM_GTE, CP_WAIT_TWO_REGS});
    set(Kind::Load, {CP_LOAD_STATE6, CP_LOAD_STATE6_GEOM, CP_LOAD_STATE6_FRAG});
    set(Kind::Work, {CP_DRAW_INDX_OFFSET, CP_DRAW_AUTO, CP_DRAW_INDIRECT, CP_DRAW_INDX_INDIRECT,
                     CP_DRAW_INDIRECT_MULTI, CP_EXEC_CS, CP_EXEC_CS_INDIRECT, CP_BLIT, CP_EVENT_WRITE,
                     CP_DRAW_PRED_ENABLE_GLOBAL, CP_DRAW_PRED_ENABLE_LOCAL, CP_DRAW_PRED_SET});
    set(Kind::Kernel,
        {CP_ME_INIT, CP_SET_PROTECTED_MODE, CP_SET_SECURE_MODE, CP_SMMU_TABLE_UPDATE, CP_CONTEXT_SWITCH,
         CP_BOOTSTRAP_UCODE, CP_INTERRUPT, CP_PREEMPT_DISABLE, CP_WHERE_AM_I, CP_REG_WR_NO_CTXT});
    set(Kind::Firmware, {PKT4, IN_IB_END, IN_GMU_INTERRUPT, IN_PREEMPT});
    set(Kind::Unused, {CP_RECORD_PFP_TIMESTAMP, CP_DRAW_INDX, CP_SET_STATE, CP_IM_LOAD, CP_IM_LOAD_IMMEDIATE,
                       CP_RUN_OPENCL, CP_SET_DRAW_INIT_FLAGS, CP_MEM_WRITE_CNTR, CP_WAIT_REG_EQ,
                       CP_EVENT_WRITE_SHD, CP_EVENT_WRITE_CFL, CP_EVENT_WRITE_ZPD, CP_TEST_TWO_MEMS});
    return kinds;
}
constexpr std::array<Kind, 128> kKinds = make_kinds();

}  // namespace

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

decode::CorePosition CommandProcessor::position() const {
    decode::CorePosition p;
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
    if (va % 4 || size_dw > kMaxBuffer_dw || va + uint64_t(size_dw) * 4 < va) {
        fail(FaultKind::Hardware,
             "a buffer of %u dwords at 0x%llx: its address must be a multiple of 4, and it has at most %u "
             "dwords",
             size_dw, static_cast<unsigned long long>(va), kMaxBuffer_dw);
        return false;
    }
    if (depth_ == frames_.size()) {
        fail(FaultKind::Hardware, "buffers call each other too deep");
        return false;
    }
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
    ++machine_.counters.packets;
    if (++packets_ > packet_limit) return fail(FaultKind::Hardware, "the submit does not end");
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
        return fail(FaultKind::Hardware, "it has %zu of at least %u dwords", payload.size(), row->least_dw);
    switch (kKinds[unsigned(opcode) % kKinds.size()]) {
        case Kind::None:
            break;
        case Kind::Nothing:
            return Step::Next;
        case Kind::Wait:
            if (opcode == Pm4Opcode::CP_WAIT_FOR_IDLE)
                machine_.caches->wait_for_idle();
            else if (opcode == Pm4Opcode::CP_WAIT_FOR_ME)
                machine_.caches->wait_for_me();
            else
                machine_.caches->wait_mem_writes();
            return Step::Next;
        case Kind::Flow:
            return flow(opcode, payload);
        case Kind::Transfer:
            return transfer(opcode, payload);
        case Kind::Load:
            return load_state(payload);
        case Kind::Work:
            return work(opcode, payload);
        case Kind::Kernel:
            return fail(FaultKind::Protection, "only the kernel may use this packet");
        case Kind::Firmware:
            return fail(FaultKind::Opcode, "no stream may have the firmware's own packets");
        case Kind::Unused:
            return fail(FaultKind::Opcode, "a packet that no driver of an a6xx uses");
    }
    return fail(FaultKind::Opcode, "there is no packet 0x%02x", unsigned(opcode));
}

// ---- Memory and faults ----

bool CommandProcessor::holds(std::string why) {
    if (why.empty()) return true;
    fail(FaultKind::Hardware, "%s", why.c_str());
    return false;
}

void CommandProcessor::update_caches() {
    // Decoded texels are those that a texture cache may still have.
    if (machine_.caches->update()) ++machine_.texture_serial;
    memory_.refresh();
    machine_.uche.refresh();
}

bool CommandProcessor::read_from(window::Window& memory, uint64_t va, void* out, uint64_t size_B) {
    if (va % 4 == 0 && memory.read(va, out, size_B)) return true;
    if (va % 4)
        fail(FaultKind::Memory, "a read at 0x%llx, which is no multiple of 4",
             static_cast<unsigned long long>(va));
    else
        fail(memory.fault().why.empty() ? FaultKind::Memory : FaultKind::Hardware, "%s",
             to_string(memory.fault()).c_str());
    return false;
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
    if (va % 4 == 0 && machine_.memory.write(va, data, size_B)) return true;
    if (va % 4)
        fail(FaultKind::Memory, "a write at 0x%llx, which is no multiple of 4",
             static_cast<unsigned long long>(va));
    else
        fail(FaultKind::Memory, "%s", to_string(machine_.memory.fault()).c_str());
    return false;
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

CommandProcessor::Step CommandProcessor::fail(FaultKind kind, const char* format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fault_.kind = kind;
    fault_.report = text;
    return passed_on();
}

CommandProcessor::Step CommandProcessor::passed_on() {
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
    return Step::Fault;
}

}  // namespace terrazzo::adreno::sim
