// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/cp/perf_counters.h"

#include "drivers/adreno/hw/counters.h"
#include "drivers/adreno/hw/registers.h"
#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

using namespace hw;

namespace {

struct Row {
    CounterBlock block;
    uint32_t selector;
    uint64_t (*count)(const Machine&);
};

// clang-format off
constexpr CounterBlock block_of(CpPerfcounterSelect) { return CounterBlock::CP; }
constexpr CounterBlock block_of(PcPerfcounterSelect) { return CounterBlock::PC; }
constexpr CounterBlock block_of(VfdPerfcounterSelect) { return CounterBlock::VFD; }
constexpr CounterBlock block_of(TsePerfcounterSelect) { return CounterBlock::TSE; }
constexpr CounterBlock block_of(HlsqPerfcounterSelect) { return CounterBlock::HLSQ; }
constexpr CounterBlock block_of(SpPerfcounterSelect) { return CounterBlock::SP; }
constexpr CounterBlock block_of(TpPerfcounterSelect) { return CounterBlock::TP; }
constexpr CounterBlock block_of(RbPerfcounterSelect) { return CounterBlock::RB; }
// clang-format on

template <class T>
constexpr Row row(T selector, uint64_t (*count)(const Machine&)) {
    return {block_of(selector), uint32_t(selector), count};
}

// Categories of instructions: 0 flow, 1 to 3 the ALU, 4 special functions, 5 textures.
uint64_t alu(const CoreStats& s, bool half) {
    uint64_t n = 0;
    for (unsigned c = 1; c <= 3; ++c)
        n += half ? s.half_instructions[c] : s.instructions[c] - s.half_instructions[c];
    return n;
}
const CoreStats& shaders(const Machine& m, Stage stage) {
    return m.work.shaders[unsigned(stage)];
}
uint64_t texture_pixels(const Machine& m) {
    uint64_t n = 0;
    for (const uint64_t p : m.work.texture_pixels)
        n += p;
    return n;
}

uint64_t waves(const Machine& m) {
    uint64_t n = 0;
    for (const CoreStats& s : m.work.shaders)
        n += s.waves;
    return n;
}

using M = const Machine&;
using enum CpPerfcounterSelect;
using enum PcPerfcounterSelect;
using enum VfdPerfcounterSelect;
using enum TsePerfcounterSelect;
using enum HlsqPerfcounterSelect;
using enum SpPerfcounterSelect;
using enum TpPerfcounterSelect;
using enum RbPerfcounterSelect;

// Machine::primitive_counters lists the numbers of those counters.
constexpr Row kRows[] = {
    row(PERF_CP_ALWAYS_COUNT, [](M m) { return m.host.timestamp(); }),
    row(PERF_CP_MODE_SWITCH, [](M m) { return m.work.mode_switches; }),
    row(PERF_CP_ZPASS_DONE, [](M m) { return m.work.zpass_events; }),
    row(PERF_CP_CACHE_FLUSH, [](M m) { return m.work.cache_flushes; }),
    row(PERF_PC_IA_VERTICES, [](M m) { return m.primitive_counters[0]; }),
    row(PERF_PC_IA_PRIMITIVES, [](M m) { return m.primitive_counters[1]; }),
    row(PERF_PC_VS_INVOCATIONS, [](M m) { return m.primitive_counters[2]; }),
    row(PERF_PC_HS_INVOCATIONS, [](M m) { return m.primitive_counters[3]; }),
    row(PERF_PC_DS_INVOCATIONS, [](M m) { return m.primitive_counters[4]; }),
    row(PERF_PC_GS_INVOCATIONS, [](M m) { return m.primitive_counters[5]; }),
    row(PERF_PC_GS_PRIMITIVES, [](M m) { return m.primitive_counters[6]; }),
    row(PERF_PC_3D_DRAWCALLS, [](M m) { return m.work.draws; }),
    row(PERF_PC_2D_DRAWCALLS, [](M m) { return m.work.blits; }),
    row(PERF_VFD_TOTAL_VERTICES, [](M m) { return m.primitive_counters[2]; }),
    row(PERF_TSE_CINVOCATION, [](M m) { return m.primitive_counters[7]; }),
    row(PERF_TSE_CPRIMITIVES, [](M m) { return m.primitive_counters[8]; }),
    row(PERF_HLSQ_QUADS, [](M m) { return m.work.quads; }),
    row(PERF_HLSQ_PIXELS, [](M m) { return m.work.pixels; }),
    row(PERF_HLSQ_FS_STAGE_1X_WAVES, [](M m) { return shaders(m, Stage::Fragment).waves; }),
    row(PERF_HLSQ_CS_INVOCATIONS, [](M m) { return m.primitive_counters[10]; }),
    row(PERF_HLSQ_COMPUTE_DRAWCALLS, [](M m) { return m.work.dispatches; }),
    row(PERF_SP_WAVE_CONTEXTS, waves),
    row(PERF_SP_VS_INSTRUCTIONS, [](M m) { return shaders(m, Stage::Vertex).all(); }),
    row(PERF_SP_VS_STAGE_TEX_INSTRUCTIONS, [](M m) { return shaders(m, Stage::Vertex).instructions[5]; }),
    row(PERF_SP_VS_STAGE_EFU_INSTRUCTIONS, [](M m) { return shaders(m, Stage::Vertex).instructions[4]; }),
    row(PERF_SP_VS_STAGE_FULL_ALU_INSTRUCTIONS, [](M m) { return alu(shaders(m, Stage::Vertex), false); }),
    row(PERF_SP_VS_STAGE_HALF_ALU_INSTRUCTIONS, [](M m) { return alu(shaders(m, Stage::Vertex), true); }),
    row(PERF_SP_FS_INSTRUCTIONS, [](M m) { return shaders(m, Stage::Fragment).all(); }),
    row(PERF_SP_FS_STAGE_TEX_INSTRUCTIONS, [](M m) { return shaders(m, Stage::Fragment).instructions[5]; }),
    row(PERF_SP_FS_STAGE_CFLOW_INSTRUCTIONS, [](M m) { return shaders(m, Stage::Fragment).instructions[0]; }),
    row(PERF_SP_FS_STAGE_EFU_INSTRUCTIONS, [](M m) { return shaders(m, Stage::Fragment).instructions[4]; }),
    row(PERF_SP_FS_STAGE_FULL_ALU_INSTRUCTIONS, [](M m) { return alu(shaders(m, Stage::Fragment), false); }),
    row(PERF_SP_FS_STAGE_HALF_ALU_INSTRUCTIONS, [](M m) { return alu(shaders(m, Stage::Fragment), true); }),
    row(PERF_SP_CS_INSTRUCTIONS, [](M m) { return shaders(m, Stage::Compute).all(); }),
    row(PERF_TP_OUTPUT_PIXELS, texture_pixels),
    row(PERF_RB_PS_INVOCATIONS, [](M m) { return m.work.fragments; }),
    row(PERF_RB_TOTAL_PASS, [](M m) { return m.work.samples_passed; }),
    row(PERF_RB_2D_VALID_PIXELS, [](M m) { return m.work.pixels_2d; }),
};

const Row* find_row(unsigned block, uint32_t selector) {
    for (const Row& r : kRows)
        if (unsigned(r.block) == block && r.selector == selector) return &r;
    return nullptr;
}

uint64_t count(unsigned block, uint32_t selector, const Machine& machine) {
    const Row* const r = find_row(block, selector);
    return r ? r->count(machine) : 0;
}

}  // namespace

PerfCounters::PerfCounters() {
    const auto blocks = counter_blocks();
    for (size_t b = 0; b < blocks.size(); ++b)
        for (unsigned i = 0; i < blocks[b].count; ++i)
            slots_.push_back(
                {uint16_t(blocks[b].counter + 2 * i), uint16_t(blocks[b].select + i), uint8_t(b)});
}

void PerfCounters::wrote(uint16_t reg, uint32_t value, const Machine& machine) {
    for (Slot& s : slots_) {
        if (s.select != reg) continue;
        s.count.run(false, count(s.block, s.selector, machine));
        s.count.run(true, count(s.block, value, machine));
        s.told = s.told && s.selector == value;
        s.selector = value;
        return;
    }
}

uint32_t PerfCounters::read(uint32_t reg, const Machine& machine, std::string* missing) {
    missing->clear();
    for (Slot& s : slots_) {
        if (reg != s.counter && reg != s.counter + 1u) continue;
        if (s.count.runs() && !s.told && !find_row(s.block, s.selector)) {
            const char* const name = counter_blocks()[s.block].countable(s.selector);
            *missing = name ? name : hw::register_name(s.select) + " = " + std::to_string(s.selector);
            s.told = true;
        }
        const uint64_t v = s.count.value(count(s.block, s.selector, machine));
        return uint32_t(v >> (reg - s.counter) * 32);
    }
    return 0;
}

}  // namespace terrazzo::adreno::sim
