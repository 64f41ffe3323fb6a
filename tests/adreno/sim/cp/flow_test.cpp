// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffers, groups of draw state, modes, and packets that are skipped.
#include <doctest/doctest.h>

#include "tests/adreno/sim/cp/harness.h"

using namespace terrazzo::adreno;
using namespace terrazzo::adreno::hw;
using namespace terrazzo::adreno::sim;
using namespace terrazzo::adreno::sim::cp_test;

namespace {

constexpr uint16_t kReg = VFD_INDEX_OFFSET::kRegister;
constexpr uint64_t kIb2 = 0x40000, kIb3 = 0x50000, kGroup0 = 0x60000, kGroup1 = 0x61000, kGroup2 = 0x62000;

CpIndirectBuffer call_of(uint64_t va, const Stream& s) {
    CpIndirectBuffer ib;
    ib.address = va;
    ib.size_dw = s.size_dw();
    return ib;
}

CpSetDrawState group_of(unsigned id, uint64_t va, const Stream& s, bool binning, bool gmem, bool sysmem) {
    CpSetDrawState g;
    g.count_dw = s.size_dw();
    g.group_id = id;
    g.address = va;
    g.binning = binning;
    g.gmem = gmem;
    g.sysmem = sysmem;
    return g;
}

}  // namespace

TEST_CASE("adreno cp: an empty submit ends, and several buffers run in order") {
    Gpu gpu;
    CHECK(gpu.run(Stream()) == "");
    CHECK(gpu.work.log == "");
    const Stream first = Stream().reg(kReg, 1).draw(), second = Stream().reg(kReg, 2).draw();
    gpu.buffer(kStream, first).buffer(kIb2, second);
    const IndirectBuffer commands[] = {{kStream, first.size_dw()}, {kIb2, second.size_dw()}, {kStream, 0}};
    gpu.processor.start(commands);
    CHECK(gpu.go_on() == "");
    CHECK(gpu.work.seen == std::vector<uint32_t>{1, 2});
    CHECK(gpu.work.draws[1].number == 1);
    CHECK(gpu.work.draws[0].packet_va == kStream + 8);
}

TEST_CASE("adreno cp: a word that begins no packet is a fault with its address") {
    Gpu gpu;
    CHECK(gpu.run(Stream().words({0})) == "IB1 at 0x10000, draw 0: 0x00000000 begins no packet");
    CHECK(has(gpu.run(Stream().words({pack_type7(Pm4Opcode::CP_NOP, 0) ^ 0x8000})), "a wrong parity"));
    CHECK(has(gpu.run(Stream().words({pack_type4(0x8000, 1) ^ 0x80, 0})), "a wrong parity"));
    CHECK(has(gpu.run(Stream().words({pack_type7(Pm4Opcode::CP_NOP, 4), 0})),
              "its 4 dwords do not end with the buffer"));
    CHECK(has(gpu.run(Stream().opcode(Pm4Opcode(0x7e))), "there is no packet 0x7e"));
    CHECK(has(gpu.run(Stream().opcode(Pm4Opcode::CP_SET_PROTECTED_MODE, {0})),
              "CP_SET_PROTECTED_MODE at 0x10000, draw 0: only the kernel"));
    CHECK(gpu.processor.fault().kind == FaultKind::Protection);
    CHECK(has(gpu.run(Stream().opcode(Pm4Opcode::CP_DRAW_INDX, {0, 0, 0})), "no driver of an a6xx"));
    CHECK(gpu.processor.fault().kind == FaultKind::Opcode);
    CHECK(has(gpu.run(Stream().opcode(Pm4Opcode::CP_MEM_WRITE, {0})), "it has 1 of at least 2 dwords"));
}

TEST_CASE("adreno cp: buffers that are unmapped or too long") {
    Gpu gpu;
    const IndirectBuffer unmapped{0xdead0000, 4}, odd{kStream + 2, 4}, huge{kStream, 1u << 20};
    gpu.processor.start({&unmapped, 1});
    CHECK(has(gpu.go_on(), "read of 4 bytes at 0xdead0000: not mapped"));
    CHECK(gpu.processor.fault().kind == FaultKind::Memory);
    gpu.processor.start({&odd, 1});
    CHECK(has(gpu.go_on(), "its address must be a multiple of 4"));
    gpu.processor.start({&huge, 1});
    CHECK(has(gpu.go_on(), "it has at most 1048575 dwords"));
}

TEST_CASE("adreno cp: an IB1 calls, an IB2 does not, and both chain") {
    Gpu gpu;
    const Stream inner = Stream().reg(kReg, 5).draw();
    gpu.buffer(kIb3, inner);
    Stream chained = Stream().reg(kReg, 4).draw();
    CpIndirectBufferChain chain;
    chain.address = kIb3;
    chain.size_dw = inner.size_dw();
    chained.packet(chain);
    gpu.buffer(kIb2, chained);
    CHECK(gpu.run(Stream().packet(call_of(kIb2, chained)).reg(kReg, 6).draw()) == "");
    CHECK(gpu.work.seen == std::vector<uint32_t>{4, 5, 6});
    const Stream calls = Stream().packet(call_of(kIb3, inner));
    gpu.buffer(kIb2, calls);
    CHECK(has(gpu.run(Stream().packet(call_of(kIb2, calls))),
              "IB2, CP_INDIRECT_BUFFER at 0x40000, draw 0: only an IB1 can call"));
    CHECK(has(gpu.run(Stream().packet(chain).draw()), "a chain must be the last packet"));
}

TEST_CASE("adreno cp: buffers that chain endlessly") {
    Gpu gpu;
    CpIndirectBufferChain chain;
    chain.address = kStream;
    chain.size_dw = 4;
    CHECK(has(gpu.run(Stream().packet(chain)), "the submit does not end"));
    gpu.processor.packet_limit = uint64_t(1) << 40;
    gpu.host.stop = true;
    CHECK(gpu.run(Stream().packet(chain)) == "stopped");
}

TEST_CASE("adreno cp: groups of draw state run before the next draw, in order and once") {
    Gpu gpu;
    const Stream one = Stream().reg(kReg, 1), two = Stream().reg(kReg, 2);
    gpu.buffer(kGroup0, one).buffer(kGroup1, two);
    Stream s = Stream()
                   .reg(kReg, 9)
                   .packet(group_of(7, kGroup1, two, true, true, true))
                   .packet(group_of(3, kGroup0, one, true, true, true));
    s.draw().reg(kReg, 8).draw();
    CHECK(gpu.run(s) == "");
    CHECK(gpu.work.seen == std::vector<uint32_t>{2, 8});
}

TEST_CASE("adreno cp: a group runs only in its modes") {
    Gpu gpu;
    const Stream binning = Stream().reg(kReg, 1), gmem = Stream().reg(kReg, 2),
                 sysmem = Stream().reg(kReg, 3);
    gpu.buffer(kGroup0, binning).buffer(kGroup1, gmem).buffer(kGroup2, sysmem);
    Stream ib2 = Stream()
                     .packet(group_of(0, kGroup0, binning, true, false, false))
                     .packet(group_of(1, kGroup1, gmem, false, true, false));
    ib2.packet(group_of(2, kGroup2, sysmem, false, false, true)).draw();
    gpu.buffer(kIb2, ib2);
    const CpIndirectBuffer call = call_of(kIb2, ib2);
    Stream s = Stream()
                   .marker(Marker::RM6_BIN_VISIBILITY)
                   .packet(call)
                   .marker(Marker::RM6_BIN_RENDER_START)
                   .packet(call);
    s.packet(call).marker(Marker::RM6_DIRECT_RENDER).packet(call);
    CHECK(gpu.run(s) == "");
    CHECK(gpu.work.seen == std::vector<uint32_t>{1, 2, 2, 3});
    CHECK(gpu.work.modes == std::vector<sim::RenderMode>{sim::RenderMode::Binning, sim::RenderMode::Gmem,
                                                         sim::RenderMode::Gmem, sim::RenderMode::Bypass});
}

TEST_CASE("adreno cp: a group that did not run waits for its mode") {
    Gpu gpu;
    const Stream gmem = Stream().reg(kReg, 2);
    gpu.buffer(kGroup1, gmem);
    Stream s = Stream()
                   .packet(group_of(1, kGroup1, gmem, false, true, false))
                   .marker(Marker::RM6_BIN_VISIBILITY)
                   .reg(kReg, 1)
                   .draw();
    CHECK(gpu.run(s.marker(Marker::RM6_BIN_RENDER_START).draw()) == "");
    CHECK(gpu.work.seen == std::vector<uint32_t>{1, 2});
}

TEST_CASE("adreno cp: groups are disabled, replaced and loaded at once") {
    Gpu gpu;
    const Stream one = Stream().reg(kReg, 1), two = Stream().reg(kReg, 2);
    gpu.buffer(kGroup0, one).buffer(kGroup1, two);
    CpSetDrawState off = group_of(0, 0, Stream(), true, true, true), all_off = off,
                   now = group_of(0, kGroup0, one, false, false, true);
    off.disable = true;
    all_off.disable_all_groups = true;
    now.load_immed = true;
    const CpSetDrawState set = group_of(0, kGroup0, one, true, true, true);
    Stream s = Stream().reg(kReg, 9).packet(set).packet(off).draw();
    s.packet(set).packet(all_off).draw();
    s.packet(set).packet(group_of(0, kGroup1, two, true, true, true)).draw();
    s.packet(now).reg(kReg, 7).draw();
    CHECK(gpu.run(s) == "");
    CHECK(gpu.work.seen == std::vector<uint32_t>{9, 9, 2, 7});
    // Several in one packet, of an IB2 that ends with it.
    CpSetDrawState second = now;
    second.group_id = 1;
    second.address = kGroup1;
    uint32_t words[6];
    pack(now, words);
    pack(second, words + 3);
    const Stream both = Stream().opcode(Pm4Opcode::CP_SET_DRAW_STATE,
                                        {words[0], words[1], words[2], words[3], words[4], words[5]});
    gpu.buffer(kIb2, both);
    CHECK(gpu.run(Stream().packet(call_of(kIb2, both)).draw()) == "");
    CHECK(gpu.work.seen.back() == 2);
    // The last packet of a submit, too; but not in another mode.
    CHECK(gpu.run(Stream().packet(now)) == "");
    CHECK(gpu.value(kReg) == 1);
    CHECK(gpu.run(Stream().reg(kReg, 9).marker(Marker::RM6_BIN_VISIBILITY).packet(now).draw()) == "");
    CHECK(gpu.value(kReg) == 9);
}

TEST_CASE("adreno cp: CP_SET_MODE runs groups of GMEM and sysmem when they are set") {
    Gpu gpu;
    const Stream one = Stream().reg(kReg, 1), two = Stream().reg(kReg, 2);
    gpu.buffer(kGroup0, one).buffer(kGroup1, two);
    Stream s =
        Stream().opcode(Pm4Opcode::CP_SET_MODE, {1}).packet(group_of(0, kGroup0, one, false, false, true));
    CHECK(gpu.run(s) == "");
    CHECK(gpu.value(kReg) == 1);
    s = Stream().opcode(Pm4Opcode::CP_SET_MODE, {0}).packet(group_of(1, kGroup1, two, false, false, true));
    CHECK(gpu.run(s) == "");
    CHECK(gpu.value(kReg) == 1);
}

TEST_CASE("adreno cp: a group neither draws, nor calls, nor sets groups") {
    Gpu gpu;
    const Stream draws = Stream().draw(), calls = Stream().packet(call_of(kIb2, Stream()));
    const Stream sets = Stream().packet(group_of(1, kGroup0, draws, true, true, true));
    gpu.buffer(kGroup0, draws).buffer(kGroup1, calls).buffer(kGroup2, sets);
    CHECK(has(gpu.run(Stream().packet(group_of(4, kGroup0, draws, true, true, true)).draw()),
              "draw state group 4, CP_DRAW_INDX_OFFSET at 0x60000"));
    CHECK(has(gpu.run(Stream().packet(group_of(4, kGroup1, calls, true, true, true)).draw()),
              "only an IB1 can call"));
    CHECK(
        has(gpu.run(Stream().packet(group_of(4, kGroup2, sets, true, true, true)).draw()), "sets no other"));
    CHECK(has(gpu.run(Stream().opcode(Pm4Opcode::CP_SET_DRAW_STATE, {0, 0, 0, 0})),
              "the last of its groups lacks something"));
}

TEST_CASE("adreno cp: conditions on modes, registers and memory") {
    Gpu gpu;
    CpCondRegExec mode;
    mode.mode = CondMode::RENDER_MODE;
    mode.gmem = true;
    mode.dwords = 2;
    const auto guarded = [&](Marker marker) {
        gpu.work.seen.clear();
        Stream s = Stream().marker(marker).reg(kReg, 0);
        s.words({pack_type7(Pm4Opcode::CP_COND_REG_EXEC, 2)});
        uint32_t words[3];
        pack(mode, words);
        CHECK(gpu.run(s.words({words[0], words[1]}).reg(kReg, 1).draw()) == "");
        return gpu.work.seen[0];
    };
    CHECK(guarded(Marker::RM6_BIN_RENDER_START) == 1);
    CHECK(guarded(Marker::RM6_COMPUTE) == 1);  // all modes except two count as GMEM
    CHECK(guarded(Marker::RM6_DIRECT_RENDER) == 0);
    CHECK(guarded(Marker::RM6_BIN_VISIBILITY) == 0);
    const auto tested = [&](uint32_t value) {
        Stream s = Stream().reg(kReg, 0).reg(VFD_INSTANCE_START_OFFSET::kRegister, value);
        CpRegTest test;
        test.reg = VFD_INSTANCE_START_OFFSET::kRegister;
        test.bit = 4;
        CHECK(gpu.run(s.packet(test).opcode(Pm4Opcode::CP_COND_REG_EXEC, {1u << 28, 2}).reg(kReg, 1)) == "");
        return gpu.value(kReg);
    };
    CHECK(tested(0x10) == 1);
    CHECK(tested(0x0f) == 0);
    CpCondRegExec compare;
    compare.mode = CondMode::REG_COMPARE;
    compare.reg0 = kReg;
    compare.reg1 = VFD_INSTANCE_START_OFFSET::kRegister;
    compare.compare_dwords = 2;
    CHECK(gpu.run(Stream().reg(kReg, 3).reg(uint16_t(compare.reg1), 4).packet(compare).reg(kReg, 1)) == "");
    CHECK(gpu.value(kReg) == 3);
    CHECK(gpu.run(Stream().reg(kReg, 4).packet(compare).reg(kReg, 1)) == "");
    CHECK(gpu.value(kReg) == 1);
}

TEST_CASE("adreno cp: CP_COND_EXEC compares signed, and skips no further than its buffer") {
    Gpu gpu;
    CpCondExec cond;
    cond.address0 = kData;
    cond.address1 = kData + 4;
    cond.ref = 0;
    cond.dwords = 2;
    const auto executed = [&](uint32_t value0, uint32_t value1) {
        gpu.data(0) = value0;
        gpu.data(1) = value1;
        CHECK(gpu.run(Stream().reg(kReg, 0).packet(cond).reg(kReg, 1)) == "");
        return gpu.value(kReg) == 1;
    };
    CHECK(executed(1, uint32_t(-1)));
    CHECK_FALSE(executed(0, uint32_t(-1)));
    CHECK_FALSE(executed(1, 0));
    cond.dwords = 3;
    CHECK(has(gpu.run(Stream().packet(cond).reg(kReg, 1)), "its 3 dwords reach beyond the buffer"));
}

TEST_CASE("adreno cp: markers") {
    Gpu gpu;
    CHECK(has(gpu.run(Stream().marker(Marker(9))), "there is no mode 9"));
    CHECK(has(gpu.run(Stream().marker(Marker::RM6_IB1LIST_START)), "only the kernel"));
    CpSetMarker power;
    power.marker_mode = MarkerMode::SET_IFPC_MODE;
    power.ifpc_mode = IfpcMode::IFPC_DISABLE;
    CHECK(gpu.run(Stream().marker(Marker::RM6_BIN_RESOLVE).packet(power)) == "");
    CHECK(gpu.machine.mode == sim::RenderMode::Resolve);
}

TEST_CASE("adreno cp: bins' visibility streams") {
    Gpu gpu;
    Stream begin = Stream()
                       .reg(VSC_DRAW_STRM_SIZE_ADDRESS{.value = 0x9000})
                       .reg(VSC_DRAW_STRM_ADDRESS{.value = 0x10000});
    begin.reg(VSC_PRIM_STRM_ADDRESS{.value = 0x20000}).marker(Marker::RM6_BIN_RENDER_START);
    CpSetBinData5 data;
    data.vsc_n = 3;
    data.vsc_size = 4;
    data.bin_data_address = 0x10400;
    data.bin_size_address = 0x9014;
    data.bin_prim_strm = 0x20800;
    Stream s = begin;
    CHECK(gpu.run(s.packet(data)) == "");
    const VisibilityUse& v = gpu.machine.visibility;
    CHECK(v.enabled);
    CHECK(v.pipe == 5);
    CHECK(v.slot == 3);
    CHECK(v.draw_stream_va == 0x10400);
    CHECK(v.prim_stream_va == 0x20800);
    CpSetBinData5Offset offset;
    offset.vsc_n = 1;
    offset.bin_data_offset = 0x200;
    offset.bin_size_offset = 8;
    offset.bin_data2_offset = 0x300;
    s = begin;
    CHECK(gpu.run(s.packet(offset)) == "");
    CHECK(v.pipe == 2);
    CHECK(v.draw_stream_va == 0x10200);
    CHECK(v.prim_stream_va == 0x20300);
    s = begin;
    CHECK(gpu.run(s.packet(data).opcode(Pm4Opcode::CP_SET_VISIBILITY_OVERRIDE, {1})) == "");
    CHECK_FALSE(v.enabled);
    s = begin;
    CHECK(gpu.run(s.packet(data).marker(Marker::RM6_DIRECT_RENDER)) == "");
    CHECK_FALSE(v.enabled);
    data.bin_size_address = 0x9000 + 32 * 4;
    s = begin;
    CHECK(has(gpu.run(s.packet(data)), "none of the 32 at VSC_DRAW_STRM_SIZE_ADDRESS"));
}

TEST_CASE("adreno cp: draws with visibility are counted from each bin's beginning") {
    Gpu gpu;
    CpDrawIndxOffset ask;
    ask.initiator.source_select = SourceSelect::DI_SRC_SEL_AUTO_INDEX;
    ask.initiator.vis_cull = VisCull::USE_VISIBILITY;
    CpSetBinData5 data;
    Stream s = Stream()
                   .reg(VSC_DRAW_STRM_SIZE_ADDRESS{})
                   .marker(Marker::RM6_BIN_VISIBILITY)
                   .packet(ask)
                   .draw()
                   .packet(ask);
    s.marker(Marker::RM6_BIN_RENDER_START).packet(data).packet(ask).packet(ask);
    CHECK(gpu.run(s) == "");
    std::vector<uint32_t> indices;
    for (const DrawCall& d : gpu.work.draws)
        indices.push_back(d.visibility_index);
    CHECK(indices == std::vector<uint32_t>{0, 1, 1, 0, 1});
}

TEST_CASE("adreno cp: a loop over bins") {
    Gpu gpu;
    const Stream prefix = Stream().reg(kReg, 5).reg(kReg, 6).reg(kReg, 7);
    gpu.buffer(kIb2, prefix);
    CpStartBin start;
    start.bin_count = 3;
    start.prefix_address = kIb2;
    start.prefix_dwords = 2;
    start.body_dwords = Stream().draw().size_dw() + 1;
    CHECK(gpu.run(Stream().packet(start).draw().opcode(Pm4Opcode::CP_END_BIN).draw()) == "");
    CHECK(gpu.work.seen == std::vector<uint32_t>{5, 6, 7, 7});
    gpu.work.seen.clear();
    start.bin_count = 0;
    CHECK(gpu.run(Stream().packet(start).draw().opcode(Pm4Opcode::CP_END_BIN).draw()) == "");
    CHECK(gpu.work.seen.size() == 1);
    CHECK(has(gpu.run(Stream().opcode(Pm4Opcode::CP_END_BIN)), "no CP_START_BIN began a loop"));
}
