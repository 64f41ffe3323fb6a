// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fetch and dispatch.
#include "drivers/adreno/sim/cp/command_processor.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "drivers/adreno/hw/registers.h"

namespace terrazzo::adreno::sim {

using hw::Pm4Opcode;

namespace {

constexpr uint64_t kCheckEvery = 1024;  // packets between questions whether to stop
constexpr uint32_t kMaxBuffer_dw = 0xfffff;

}  // namespace

CommandProcessor::CommandProcessor(Machine& machine, Work& work)
    : machine_(machine), work_(work), access_(machine.chip), words_(hw::kMaxPayload_dw) {}

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
    predication_ = false;
    predication_here_ = predicate_passes_ = true;
    fault_ = {};
    machine_.mode = RenderMode::Bypass;
    machine_.visibility = {};
    machine_.draws = 0;
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

CpStatus CommandProcessor::run() {
    machine_.memory.refresh();
    progressed_ = false;
    for (;;) {
        if (!depth_) {
            if (next_command_ == commands_.size()) return CpStatus::Done;
            packet_va_ = header_ = 0;
            if (!next_buffer()) return CpStatus::Fault;
            continue;
        }
        const Frame& top = frames_[depth_ - 1];
        Step step = Step::Next;
        if (!(immediate_ && top.level != Level::Group && run_group(immediate_, &step))) {
            if (top.at_dw == top.size_dw) {
                --depth_;
                continue;
            }
            if (packets_ % kCheckEvery == 0 && machine_.host.should_stop()) return CpStatus::Stopped;
            step = packet();
        }
        switch (step) {
            case Step::Next:
            case Step::Again:
                progressed_ = true;
                break;
            case Step::Wait:
                return CpStatus::Blocked;
            case Step::Fault:
                return CpStatus::Fault;
            case Step::Stopped:
                return CpStatus::Stopped;
        }
    }
}

CommandProcessor::Step CommandProcessor::packet() {
    // A packet may call buffers, but this frame stays where it is.
    Frame& frame = frames_[depth_ - 1];
    const Frame before = frame;
    packet_va_ = frame.va + uint64_t(frame.at_dw) * 4;
    header_ = 0;
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
    switch (opcode) {
        case Pm4Opcode::CP_NOP:
        case Pm4Opcode::CP_WAIT_FOR_ME:
        case Pm4Opcode::CP_WAIT_MEM_WRITES:
        case Pm4Opcode::CP_WAIT_FOR_IDLE:  // all work has ended: it does before its packet
        case Pm4Opcode::CP_INVALIDATE_STATE:
        case Pm4Opcode::CP_CONTEXT_UPDATE:
        case Pm4Opcode::CP_SET_SUBDRAW_SIZE:
        case Pm4Opcode::CP_SET_PSEUDO_REG:
        case Pm4Opcode::CP_CONTEXT_SWITCH_YIELD:
            return Step::Next;
        case Pm4Opcode::CP_INDIRECT_BUFFER:
        case Pm4Opcode::CP_INDIRECT_BUFFER_PFD:
        case Pm4Opcode::CP_INDIRECT_BUFFER_CHAIN:
        case Pm4Opcode::CP_START_BIN:
        case Pm4Opcode::CP_END_BIN:
        case Pm4Opcode::CP_SET_DRAW_STATE:
        case Pm4Opcode::CP_SET_MODE:
        case Pm4Opcode::CP_SET_MARKER:
        case Pm4Opcode::CP_SET_AMBLE:
        case Pm4Opcode::CP_SET_BIN_DATA5:
        case Pm4Opcode::CP_SET_BIN_DATA5_OFFSET:
        case Pm4Opcode::CP_SET_VISIBILITY_OVERRIDE:
        case Pm4Opcode::CP_SKIP_IB2_ENABLE_GLOBAL:
        case Pm4Opcode::CP_SKIP_IB2_ENABLE_LOCAL:
        case Pm4Opcode::CP_REG_TEST:
        case Pm4Opcode::CP_COND_EXEC:
        case Pm4Opcode::CP_COND_REG_EXEC:
            return flow(opcode, payload);
        case Pm4Opcode::CP_REG_RMW:
        case Pm4Opcode::CP_REG_WRITE:
        case Pm4Opcode::CP_CONTEXT_REG_BUNCH:
        case Pm4Opcode::CP_REG_TO_MEM:
        case Pm4Opcode::CP_REG_TO_MEM_OFFSET_REG:
        case Pm4Opcode::CP_REG_TO_MEM_OFFSET_MEM:
        case Pm4Opcode::CP_MEM_TO_REG:
        case Pm4Opcode::CP_MEM_TO_MEM:
        case Pm4Opcode::CP_MEMCPY:
        case Pm4Opcode::CP_MEM_WRITE:
        case Pm4Opcode::CP_REG_TO_SCRATCH:
        case Pm4Opcode::CP_SCRATCH_TO_REG:
        case Pm4Opcode::CP_SCRATCH_WRITE:
        case Pm4Opcode::CP_COND_WRITE5:
        case Pm4Opcode::CP_WAIT_REG_MEM:
        case Pm4Opcode::CP_WAIT_MEM_GTE:
        case Pm4Opcode::CP_WAIT_TWO_REGS:
            return transfer(opcode, payload);
        case Pm4Opcode::CP_LOAD_STATE6:
        case Pm4Opcode::CP_LOAD_STATE6_GEOM:
        case Pm4Opcode::CP_LOAD_STATE6_FRAG:
            return load_state(payload);
        case Pm4Opcode::CP_DRAW_INDX_OFFSET:
        case Pm4Opcode::CP_DRAW_AUTO:
        case Pm4Opcode::CP_DRAW_INDIRECT:
        case Pm4Opcode::CP_DRAW_INDX_INDIRECT:
        case Pm4Opcode::CP_DRAW_INDIRECT_MULTI:
        case Pm4Opcode::CP_EXEC_CS:
        case Pm4Opcode::CP_EXEC_CS_INDIRECT:
        case Pm4Opcode::CP_BLIT:
        case Pm4Opcode::CP_EVENT_WRITE:
        case Pm4Opcode::CP_DRAW_PRED_ENABLE_GLOBAL:
        case Pm4Opcode::CP_DRAW_PRED_ENABLE_LOCAL:
        case Pm4Opcode::CP_DRAW_PRED_SET:
            return work(opcode, payload);
        case Pm4Opcode::CP_ME_INIT:
        case Pm4Opcode::CP_SET_PROTECTED_MODE:
        case Pm4Opcode::CP_SET_SECURE_MODE:
        case Pm4Opcode::CP_SMMU_TABLE_UPDATE:
        case Pm4Opcode::CP_CONTEXT_SWITCH:
        case Pm4Opcode::CP_BOOTSTRAP_UCODE:
        case Pm4Opcode::CP_INTERRUPT:
        case Pm4Opcode::CP_PREEMPT_DISABLE:
        case Pm4Opcode::CP_WHERE_AM_I:
        case Pm4Opcode::CP_REG_WR_NO_CTXT:
            return fail(FaultKind::Protection, "only the kernel may use this packet");
        case Pm4Opcode::PKT4:
        case Pm4Opcode::IN_IB_END:
        case Pm4Opcode::IN_GMU_INTERRUPT:
        case Pm4Opcode::IN_PREEMPT:
            return fail(FaultKind::Opcode, "no stream may have the firmware's own packets");
        case Pm4Opcode::CP_RECORD_PFP_TIMESTAMP:
        case Pm4Opcode::CP_DRAW_INDX:
        case Pm4Opcode::CP_SET_STATE:
        case Pm4Opcode::CP_IM_LOAD:
        case Pm4Opcode::CP_IM_LOAD_IMMEDIATE:
        case Pm4Opcode::CP_RUN_OPENCL:
        case Pm4Opcode::CP_SET_DRAW_INIT_FLAGS:
        case Pm4Opcode::CP_MEM_WRITE_CNTR:
        case Pm4Opcode::CP_WAIT_REG_EQ:
        case Pm4Opcode::CP_EVENT_WRITE_SHD:
        case Pm4Opcode::CP_EVENT_WRITE_CFL:
        case Pm4Opcode::CP_EVENT_WRITE_ZPD:
        case Pm4Opcode::CP_TEST_TWO_MEMS:
            return fail(FaultKind::Opcode, "a packet that no driver of an a6xx uses");
    }
    return fail(FaultKind::Opcode, "there is no packet 0x%02x", unsigned(opcode));
}

// ---- Memory and faults ----

bool CommandProcessor::read(uint64_t va, void* out, uint64_t size_B) {
    if (va % 4 == 0 && machine_.memory.read(va, out, size_B)) return true;
    if (va % 4)
        fail(FaultKind::Memory, "a read at 0x%llx, which is no multiple of 4",
             static_cast<unsigned long long>(va));
    else
        fail(FaultKind::Memory, "%s", to_string(machine_.memory.fault()).c_str());
    return false;
}

bool CommandProcessor::write(uint64_t va, const void* data, uint64_t size_B) {
    if (va % 4 == 0 && machine_.memory.write(va, data, size_B)) return true;
    if (va % 4)
        fail(FaultKind::Memory, "a write at 0x%llx, which is no multiple of 4",
             static_cast<unsigned long long>(va));
    else
        fail(FaultKind::Memory, "%s", to_string(machine_.memory.fault()).c_str());
    return false;
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
