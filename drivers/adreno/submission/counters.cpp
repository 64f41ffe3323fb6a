// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/submission/counters.h"

#include <utility>
#include <vector>

#include "drivers/adreno/hw/counters.h"
#include "drivers/adreno/hw/registers.h"

namespace terrazzo::adreno {

using namespace hw;

namespace {

struct Row {
    CounterBlock block;
    uint32_t selector;
    template <class T>
    constexpr Row(CounterBlock b, T s) : block(b), selector(uint32_t(s)) {}
};

// The counters that are useful to a program's author, ordered by block.
constexpr Row kRows[] = {
    {CounterBlock::CP, CpPerfcounterSelect::PERF_CP_ALWAYS_COUNT},
    {CounterBlock::CP, CpPerfcounterSelect::PERF_CP_MODE_SWITCH},
    {CounterBlock::CP, CpPerfcounterSelect::PERF_CP_ZPASS_DONE},
    {CounterBlock::CP, CpPerfcounterSelect::PERF_CP_CACHE_FLUSH},
    {CounterBlock::PC, PcPerfcounterSelect::PERF_PC_3D_DRAWCALLS},
    {CounterBlock::PC, PcPerfcounterSelect::PERF_PC_2D_DRAWCALLS},
    {CounterBlock::PC, PcPerfcounterSelect::PERF_PC_IA_VERTICES},
    {CounterBlock::PC, PcPerfcounterSelect::PERF_PC_IA_PRIMITIVES},
    {CounterBlock::PC, PcPerfcounterSelect::PERF_PC_VS_INVOCATIONS},
    {CounterBlock::PC, PcPerfcounterSelect::PERF_PC_HS_INVOCATIONS},
    {CounterBlock::PC, PcPerfcounterSelect::PERF_PC_DS_INVOCATIONS},
    {CounterBlock::PC, PcPerfcounterSelect::PERF_PC_GS_INVOCATIONS},
    {CounterBlock::PC, PcPerfcounterSelect::PERF_PC_GS_PRIMITIVES},
    {CounterBlock::VFD, VfdPerfcounterSelect::PERF_VFD_TOTAL_VERTICES},
    {CounterBlock::HLSQ, HlsqPerfcounterSelect::PERF_HLSQ_QUADS},
    {CounterBlock::HLSQ, HlsqPerfcounterSelect::PERF_HLSQ_PIXELS},
    {CounterBlock::HLSQ, HlsqPerfcounterSelect::PERF_HLSQ_FS_STAGE_1X_WAVES},
    {CounterBlock::HLSQ, HlsqPerfcounterSelect::PERF_HLSQ_CS_INVOCATIONS},
    {CounterBlock::HLSQ, HlsqPerfcounterSelect::PERF_HLSQ_COMPUTE_DRAWCALLS},
    {CounterBlock::TSE, TsePerfcounterSelect::PERF_TSE_CINVOCATION},
    {CounterBlock::TSE, TsePerfcounterSelect::PERF_TSE_CPRIMITIVES},
    {CounterBlock::TP, TpPerfcounterSelect::PERF_TP_OUTPUT_PIXELS},
    {CounterBlock::SP, SpPerfcounterSelect::PERF_SP_WAVE_CONTEXTS},
    {CounterBlock::SP, SpPerfcounterSelect::PERF_SP_VS_INSTRUCTIONS},
    {CounterBlock::SP, SpPerfcounterSelect::PERF_SP_VS_STAGE_TEX_INSTRUCTIONS},
    {CounterBlock::SP, SpPerfcounterSelect::PERF_SP_VS_STAGE_EFU_INSTRUCTIONS},
    {CounterBlock::SP, SpPerfcounterSelect::PERF_SP_VS_STAGE_FULL_ALU_INSTRUCTIONS},
    {CounterBlock::SP, SpPerfcounterSelect::PERF_SP_VS_STAGE_HALF_ALU_INSTRUCTIONS},
    {CounterBlock::SP, SpPerfcounterSelect::PERF_SP_FS_INSTRUCTIONS},
    {CounterBlock::SP, SpPerfcounterSelect::PERF_SP_FS_STAGE_TEX_INSTRUCTIONS},
    {CounterBlock::SP, SpPerfcounterSelect::PERF_SP_FS_STAGE_CFLOW_INSTRUCTIONS},
    {CounterBlock::SP, SpPerfcounterSelect::PERF_SP_FS_STAGE_EFU_INSTRUCTIONS},
    {CounterBlock::SP, SpPerfcounterSelect::PERF_SP_FS_STAGE_FULL_ALU_INSTRUCTIONS},
    {CounterBlock::SP, SpPerfcounterSelect::PERF_SP_FS_STAGE_HALF_ALU_INSTRUCTIONS},
    {CounterBlock::SP, SpPerfcounterSelect::PERF_SP_CS_INSTRUCTIONS},
    {CounterBlock::RB, RbPerfcounterSelect::PERF_RB_PS_INVOCATIONS},
    {CounterBlock::RB, RbPerfcounterSelect::PERF_RB_TOTAL_PASS},
    {CounterBlock::RB, RbPerfcounterSelect::PERF_RB_2D_VALID_PIXELS},
};

const submission::CounterTable& table() {
    static const submission::CounterTable t = [] {
        std::vector<submission::CounterRow> rows;
        for (const Row& r : kRows) {
            const CounterBlockRow& block = counter_block(r.block);
            rows.push_back({block.name, block.count - block.first_free, block.countable(r.selector)});
        }
        return submission::CounterTable(rows);
    }();
    return t;
}

/// The registers of a query's counter.
struct Registers {
    uint16_t select, counter;
};
Registers registers_of(const submission::CounterQuery::Counter& c) {
    const CounterBlockRow& block = counter_block(kRows[c.row].block);
    const unsigned n = block.first_free + c.slot;
    return {uint16_t(block.select + n), uint16_t(block.counter + 2 * n)};
}

/// Writes the values of all counters, each to offset `at_B` of its memory.
void write_values(CsBuilder& cs, const submission::CounterQuery& q, uint32_t at_B) {
    for (size_t i = 0; i < q.counters.size(); ++i)
        cs.packet(
            CpRegToMem{.reg = registers_of(q.counters[i]).counter, .n64b = true, .dest = q.va(i) + at_B});
}

}  // namespace

AdrenoCounters::AdrenoCounters(Recorder& recorder, std::function<void()> submit)
    : CounterQueries(table(), recorder, std::move(submit)), recorder_(recorder) {}

void AdrenoCounters::resume(const submission::CounterQuery& q) {
    CsBuilder& cs = recorder_.main;
    recorder_.hold_always(pipe::Ref<const pipe::RefCounted>(q.memory.memory().get()));
    // Draws keep no copy of the selecting registers: earlier ones must be complete.
    cs.wait_for_idle();
    for (const auto& c : q.counters)
        cs.write(NumberedRegister{registers_of(c).select, kRows[c.row].selector});
    write_values(cs, q, q.kBegin_B);
}

void AdrenoCounters::pause(const submission::CounterQuery& q) {
    CsBuilder& cs = recorder_.main;
    cs.wait_for_idle();
    write_values(cs, q, q.kEnd_B);
    for (size_t i = 0; i < q.counters.size(); ++i)
        cs.packet(CpMemToMem{.neg_c = true,
                             .double_ = true,
                             .wait_for_mem_writes = i == 0,
                             .dst = q.va(i) + q.kSum_B,
                             .src_a = q.va(i) + q.kSum_B,
                             .src_b = q.va(i) + q.kEnd_B,
                             .src_c = q.va(i) + q.kBegin_B});
}

}  // namespace terrazzo::adreno
