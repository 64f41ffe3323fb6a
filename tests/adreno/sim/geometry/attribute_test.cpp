// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// VFD: formats of attributes, instances, reads beyond a buffer.
#include "tests/adreno/sim/geometry/fixture.h"

#include "drivers/adreno/hw/formats.h"
#include "drivers/adreno/sim/geometry/attributes.h"

namespace terrazzo::adreno::sim::testing {

namespace {

// The values of the first two vertices in r0.xyzw.
std::vector<uint32_t> loaded(Fixture& f, const std::vector<VertexInvocation>& v = {{0, 0}, {1, 0}}) {
    VertexFetch fetch;
    auto wave = std::make_unique<Wave>();
    bool good = fetch.init(f.machine, false, &f.fault) &&
                fetch.load(f.machine.memory, v.data(), unsigned(v.size()), wave.get(), &f.fault);
    INFO(f.fault.report);
    REQUIRE(good);
    std::vector<uint32_t> out;
    for (unsigned lane = 0; lane < v.size(); ++lane)
        for (unsigned c = 0; c < 4; ++c) {
            uint32_t value = 0;
            CHECK(wave->get(isa::reg(0, c), false, lane, &value));
            out.push_back(value);
        }
    return out;
}

}  // namespace

TEST_CASE("adreno VFD: every vertex format is read like pipe/format reads it") {
    Fixture f;
    std::vector<uint8_t> raw(64);
    for (size_t i = 0; i < raw.size(); ++i)
        raw[i] = uint8_t(i * 37 + 11);
    unsigned formats = 0;
    for (size_t i = 0; i < pipe::kFormatCount; ++i) {
        const pipe::Format format = pipe::Format(i);
        const hw::FormatRow* row = hw::format_row(format);
        const pipe::FormatInfo& info = pipe::format_info(format);
        if (!row || !row->is_vertex() || !info.is_color) continue;
        if (info.channel_count == 4 && info.swizzle[3] == pipe::Swizzle::One) continue;
        CAPTURE(std::string(pipe::format_name(format)));
        ++formats;
        const bool integer = info.is_pure_uint || info.is_pure_sint;
        f.set(hw::VFD_DECODE_INSTR{.format = row->vertex, .swap = row->swap, .float_ = !integer});
        f.set(hw::VFD_FETCH_STRIDE{.value = 20});
        std::memcpy(f.at(Fixture::kVertices), raw.data(), raw.size());
        const std::vector<uint32_t> got = loaded(f);
        for (unsigned v = 0; v < 2; ++v) {
            const uint8_t* pixel = raw.data() + 20 * v;
            uint32_t want[4];
            if (info.is_pure_uint) {
                pipe::format_ops(format).unpack_u32(want, pixel, 1);
            } else if (info.is_pure_sint) {
                int32_t s[4];
                pipe::format_ops(format).unpack_s32(s, pixel, 1);
                std::memcpy(want, s, sizeof(want));
            } else {
                float s[4];
                pipe::format_ops(format).unpack_f32(s, pixel, 1);
                std::memcpy(want, s, sizeof(want));
            }
            for (unsigned c = 0; c < 4; ++c)
                CHECK(got[4 * v + c] == want[c]);
        }
    }
    CHECK(formats > 80);
}

TEST_CASE("adreno VFD: missing components are 0, 0, 0, 1; BGRA") {
    Fixture f;
    f.write_words(Fixture::kVertices, {0x80ff4000});
    f.set(hw::VFD_DECODE_INSTR{.format = hw::Format::FMT6_8_8_UINT});
    CHECK(loaded(f, {{0, 0}}) == std::vector<uint32_t>{0, 0x40, 0, 1});
    f.set(hw::VFD_DECODE_INSTR{.format = hw::Format::FMT6_8_8_UINT, .float_ = true});
    CHECK(loaded(f, {{0, 0}}) == std::vector<uint32_t>{0, bits(64), 0, bits(1)});
    f.set(hw::VFD_DECODE_INSTR{
        .format = hw::Format::FMT6_8_8_8_8_UNORM, .swap = hw::ColorSwap::WXYZ, .float_ = true});
    const std::vector<uint32_t> bgra = loaded(f, {{0, 0}});
    CHECK(bgra[0] == bits(1));
    CHECK(bgra[2] == 0);
}

TEST_CASE("adreno VFD: offsets, strides of 0, and zeros beyond the buffer's size") {
    Fixture f;
    f.write_words(Fixture::kVertices, {1, 2, 3, 4, 5, 6, 7, 8});
    f.set(hw::VFD_DECODE_INSTR{.offset = 8, .format = hw::Format::FMT6_32_32_UINT});
    CHECK(loaded(f) == std::vector<uint32_t>{3, 4, 0, 1, 7, 8, 0, 1});
    f.set(hw::VFD_FETCH_SIZE{.value = 31});
    CHECK(loaded(f) == std::vector<uint32_t>{3, 4, 0, 1, 0, 0, 0, 0});
    f.set(hw::VFD_FETCH_STRIDE{.value = 0});
    CHECK(loaded(f) == std::vector<uint32_t>{3, 4, 0, 1, 3, 4, 0, 1});
    f.set(hw::VFD_FETCH_SIZE{.value = 0});
    CHECK(loaded(f) == std::vector<uint32_t>(8, 0));
    // A negative index wraps around to an address far beyond the end.
    f.set(hw::VFD_FETCH_SIZE{.value = 32});
    f.set(hw::VFD_FETCH_STRIDE{.value = 16});
    f.set(hw::VFD_INDEX_OFFSET{.value = 0xffffffff});
    CHECK(loaded(f) == std::vector<uint32_t>{0, 0, 0, 0, 3, 4, 0, 1});
}

TEST_CASE("adreno VFD: instances step by their rate, from the first instance on") {
    Fixture f;
    f.write_words(Fixture::kVertices, {10, 11, 12, 13, 14, 15});
    f.set(hw::VFD_FETCH_STRIDE{.value = 4});
    f.set(hw::VFD_DECODE_INSTR{.instanced = true, .format = hw::Format::FMT6_32_UINT});
    f.set(hw::VFD_DECODE_STEP_RATE{.value = 2});
    f.set(hw::VFD_INSTANCE_START_OFFSET{.value = 1});
    const std::vector<uint32_t> got = loaded(f, {{5, 0}, {6, 1}, {7, 2}, {8, 5}});
    CHECK(got[0] == 11);
    CHECK(got[4] == 11);
    CHECK(got[8] == 12);
    CHECK(got[12] == 13);
}

TEST_CASE("adreno VFD: the write mask selects the written registers") {
    Fixture f;
    f.write_words(Fixture::kVertices, {1, 2, 3, 4});
    f.set(hw::VFD_DEST_CNTL_INSTR{.writemask = 0b101, .regid = 0});
    f.set(hw::VFD_CONTROL_1{.regid4vtx = 1, .regid4inst = 0xfc, .regid4primid = 0xfc, .regid4viewid = 0xfc});
    CHECK(loaded(f, {{0, 0}}) == std::vector<uint32_t>{1, 0, 3, 0});
    f.set(hw::VFD_DEST_CNTL_INSTR{.writemask = 15, .regid = 190});
    VertexFetch fetch;
    auto wave = std::make_unique<Wave>();
    const VertexInvocation v;
    REQUIRE(fetch.init(f.machine, false, &f.fault));
    CHECK(!fetch.load(f.machine.memory, &v, 1, wave.get(), &f.fault));
    CHECK(f.fault.report.find("goes to no register") != std::string::npos);
}

TEST_CASE("adreno VFD: an unknown format is a fault") {
    Fixture f;
    f.set(hw::VFD_DECODE_INSTR{.format = hw::Format::FMT6_8_8_UINT, .swap = hw::ColorSwap::XYZW});
    CHECK(f.report().find("VFD_DECODE_INSTR[0]: no vertex format") != std::string::npos);
}

// freedreno's clear of layers uses one.
TEST_CASE("adreno VFD: a rectangle's further attributes need not be described") {
    Fixture f;
    f.vertices({-1, -1, 0, 1, 1, 1, 0, 1});
    f.set(hw::VFD_CONTROL_0{.fetch_cnt = 2, .decode_cnt = 2});
    f.set(hw::VFD_DEST_CNTL_INSTR{.writemask = 15, .regid = 8}, 1);
    f.call.initiator.prim_type = hw::PrimType::DI_PT_RECTLIST;
    f.must_run();
    CHECK(f.out.primitives.size() == 2);
    f.call.initiator.prim_type = hw::PrimType::DI_PT_LINELIST;
    CHECK(f.report() == "draw 0: register VFD_DECODE_INSTR[1] was never written");
}

}  // namespace terrazzo::adreno::sim::testing
