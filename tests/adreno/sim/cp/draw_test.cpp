// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws, dispatches, blits and events; state that is loaded for shaders.
#include <doctest/doctest.h>

#include "tests/adreno/sim/cp/harness.h"

using namespace terrazzo::adreno;
using namespace terrazzo::adreno::hw;
using namespace terrazzo::adreno::sim;
using namespace terrazzo::adreno::sim::cp_test;

namespace {

constexpr uint16_t kVertex = VFD_INDEX_OFFSET::kRegister, kInstance = VFD_INSTANCE_START_OFFSET::kRegister;

DrawInitiator automatic() {
    DrawInitiator i;
    i.source_select = SourceSelect::DI_SRC_SEL_AUTO_INDEX;
    return i;
}

CpLoadState6 load_of(StateBlock block, StateType type, StateSrc src, unsigned first, unsigned count) {
    CpLoadState6 p;
    p.load.state_block = block;
    p.load.state_type = type;
    p.load.state_src = src;
    p.load.dst_off = first;
    p.load.num_unit = count;
    return p;
}

}  // namespace

TEST_CASE("adreno cp: draws have the last size of subdraws") {
    Gpu gpu;
    CpDrawIndxOffset p;
    p.initiator = automatic();
    p.initiator.prim_type = PrimType(unsigned(PrimType::DI_PT_PATCHES0) + 32);
    p.initiator.tess_enable = true;
    p.num_instances = 1;
    p.num_indices = 64;
    CHECK(gpu.run(Stream().packet(CpSetSubdrawSize{.size = 96}).packet(p)) == "");
    CHECK(gpu.work.draws[0].subdraw_size == 96);
    CHECK(unsigned(gpu.work.draws[0].initiator.prim_type) == 0x3f);
    gpu.work.draws.clear();
    // A submit does not keep the last one's size.
    CHECK(has(gpu.run(Stream().packet(p)), "patches, and CP_SET_SUBDRAW_SIZE has said nothing"));
    CHECK(gpu.run(Stream().draw(9)) == "");
}

TEST_CASE("adreno cp: a draw's words") {
    Gpu gpu;
    CpDrawIndxOffset p;
    p.initiator.prim_type = PrimType::DI_PT_TRISTRIP;
    p.initiator.source_select = SourceSelect::DI_SRC_SEL_DMA;
    p.num_instances = 2;
    p.num_indices = 30;
    p.first_index = 4;
    p.index_base = 0x1'2345'6780;
    p.max_indices = 100;
    CHECK(gpu.run(Stream().draw(9).packet(p)) == "");
    const DrawCall& d = gpu.work.draws[1];
    CHECK(d.initiator.prim_type == PrimType::DI_PT_TRISTRIP);
    CHECK(d.instances == 2);
    CHECK(d.count == 30);
    CHECK(d.first_index == 4);
    CHECK(d.indices_va == 0x1'2345'6780);
    CHECK(d.max_indices == 100);
    CHECK(d.number == 1);
    CHECK(gpu.work.draws[0].count == 9);
    uint32_t words[7];
    pack(p, words);
    CHECK(has(gpu.run(Stream().opcode(Pm4Opcode::CP_DRAW_INDX_OFFSET, {words[0], 1, 3})),
              "an indexed draw without its indices"));
    CHECK(has(gpu.run(Stream().opcode(Pm4Opcode::CP_DRAW_INDX_OFFSET, {1u << 6, 1, 3})),
              "indices in its packet"));
}

TEST_CASE("adreno cp: a fault of the work names the packet and the draw") {
    Gpu gpu;
    gpu.work.fails = true;
    CHECK(gpu.run(Stream().draw()) == "IB1, CP_DRAW_INDX_OFFSET at 0x10000, draw 0: the shader is bad");
    CHECK(gpu.processor.fault().kind == FaultKind::Shader);
}

TEST_CASE(
    "adreno cp: indirect draws read their arguments and write the registers of first vertex and instance") {
    Gpu gpu;
    const uint32_t arguments[] = {3, 2, 10, 20, 6, 4, 11, 22};
    std::copy(std::begin(arguments), std::end(arguments), &gpu.data(0));
    CpDrawIndirect one;
    one.initiator = automatic();
    one.indirect = kData;
    CHECK(gpu.run(Stream().packet(one)) == "");
    CHECK(gpu.work.draws[0].count == 3);
    CHECK(gpu.work.draws[0].instances == 2);
    CHECK(gpu.value(kVertex) == 10);
    CHECK(gpu.value(kInstance) == 20);
    CpDrawIndxIndirect indexed;
    indexed.index_base = 0x5000;
    indexed.max_indices = 50;
    indexed.indirect = kData + 4;
    CHECK(gpu.run(Stream().packet(indexed)) == "");
    CHECK(gpu.work.draws[1].count == 2);
    CHECK(gpu.work.draws[1].instances == 10);
    CHECK(gpu.work.draws[1].first_index == 20);
    CHECK(gpu.work.draws[1].indices_va == 0x5000);
    CHECK(gpu.work.draws[1].max_indices == 50);
    CHECK(gpu.value(kVertex) == 6);
    CHECK(gpu.value(kInstance) == 4);
    CpDrawIndirectMulti multi;
    multi.initiator = automatic();
    multi.opcode = DrawIndirectOp::INDIRECT_OP_NORMAL;
    multi.draw_count = 2;
    multi.indirect = kData;
    multi.stride = 16;
    multi.dst_off = 5;
    gpu.work.draws.clear();
    gpu.work.seen.clear();
    CHECK(gpu.run(Stream().packet(multi)) == "");
    CHECK(gpu.work.draws.size() == 2);
    CHECK(gpu.work.draws[1].count == 6);
    CHECK(gpu.work.seen == std::vector<uint32_t>{10, 11});
    const std::vector<uint32_t>& constants = gpu.machine.stages[0].constants;
    REQUIRE(constants.size() == 24);
    CHECK(std::vector<uint32_t>(constants.begin() + 20, constants.end()) ==
          std::vector<uint32_t>{1, 11, 22, 0});
}

TEST_CASE("adreno cp: indirect draws with a count in memory, and with an endless count") {
    Gpu gpu;
    CpDrawIndirectMulti multi;
    multi.opcode = DrawIndirectOp::INDIRECT_OP_INDIRECT_COUNT_INDEXED;
    multi.draw_count = 3;
    multi.index = 0x5000;
    multi.max_indices = 9;
    multi.indexed_indirect = kData;
    multi.indexed_count_address = kData + 400;
    multi.indexed_count_stride = 20;
    gpu.data(100) = 2;
    CHECK(gpu.run(Stream().packet(multi)) == "");
    CHECK(gpu.work.draws.size() == 2);
    gpu.data(100) = 7;
    CHECK(gpu.run(Stream().packet(multi)) == "");
    CHECK(gpu.work.draws.size() == 5);
    multi.opcode = DrawIndirectOp(1);
    CHECK(has(gpu.run(Stream().packet(multi)), "there is no kind 1 of indirect draws"));
    CpDrawIndirectMulti many;
    many.initiator = automatic();
    many.opcode = DrawIndirectOp::INDIRECT_OP_NORMAL;
    many.draw_count = 0xffffffff;
    many.indirect = kData;
    CHECK(has(gpu.run(Stream().packet(many)), "the submit does not end"));
    many.opcode = DrawIndirectOp::INDIRECT_OP_INDEXED;
    uint32_t words[11];
    pack(many, words);
    CHECK(has(
        gpu.run(Stream().opcode(Pm4Opcode::CP_DRAW_INDIRECT_MULTI, {words[0], words[1], words[2], 0, 0, 0})),
        "it has 6 of 9 dwords"));
}

TEST_CASE("adreno cp: a draw of stream output's vertices") {
    Gpu gpu;
    CpDrawAuto p;
    p.initiator = automatic();
    p.num_instances = 1;
    p.num_vertices_base = kData;
    p.num_vertices_offset = 8;
    p.stride = 4;
    gpu.data(0) = 49;
    CHECK(gpu.run(Stream().packet(p)) == "");
    CHECK(gpu.work.draws[0].count == 10);
    CHECK(gpu.work.draws[0].from_stream_output);
    p.stride = 0;
    CHECK(has(gpu.run(Stream().packet(p)), "the stride is 0"));
}

TEST_CASE("adreno cp: predicated draws") {
    Gpu gpu;
    CpDrawPredSet set;
    set.address = kData;
    CpDrawPredEnableGlobal global;
    global.enable = true;
    CpDrawPredEnableLocal off, on;
    on.enable = true;
    CHECK(gpu.run(Stream().packet(set).draw()) == "");  // not enabled
    CHECK(gpu.work.log == "d");
    CHECK(gpu.run(Stream().packet(global).draw().packet(set).draw().packet(off).draw().packet(on).draw()) ==
          "");
    CHECK(gpu.work.log == "ddd");
    gpu.data(1) = 1;  // all 64 bits matter
    CHECK(gpu.run(Stream().packet(global).packet(set).draw()) == "");
    CHECK(gpu.work.log == "dddd");
    set.test = PredTest::EQ_0_PASS;
    CHECK(gpu.run(Stream().packet(global).packet(set).draw()) == "");
    CHECK(gpu.work.log == "dddd");
}

TEST_CASE("adreno cp: dispatches and blits") {
    Gpu gpu;
    CpExecCs direct;
    direct.ngroups_x = 1;
    direct.ngroups_y = 2;
    direct.ngroups_z = 3;
    CpExecCsIndirect indirect;
    indirect.localsizex = indirect.localsizey = indirect.localsizez = 1;
    indirect.address = kData;
    gpu.data(0) = 7;
    gpu.data(1) = 8;
    gpu.data(2) = 9;
    const auto event = [](EventType type) {
        return Stream().opcode(Pm4Opcode::CP_EVENT_WRITE, {uint32_t(type)});
    };
    Stream all = Stream().packet(direct).packet(indirect).packet(CpBlit{}).words(event(EventType::BLIT));
    all.words(event(EventType::LRZ_CLEAR)).words(event(EventType::PC_CCU_FLUSH_COLOR_TS));
    CHECK(gpu.run(all) == "");
    CHECK(gpu.work.log == "cc2bl");
    CHECK(gpu.work.dispatches[0].groups[2] == 3);
    CHECK(gpu.work.dispatches[1].groups[2] == 9);
    CHECK(gpu.work.dispatches[1].number == 1);
    CHECK(gpu.host.progress == 4);  // "cc2b": each may take as long as a submit
    CHECK(gpu.run(Stream().draw().draw()) == "");
    CHECK(gpu.host.progress == 6);
}

TEST_CASE("adreno cp: events write values and times") {
    Gpu gpu;
    CpEventWrite e;
    e.event = EventType::CACHE_FLUSH_TS;
    e.address = kData;
    e.value = 42;
    gpu.data(1) = 5;
    CHECK(gpu.run(Stream().packet(e)) == "");
    CHECK(gpu.data(0) == 42);
    CHECK(gpu.data(1) == 5);
    e.event = EventType::RB_DONE_TS;
    e.timestamp = true;
    CHECK(gpu.run(Stream().packet(e)) == "");
    CHECK(gpu.data(0) == 0x23456789);
    CHECK(gpu.data(1) == 1);
    CHECK(has(gpu.run(Stream().opcode(Pm4Opcode::CP_EVENT_WRITE, {0x3e})), "there is no event 62"));
    e.address = 0x1000;
    CHECK(has(gpu.run(Stream().packet(e)), "not mapped"));
}

TEST_CASE("adreno cp: queries get the units' counts") {
    Gpu gpu;
    const auto event = [](EventType type) {
        return Stream().opcode(Pm4Opcode::CP_EVENT_WRITE, {uint32_t(type)});
    };
    gpu.machine.samples_passed = 0x1'0000'0002;
    CHECK(gpu.run(event(EventType::ZPASS_DONE)) == "");
    CHECK(
        has(gpu.run(Stream().reg(RB_SAMPLE_COUNT_CONTROL{.copy = true}).words(event(EventType::ZPASS_DONE))),
            "RB_SAMPLE_COUNT_ADDR was never"));
    CHECK(gpu.run(Stream().reg(RB_SAMPLE_COUNT_ADDR{.value = kData}).words(event(EventType::ZPASS_DONE))) ==
          "");
    CHECK(gpu.data(0) == 2);
    CHECK(gpu.data(1) == 1);
    gpu.machine.stream_output_primitives[0][1] = 5;
    gpu.machine.stream_output_primitives[1][1] = 6;
    CHECK(gpu.run(Stream()
                      .reg(VPC_SO_STREAM_COUNTS{.value = kData})
                      .words(event(EventType::WRITE_PRIMITIVE_COUNTS))) == "");
    CHECK(gpu.data(4) == 5);
    CHECK(gpu.data(6) == 6);
    CHECK(has(gpu.run(Stream()
                          .reg(VPC_SO_STREAM_COUNTS{.value = kData + 8})
                          .words(event(EventType::WRITE_PRIMITIVE_COUNTS))),
              "multiple of 32"));
    Stream flush =
        Stream().reg(VPC_SO_FLUSH_BASE{.value = kData}, 2).reg(VPC_SO_BUFFER_OFFSET{.value = 48}, 2);
    CHECK(gpu.run(flush.words(event(EventType::FLUSH_SO_2))) == "");
    CHECK(gpu.data(0) == 12);
    CHECK(has(gpu.run(event(EventType::FLUSH_SO_1)), "VPC_SO_FLUSH_BASE[1] was never written"));
}

TEST_CASE("adreno cp: counters of statistics count while they run") {
    Gpu gpu;
    const auto count = [&](unsigned i) {
        CpRegToMem get;
        get.reg = 0x540 + 2 * i;
        get.n64b = true;
        get.dest = kData;
        CHECK(gpu.run(Stream().packet(get)) == "");
        return gpu.data(0);
    };
    const auto event = [&](EventType type) {
        CHECK(gpu.run(Stream().opcode(Pm4Opcode::CP_EVENT_WRITE, {uint32_t(type)})) == "");
    };
    gpu.machine.primitive_counters[7] = 5;
    CHECK(count(7) == 0);
    event(EventType::START_PRIMITIVE_CTRS);
    gpu.machine.primitive_counters[7] += 10;
    gpu.machine.primitive_counters[9] += 3;
    CHECK(count(7) == 10);
    CHECK(count(9) == 0);
    event(EventType::STOP_PRIMITIVE_CTRS);
    gpu.machine.primitive_counters[7] += 100;
    CHECK(count(7) == 10);
    event(EventType::START_PRIMITIVE_CTRS);
    event(EventType::START_FRAGMENT_CTRS);
    gpu.machine.primitive_counters[7] += 1;
    gpu.machine.primitive_counters[9] += 2;
    CHECK(count(7) == 11);
    CHECK(count(9) == 2);
    CpRegToMem get;
    get.reg = RBBM_PRIMCTR_7_LO::kRegister;
    get.dest = kData;
    Stream at_once, waits;
    at_once.draw().packet(get);
    waits.draw().opcode(Pm4Opcode::CP_WAIT_FOR_IDLE, {}).packet(get);
    CHECK(has(gpu.run(at_once), "RBBM_PRIMCTR is read while work may run"));
    CHECK(gpu.run(waits) == "");
}

TEST_CASE("adreno cp: state in the packet and in memory") {
    Gpu gpu;
    const auto constants =
        load_of(StateBlock::SB6_VS_SHADER, StateType::ST6_CONSTANTS, StateSrc::SS6_DIRECT, 2, 1);
    CHECK(gpu.run(Stream().packet(constants, {1, 2, 3, 4})) == "");
    CHECK(gpu.machine.stages[0].constants == std::vector<uint32_t>{0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4});
    CHECK(gpu.machine.stages[0].serial == 1);
    CHECK(has(gpu.run(Stream().packet(constants, {1, 2, 3})), "3 words follow for 4 words of state"));
    auto textures = load_of(StateBlock::SB6_FS_TEX, StateType::ST6_CONSTANTS, StateSrc::SS6_INDIRECT, 1, 2);
    textures.load.address = kData;
    gpu.data(31) = 77;
    CHECK(gpu.run(Stream().packet(textures)) == "");
    const StageState& fragment = gpu.machine.stages[unsigned(sim::Stage::Fragment)];
    REQUIRE(fragment.textures.size() == 48);
    CHECK(fragment.textures[47] == 77);
    CHECK(has(gpu.run(Stream().packet(textures, {1})), "1 words follow, which nothing reads"));
    auto samplers = load_of(StateBlock::SB6_CS_TEX, StateType::ST6_SHADER, StateSrc::SS6_DIRECT, 0, 1);
    auto images = load_of(StateBlock::SB6_IBO, StateType::ST6_SHADER, StateSrc::SS6_INDIRECT, 0, 1);
    images.load.address = kData;
    auto compute = load_of(StateBlock::SB6_CS_SHADER, StateType::ST6_IBO, StateSrc::SS6_INDIRECT, 0, 1);
    compute.load.address = kData;
    auto buffers = load_of(StateBlock::SB6_GS_SHADER, StateType::ST6_UBO, StateSrc::SS6_DIRECT, 1, 1);
    CHECK(
        gpu.run(
            Stream().packet(samplers, {4, 3, 2, 1}).packet(images).packet(compute).packet(buffers, {8, 9})) ==
        "");
    CHECK(gpu.machine.stages[unsigned(sim::Stage::Compute)].samplers == std::vector<uint32_t>{4, 3, 2, 1});
    CHECK(fragment.images.size() == 16);
    CHECK(gpu.machine.stages[unsigned(sim::Stage::Compute)].images.size() == 16);
    CHECK(gpu.machine.stages[unsigned(sim::Stage::Geometry)].uniform_buffers ==
          std::vector<uint32_t>{0, 0, 8, 9});
}

TEST_CASE("adreno cp: state that cannot be loaded") {
    Gpu gpu;
    auto code = load_of(StateBlock::SB6_FS_SHADER, StateType::ST6_SHADER, StateSrc::SS6_INDIRECT, 0, 32);
    code.load.address = kData;
    CHECK(gpu.run(Stream().packet(code)) == "");
    code.load.num_unit = 33;  // one kilobyte of words is mapped
    CHECK(has(gpu.run(Stream().packet(code)), "not mapped"));
    CHECK(has(
        gpu.run(Stream().packet(load_of(StateBlock(6), StateType::ST6_SHADER, StateSrc::SS6_INDIRECT, 0, 1))),
        "no state of type 0 in block 6"));
    CHECK(has(gpu.run(Stream().packet(
                  load_of(StateBlock::SB6_FS_TEX, StateType::ST6_IBO, StateSrc::SS6_INDIRECT, 0, 1))),
              "no state of type 3 in block 4"));
    CHECK(has(gpu.run(Stream().packet(load_of(StateBlock::SB6_VS_SHADER, StateType::ST6_CONSTANTS,
                                              StateSrc::SS6_INDIRECT, 511, 2))),
              "constants 511 to 512: a stage has 512 vectors"));
}

TEST_CASE("adreno cp: state from uniform buffers and bindless tables") {
    Gpu gpu;
    Ubo buffer;
    buffer.base = kData;
    buffer.size = 4;
    uint32_t words[2];
    pack(buffer, words);
    auto constants = load_of(StateBlock::SB6_DS_SHADER, StateType::ST6_CONSTANTS, StateSrc::SS6_UBO, 0, 2);
    constants.load.address = 3u << 16 | 32;
    CHECK(has(gpu.run(Stream().packet(constants)), "uniform buffer 3 was never loaded"));
    gpu.data(8) = 44;
    const auto buffers = load_of(StateBlock::SB6_DS_SHADER, StateType::ST6_UBO, StateSrc::SS6_DIRECT, 3, 1);
    CHECK(gpu.run(Stream().packet(buffers, {words[0], words[1]}).packet(constants)) == "");
    CHECK(gpu.machine.stages[unsigned(sim::Stage::Domain)].constants[0] == 44);
    constants.load.address = 3u << 16 | 48;
    CHECK(has(gpu.run(Stream().packet(constants)),
              "8 words from byte 48 of uniform buffer 3, which has 64 bytes"));
    auto bindless = load_of(StateBlock::SB6_FS_TEX, StateType::ST6_CONSTANTS, StateSrc::SS6_BINDLESS, 0, 2);
    bindless.load.address = 1u << 28 | 16;
    CHECK(has(gpu.run(Stream().packet(bindless)), "the base 1 of the bindless table was never written"));
    const uint16_t base = HLSQ_BINDLESS_BASE_DESCRIPTOR::at(1);
    Stream set = Stream().words({pack_type4(base, 2), uint32_t(kData) | 3, uint32_t(kData >> 32)});
    CHECK(gpu.run(set.packet(bindless)) == "");
    bindless.load.address = 1u << 28 | 1016;
    CHECK(has(gpu.run(Stream().packet(bindless)), "not mapped"));
}
