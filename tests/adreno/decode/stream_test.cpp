// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "tests/adreno/decode/stream_builder.h"

namespace terrazzo::adreno::decode {

using namespace hw;

namespace {

/// A draw without an index buffer.
constexpr CpSetMarker kBinning{.mode = Marker::RM6_BIN_VISIBILITY};
constexpr CpSetMarker kGmem{.mode = Marker::RM6_BIN_RENDER_START};
constexpr CpSetMarker kSysmem{.mode = Marker::RM6_DIRECT_RENDER};

Stream& draw(Stream& stream) {
    return stream.opcode(Pm4Opcode::CP_DRAW_INDX_OFFSET, {0x86, 1, 3});
}

}  // namespace

TEST_CASE("adreno decode: packets and registers, one line each") {
    Stream stream;
    stream.write(RB_BIN_CONTROL{.binw = 544, .binh = 480}).word(pack_type4(0x9990, 1)).word(5);
    stream.write(RB_MRT_BASE{.value = 0x123456000}, 2).packet(CpEventWrite{.event = EventType::BLIT}, {});
    stream.opcode(Pm4Opcode::CP_WAIT_FOR_IDLE).opcode(Pm4Opcode::CP_NOP, {0x6c6c6568, 0x6f});
    Machine machine(stream);
    CHECK(machine.print() ==
          "  000001000  48880001  write 1\n"
          "    RB_BIN_CONTROL = 0x00001e11 { binw: 544 | binh: 480 | render_mode: RENDERING_PASS | "
          "buffers_location: BUFFERS_IN_GMEM | lrz_feedback_zmode_mask: 0x0 }\n"
          "  000001008  48999001  write 1\n"
          "    0x9990 = 0x00000005\n"
          "  000001010  48883502  write 2\n"
          "    RB_MRT_BASE[2] = 0x0000000123456000 0x123456000\n"
          "  00000101c  70460004  CP_EVENT_WRITE { event: BLIT | address: 0x0 | value: 0x0 }\n"
          "  000001030  70268000  CP_WAIT_FOR_IDLE\n"
          "  000001034  70100002  CP_NOP \"hello\"\n");
    CHECK(machine.statistics.packets == 6);
    CHECK(machine.statistics.register_writes == 4);
    CHECK(machine.statistics.blits == 1);
    CHECK(machine.statistics.problems == 0);
    CHECK(machine.registers.get(RB_MRT_BASE::at(2)) == 0x23456000);
    CHECK_FALSE(machine.registers.is_set(RB_MRT_BASE::at(1)));
}

TEST_CASE("adreno decode: half of a 64-bit value, and unknown bits") {
    Stream stream;
    stream.word(pack_type4(RB_MRT_BASE::kRegister, 1)).word(7);
    stream.word(pack_type4(uint16_t(RB_MRT_BASE::kRegister + 1), 1)).word(8);
    stream.word(pack_type4(RB_BIN_CONTROL::kRegister, 1)).word(1u << 31);
    Machine machine(stream);
    const std::string text = machine.print();
    CHECK(has(text, "    RB_MRT_BASE[0] = 0x00000007\n"));
    CHECK(has(text, "    RB_MRT_BASE[0]+1 = 0x00000008\n"));
    CHECK(has(text, "! reserved bits 0x80000000 of word 0 }"));
    CHECK(machine.statistics.problems == 1);
}

// Words of Mesa 25.0.7's freedreno, captured under the shim on noop:adreno-630 and noop:adreno-660 from our
// example scenes.
TEST_CASE("adreno decode: freedreno's values that a6xx.xml lacks are no problem") {
    Stream stream;
    stream.word(0x48910401).word(0x00ffffff);             // no shading rate, which a7xx has
    stream.word(pack_type4(0x8c22, 1)).word(0x00004001);  // the 2D engine's flags, with an array pitch
    stream.word(pack_type4(0xb600, 1)).word(0x05008000);  // a660's magic value
    stream.word(0x48a98e80);                              // the outputs of a shader without outputs
    Machine machine(stream);
    CHECK(machine.print() ==
          "  000001000  48910401  write 1\n"
          "    VPC_VS_LAYER_CNTL = 0x00ffffff { layerloc: 255 | viewloc: 255 | shadingrateloc: 255 }\n"
          "  000001008  408c2201  write 1\n"
          "    RB_2D_DST_FLAGS_PITCH = 0x00004001 { pitch: 64 | array_pitch: 1024 }\n"
          "  000001010  40b60001  write 1\n"
          "    TPL1_DBG_ECO_CNTL = 0x05008000 0x5008000\n"
          "  000001018  48a98e80  write 0\n");
    CHECK(machine.statistics.problems == 0);
}

TEST_CASE("adreno decode: called buffers and chains") {
    Stream called, chained, deep, main;
    called.write(GRAS_SU_CNTL{.cull_front = true}).packet(CpIndirectBuffer{.address = 0x5000, .size_dw = 1});
    chained.opcode(Pm4Opcode::CP_WAIT_FOR_ME);
    deep.opcode(Pm4Opcode::CP_WAIT_MEM_WRITES);
    main.packet(CpIndirectBuffer{.address = 0x3000, .size_dw = called.size_dw()});
    main.packet(CpIndirectBufferChain{.address = 0x4000, .size_dw = chained.size_dw()});
    Machine machine(main);
    bool done = false;
    const std::string text =
        machine.buffer(0x3000, called).buffer(0x4000, chained).buffer(0x5000, deep).print(&done);
    CHECK(done);
    CHECK(has(text, "\n    000003000  "));
    CHECK(has(text, "\n      GRAS_SU_CNTL = "));
    CHECK(has(text, "\n    ! a called buffer and a group of state call no other\n"));
    CHECK_FALSE(has(text, "CP_WAIT_MEM_WRITES"));
    CHECK(has(text, "\n  chain @0x4000:\n  000004000  "));
    CHECK(has(text, "CP_WAIT_FOR_ME"));
}

TEST_CASE("adreno decode: groups of state run once, at the next draw, in their modes") {
    Stream geometry, pixels, main;
    geometry.write(PC_PS_CNTL{});
    pixels.write(RB_SRGB_CNTL{});
    const auto groups = [&](Stream& stream) {
        stream.packet(CpSetDrawState{
            .count_dw = geometry.size_dw(), .binning = true, .gmem = true, .group_id = 1, .address = 0x3000});
        stream.packet(CpSetDrawState{
            .count_dw = pixels.size_dw(), .gmem = true, .sysmem = true, .group_id = 31, .address = 0x4000});
    };
    const auto print = [&](const CpSetMarker& marker) {
        Stream stream;
        stream.packet(marker);
        groups(stream);
        draw(draw(stream));
        Machine machine(stream);
        const std::string text = machine.buffer(0x3000, geometry).buffer(0x4000, pixels).print();
        CHECK(machine.statistics.draws == 2);
        CHECK(machine.statistics.problems == 0);
        return text;
    };
    const std::string binning = print(kBinning), gmem = print(kGmem), sysmem = print(kSysmem);
    CHECK(has(binning, "    group 1 @0x3000: 2 dwords\n      000003000  "));
    CHECK(has(binning, "    group 31 @0x4000: 2 dwords, not in this mode\n"));
    CHECK_FALSE(has(binning, "RB_SRGB_CNTL"));
    CHECK(has(gmem, "PC_PS_CNTL"));
    CHECK(has(gmem, "RB_SRGB_CNTL"));
    CHECK(gmem.find("RB_SRGB_CNTL") ==
          gmem.rfind("RB_SRGB_CNTL"));  // the second draw does not run the groups
    CHECK_FALSE(has(sysmem, "PC_PS_CNTL"));
    CHECK(has(sysmem, "RB_SRGB_CNTL"));

    // The mode also holds for the next stream.
    Stream first, second;
    first.packet(kBinning);
    draw((groups(second), second));
    Machine machine_of_two(first);
    (void)machine_of_two.print();
    machine_of_two.size_dw = second.size_dw();
    const std::string later =
        machine_of_two.buffer(0x1000, second).buffer(0x3000, geometry).buffer(0x4000, pixels).print();
    CHECK(has(later, "PC_PS_CNTL"));
    CHECK(has(later, "group 31 @0x4000: 2 dwords, not in this mode"));

    // A group that is disabled, and one that runs at once.
    Stream back;
    groups(back);
    back.packet(CpSetDrawState{.disable = true, .group_id = 1});
    back.packet(
        CpSetDrawState{.count_dw = 2, .load_immed = true, .gmem = true, .group_id = 2, .address = 0x3000});
    back.packet(CpSetDrawState{.disable_all_groups = true});
    draw(back);
    Machine machine(back);
    const std::string text = machine.buffer(0x3000, geometry).buffer(0x4000, pixels).print();
    CHECK(has(text, "group 2 @0x3000"));
    CHECK_FALSE(has(text, "group 1 "));
    CHECK_FALSE(has(text, "group 31 "));
}

TEST_CASE("adreno decode: loaded state, from the packet and from memory") {
    Stream stream, code, sampler;
    for (uint32_t i = 0; i < 16; ++i)  // mov.u32u32 r0.x, i
        code.word(i < 10 ? i : 0).word(i < 10 ? 0x204cc000 : 0);
    uint32_t words[4];
    pack(TexSamp{.max_lod = 2}, words);
    for (uint32_t word : words)
        sampler.word(word);
    const LoadState constants{.dst_off = 1,
                              .state_type = StateType::ST6_CONSTANTS,
                              .state_block = StateBlock::SB6_VS_SHADER,
                              .num_unit = 1};
    stream.packet(CpLoadState6Geom{.load = constants}, {0x3f800000, 0, 0x40000000, 7});
    stream.packet(CpLoadState6Geom{.load = constants}, {0x3f800000});
    stream.packet(CpLoadState6Frag{.load = {.state_type = StateType::ST6_SHADER,
                                            .state_src = StateSrc::SS6_INDIRECT,
                                            .state_block = StateBlock::SB6_FS_SHADER,
                                            .num_unit = 1,
                                            .address = 0x3000}});
    stream.packet(CpLoadState6Frag{.load = {.dst_off = 3,
                                            .state_type = StateType::ST6_SHADER,
                                            .state_src = StateSrc::SS6_INDIRECT,
                                            .state_block = StateBlock::SB6_FS_TEX,
                                            .num_unit = 1,
                                            .address = 0x4000}});
    stream.packet(CpLoadState6{.load = {.state_type = StateType::ST6_IBO,
                                        .state_src = StateSrc::SS6_INDIRECT,
                                        .state_block = StateBlock::SB6_IBO,
                                        .num_unit = 2,
                                        .address = 0x5000}});
    Machine machine(stream);
    const std::string text = machine.buffer(0x3000, code).buffer(0x4000, sampler).print();
    CHECK(has(text, "    0000: 3f800000 (1) 00000000 (0) 40000000 (2) 00000007 (9.80909e-45)\n"));
    CHECK(has(text, "    ! 1 words follow for 4 words of state\n"));
    CHECK(has(text, "    @0x3000:\n      0000: 204cc000_00000000"));
    CHECK(has(text, "      0009: 204cc000_00000009"));
    CHECK(has(text, "\n      and 6 nops\n"));
    CHECK_FALSE(has(text, "000a: "));
    CHECK(has(text, "      sampler 3: { xy_mag: A6XX_TEX_NEAREST"));
    CHECK(has(text, "max_lod: 2 "));
    CHECK(has(text, "      ! 32 words @0x5000: unmapped\n"));
    CHECK(machine.statistics.problems == 2);
}

TEST_CASE("adreno decode: the base register has the address of bindless tables") {
    Stream table, stream;
    uint32_t words[16];
    pack(TexConst{.fmt = Format::FMT6_8_8_8_8_UNORM, .width = 64, .height = 32}, words);
    for (uint32_t word : words)
        table.word(word);
    const CpLoadState6Frag load{.load = {.state_type = StateType::ST6_CONSTANTS,
                                         .state_src = StateSrc::SS6_BINDLESS,
                                         .state_block = StateBlock::SB6_FS_TEX,
                                         .num_unit = 1,
                                         .address = 2u << 28 | 16}};
    stream.packet(load).write(HLSQ_BINDLESS_BASE_DESCRIPTOR{.addr = 0x3000}, 2).packet(load);
    Machine machine(stream);
    const std::string text = machine.buffer(0x3040, table).print();
    CHECK(has(text, "    ! the base of the bindless table is not set\n"));
    CHECK(has(text, "    @0x3040:\n      texture 0: { tile_mode"));
    CHECK(has(text, "width: 64 | height: 32"));
}

TEST_CASE("adreno decode: memory that packets write") {
    Stream stream, later;
    stream.packet(CpRegWrite{.reg = RB_RENDER_CNTL::kRegister, .value = 0x80});
    stream.opcode(Pm4Opcode::CP_CONTEXT_REG_BUNCH, {VPC_SO_CNTL::kRegister, 1, 0x9990, 2});
    // A buffer that the stream writes itself.
    stream.packet(CpMemWrite{.address = 0x3000}, {pack_type7(Pm4Opcode::CP_WAIT_FOR_ME, 0)});
    stream.packet(CpIndirectBuffer{.address = 0x3000, .size_dw = 1});
    later.word(0);
    Machine machine(stream);
    const std::string text = machine.buffer(0x3000, later).print();
    CHECK(has(text, "    RB_RENDER_CNTL = 0x00000080 { ccusinglecachelinesize: 0x0 | binning | "));
    CHECK(has(text, "    VPC_SO_CNTL = 0x00000001 "));
    CHECK(has(text, "    0x9990 = 0x00000002\n"));
    CHECK(has(text, "    000003000  70138000  CP_WAIT_FOR_ME\n"));
    CHECK(machine.statistics.problems == 0);
}

TEST_CASE("adreno decode: errors of damaged streams are printed, and decoding continues") {
    Stream stream;
    stream.word(0x12345678).word(0x70460001 ^ 1u << 15).opcode(Pm4Opcode::CP_WAIT_FOR_IDLE);
    stream.opcode(Pm4Opcode::CP_SET_MARKER);                     // without its word
    stream.opcode(Pm4Opcode::CP_SET_DRAW_STATE, {1, 2});         // less than one group
    stream.opcode(Pm4Opcode(0x7e), {1});                         // an unknown opcode
    stream.opcode(Pm4Opcode::CP_SKIP_IB2_ENABLE_LOCAL, {1, 2});  // too long
    stream.packet(CpIndirectBuffer{.address = 0x9000, .size_dw = 4});
    Machine machine(stream);
    bool done = true;
    std::string text = machine.print(&done);
    CHECK_FALSE(done);  // the state after a called buffer is unknown
    CHECK(has(text, "  ! 000001000: 12345678 begins no packet; 2 dwords are passed over\n"));
    CHECK(has(text, "CP_WAIT_FOR_IDLE"));
    CHECK(has(text, "    ! it has 0 of at least 1 dwords\n"));
    CHECK(has(text, "    ! the last of the list lacks something\n"));
    CHECK(has(text, "opcode 126 is none that is known\n"));
    CHECK(has(text, "    ! its last dwords have no known meaning: 00000002\n"));
    CHECK(has(text, "    ! 000009000: unmapped\n"));
    CHECK(machine.statistics.problems == 6);

    Stream cut;
    cut.word(pack_type4(0x8800, 5)).word(1);
    Machine shorter(cut);
    text = shorter.print(&done);
    CHECK(has(text, "  ! the packet at 000001000 ends 4 dwords after its buffer\n"));
    CHECK(has(text, "RB_BIN_CONTROL = 0x00000001"));

    Stream twisted;
    twisted.packet(CpIndirectBuffer{.address = 0x3002, .size_dw = 4});
    Machine odd(twisted);
    CHECK(has(odd.print(), "    ! a buffer at 0x3002, which is no multiple of 4\n"));
}

TEST_CASE("adreno decode: decoding of endless streams stops") {
    Stream one, two;
    one.packet(CpIndirectBufferChain{.address = 0x3000, .size_dw = 4});
    two.packet(CpIndirectBufferChain{.address = 0x1000, .size_dw = 4});
    Machine chain(one);
    bool done = true;
    CHECK(has(chain.buffer(0x3000, two).print(&done), "! the stream does not end\n"));
    CHECK_FALSE(done);

    // A group that enables itself.
    Stream group, main;
    group.packet(
        CpSetDrawState{.count_dw = 8, .load_immed = true, .gmem = true, .group_id = 1, .address = 0x3000});
    draw(group);
    main.packet(CpSetDrawState{.count_dw = group.size_dw(), .gmem = true, .group_id = 1, .address = 0x3000});
    draw(main);
    Machine nested(main);
    CHECK(has(nested.buffer(0x3000, group).print(&done), "! a group of state runs no other\n"));
    CHECK(done);
}

}  // namespace terrazzo::adreno::decode
