// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Headers and payloads of packets. The words are freedreno's, of an a630: Mesa 25.0.7,
// src/freedreno/.gitlab-ci/traces/{fd-clouds,shadow}.rd.gz. Their meaning is cffdump's text in reference/.
#include <doctest/doctest.h>

#include "drivers/adreno/hw/pm4.h"

namespace terrazzo::adreno::hw {

namespace {

std::string printed(Pm4Opcode opcode, std::initializer_list<uint32_t> payload) {
    const fields::PacketRow* row = packet_row(opcode);
    REQUIRE(row);
    uint32_t words[256] = {};
    std::copy(payload.begin(), payload.end(), words);
    fields::StringSink sink;
    row->print(sink, words, unsigned(payload.size()), 0);
    return sink.text;
}

}  // namespace

TEST_CASE("pm4: headers with their parity") {
    CHECK(pack_type4(0xbb08, 1) == 0x40bb0801);  // HLSQ_INVALIDATE_CMD
    CHECK(pack_type4(0xae04, 1) == 0x48ae0401);  // SP_FLOAT_CNTL
    CHECK(pack_type4(0x8872, 6) == 0x48887286);  // RB_DEPTH_BUFFER_INFO and the next five
    CHECK(pack_type4(0x0c10, 32) == 0x400c1020);
    CHECK(pack_type7(Pm4Opcode::CP_EVENT_WRITE, 1) == 0x70460001);
    CHECK(pack_type7(Pm4Opcode::CP_WAIT_FOR_IDLE, 0) == 0x70268000);
    CHECK(pack_type7(Pm4Opcode::CP_SET_DRAW_STATE, 3) == 0x70438003);
    CHECK(pack_type7(Pm4Opcode::CP_SET_MARKER, 1) == 0x70e50001);
    CHECK(pack_type7(Pm4Opcode::CP_REG_WRITE, 3) == 0x706d8003);
}

TEST_CASE("pm4: every header is unpacked to its values, and every flipped bit is found") {
    for (uint32_t reg : {0u, 1u, 0x8801u, 0xffffu}) {
        for (uint32_t count = 1; count <= kMaxWrites; ++count) {
            const uint32_t word = pack_type4(uint16_t(reg), count);
            const Pm4Header header = unpack_header(word);
            REQUIRE(header.type == Pm4Header::Type::Write);
            REQUIRE(header.reg == reg);
            REQUIRE(header.count_dw == count);
            REQUIRE_FALSE(header.parity_is_wrong);
            for (unsigned bit = 0; bit < 28; ++bit)
                REQUIRE(unpack_header(word ^ 1u << bit).parity_is_wrong);
        }
    }
    for (uint32_t opcode = 0; opcode < 128; ++opcode) {
        for (uint32_t count : {0u, 1u, 2u, 1000u, kMaxPayload_dw}) {
            const uint32_t word = pack_type7(Pm4Opcode(opcode), count);
            const Pm4Header header = unpack_header(word);
            REQUIRE(header.type == Pm4Header::Type::Packet);
            REQUIRE(header.opcode == opcode);
            REQUIRE(header.count_dw == count);
            REQUIRE_FALSE(header.parity_is_wrong);
            for (unsigned bit = 0; bit < 28; ++bit)
                REQUIRE(unpack_header(word ^ 1u << bit).parity_is_wrong);
        }
    }
    for (uint32_t type : {0u, 1u, 2u, 3u, 5u, 6u, 8u, 15u})
        CHECK(unpack_header(type << 28 | 1).type == Pm4Header::Type::Invalid);
}

TEST_CASE("pm4: payloads") {
    CHECK(printed(Pm4Opcode::CP_EVENT_WRITE, {0x31}) ==
          "event: CACHE_INVALIDATE\ntimestamp: false\nirq: false\n");
    CHECK(printed(Pm4Opcode::CP_SET_MARKER, {2}) ==
          "mode: RM6_BIN_VISIBILITY\nuses_gmem: false\nmarker_mode: SET_RENDER_MODE\n");
    CHECK(printed(Pm4Opcode::CP_SET_MARKER, {0x101}) ==
          "ifpc_mode: IFPC_DISABLE\nmarker_mode: SET_IFPC_MODE\n");
    CHECK(printed(Pm4Opcode::CP_REG_WRITE, {2, 0x8801, 0x90}) ==
          "tracker: TRACK_RENDER_CNTL\nreg: 0x8801 (RB_RENDER_CNTL)\nvalue: 0x90\n");
    CHECK(printed(Pm4Opcode::CP_SET_DRAW_STATE, {0x00040000, 0, 0}) ==
          "count_dw: 0\ndirty: false\ndisable: false\ndisable_all_groups: true\nload_immed: false\nbinning: "
          "false\ngmem: false\nsysmem: false\ngroup_id: 0\naddress: 0x0\n");
    // An automatic draw has no index buffer; a bit without a meaning is found.
    CHECK(printed(Pm4Opcode::CP_DRAW_INDX_OFFSET, {0x20000088, 1, 3}) ==
          "initiator:\n  prim_type: DI_PT_RECTLIST\n  source_select: DI_SRC_SEL_AUTO_INDEX\n  vis_cull: "
          "IGNORE_VISIBILITY\n  index_size: INDEX4_SIZE_8_BIT\n  patch_type: TESS_QUADS\n  gs_enable: "
          "false\n  tess_enable: false\nnum_instances: 1\nnum_indices: 3\nreserved bits 0x20000000 of word "
          "0\n");
    // Alternatives that depend on the mode.
    CHECK(printed(Pm4Opcode::CP_COND_REG_EXEC, {3u << 28 | 1u << 26, 12}) ==
          "binning: false\ngmem: true\nsysmem: false\nmode: RENDER_MODE\ndwords: 12\n");
    CHECK(printed(Pm4Opcode::CP_COND_REG_EXEC, {2u << 28 | 0x883, 0x884, 5}) ==
          "reg0: 0x883 (CP_SCRATCH[0])\nmode: REG_COMPARE\nreg1: 0x884 (CP_SCRATCH[1])\ncompare_dwords: 5\n");
}

TEST_CASE("pm4: state loads in all three forms") {
    const LoadState load{.dst_off = 5,
                         .state_type = StateType::ST6_CONSTANTS,
                         .state_src = StateSrc::SS6_INDIRECT,
                         .state_block = StateBlock::SB6_FS_TEX,
                         .num_unit = 3,
                         .address = 0x123456000};
    uint32_t words[3][3];
    pack(CpLoadState6{.load = load}, words[0]);
    pack(CpLoadState6Geom{.load = load}, words[1]);
    pack(CpLoadState6Frag{.load = load}, words[2]);
    for (const auto& w : words) {
        CHECK(w[0] == (5u | 1u << 14 | 2u << 16 | 4u << 18 | 3u << 22));
        CHECK(w[1] == 0x23456000);
        CHECK(w[2] == 1);
    }
    CHECK(CpLoadState6::kOpcode == Pm4Opcode::CP_LOAD_STATE6);
    CHECK(CpLoadState6Geom::kOpcode == Pm4Opcode::CP_LOAD_STATE6_GEOM);
    CHECK(CpLoadState6Frag::kOpcode == Pm4Opcode::CP_LOAD_STATE6_FRAG);
}

}  // namespace terrazzo::adreno::hw
