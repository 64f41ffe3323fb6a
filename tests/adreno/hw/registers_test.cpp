// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Registers and descriptors. The words are freedreno's, of an a630: Mesa 25.0.7,
// src/freedreno/.gitlab-ci/traces/{fd-clouds,shadow}.rd.gz. Their meaning is cffdump's text in reference/.
#include <doctest/doctest.h>

#include <set>

#include "drivers/adreno/hw/registers.h"

namespace terrazzo::adreno::hw {

namespace {

/// Unpacks a register's word. It may have no unknown bits, and packing the fields must give the same word.
template <class T>
T from_word(uint32_t word) {
    T value;
    fields::ReservedBits found;
    unpack(&word, &value, &found);
    CHECK_FALSE(found.any());
    CHECK(pack32(value) == word);
    return value;
}

}  // namespace

TEST_CASE("registers: each register has its own number, and is found by it") {
    std::set<unsigned> numbers;
    unsigned rows = 0;
    for (auto table : {FrontRegisters::rows(), GeometryRegisters::rows(), GrasRegisters::rows(),
                       RbRegisters::rows(), ShaderRegisters::rows(), HlsqRegisters::rows()}) {
        for (const fields::RegisterRow& row : table) {
            ++rows;
            for (unsigned element = 0; element < row.elements; ++element) {
                for (unsigned word = 0; word < row.count; ++word) {
                    const unsigned number = row.first + element * row.stride + word;
                    REQUIRE_MESSAGE(numbers.insert(number).second, row.name);
                    const RegisterAt at = find_register(uint16_t(number));
                    REQUIRE(at.row == &row);
                    REQUIRE(at.element == element);
                    REQUIRE(at.word == word);
                }
            }
        }
    }
    CHECK(rows > 500);
    unsigned unknown = 0;
    for (unsigned number = 0; number < 65536; ++number)
        unknown += !find_register(uint16_t(number)).row;
    CHECK(unknown == 65536 - numbers.size());
}

TEST_CASE("registers: names") {
    CHECK(register_name(0x8801) == "RB_RENDER_CNTL");
    CHECK(register_name(RB_MRT_CONTROL::at(2)) == "RB_MRT_CONTROL[2]");
    CHECK(register_name(RB_MRT_BASE::at(0)) == "RB_MRT_BASE[0]");
    CHECK(register_name(uint16_t(RB_MRT_BASE::at(7) + 1)) == "RB_MRT_BASE[7]+1");
    CHECK(register_name(0x9990) == "0x9990");
    fields::StringSink sink;
    fields::Printer p{sink, 1};
    print_regid(p, "a", 5);
    print_regid(p, "b", 0xfc);
    print_register(p, "c", 0x9990);
    print_register(p, "d", 0x18801);
    print_register(p, "e", 0xc02);
    CHECK(sink.text == "  a: r1.y\n  b: none\n  c: 0x9990\n  d: 0x18801\n  e: 0xc02 (VSC_BIN_SIZE)\n");
}

TEST_CASE("registers: words of freedreno's streams") {
    const auto bins = from_word<GRAS_BIN_CONTROL>(0x06041e11);
    CHECK(bins.binw == 544);
    CHECK(bins.binh == 480);
    CHECK(bins.render_mode == RenderMode::BINNING_PASS);
    CHECK(bins.lrz_feedback_zmode_mask == 6);
    const auto size = from_word<VSC_BIN_SIZE>(0x1e11);
    CHECK(size.width == 544);
    CHECK(size.height == 480);
    const auto pipe = from_word<VSC_PIPE_CONFIG>(0x04100803);
    CHECK(pipe.x == 3);
    CHECK(pipe.y == 2);
    CHECK(pipe.w == 1);
    CHECK(pipe.h == 1);
    CHECK(VSC_PIPE_CONFIG::at(31) == 0xc2f);
    const auto ccu = from_word<RB_CCU_CNTL>(0x7c400004);
    CHECK(ccu.concurrent_resolve);
    CHECK(ccu.color_cache_size == CcuCacheSize::CCU_CACHE_SIZE_QUARTER);
    CHECK(ccu.color_offset == 0xf8000);
    const auto render = from_word<RB_RENDER_CNTL>(0x90);
    CHECK(render.ccusinglecachelinesize == 2);
    CHECK(render.binning);
    const auto target = from_word<RB_MRT_BUF_INFO>(0x2031);
    CHECK(target.color_format == Format::FMT6_8_8_8_X8_UNORM);
    CHECK(target.color_swap == ColorSwap::WXYZ);
    CHECK(from_word<RB_MRT_PITCH>(0x88).value == 8704);
    CHECK(from_word<RB_MRT_ARRAY_PITCH>(0x2fd00).value == 12533760);
    const auto scissor = from_word<GRAS_SC_WINDOW_SCISSOR_BR>(0x059f086f);
    CHECK(scissor.value.x == 2159);
    CHECK(scissor.value.y == 1439);
    const auto fetch = from_word<VFD_DECODE_INSTR>(0xc7400001);
    CHECK(fetch.idx == 1);
    CHECK(fetch.format == Format::FMT6_32_32_32_FLOAT);
    CHECK(fetch.float_);
    const auto length = from_word<HLSQ_CONTROL_5_REG>(0xfc);
    CHECK(length.value.linelengthregid == 0xfc);
}

TEST_CASE("registers: performance counters are selected by name") {
    CHECK(from_word<SP_PERFCTR_SP_SEL>(10).value == SpPerfcounterSelect::PERF_SP_FS_STAGE_WAVE_CYCLES);
    CHECK(SP_PERFCTR_SP_SEL::kCount == 24);
    CHECK(register_name(RBBM_PERFCTR_SP::at(3)) == "RBBM_PERFCTR_SP[3]");
    CHECK(RBBM_PERFCTR_SP::at(23) + 1 == 0x04d5);
    const uint32_t none = 9999;
    SP_PERFCTR_SP_SEL select;
    CHECK_FALSE(unpack(&none, &select));
}

TEST_CASE("registers: values that do not fit their fields are found") {
    const uint32_t word = 0x1fu << 3 | 1u << 31;
    RB_BIN_CONTROL value;
    uint32_t bad = 7u << 18;
    fields::ReservedBits found;
    CHECK_FALSE(unpack(&bad, &value, &found));
    CHECK(found.any());
    SP_VS_CTRL_REG0 control;
    CHECK_FALSE(unpack(&word, &control));
}

TEST_CASE("descriptors: a texture and a sampler of freedreno") {
    const uint32_t texture_words[16] = {0x2800a003, 0x04380f00, 0x201e0002, 0x18001fa4,
                                        0x04715000, 0x00020000, 0,          0x046f3000,
                                        0,          0x880,      0xa804};
    TexConst texture;
    fields::ReservedBits found;
    CHECK(unpack(texture_words, &texture, &found));
    CHECK(texture.fmt == Format::FMT6_Z24_UNORM_S8_UINT);
    CHECK(texture.width == 3840);
    CHECK(texture.height == 2160);
    CHECK(texture.pitch == 15360);
    CHECK(texture.tile_mode == TileMode::TILE6_3);
    CHECK(texture.base == 0x4715000);
    CHECK(texture.flag_base == 0x46f3000);
    uint32_t words[16];
    pack(texture, words);
    for (unsigned i = 0; i < 16; ++i)
        CHECK(words[i] == texture_words[i]);
    const uint32_t sampler_words[4] = {0x120, 0x80040, 0, 0};
    TexSamp sampler;
    CHECK(unpack(sampler_words, &sampler, &found));
    CHECK(sampler.wrap_s == TexClamp::A6XX_TEX_CLAMP_TO_EDGE);
    CHECK(sampler.max_lod == 8);
    pack(sampler, words);
    for (unsigned i = 0; i < 4; ++i)
        CHECK(words[i] == sampler_words[i]);
    // Addresses have 49 bits. A buffer's descriptor has other fields at the pitch's position.
    pack(TexConst{.structsizetexels = 1, .type = TexType::A6XX_TEX_BUFFER, .base = 0x1ffffffffffe0}, words);
    CHECK(words[2] == (1u << 4 | uint32_t(TexType::A6XX_TEX_BUFFER) << 29));
    CHECK(words[4] == 0xffffffe0);
    CHECK(words[5] == 0x1ffff);
}

}  // namespace terrazzo::adreno::hw
