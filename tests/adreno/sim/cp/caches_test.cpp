// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Events that a stream must have between a write and a read.
#include <doctest/doctest.h>

#include "tests/adreno/sim/cp/harness.h"

using namespace terrazzo::adreno;
using namespace terrazzo::adreno::hw;
using namespace terrazzo::adreno::sim;
using namespace terrazzo::adreno::sim::cp_test;

namespace {

constexpr uint64_t kColor = 0x100000, kDepth = 0x200000, kOther = 0x300000;

Stream event(EventType type) {
    return Stream().opcode(Pm4Opcode::CP_EVENT_WRITE, {uint32_t(type)});
}
const Stream kFlushColor = event(EventType::PC_CCU_FLUSH_COLOR_TS),
             kFlushDepth = event(EventType::PC_CCU_FLUSH_DEPTH_TS),
             kInvalidate = event(EventType::CACHE_INVALIDATE);

/// One colour target of 64 rows of 256 bytes, and depth that is written.
Stream targets() {
    Stream s = Stream()
                   .reg(RB_FS_OUTPUT_CNTL1{.mrt = 1})
                   .reg(RB_MRT_CONTROL{.component_enable = 15})
                   .reg(RB_MRT_BASE{.value = kColor});
    s.reg(RB_MRT_PITCH{.value = 256})
        .reg(GRAS_SC_WINDOW_SCISSOR_BR{.value = {63, 63}})
        .reg(RB_DEPTH_BUFFER_BASE{.value = kDepth});
    return s.reg(RB_DEPTH_BUFFER_PITCH{.value = 256});
}
Stream depth_writes() {
    return Stream().reg(RB_DEPTH_CNTL{.z_test_enable = true, .z_write_enable = true});
}
/// The fragment shader has one texture, which begins there.
Stream texture(uint64_t base) {
    CpLoadState6 load;
    load.load.state_block = StateBlock::SB6_FS_TEX;
    load.load.state_type = StateType::ST6_CONSTANTS;
    load.load.num_unit = 1;
    TexConst t;
    t.base = base;
    uint32_t words[16] = {};
    pack(t, words);
    Stream s = Stream().reg(SP_FS_CONFIG{.value = {.enabled = true, .ntex = 1}});
    s.words({pack_type7(Pm4Opcode::CP_LOAD_STATE6_FRAG, 19)});
    uint32_t head[3];
    pack(load, head);
    s.words({head[0], head[1], head[2]});
    s.all.insert(s.all.end(), words, words + 16);
    return s;
}

}  // namespace

TEST_CASE("adreno cp caches: a texture that was drawn wants a flush and an invalidation") {
    const auto run = [](const Stream& between) {
        Gpu gpu;
        return gpu.run(Stream()
                           .words(targets())
                           .draw()
                           .words(between)
                           .words(texture(kColor))
                           .reg(RB_FS_OUTPUT_CNTL1{})
                           .draw()
                           .words(kFlushColor));
    };
    CHECK(run(Stream().words(kFlushColor).words(kInvalidate)) == "");
    CHECK(has(run(Stream()),
              "texture 0 of stage 4 at 0x100000 is read while a CCU holds what draw 0 wrote: "
              "PC_CCU_FLUSH_COLOR_TS is missing"));
    CHECK(has(run(kFlushDepth), "PC_CCU_FLUSH_COLOR_TS is missing"));
    CHECK(has(run(kInvalidate), "PC_CCU_FLUSH_COLOR_TS is missing"));
    CHECK(has(run(kFlushColor), "is read without a CACHE_INVALIDATE after draw 0 wrote it"));
    CHECK(has(run(Stream().words(kInvalidate).words(kFlushColor)), "is read without a CACHE_INVALIDATE"));
}

TEST_CASE("adreno cp caches: depth has a cache of its own") {
    const auto run = [](const Stream& between) {
        Gpu gpu;
        const Stream draws = Stream()
                                 .words(targets())
                                 .words(depth_writes())
                                 .draw()
                                 .words(between)
                                 .reg(RB_FS_OUTPUT_CNTL1{})
                                 .reg(RB_DEPTH_CNTL{});
        return gpu.run(
            Stream().words(draws).words(texture(kDepth)).draw().words(kFlushColor).words(kFlushDepth));
    };
    CHECK(run(Stream().words(kFlushDepth).words(kInvalidate)) == "");
    CHECK(has(run(Stream().words(kFlushColor).words(kInvalidate)), "PC_CCU_FLUSH_DEPTH_TS is missing"));
}

TEST_CASE("adreno cp caches: other memory, other modes and textures that nobody has want nothing") {
    Gpu gpu;
    const auto with = [&](const Stream& begin, const Stream& end) {
        return gpu.run(Stream().words(begin).draw().words(end).draw().words(kFlushColor));
    };
    CHECK(with(targets(), texture(kOther)) == "");
    CHECK(with(targets(), texture(kColor + 64 * 256)) == "");
    CHECK(with(targets(), Stream().words(texture(kColor)).reg(SP_FS_CONFIG{})) == "");
    CHECK(with(targets(), Stream().words(texture(kColor)).reg(SP_FS_CONFIG{.value = {.ntex = 1}})) == "");
    gpu.machine.stages[unsigned(sim::Stage::Fragment)].textures.clear();
    CHECK(with(targets(), Stream().reg(SP_FS_CONFIG{.value = {.enabled = true, .ntex = 4}})) == "");
    const Stream gmem = Stream().words(targets()).marker(Marker::RM6_BIN_RENDER_START);
    Gpu other;  // an image that was flushed stays newer than the UCHE in the next submit
    CHECK(other.run(Stream().words(gmem).draw().words(texture(kColor)).draw()) == "");
}

TEST_CASE("adreno cp caches: what was resolved is newer than the UCHE") {
    const auto run = [](BlitEventType type, const Stream& between) {
        Gpu gpu;
        const Stream resolve = Stream()
                                   .reg(RB_BLIT_DST{.value = kColor})
                                   .reg(RB_BLIT_DST_PITCH{.value = 256})
                                   .reg(RB_BLIT_INFO{.type = type});
        return gpu.run(Stream()
                           .words(resolve)
                           .words(event(EventType::BLIT))
                           .words(between)
                           .words(texture(kColor))
                           .draw());
    };
    CHECK(run(BlitEventType::BLIT_EVENT_STORE, kInvalidate) == "");
    CHECK(run(BlitEventType::BLIT_EVENT_CLEAR, Stream()) == "");
    CHECK(has(run(BlitEventType::BLIT_EVENT_STORE, Stream()), "without a CACHE_INVALIDATE"));
}

TEST_CASE("adreno cp caches: the 2D engine writes through the CCU and reads through the UCHE") {
    Gpu gpu;
    const Stream to = Stream()
                          .reg(RB_2D_DST{.value = kColor})
                          .reg(RB_2D_DST_PITCH{.value = 256})
                          .reg(GRAS_2D_DST_BR{.value = {15, 15}});
    const Stream from = Stream().reg(SP_PS_2D_SRC{.value = kColor}).reg(RB_2D_DST{.value = kOther});
    const Stream copy = Stream().packet(CpBlit{}),
                 clear = Stream().reg(GRAS_2D_BLIT_CNTL{.value = {.solid_color = true}}).packet(CpBlit{});
    const Stream both = Stream().words(to).words(clear).reg(GRAS_2D_BLIT_CNTL{}).words(from);
    CHECK(has(gpu.run(Stream().words(both).words(copy)),
              "the 2D engine's source at 0x100000 is read while a CCU holds"));
    CHECK(
        gpu.run(Stream().words(both).words(kFlushColor).words(kInvalidate).words(copy).words(kFlushColor)) ==
        "");
}

TEST_CASE(
    "adreno cp caches: a submit ends flushed, and the CCUs keep their memory while they hold something") {
    Gpu gpu;
    CHECK(gpu.run(Stream().words(targets()).draw()) ==
          "the ring at 0x0, draw 1: the submit ends while a CCU holds what draw 0 wrote at 0x100000");
    CHECK(gpu.run(Stream().words(targets()).draw().words(kFlushColor)) == "");
    const Stream change = Stream().reg(RB_CCU_CNTL{.color_offset = 0x10000});
    CHECK(has(gpu.run(Stream().words(targets()).draw().words(change)),
              "the CCUs change their memory while one holds what draw 0 wrote"));
    CHECK(gpu.run(Stream()
                      .words(targets())
                      .draw()
                      .words(kFlushColor)
                      .words(change)
                      .draw()
                      .words(change)
                      .words(kFlushColor)) == "");
}
