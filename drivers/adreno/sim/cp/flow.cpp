// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Called buffers, groups of draw state, modes, and skipped packets.
#include <bit>

#include "drivers/adreno/hw/registers.h"
#include "drivers/adreno/sim/cp/command_processor.h"

namespace terrazzo::adreno::sim {

using namespace hw;

CommandProcessor::Step CommandProcessor::flow(Pm4Opcode opcode, Payload payload) {
    switch (opcode) {
        case Pm4Opcode::CP_INDIRECT_BUFFER:
        case Pm4Opcode::CP_INDIRECT_BUFFER_PFD: {
            const auto p = unpacked<CpIndirectBuffer>(payload);
            return call(p.address, p.size_dw);
        }
        case Pm4Opcode::CP_INDIRECT_BUFFER_CHAIN:
            return chain(payload);
        case Pm4Opcode::CP_START_BIN:
            return start_bin(payload);
        case Pm4Opcode::CP_END_BIN:
            return end_bin();
        case Pm4Opcode::CP_SET_DRAW_STATE:
            return set_draw_state(payload);
        case Pm4Opcode::CP_SET_MODE:
            load_when_set_ = unpacked<CpSetMode>(payload).mode & 1;
            return Step::Next;
        case Pm4Opcode::CP_SET_MARKER:
            return set_marker(payload);
        case Pm4Opcode::CP_SET_AMBLE:  // buffers for context switches, which lose nothing here
            if (unpacked<CpSetAmble>(payload).type == AmbleType::KMD_AMBLE_TYPE)
                return fail(FaultKind::Protection, "only the kernel may set the amble of its own");
            return Step::Next;
        case Pm4Opcode::CP_SET_BIN_DATA5:
            return set_bin_data(payload);
        case Pm4Opcode::CP_SET_BIN_DATA5_OFFSET:
            return set_bin_data_offset(payload);
        case Pm4Opcode::CP_SET_SUBDRAW_SIZE:
            subdraw_size_ = unpacked<CpSetSubdrawSize>(payload).size;
            return Step::Next;
        case Pm4Opcode::CP_SET_VISIBILITY_OVERRIDE:
            visibility_override_ = unpacked<CpSetVisibilityOverride>(payload).enable;
            update_visibility();
            return Step::Next;
        case Pm4Opcode::CP_REG_TEST: {
            const auto p = unpacked<CpRegTest>(payload);
            uint32_t value = 0;
            if (!read_register(p.reg, &value)) return Step::Fault;
            predicate_ = (predicate_ & ~1u) | (value >> p.bit & 1);
            return Step::Next;
        }
        case Pm4Opcode::CP_COND_EXEC:
            return cond_exec(payload);
        case Pm4Opcode::CP_COND_REG_EXEC:
            return cond_reg_exec(payload);
        default:  // CP_SKIP_IB2_ENABLE_*: allows to skip buffers without a visible draw; they run here
            return Step::Next;
    }
}

// ---- Buffers ----

CommandProcessor::Step CommandProcessor::call(uint64_t va, uint32_t size_dw) {
    if (frames_[depth_ - 1].level != Level::Ib1)
        return fail(FaultKind::Hardware, "only an IB1 can call buffers");
    return result(enter(va, size_dw, Level::Ib2));
}

CommandProcessor::Step CommandProcessor::chain(Payload payload) {
    Frame& frame = frames_[depth_ - 1];
    const auto p = unpacked<CpIndirectBufferChain>(payload);
    if (frame.level == Level::Group)
        return fail(FaultKind::Hardware, "a group of draw state cannot be chained");
    if (frame.at_dw != frame.size_dw)
        return fail(FaultKind::Hardware, "a chain must be the last packet of its buffer");
    if (bins_.count && frame.level == Level::Ib1)
        return fail(FaultKind::Hardware, "a chain between CP_START_BIN and CP_END_BIN");
    const Level level = frame.level;
    --depth_;
    return result(enter(p.address, p.size_dw, level));
}

CommandProcessor::Step CommandProcessor::start_bin(Payload payload) {
    Frame& frame = frames_[depth_ - 1];
    const auto p = unpacked<CpStartBin>(payload);
    if (frame.level != Level::Ib1) return fail(FaultKind::Hardware, "only an IB1 can repeat itself for bins");
    if (bins_.count) return fail(FaultKind::Hardware, "it is in the loop of another");
    if (p.body_dwords > frame.size_dw - frame.at_dw)
        return fail(FaultKind::Hardware, "a loop of %u dwords reaches beyond its buffer", p.body_dwords);
    if (!p.bin_count) return skip(true, p.body_dwords);
    bins_ = {p.bin_count, 0, frame.at_dw, p.prefix_dwords, p.prefix_address};
    return result(enter(p.prefix_address, p.prefix_dwords, Level::Ib2));
}

CommandProcessor::Step CommandProcessor::end_bin() {
    Frame& frame = frames_[depth_ - 1];
    if (frame.level != Level::Ib1 || !bins_.count)
        return fail(FaultKind::Hardware, "no CP_START_BIN began a loop");
    if (++bins_.index == bins_.count) {
        bins_ = {};
        return Step::Next;
    }
    frame.at_dw = bins_.body_at_dw;
    return result(
        enter(bins_.prefix_va + uint64_t(bins_.index) * bins_.prefix_dw * 4, bins_.prefix_dw, Level::Ib2));
}

// ---- Groups of draw state ----

CommandProcessor::Step CommandProcessor::set_draw_state(Payload payload) {
    if (frames_[depth_ - 1].level == Level::Group)
        return fail(FaultKind::Hardware, "a group of draw state sets no other");
    if (payload.size() % CpSetDrawState::kSize_dw)
        return fail(FaultKind::Hardware, "the last of its groups lacks something");
    for (; !payload.empty(); payload = payload.subspan(CpSetDrawState::kSize_dw)) {
        const auto p = unpacked<CpSetDrawState>(payload);
        if (p.disable_all_groups) {
            pending_ = immediate_ = 0;
            continue;
        }
        const uint32_t bit = 1u << p.group_id;
        pending_ &= ~bit;
        immediate_ &= ~bit;
        if (p.disable || !p.count_dw) continue;
        groups_[p.group_id] = {
            p.address, p.count_dw,
            uint8_t((p.binning ? kBinning : 0) | (p.gmem ? kGmem : 0) | (p.sysmem ? kSysmem : 0))};
        const bool now = groups_[p.group_id].modes & mode_bit() &&
                         (p.load_immed || (load_when_set_ && (p.gmem || p.sysmem)));
        if (now)
            immediate_ |= bit;
        else if (!p.load_immed)
            pending_ |= bit;
    }
    return Step::Next;
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

// ---- Modes ----

uint8_t CommandProcessor::mode_bit() const {
    if (machine_.mode == RenderMode::Binning) return kBinning;
    return machine_.mode == RenderMode::Bypass ? kSysmem : kGmem;
}

CommandProcessor::Step CommandProcessor::set_marker(Payload payload) {
    const auto p = unpacked<CpSetMarker>(payload);
    if (p.marker_mode != MarkerMode::SET_RENDER_MODE) return Step::Next;
    const RenderMode before = machine_.mode;
    switch (p.mode) {
        case Marker::RM6_DIRECT_RENDER:
            machine_.mode = RenderMode::Bypass;
            break;
        case Marker::RM6_BIN_VISIBILITY:
            machine_.mode = RenderMode::Binning;
            has_bin_data_ = false;
            visibility_index_ = 0;
            break;
        case Marker::RM6_BIN_DIRECT:
        case Marker::RM6_BIN_RENDER_START:
            machine_.mode = RenderMode::Gmem;
            break;
        case Marker::RM6_BIN_RESOLVE:
            machine_.mode = RenderMode::Resolve;
            break;
        case Marker::RM6_BIN_END_OF_DRAWS:
        case Marker::RM6_BIN_RENDER_END:
            machine_.mode = RenderMode::Other;
            break;
        case Marker::RM6_COMPUTE:
            machine_.mode = RenderMode::Compute;
            break;
        case Marker::RM6_BLIT2DSCALE:
            machine_.mode = RenderMode::Blit2d;
            break;
        case Marker::RM6_IB1LIST_START:
        case Marker::RM6_IB1LIST_END:
            return fail(FaultKind::Protection, "only the kernel may set this mode");
        default:
            return fail(FaultKind::Hardware, "there is no mode %u", unsigned(p.mode));
    }
    machine_.work.mode_switches += machine_.mode != before;
    update_visibility();
    return Step::Next;
}

void CommandProcessor::update_visibility() {
    machine_.visibility.enabled = has_bin_data_ && !visibility_override_ && machine_.mode == RenderMode::Gmem;
}

CommandProcessor::Step CommandProcessor::set_bin_data(Payload payload) {
    const auto p = unpacked<CpSetBinData5>(payload);
    return bin_data(p.vsc_n, p.bin_data_address, p.bin_size_address, p.bin_prim_strm);
}

CommandProcessor::Step CommandProcessor::set_bin_data_offset(Payload payload) {
    const auto p = unpacked<CpSetBinData5Offset>(payload);
    const Registers& r = machine_.registers;
    return bin_data(p.vsc_n, r.address(VSC_DRAW_STRM_ADDRESS::kRegister) + p.bin_data_offset,
                    r.address(VSC_DRAW_STRM_SIZE_ADDRESS::kRegister) + p.bin_size_offset,
                    r.address(VSC_PRIM_STRM_ADDRESS::kRegister) + p.bin_data2_offset);
}

CommandProcessor::Step CommandProcessor::bin_data(unsigned slot, uint64_t draw_va, uint64_t size_va,
                                                  uint64_t prim_va) {
    // The sizes of the pipes' streams follow each other.
    const uint64_t size_offset_B =
        size_va - machine_.registers.address(VSC_DRAW_STRM_SIZE_ADDRESS::kRegister);
    if (size_offset_B % 4 || size_offset_B / 4 >= Chip::kVscPipes)
        return fail(FaultKind::Hardware,
                    "the size of its stream, at 0x%llx, is none of the %u at VSC_DRAW_STRM_SIZE_ADDRESS",
                    static_cast<unsigned long long>(size_va), Chip::kVscPipes);
    for (const uint64_t va : {draw_va, size_va, prim_va})
        if (!holds(machine_.caches->check(Reader::EarlyProcessor, va, 4, "a visibility stream")))
            return Step::Fault;
    machine_.visibility.pipe = unsigned(size_offset_B / 4);
    machine_.visibility.slot = slot;
    machine_.visibility.draw_stream_va = draw_va;
    machine_.visibility.prim_stream_va = prim_va;
    machine_.visibility.size_va = size_va;
    has_bin_data_ = true;
    visibility_index_ = 0;
    update_visibility();
    return Step::Next;
}

// ---- Conditions ----

CommandProcessor::Step CommandProcessor::skip(bool skips, uint32_t size_dw) {
    Frame& frame = frames_[depth_ - 1];
    if (size_dw > frame.size_dw - frame.at_dw)
        return fail(FaultKind::Hardware, "its %u dwords reach beyond the buffer", size_dw);
    if (skips) frame.at_dw += size_dw;
    return Step::Next;
}

CommandProcessor::Step CommandProcessor::cond_exec(Payload payload) {
    const auto p = unpacked<CpCondExec>(payload);
    uint32_t value0 = 0, value1 = 0;
    if (!read(p.address0, &value0, 4) || !read(p.address1, &value1, 4)) return Step::Fault;
    return skip(!(value0 && int32_t(value1) < int32_t(p.ref)), p.dwords);
}

CommandProcessor::Step CommandProcessor::cond_reg_exec(Payload payload) {
    const auto p = unpacked<CpCondRegExec>(payload);
    switch (p.mode) {
        case CondMode::PRED_TEST:
            return skip(!(predicate_ >> p.pred_bit & 1), p.dwords);
        case CondMode::REG_COMPARE: {
            uint32_t value0 = 0, value1 = 0;
            if (payload.size() < 3) return fail(FaultKind::Hardware, "it has 2 of 3 dwords");
            if (!read_register(p.reg0, &value0) || !read_register(p.reg1, &value1)) return Step::Fault;
            return skip(value0 != value1, p.compare_dwords);
        }
        case CondMode::RENDER_MODE: {
            const unsigned modes =
                (p.binning ? kBinning : 0) | (p.gmem ? kGmem : 0) | (p.sysmem ? kSysmem : 0);
            return skip(!(modes & mode_bit()), p.dwords);
        }
    }
    return fail(FaultKind::Hardware, "there is no condition %u", unsigned(p.mode));
}

}  // namespace terrazzo::adreno::sim
