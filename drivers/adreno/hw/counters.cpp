// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/hw/counters.h"

#include "drivers/adreno/hw/registers.h"

namespace terrazzo::adreno::hw {

namespace {

template <class Select>
const char* name_of(uint32_t selector) {
    return enum_name(Select(selector));
}

template <class Counter, class SelectRegister, class Select>
constexpr CounterBlockRow block(const char* name, unsigned first_free = 0) {
    static_assert(Counter::kCount == SelectRegister::kCount);
    return {name,       Counter::kRegister, SelectRegister::kRegister, Counter::kCount,
            first_free, name_of<Select>};
}

// The kernel uses the CP's first counter.
constexpr CounterBlockRow kBlocks[] = {
    block<RBBM_PERFCTR_CP, CP_PERFCTR_CP_SEL, CpPerfcounterSelect>("CP", 1),
    block<RBBM_PERFCTR_PC, PC_PERFCTR_PC_SEL, PcPerfcounterSelect>("PC"),
    block<RBBM_PERFCTR_VFD, VFD_PERFCTR_VFD_SEL, VfdPerfcounterSelect>("VFD"),
    block<RBBM_PERFCTR_HLSQ, HLSQ_PERFCTR_HLSQ_SEL, HlsqPerfcounterSelect>("HLSQ"),
    block<RBBM_PERFCTR_VPC, VPC_PERFCTR_VPC_SEL, VpcPerfcounterSelect>("VPC"),
    block<RBBM_PERFCTR_CCU, RB_PERFCTR_CCU_SEL, CcuPerfcounterSelect>("CCU"),
    block<RBBM_PERFCTR_TSE, GRAS_PERFCTR_TSE_SEL, TsePerfcounterSelect>("TSE"),
    block<RBBM_PERFCTR_RAS, GRAS_PERFCTR_RAS_SEL, RasPerfcounterSelect>("RAS"),
    block<RBBM_PERFCTR_LRZ, GRAS_PERFCTR_LRZ_SEL, LrzPerfcounterSelect>("LRZ"),
    block<RBBM_PERFCTR_UCHE, UCHE_PERFCTR_UCHE_SEL, UchePerfcounterSelect>("UCHE"),
    block<RBBM_PERFCTR_TP, TPL1_PERFCTR_TP_SEL, TpPerfcounterSelect>("TP"),
    block<RBBM_PERFCTR_SP, SP_PERFCTR_SP_SEL, SpPerfcounterSelect>("SP", 1),
    block<RBBM_PERFCTR_RB, RB_PERFCTR_RB_SEL, RbPerfcounterSelect>("RB"),
    block<RBBM_PERFCTR_VSC, VSC_PERFCTR_VSC_SEL, VscPerfcounterSelect>("VSC"),
};

}  // namespace

std::span<const CounterBlockRow> counter_blocks() {
    return kBlocks;
}

}  // namespace terrazzo::adreno::hw
