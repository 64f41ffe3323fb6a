// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws, dispatches and blits. Before each, the groups of draw state run that were set and have not run
// since.
#include <algorithm>

#include "drivers/adreno/hw/registers.h"
#include "drivers/adreno/sim/cp/command_processor.h"

namespace terrazzo::adreno::sim {

using namespace hw;

CommandProcessor::Step CommandProcessor::work(Pm4Opcode opcode, Payload payload) {
    if (opcode == Pm4Opcode::CP_EVENT_WRITE) return event(payload);
    if (opcode == Pm4Opcode::CP_BLIT) {
        update_caches();
        if (!holds(machine_.caches->begin_2d(machine_))) return Step::Fault;
        if (!work_.blit_2d(&fault_)) return passed_on();
        machine_.caches->end_2d(machine_);
        machine_.host.note_progress();
        count_2d();
        return Step::Next;
    }
    if (opcode == Pm4Opcode::CP_DRAW_PRED_ENABLE_GLOBAL || opcode == Pm4Opcode::CP_DRAW_PRED_ENABLE_LOCAL ||
        opcode == Pm4Opcode::CP_DRAW_PRED_SET)
        return predicate(opcode, payload);
    if (frames_[depth_ - 1].level == Level::Group)
        return fail(FaultKind::Hardware, "a group of draw state draws nothing");
    Step step = Step::Next;
    if (pending_ && run_group(pending_, &step)) return step;
    if (machine_.host.should_stop()) return Step::Stopped;
    switch (opcode) {
        case Pm4Opcode::CP_DRAW_INDX_OFFSET:
            return draw_offset(payload);
        case Pm4Opcode::CP_DRAW_AUTO:
            return draw_auto(payload);
        case Pm4Opcode::CP_DRAW_INDIRECT:
        case Pm4Opcode::CP_DRAW_INDX_INDIRECT:
            return draw_indirect(opcode, payload);
        case Pm4Opcode::CP_DRAW_INDIRECT_MULTI:
            return draw_multi(payload);
        default:
            return exec_cs(opcode, payload);
    }
}

void CommandProcessor::count_2d() {
    const Registers& r = machine_.registers;
    const RegXy tl = r.get<GRAS_2D_DST_TL>().value, br = r.get<GRAS_2D_DST_BR>().value;
    ++machine_.counters.blits;
    if (br.x >= tl.x && br.y >= tl.y)
        machine_.work.pixels_2d += uint64_t(br.x - tl.x + 1) * (br.y - tl.y + 1);
}

// ---- Draws ----

CommandProcessor::Step CommandProcessor::draw(DrawCall& call) {
    if (predication_ && predication_here_ && !predicate_passes_) return Step::Next;
    if (call.initiator.source_select == SourceSelect::DI_SRC_SEL_IMMEDIATE)
        return fail(FaultKind::Hardware, "a draw with indices in its packet");
    if (call.initiator.tess_enable && !subdraw_size_)
        return fail(FaultKind::Hardware, "patches, and CP_SET_SUBDRAW_SIZE has said nothing");
    call.packet_va = packet_va_;
    call.number = machine_.draws;
    call.visibility_index = visibility_index_;
    call.subdraw_size = subdraw_size_.value_or(0);
    update_caches();
    if (!holds(machine_.caches->begin_draw(machine_))) return Step::Fault;
    if (!work_.draw(call, &fault_)) return passed_on();
    machine_.caches->end_draw(machine_);
    machine_.host.note_progress();
    ++machine_.counters.draws;
    ++machine_.draws;
    if (call.initiator.vis_cull == VisCull::USE_VISIBILITY) ++visibility_index_;
    return Step::Next;
}

CommandProcessor::Step CommandProcessor::draw_offset(Payload payload) {
    const auto p = unpacked<CpDrawIndxOffset>(payload);
    if (p.initiator.source_select == SourceSelect::DI_SRC_SEL_DMA &&
        payload.size() < CpDrawIndxOffset::kSize_dw)
        return fail(FaultKind::Hardware, "an indexed draw without its indices");
    DrawCall call;
    call.initiator = p.initiator;
    call.instances = p.num_instances;
    call.count = p.num_indices;
    call.first_index = p.first_index;
    call.indices_va = p.index_base;
    call.max_indices = p.max_indices;
    return draw(call);
}

CommandProcessor::Step CommandProcessor::draw_auto(Payload payload) {
    const auto p = unpacked<CpDrawAuto>(payload);
    uint32_t written = 0;
    if (!p.stride) return fail(FaultKind::Hardware, "the stride is 0");
    if (!read(p.num_vertices_base, &written, 4, true)) return Step::Fault;
    DrawCall call;
    call.initiator = p.initiator;
    call.instances = p.num_instances;
    call.count = written > p.num_vertices_offset ? (written - p.num_vertices_offset) / p.stride : 0;
    call.from_stream_output = true;
    return draw(call);
}

CommandProcessor::Step CommandProcessor::draw_indirect(Pm4Opcode opcode, Payload payload) {
    if (opcode == Pm4Opcode::CP_DRAW_INDIRECT) {
        const auto p = unpacked<CpDrawIndirect>(payload);
        return draw_all({.initiator = p.initiator, .arguments_va = p.indirect, .count = 1});
    }
    const auto p = unpacked<CpDrawIndxIndirect>(payload);
    return draw_all({.initiator = p.initiator,
                     .indexed = true,
                     .index_va = p.index_base,
                     .arguments_va = p.indirect,
                     .max_indices = p.max_indices,
                     .count = 1});
}

CommandProcessor::Step CommandProcessor::draw_multi(Payload payload) {
    const auto p = unpacked<CpDrawIndirectMulti>(payload);
    IndirectDraws draws{.initiator = p.initiator, .count = p.draw_count, .constants_at = p.dst_off};
    draws.early = machine_.chip.generation.indirect_draw_wfm_quirk;
    unsigned least_dw = 0;
    uint64_t count_va = 0;
    switch (p.opcode) {
        case DrawIndirectOp::INDIRECT_OP_NORMAL:
        case DrawIndirectOp::INDIRECT_OP_INDIRECT_COUNT: {
            const bool counted = p.opcode == DrawIndirectOp::INDIRECT_OP_INDIRECT_COUNT;
            least_dw = counted ? 8 : 6;
            draws.arguments_va = p.indirect;
            draws.stride_B = counted ? p.count_stride : p.stride;
            if (counted) count_va = p.count_address;
            break;
        }
        case DrawIndirectOp::INDIRECT_OP_INDEXED:
        case DrawIndirectOp::INDIRECT_OP_INDIRECT_COUNT_INDEXED: {
            const bool counted = p.opcode == DrawIndirectOp::INDIRECT_OP_INDIRECT_COUNT_INDEXED;
            least_dw = counted ? 11 : 9;
            draws.indexed = true;
            draws.index_va = p.index;
            draws.max_indices = p.max_indices;
            draws.arguments_va = p.indexed_indirect;
            draws.stride_B = counted ? p.indexed_count_stride : p.indexed_stride;
            if (counted) count_va = p.indexed_count_address;
            break;
        }
        default:
            return fail(FaultKind::Hardware, "there is no kind %u of indirect draws", unsigned(p.opcode));
    }
    if (payload.size() < least_dw)
        return fail(FaultKind::Hardware, "it has %zu of %u dwords", payload.size(), least_dw);
    if (count_va) {
        uint32_t count = 0;
        if (!read(count_va, &count, 4, true)) return Step::Fault;
        draws.count = std::min(draws.count, count);
    }
    return draw_all(draws);
}

CommandProcessor::Step CommandProcessor::draw_all(const IndirectDraws& draws) {
    for (uint32_t i = 0; i < draws.count; ++i) {
        if (++packets_ > packet_limit) return fail(FaultKind::Hardware, "the submit does not end");
        if (machine_.host.should_stop()) return Step::Stopped;
        // Count, instances, first index if indexed, first vertex or the offset of indices, first instance.
        uint32_t words[5];
        if (!read(draws.arguments_va + uint64_t(i) * draws.stride_B, words, draws.indexed ? 20 : 16,
                  draws.early))
            return Step::Fault;
        const uint32_t* const rest = words + (draws.indexed ? 3 : 2);
        DrawCall call;
        call.initiator = draws.initiator;
        call.count = words[0];
        call.instances = words[1];
        if (draws.indexed) call.first_index = words[2];
        call.indices_va = draws.index_va;
        call.max_indices = draws.max_indices;
        // As the firmware does; so the call itself does not have them.
        machine_.registers.write(VFD_INDEX_OFFSET::kRegister, rest[0]);
        machine_.registers.write(VFD_INSTANCE_START_OFFSET::kRegister, rest[1]);
        if (draws.constants_at) {
            StageState& stage = machine_.stages[unsigned(Stage::Vertex)];
            const size_t at = size_t(draws.constants_at) * 4;
            if (stage.constants.size() < at + 4) stage.constants.resize(at + 4);
            const uint32_t values[4] = {i, rest[0], rest[1], 0};
            std::copy(values, values + 4, stage.constants.begin() + ptrdiff_t(at));
            ++stage.serial;
        }
        if (const Step step = draw(call); step != Step::Next) return step;
    }
    return Step::Next;
}

CommandProcessor::Step CommandProcessor::exec_cs(Pm4Opcode opcode, Payload payload) {
    DispatchCall call;
    call.number = machine_.draws;
    if (opcode == Pm4Opcode::CP_EXEC_CS) {
        const auto p = unpacked<CpExecCs>(payload);
        call.groups[0] = p.ngroups_x;
        call.groups[1] = p.ngroups_y;
        call.groups[2] = p.ngroups_z;
    } else if (!read(unpacked<CpExecCsIndirect>(payload).address, call.groups, sizeof call.groups)) {
        return Step::Fault;
    }
    update_caches();
    if (!work_.dispatch(call, &fault_)) return passed_on();
    machine_.caches->end_dispatch(machine_);
    machine_.host.note_progress();
    ++machine_.counters.dispatches;
    ++machine_.draws;
    return Step::Next;
}

CommandProcessor::Step CommandProcessor::predicate(Pm4Opcode opcode, Payload payload) {
    if (opcode == Pm4Opcode::CP_DRAW_PRED_ENABLE_GLOBAL) {
        predication_ = unpacked<CpDrawPredEnableGlobal>(payload).enable;
        if (predication_) predication_here_ = predicate_passes_ = true;
        return Step::Next;
    }
    if (opcode == Pm4Opcode::CP_DRAW_PRED_ENABLE_LOCAL) {
        predication_here_ = unpacked<CpDrawPredEnableLocal>(payload).enable;
        return Step::Next;
    }
    const auto p = unpacked<CpDrawPredSet>(payload);
    uint64_t value = 0;
    if (p.source != PredSource::PRED_SRC_MEM)
        return fail(FaultKind::Hardware, "there is no source %u of a predicate", unsigned(p.source));
    if (!read(p.address, &value, sizeof value)) return Step::Fault;
    predicate_passes_ = (value != 0) == (p.test == PredTest::NE_0_PASS);
    return Step::Next;
}

}  // namespace terrazzo::adreno::sim
