// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/submission/counters.h"

#include <new>

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

/// The rows in the form of pipe::PerformanceCounters.
struct Table {
    Table() {
        counters.reserve(std::size(kRows));
        for (const Row& r : kRows)
            counters.push_back({counter_block(r.block).countable(r.selector)});
        for (size_t i = 0; i < std::size(kRows);) {
            size_t end = i;
            while (end < std::size(kRows) && kRows[end].block == kRows[i].block)
                ++end;
            const CounterBlockRow& block = counter_block(kRows[i].block);
            groups.push_back({block.name, block.count - block.first_free, {&counters[i], end - i}});
            first.push_back(i);
            i = end;
        }
    }
    std::vector<pipe::Counter> counters;
    std::vector<pipe::CounterGroup> groups;
    std::vector<size_t> first;  // row of each group
};

const Table& table() {
    static const Table t;
    return t;
}

AdrenoCounterQuery& counter_query(pipe::CounterQuery& q) {
    return static_cast<AdrenoCounterQuery&>(q);
}

}  // namespace

std::span<const pipe::CounterGroup> AdrenoCounters::groups() const {
    return table().groups;
}

pipe::Ref<pipe::CounterQuery> AdrenoCounters::create_counter_query(std::span<const pipe::CounterId> ids) {
    auto q = pipe::Ref<AdrenoCounterQuery>::adopt(new (std::nothrow) AdrenoCounterQuery);
    if (!q) return nullptr;
    std::vector<unsigned> used(table().groups.size());
    for (const pipe::CounterId& id : ids) {
        const Row& row = kRows[table().first[id.group] + id.counter];
        const CounterBlockRow& block = counter_block(row.block);
        const unsigned n = block.first_free + used[id.group]++;
        q->counters.push_back({uint16_t(block.select + n), uint16_t(block.counter + 2 * n), row.selector});
    }
    return q;
}

void AdrenoCounters::begin_counters(pipe::CounterQuery& query) {
    AdrenoCounterQuery& q = counter_query(query);
    q.memory.begin(recorder_.device(), uint32_t(q.counters.size()) * AdrenoCounterQuery::kSize_B);
    active_ = pipe::Ref<AdrenoCounterQuery>(&q);
    resume(q);
}

void AdrenoCounters::end_counters(pipe::CounterQuery& query) {
    pause(counter_query(query));
    active_ = nullptr;
}

void AdrenoCounters::resume(AdrenoCounterQuery& q) {
    CsBuilder& cs = recorder_.main;
    recorder_.hold_always(pipe::Ref<const pipe::RefCounted>(q.memory.memory().get()));
    // Draws keep no copy of the selecting registers: earlier ones must be complete.
    cs.wait_for_idle();
    for (const AdrenoCounterQuery::Counter& c : q.counters)
        cs.write(NumberedRegister{c.select, c.selector});
    uint64_t va = q.memory.memory()->block.va;
    for (const AdrenoCounterQuery::Counter& c : q.counters) {
        cs.packet(CpRegToMem{.reg = c.counter, .n64b = true, .dest = va + AdrenoCounterQuery::kBegin_B});
        va += AdrenoCounterQuery::kSize_B;
    }
}

void AdrenoCounters::pause(AdrenoCounterQuery& q) {
    CsBuilder& cs = recorder_.main;
    cs.wait_for_idle();
    uint64_t va = q.memory.memory()->block.va;
    for (const AdrenoCounterQuery::Counter& c : q.counters) {
        cs.packet(CpRegToMem{.reg = c.counter, .n64b = true, .dest = va + AdrenoCounterQuery::kEnd_B});
        va += AdrenoCounterQuery::kSize_B;
    }
    va = q.memory.memory()->block.va;
    for (size_t i = 0; i < q.counters.size(); ++i, va += AdrenoCounterQuery::kSize_B)
        cs.packet(CpMemToMem{.neg_c = true,
                             .double_ = true,
                             .wait_for_mem_writes = i == 0,
                             .dst = va + AdrenoCounterQuery::kSum_B,
                             .src_a = va + AdrenoCounterQuery::kSum_B,
                             .src_b = va + AdrenoCounterQuery::kEnd_B,
                             .src_c = va + AdrenoCounterQuery::kBegin_B});
}

bool AdrenoCounters::counter_values(pipe::CounterQuery& query, bool wait, uint64_t* values) {
    AdrenoCounterQuery& q = counter_query(query);
    // The values are final at the end of this submission.
    if (q.memory.is_open()) {
        submit_();
        q.memory.close(recorder_.last_point());
    }
    uint64_t first = 0;
    if (!q.memory.result(*recorder_.timeline(), wait, 1, pipe::QueryKind::Samples, &first)) return false;
    const auto* at = reinterpret_cast<const volatile uint64_t*>(q.memory.memory()->block.cpu);
    for (size_t i = 0; i < q.counters.size(); ++i, at += AdrenoCounterQuery::kSize_B / sizeof *at)
        values[i] = *at;
    return true;
}

}  // namespace terrazzo::adreno
