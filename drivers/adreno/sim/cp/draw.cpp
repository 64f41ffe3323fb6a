// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws and dispatches. Before each, the groups of draw state run that were set and have not run since.
#include <algorithm>

#include "drivers/adreno/hw/registers.h"
#include "drivers/adreno/sim/cp/command_processor.h"

namespace terrazzo::adreno::sim {

using namespace hw;

struct CommandProcessor::Draws : Family {
    Step before() {
        if (c.top().level == Level::Group) return c.bad("a group of draw state draws nothing");
        Step step = Step::Next;
        if (c.pending_ && c.run_group(c.pending_, &step)) return step;
        return m.host.should_stop() ? Step::Stopped : Step::Next;
    }
    Step draw(DrawCall& call) {
        if (c.predication_ && c.predication_here_ && !c.predicate_passes_) return Step::Next;
        if (call.initiator.source_select == SourceSelect::DI_SRC_SEL_IMMEDIATE)
            return c.bad("a draw with indices in its packet");
        if (call.initiator.tess_enable && !c.subdraw_size_)
            return c.bad("patches, and CP_SET_SUBDRAW_SIZE has said nothing");
        call.packet_va = c.packet_va_;
        call.number = m.draws;
        call.visibility_index = c.visibility_index_;
        call.subdraw_size = c.subdraw_size_.value_or(0);
        c.update_caches();
        if (!c.holds(caches.begin_draw(m))) return Step::Fault;
        if (!c.work_.draw(call, &c.fault_)) return c.passed_on();
        caches.end_draw(m);
        m.host.note_progress();
        ++m.work.draws;
        ++m.draws;
        if (call.initiator.vis_cull == VisCull::USE_VISIBILITY) ++c.visibility_index_;
        return Step::Next;
    }
    Step run(const CpDrawIndxOffset& p) {
        if (p.initiator.source_select == SourceSelect::DI_SRC_SEL_DMA &&
            payload.size() < CpDrawIndxOffset::kSize_dw)
            return c.bad("an indexed draw without its indices");
        DrawCall call;
        call.initiator = p.initiator;
        call.instances = p.num_instances;
        call.count = p.num_indices;
        call.first_index = p.first_index;
        call.indices_va = p.index_base;
        call.max_indices = p.max_indices;
        return draw(call);
    }
    Step run(const CpDrawAuto& p) {
        uint32_t written = 0;
        if (!p.stride) return c.bad("the stride is 0");
        if (!c.read(p.num_vertices_base, &written, 4, true)) return Step::Fault;
        DrawCall call;
        call.initiator = p.initiator;
        call.instances = p.num_instances;
        call.count = written > p.num_vertices_offset ? (written - p.num_vertices_offset) / p.stride : 0;
        call.from_stream_output = true;
        return draw(call);
    }

    // ---- Indirect draws ----

    struct Indirect {
        DrawInitiator initiator;
        uint64_t arguments_va = 0;
        uint32_t count = 1, stride_B = 0;
        bool indexed = false;
        uint64_t index_va = 0;
        uint32_t max_indices = 0;
        // The vector of the vertex shader's constants that gets the draw's number; 0: none.
        uint32_t constants_at = 0;
        bool early = false;  // the CP does not wait for CP_WAIT_FOR_IDLE before it reads them
    };
    Step run(const CpDrawIndirect& p) {
        return draw_all({.initiator = p.initiator, .arguments_va = p.indirect});
    }
    Step run(const CpDrawIndxIndirect& p) {
        return draw_all({.initiator = p.initiator,
                         .arguments_va = p.indirect,
                         .indexed = true,
                         .index_va = p.index_base,
                         .max_indices = p.max_indices});
    }
    Step run(const CpDrawIndirectMulti& p) {
        Indirect draws{.initiator = p.initiator, .count = p.draw_count, .constants_at = p.dst_off};
        draws.early = m.chip.generation.indirect_draw_wfm_quirk;
        draws.indexed = p.opcode == DrawIndirectOp::INDIRECT_OP_INDEXED ||
                        p.opcode == DrawIndirectOp::INDIRECT_OP_INDIRECT_COUNT_INDEXED;
        const bool counted = p.opcode == DrawIndirectOp::INDIRECT_OP_INDIRECT_COUNT ||
                             p.opcode == DrawIndirectOp::INDIRECT_OP_INDIRECT_COUNT_INDEXED;
        if (!draws.indexed && !counted && p.opcode != DrawIndirectOp::INDIRECT_OP_NORMAL)
            return c.bad("there is no kind %u of indirect draws", unsigned(p.opcode));
        const unsigned least_dw = 6 + (draws.indexed ? 3 : 0) + (counted ? 2 : 0);
        uint64_t count_va = 0;
        if (draws.indexed) {
            draws.index_va = p.index;
            draws.max_indices = p.max_indices;
            draws.arguments_va = p.indexed_indirect;
            draws.stride_B = counted ? p.indexed_count_stride : p.indexed_stride;
            if (counted) count_va = p.indexed_count_address;
        } else {
            draws.arguments_va = p.indirect;
            draws.stride_B = counted ? p.count_stride : p.stride;
            if (counted) count_va = p.count_address;
        }
        if (payload.size() < least_dw) return c.bad("it has %zu of %u dwords", payload.size(), least_dw);
        if (count_va) {
            uint32_t count = 0;
            if (!c.read(count_va, &count, 4, true)) return Step::Fault;
            draws.count = std::min(draws.count, count);
        }
        return draw_all(draws);
    }
    Step draw_all(const Indirect& draws) {
        for (uint32_t i = 0; i < draws.count; ++i) {
            if (++c.packets_ > c.packet_limit) return c.bad("the submit does not end");
            if (m.host.should_stop()) return Step::Stopped;
            // Count, instances, first index if indexed, first vertex or index offset, first instance.
            uint32_t words[5];
            if (!c.read(draws.arguments_va + uint64_t(i) * draws.stride_B, words, draws.indexed ? 20 : 16,
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
            m.registers.write(VFD_INDEX_OFFSET::kRegister, rest[0]);
            m.registers.write(VFD_INSTANCE_START_OFFSET::kRegister, rest[1]);
            if (draws.constants_at) set_constants(draws.constants_at, {i, rest[0], rest[1], 0});
            if (const Step step = draw(call); step != Step::Next) return step;
        }
        return Step::Next;
    }
    void set_constants(uint32_t vector, const std::array<uint32_t, 4>& values) {
        StageState& stage = m.stages[unsigned(Stage::Vertex)];
        const size_t at = size_t(vector) * 4;
        if (stage.constants.size() < at + 4) stage.constants.resize(at + 4);
        std::copy(values.begin(), values.end(), stage.constants.begin() + ptrdiff_t(at));
        ++stage.serial;
    }

    // ---- Dispatches ----

    Step run(const CpExecCs& p) { return dispatch({.groups = {p.ngroups_x, p.ngroups_y, p.ngroups_z}}); }
    Step run(const CpExecCsIndirect& p) {
        DispatchCall call;
        if (!c.read(p.address, call.groups, sizeof call.groups)) return Step::Fault;
        return dispatch(call);
    }
    Step dispatch(DispatchCall call) {
        call.number = m.draws;
        c.update_caches();
        if (!c.work_.dispatch(call, &c.fault_)) return c.passed_on();
        caches.end_dispatch(m);
        m.host.note_progress();
        ++m.work.dispatches;
        ++m.draws;
        return Step::Next;
    }
};

void CommandProcessor::add_draws(Handlers* handlers) {
    add<Draws, CpDrawIndxOffset, CpDrawAuto, CpDrawIndirect, CpDrawIndxIndirect, CpDrawIndirectMulti,
        CpExecCs, CpExecCsIndirect>(handlers);
}

}  // namespace terrazzo::adreno::sim
