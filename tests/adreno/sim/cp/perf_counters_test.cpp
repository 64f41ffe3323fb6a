// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Performance counters through their registers.
#include <doctest/doctest.h>

#include "drivers/adreno/hw/counters.h"
#include "drivers/adreno/sim/work.h"
#include "tests/adreno/sim/cp/harness.h"

using namespace terrazzo::adreno;
using namespace terrazzo::adreno::hw;
using namespace terrazzo::adreno::sim;
using namespace terrazzo::adreno::sim::cp_test;

namespace {

const Stream kIdle = Stream().opcode(Pm4Opcode::CP_WAIT_FOR_IDLE);

/// Selects the event of the block's i-th counter.
Stream select(CounterBlock block, unsigned i, uint32_t selector) {
    return Stream().reg(uint16_t(counter_block(block).select + i), selector);
}
/// Copies the block's i-th and the next counter to word `to` of the data.
Stream store(CounterBlock block, unsigned i, unsigned to) {
    CpRegToMem p;
    p.reg = counter_block(block).counter + 2 * i;
    p.n64b = true;
    p.dest = kData + to * 4;
    return Stream().packet(p);
}
constexpr uint32_t kDraws = uint32_t(PcPerfcounterSelect::PERF_PC_3D_DRAWCALLS),
                   kBlits = uint32_t(PcPerfcounterSelect::PERF_PC_2D_DRAWCALLS);

}  // namespace

TEST_CASE("adreno cp counters: what all vendors count comes from the stages and the hardware's counters") {
    Gpu gpu;
    Machine& m = gpu.machine;
    m.primitive_counters[1] = 4;
    m.primitive_counters[2] = 9;
    m.work.texture_pixels[unsigned(Stage::Vertex)] = 3;
    m.work.texture_pixels[unsigned(Stage::Fragment)] = 50;
    m.work.shaders[unsigned(Stage::Compute)].instructions[2] = 7;
    m.work.shaders[unsigned(Stage::Fragment)].instructions[5] = 100;
    const std::unique_ptr<Work> work = create_work(m);
    for (unsigned again = 0; again < 2; ++again) {
        work->count();
        const terrazzo::host::Counters& c = m.work;
        CHECK(c.primitives == 4);
        CHECK(c.vertices == 9);
        CHECK(c.texture_fetches == 53);
        CHECK(c.instructions == 107);
    }
}

TEST_CASE("adreno cp counters: a selected event is counted from then on, and the value is kept") {
    Gpu gpu;
    const Stream three = Stream().draw().draw().draw();
    CHECK(gpu.run(Stream()
                      .draw()
                      .words(kIdle)
                      .words(select(CounterBlock::PC, 2, kDraws))
                      .words(store(CounterBlock::PC, 2, 0))
                      .words(three)
                      .words(kIdle)
                      .words(store(CounterBlock::PC, 2, 2))
                      .words(select(CounterBlock::PC, 2, kBlits))
                      .draw()
                      .words(kIdle)
                      .words(store(CounterBlock::PC, 2, 4))
                      .words(store(CounterBlock::PC, 3, 6))) == "");
    CHECK(gpu.data(0) == 0);
    CHECK(gpu.data(2) == 3);
    CHECK(gpu.data(4) == 3);
    CHECK(gpu.data(6) == 0);
    // The value is kept after the submit.
    CHECK(gpu.run(Stream()
                      .words(kIdle)
                      .words(select(CounterBlock::PC, 2, kDraws))
                      .draw()
                      .words(kIdle)
                      .words(store(CounterBlock::PC, 2, 8))) == "");
    CHECK(gpu.data(8) == 4);
}

TEST_CASE("adreno cp counters: work must have ended before they are selected and read") {
    Gpu gpu;
    CHECK(has(gpu.run(Stream().draw().words(select(CounterBlock::PC, 0, kDraws))),
              "a CP_WAIT_FOR_IDLE is missing"));
    CHECK(has(gpu.run(Stream().words(kIdle).draw().words(store(CounterBlock::PC, 0, 0))),
              "counters are read while work may run"));
    // The CP's own counters always count.
    const uint32_t time = uint32_t(CpPerfcounterSelect::PERF_CP_ALWAYS_COUNT);
    CHECK(
        gpu.run(
            Stream().draw().words(select(CounterBlock::CP, 1, time)).words(store(CounterBlock::CP, 1, 0))) ==
        "");
}

TEST_CASE("adreno cp counters: events that the model does not count stay 0, and are named once") {
    Gpu gpu;
    const uint32_t busy = uint32_t(SpPerfcounterSelect::PERF_SP_BUSY_CYCLES);
    const Stream selected = Stream().words(kIdle).words(select(CounterBlock::SP, 23, busy));
    CHECK(gpu.run(selected) == "");
    CHECK(gpu.run(Stream().draw().words(kIdle).words(store(CounterBlock::SP, 23, 0))) == "");
    CHECK(gpu.data(0) == 0);

    PerfCounters counters;
    const auto& block = counter_block(CounterBlock::SP);
    const auto read = [&] {
        std::string missing;
        CHECK(counters.read(block.counter, gpu.machine, &missing) == 0);
        return missing;
    };
    CHECK(read() == "");
    counters.wrote(block.select, busy, gpu.machine);
    CHECK(read() == "PERF_SP_BUSY_CYCLES");
    CHECK(read() == "");
    counters.wrote(block.select, busy, gpu.machine);
    CHECK(read() == "");
    counters.wrote(block.select, 0xfff, gpu.machine);
    CHECK(read() == "SP_PERFCTR_SP_SEL[0] = 4095");
}

TEST_CASE("adreno counters: blocks' registers do not overlap") {
    const auto blocks = counter_blocks();
    for (size_t a = 0; a < blocks.size(); ++a)
        for (size_t b = 0; b < a; ++b) {
            CHECK((blocks[a].counter >= blocks[b].counter + 2 * blocks[b].count ||
                   blocks[b].counter >= blocks[a].counter + 2 * blocks[a].count));
            CHECK((blocks[a].select >= blocks[b].select + blocks[b].count ||
                   blocks[b].select >= blocks[a].select + blocks[a].count));
        }
    CHECK(std::string(counter_block(CounterBlock::SP).countable(0)) == "PERF_SP_BUSY_CYCLES");
    CHECK(counter_block(CounterBlock::SP).countable(0xfff) == nullptr);
}
