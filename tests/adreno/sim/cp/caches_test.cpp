// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The events and waits that a stream needs between a write and a read.
#include <random>

#include <doctest/doctest.h>

#include "drivers/adreno/sim/cp/caches.h"
#include "tests/adreno/sim/cp/harness.h"

using namespace terrazzo::adreno;
using namespace terrazzo::adreno::hw;
using namespace terrazzo::adreno::sim;
using namespace terrazzo::adreno::sim::cp_test;

namespace {

constexpr uint64_t kColor = 0x100000, kDepth = 0x200000, kOther = 0x300000, kResults = kData;

Stream event(EventType type) {
    return Stream().opcode(Pm4Opcode::CP_EVENT_WRITE, {uint32_t(type)});
}
/// Writes 5 to the address.
Stream event(EventType type, uint64_t va) {
    CpEventWrite e;
    e.event = type;
    e.address = va;
    e.value = 5;
    return Stream().packet(e);
}
const Stream kFlushColor = event(EventType::PC_CCU_FLUSH_COLOR_TS),
             kFlushDepth = event(EventType::PC_CCU_FLUSH_DEPTH_TS),
             kInvalidateColor = event(EventType::PC_CCU_INVALIDATE_COLOR),
             kInvalidateDepth = event(EventType::PC_CCU_INVALIDATE_DEPTH),
             kInvalidate = event(EventType::CACHE_INVALIDATE), kFlush = event(EventType::CACHE_FLUSH_TS),
             kResolved = event(EventType::PC_CCU_RESOLVE_TS),
             kIdle = Stream().opcode(Pm4Opcode::CP_WAIT_FOR_IDLE),
             kMe = Stream().opcode(Pm4Opcode::CP_WAIT_FOR_ME),
             kWritten = Stream().opcode(Pm4Opcode::CP_WAIT_MEM_WRITES), kNone;
const Stream kBegin = Stream().words(kInvalidate).words(kIdle);

template <class... T>
Stream all(const T&... parts) {
    Stream s;
    (s.words(parts), ...);
    return s;
}

struct CacheGpu : Gpu {
    CacheGpu() {
        for (const uint64_t va : {kColor, kDepth, kOther})
            host.memory.blocks[va].words.resize(0x10000);
    }
};
std::string run(const Stream& stream) {
    CacheGpu gpu;
    return gpu.run_alone(stream);
}

/// One colour target with 64 rows of 256 bytes. The depth of a draw has the same size.
Stream targets() {
    return Stream()
        .reg(RB_FS_OUTPUT_CNTL1{.mrt = 1})
        .reg(RB_RENDER_COMPONENTS{.rt0 = 15})
        .reg(RB_MRT_CONTROL{.component_enable = 15})
        .reg(RB_MRT_BASE{.value = kColor})
        .reg(RB_MRT_PITCH{.value = 256})
        .reg(GRAS_SC_WINDOW_SCISSOR_BR{.value = {63, 63}})
        .reg(RB_DEPTH_BUFFER_BASE{.value = kDepth})
        .reg(RB_DEPTH_BUFFER_PITCH{.value = 256});
}
Stream no_targets() {
    return Stream().reg(RB_FS_OUTPUT_CNTL1{}).reg(RB_DEPTH_CNTL{});
}
Stream depth_test(bool writes) {
    return Stream().reg(RB_DEPTH_CNTL{.z_test_enable = true, .z_write_enable = writes});
}
Stream draw() {
    return Stream().draw();
}
/// The address that later draws and copies read.
Stream reads(uint64_t va) {
    return Stream().reg(RecordingWork::kReads, uint32_t(va >> 8));
}
/// A dispatch that stores to the address.
Stream store(uint64_t va) {
    return Stream()
        .reg(RecordingWork::kStores, uint32_t(va >> 8))
        .packet(CpExecCs{.ngroups_x = 1, .ngroups_y = 1, .ngroups_z = 1});
}
Stream fill(uint64_t va) {
    return Stream()
        .reg(RB_2D_DST{.value = va})
        .reg(RB_2D_DST_PITCH{.value = 256})
        .reg(GRAS_2D_DST_BR{.value = {15, 15}})
        .reg(GRAS_2D_BLIT_CNTL{.value = {.solid_color = true}})
        .packet(CpBlit{});
}
Stream blit_event(BlitEventType type, uint64_t va) {
    return Stream()
        .reg(RB_BLIT_DST{.value = va})
        .reg(RB_BLIT_DST_PITCH{.value = 256})
        .reg(RB_BLIT_SCISSOR_BR{.value = {63, 63}})
        .reg(RB_BIN_CONTROL2{.binw = 64, .binh = 64})
        .reg(RB_BLIT_INFO{.type = type})
        .words(event(EventType::BLIT));
}
Stream poll(uint64_t va) {
    CpWaitRegMem w;
    w.function = CondFunction::WRITE_EQ;
    w.poll = PollSource::POLL_MEMORY;
    w.poll_address = va;
    w.ref = 5;
    w.mask = ~0u;
    return Stream().packet(w);
}
Stream write_word(uint64_t va) {
    CpMemWrite w;
    w.address = va;
    return Stream().packet(w, {5});
}
Stream copy_word(uint64_t from, uint64_t to) {
    CpMemcpy c;
    c.dwords = 1;
    c.src = from;
    c.dst = to;
    return Stream().packet(c);
}

}  // namespace

TEST_CASE("adreno cp caches: drawn pixels are read after a flush, an invalidation and a wait") {
    const auto between = [](const Stream& s) {
        // The UCHE has read it before.
        return run(all(kBegin, no_targets(), reads(kColor), draw(), targets(), reads(0), draw(), s,
                       no_targets(), reads(kColor), draw(), kFlushColor));
    };
    CHECK(between(all(kFlushColor, kInvalidate, kIdle)) == "");
    CHECK(between(all(kFlushColor, kIdle, kInvalidate, kIdle)) == "");
    CHECK(has(between(kNone),
              "read of 4 bytes at 0x100000: it at 0x100000 is what draw 1 wrote, which the colour CCU "
              "holds: PC_CCU_FLUSH_COLOR_TS is missing"));
    CHECK(has(between(all(kFlushDepth, kInvalidate, kIdle)), "PC_CCU_FLUSH_COLOR_TS is missing"));
    CHECK(has(between(all(kFlushColor, kInvalidate)), "a CP_WAIT_FOR_IDLE after"));
    CHECK(has(between(all(kFlushColor, kIdle, kInvalidate)),
              "a CP_WAIT_FOR_IDLE after CACHE_INVALIDATE is missing"));
    CHECK(has(between(all(kFlushColor, kIdle)), "CACHE_INVALIDATE is missing"));
    CHECK(has(between(all(kInvalidate, kFlushColor, kIdle)), "CACHE_INVALIDATE is missing"));
}

TEST_CASE("adreno cp caches: reads of any drawn pixel are checked, other reads are not") {
    const auto at = [](uint64_t va) {
        return run(all(kBegin, targets(), draw(), no_targets(), reads(va), draw(), kFlushColor));
    };
    CHECK(has(at(kColor + 63 * 256), "PC_CCU_FLUSH_COLOR_TS is missing"));
    CHECK(at(kColor + 64 * 256) == "");
    CHECK(at(kOther) == "");
    const Stream gmem = Stream().marker(Marker::RM6_BIN_RENDER_START);
    CHECK(run(all(kBegin, targets(), gmem, draw(), reads(kColor), draw())) == "");
    // The scissor excludes the rows below it from draws.
    const Stream cut = Stream().reg(GRAS_SC_VIEWPORT_SCISSOR_BR{.value = {63, 31}});
    CHECK(run(all(kBegin, targets(), cut, draw(), no_targets(), reads(kColor + 32 * 256), draw(),
                  kFlushColor)) == "");
}

TEST_CASE("adreno cp caches: the UCHE must be invalidated although no earlier read is known") {
    const auto read = [](const Stream& before, const Stream& s) {
        return run(all(kBegin, before, targets(), draw(), kFlushColor, kIdle, s, no_targets(), reads(kColor),
                       draw()));
    };
    const Stream held = all(no_targets(), reads(kColor), draw(), reads(0));
    for (const Stream& before : {kNone, held}) {
        CHECK(has(read(before, kNone), "CACHE_INVALIDATE is missing"));
        CHECK(read(before, all(kInvalidate, kIdle)) == "");
    }
}

TEST_CASE("adreno cp caches: in each submit the UCHE must be invalidated before the first read") {
    CHECK(has(run(all(reads(kOther), draw())), "no CACHE_INVALIDATE came"));
    CHECK(has(run(all(kInvalidate, reads(kOther), draw())),
              "a CP_WAIT_FOR_IDLE after CACHE_INVALIDATE is missing"));
    CacheGpu gpu;
    CHECK(gpu.run_alone(all(kBegin, reads(kOther), draw())) == "");
    CHECK(has(gpu.run_alone(draw()), "no CACHE_INVALIDATE came"));
}

TEST_CASE("adreno cp caches: depth has its own cache") {
    const auto between = [](const Stream& s) {
        return run(all(kBegin, targets(), depth_test(true), draw(), s, no_targets(), reads(kDepth), draw(),
                       kFlushColor, kFlushDepth));
    };
    CHECK(between(all(kFlushDepth, kInvalidate, kIdle)) == "");
    CHECK(has(between(all(kFlushColor, kInvalidate, kIdle)), "PC_CCU_FLUSH_DEPTH_TS is missing"));
}

TEST_CASE("adreno cp caches: draws do not see the 2D engine's fills in a CCU") {
    const auto color = [](const Stream& s) {
        return run(all(kBegin, targets(), draw(), kFlushColor, kInvalidateColor, kIdle, fill(kColor), s,
                       draw(), kFlushColor));
    };
    CHECK(color(all(kFlushColor, kInvalidateColor, kIdle)) == "");
    CHECK(has(color(kNone), "a colour target at 0x100000 is what the 2D engine wrote"));
    CHECK(has(color(all(kFlushColor, kIdle)), "PC_CCU_INVALIDATE_COLOR is missing"));
    CHECK(has(color(all(kFlushColor, kInvalidateColor)), "a CP_WAIT_FOR_IDLE after"));
    // Depth is filled through the colour CCU. The depth CCU may have lines of it.
    const auto depth = [](const Stream& before, const Stream& s) {
        return run(all(kBegin, targets(), depth_test(false), before, fill(kDepth), s, draw(), kFlushColor,
                       kFlushDepth));
    };
    const Stream drawn = all(draw(), kFlushColor, kInvalidateColor, kIdle);
    CHECK(depth(kNone, all(kFlushColor, kIdle)) == "");
    CHECK(has(depth(drawn, all(kFlushColor, kIdle)), "PC_CCU_INVALIDATE_DEPTH is missing"));
    CHECK(depth(drawn, all(kFlushColor, kInvalidateDepth, kIdle)) == "");
    CHECK(depth(all(drawn, kInvalidateDepth), all(kFlushColor, kIdle)) == "");
    CHECK(has(depth(kNone, kNone), "PC_CCU_FLUSH_COLOR_TS is missing"));
}

TEST_CASE("adreno cp caches: the 2D engine reads through the UCHE") {
    const auto between = [](const Stream& s) {
        return run(all(kBegin, fill(kColor), s, reads(kColor),
                       Stream().reg(GRAS_2D_BLIT_CNTL{}).reg(RB_2D_DST{.value = kOther}),
                       Stream().packet(CpBlit{}), kFlushColor));
    };
    CHECK(has(between(kNone), "it at 0x100000 is what the 2D engine wrote"));
    CHECK(between(all(kFlushColor, kInvalidate, kIdle)) == "");
}

TEST_CASE("adreno cp caches: BLIT events do not use the CCUs") {
    using enum BlitEventType;
    const auto stored = [](BlitEventType type, const Stream& s) {
        return run(all(kBegin, reads(kColor), draw(), blit_event(type, kColor), s, draw(), kResolved));
    };
    CHECK(stored(BLIT_EVENT_STORE, all(kResolved, kInvalidate, kIdle)) == "");
    CHECK(stored(BLIT_EVENT_CLEAR, kNone) == "");
    CHECK(has(stored(BLIT_EVENT_STORE, all(kInvalidate, kIdle)), "PC_CCU_RESOLVE_TS is missing"));
    CHECK(has(stored(BLIT_EVENT_STORE, all(kResolved, kIdle)), "CACHE_INVALIDATE is missing"));
    CHECK(run(all(kBegin, blit_event(BLIT_EVENT_STORE, kColor), blit_event(BLIT_EVENT_LOAD, kColor),
                  kResolved)) == "");
    const auto loaded = [](const Stream& s) {
        return run(all(kBegin, targets(), draw(), s, blit_event(BLIT_EVENT_LOAD, kColor), kFlushColor));
    };
    CHECK(loaded(all(kFlushColor, kIdle)) == "");
    CHECK(has(loaded(kFlushColor), "what a BLIT event loads at 0x100000 is what draw 0 wrote"));
    CHECK(has(loaded(kNone), "PC_CCU_FLUSH_COLOR_TS is missing"));
}

TEST_CASE("adreno cp caches: shaders' stores must be flushed for the CP and for targets") {
    const auto copied = [](const Stream& s) {
        return run(all(kBegin, store(kOther), s, copy_word(kOther + 60, kResults)));
    };
    CHECK(copied(all(kFlush, kIdle)) == "");
    CHECK(has(copied(all(kInvalidate, kIdle)), "which the UCHE holds: CACHE_FLUSH_TS is missing"));
    CHECK(has(copied(kFlush), "a CP_WAIT_FOR_IDLE after CACHE_FLUSH_TS is missing"));
    CHECK(run(all(kBegin, store(kOther), copy_word(kOther + 64, kResults))) == "");
    const auto drawn = [](const Stream& s) {
        return run(all(kBegin, store(kColor), s, targets(), draw(), kFlushColor));
    };
    CHECK(drawn(all(kFlush, kIdle)) == "");
    CHECK(has(drawn(kIdle), "a colour target at 0x100000 is what draw 0 wrote, which the UCHE holds"));
}

TEST_CASE("adreno cp caches: each byte that shaders stored is remembered, and no other") {
    std::mt19937 random(3);
    for (unsigned trial = 0; trial < 50; ++trial) {
        CacheGpu gpu;
        Caches& caches = *gpu.machine.caches;
        caches.begin_submit();
        constexpr unsigned kBytes = 256;
        std::vector<bool> is_stored(kBytes);
        for (unsigned n = random() % 60; n; --n) {
            const unsigned begin = random() % kBytes,
                           size = std::min(kBytes - begin, 1 + unsigned(random() % 9));
            caches.space(Reader::Uche).stored(kOther + begin, size);
            std::fill_n(is_stored.begin() + begin, size, true);
        }
        caches.end_dispatch(gpu.machine);
        for (unsigned i = 0; i < kBytes; ++i)
            REQUIRE(caches.check(Reader::Processor, kOther + i, 1, "it").empty() != is_stored[i]);
    }
}

TEST_CASE("adreno cp caches: if a test requests it, other shaders need a wait before they read stores") {
    const auto read = [](bool orders, const Stream& s) {
        CacheGpu gpu;
        gpu.machine.caches->orders_stores = orders;
        return gpu.run_alone(all(kBegin, store(kOther), s, reads(kOther), store(0)));
    };
    CHECK(read(false, kNone) == "");
    CHECK(read(true, kIdle) == "");
    CHECK(has(read(true, kNone), "it at 0x300000 is what draw 0 wrote, which may not be there yet"));
    CHECK(has(read(true, kFlush), "which may not be there yet"));
}

TEST_CASE("adreno cp caches: all is flushed at the end of a submit") {
    CHECK(run(all(targets(), draw())) ==
          "the ring at 0x0, draw 1: the submit ends while the colour CCU holds what draw 0 "
          "wrote at 0x100000: PC_CCU_FLUSH_COLOR_TS is missing");
    CHECK(run(all(targets(), draw(), kFlushColor)) == "");
    // The writes of BLIT events reach memory without a flush: freedreno of 2019 ends a submit like this
    // (fd-clouds in Mesa's traces).
    CHECK(run(blit_event(BlitEventType::BLIT_EVENT_STORE, kColor)) == "");
}

TEST_CASE("adreno cp caches: registers that draws do not copy, and the CCUs' memory") {
    const Stream change = Stream().reg(RB_CCU_CNTL{.color_offset = 0x10000}),
                 eco = Stream().reg(RB_DBG_ECO_CNTL{.value = 4});
    CHECK(has(run(change), "a CP_WAIT_FOR_IDLE is missing before it changes"));
    CHECK(run(all(kIdle, change, change, targets(), draw(), change, kFlushColor)) == "");
    CHECK(has(run(all(kIdle, targets(), draw(), kFlushColor, eco)), "a CP_WAIT_FOR_IDLE is missing"));
    CHECK(run(all(kIdle, targets(), draw(), kFlushColor, kIdle, eco)) == "");
    const auto moved = [&](const Stream& s) {
        return run(all(targets(), draw(), s, kIdle, change, kFlushColor));
    };
    CHECK(moved(all(kFlushColor, kInvalidateColor)) == "");
    CHECK(has(
        moved(kNone),
        "the CCUs change their memory while one holds what draw 0 wrote at 0x100000: PC_CCU_FLUSH_COLOR_TS"));
    // Lines that were flushed only matter when the CCU is used again.
    CHECK(moved(kFlushColor) == "");
    const auto used = [&](const Stream& s) {
        return run(all(targets(), draw(), kFlushColor, kIdle, change, s, draw(), kFlushColor));
    };
    CHECK(has(used(kNone), "lines from before its memory moved: PC_CCU_INVALIDATE_COLOR is missing"));
    CHECK(used(all(kInvalidateColor, kIdle)) == "");
}

TEST_CASE("adreno cp caches: the CP may read only finished writes") {
    const auto between = [](const Stream& s) {
        return run(all(event(EventType::RB_DONE_TS, kResults), s, copy_word(kResults, kResults + 64)));
    };
    CHECK(between(kIdle) == "");
    CHECK(between(poll(kResults)) == "");
    CHECK(has(between(kNone), "is what an event writes, which may not be there yet"));
    // The CP's own writes wait in a queue: a poll would read too early, and the write could follow the
    // event's write.
    CHECK(has(run(all(write_word(kResults), poll(kResults))), "CP_WAIT_MEM_WRITES is missing"));
    CHECK(run(all(write_word(kResults), kWritten, poll(kResults))) == "");
    CHECK(has(run(all(write_word(kResults), event(EventType::RB_DONE_TS, kResults))),
              "may come later: CP_WAIT_MEM_WRITES is missing"));
    CHECK(run(all(write_word(kResults), kWritten, event(EventType::RB_DONE_TS, kResults))) == "");
    // Shaders read it through the UCHE.
    const auto read = [](const Stream& s) {
        return run(all(kBegin, reads(kOther), draw(), write_word(kOther), s, draw()));
    };
    CHECK(read(all(kWritten, kInvalidate, kIdle)) == "");
    CHECK(has(read(all(kInvalidate, kIdle)), "CP_WAIT_MEM_WRITES is missing"));
    CHECK(has(read(kWritten), "CACHE_INVALIDATE is missing"));
}

TEST_CASE("adreno cp caches: constants that the CP copied are loaded after a wait and an invalidation") {
    // As freedreno passes the numbers of workgroups to an indirect dispatch: three words, then a load of
    // constants.
    const auto load_after = [](const Stream& s) {
        Stream copies;
        for (uint64_t i = 0; i < 3; ++i) {
            CpMemToMem copy;
            copy.dst = kOther + i * 4;
            copy.src_a = kData + i * 4;
            uint32_t words[9];
            pack(copy, words);
            copies.opcode(Pm4Opcode::CP_MEM_TO_MEM, {words[0], words[1], words[2], words[3], words[4]});
        }
        CpLoadState6 load;
        load.load.state_type = StateType::ST6_CONSTANTS;
        load.load.state_src = StateSrc::SS6_INDIRECT;
        load.load.state_block = StateBlock::SB6_CS_SHADER;
        load.load.num_unit = 1;
        load.load.address = kOther;
        return run(all(kBegin, copies, s, Stream().packet(load)));
    };
    CHECK(load_after(all(kWritten, kInvalidate, kIdle)) == "");
    // freedreno's stream (ERRATA.md).
    CHECK(has(load_after(kNone), "CACHE_INVALIDATE is missing"));
    CHECK(has(load_after(all(kInvalidate, kIdle)), "CP_WAIT_MEM_WRITES is missing"));
    CHECK(
        has(load_after(all(kWritten, kInvalidate)), "a CP_WAIT_FOR_IDLE after CACHE_INVALIDATE is missing"));
}

TEST_CASE("adreno cp caches: arguments of indirect draws are read early") {
    CpDrawIndirectMulti multi;
    multi.initiator.source_select = SourceSelect::DI_SRC_SEL_AUTO_INDEX;
    multi.opcode = DrawIndirectOp::INDIRECT_OP_NORMAL;
    multi.draw_count = 1;
    multi.indirect = kResults;
    multi.stride = 16;
    std::vector<uint32_t> words(CpDrawIndirectMulti::kSize_dw);
    pack(multi, words.data());
    Stream packet = Stream().words({pack_type7(Pm4Opcode::CP_DRAW_INDIRECT_MULTI, 6)});
    packet.all.insert(packet.all.end(), words.begin(), words.begin() + 6);
    const auto between = [&](const char* chip, const Stream& s) {
        Gpu gpu(chip);
        return gpu.run_alone(all(event(EventType::RB_DONE_TS, kResults), s, packet));
    };
    CHECK(between("adreno-630", all(kIdle, kMe)) == "");
    CHECK(has(between("adreno-630", kIdle), "the CP looks at the packet early: CP_WAIT_FOR_ME is missing"));
    CHECK(has(between("adreno-630", kMe), "which may not be there yet"));
    CHECK(between("adreno-660", kIdle) == "");
}
