// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Uniform buffers, images, storage buffers, queries; and refused accesses.
#include <doctest/doctest.h>

#include <limits>

#include "pipe/half.h"
#include "tests/adreno/sim/texture/fixture.h"

namespace terrazzo::adreno {
namespace {

using test::Fixture;
using test::TestImage;

hw::TexConst buffer_desc(uint64_t va, hw::Format format, unsigned element_B, uint32_t elements) {
    hw::TexConst d;
    d.type = hw::TexType::A6XX_TEX_BUFFER;
    d.fmt = format;
    d.swiz_y = hw::TexSwiz::A6XX_TEX_Y, d.swiz_z = hw::TexSwiz::A6XX_TEX_Z,
    d.swiz_w = hw::TexSwiz::A6XX_TEX_W;
    d.width = elements & 0x7fff;
    d.height = elements >> 15;
    d.structsizetexels = 1;
    d.base = va & ~uint64_t(63);
    d.startoffsettexels = uint32_t(va & 63) / element_B;
    return d;
}

// Some formats change the bits of NaNs.
bool is_nan(uint32_t bits) {
    return (bits & 0x7fffffff) > 0x7f800000;
}

bool run_image(Fixture& f, sim::UnitCall& call) {
    f.why.clear();
    return f.units.image(call, &f.why);
}

TestImage make_image(Fixture& f, pipe::Format format, unsigned tiling) {
    TestImage image;
    pipe::A6xxLayoutDesc d;
    d.image.format = format;
    d.image.kind = pipe::ResourceKind::Tex2DArray;
    d.image.width = 40, d.image.height = 30, d.image.layers = 3;
    d.image.tiling = tiling ? pipe::Tiling::Macrotiled : pipe::Tiling::Linear;
    d.ubwc = tiling == 2;
    REQUIRE(f.create(d, &image));
    return image;
}

}  // namespace

TEST_CASE("uniform buffers: vectors, components, reads beyond the end") {
    Fixture f;
    uint64_t va = 0;
    uint8_t* memory = f.map(1024, &va);
    for (uint32_t i = 0; i < 256; ++i)
        std::memcpy(memory + 4 * i, &i, 4);
    hw::Ubo ubo;
    ubo.base = va;
    ubo.size = 10;
    f.load_uniform_buffer(ubo);
    const isa::Instr instr = test::instruction("ldc.offset1.3.imm r0.x, r1.x, 0");
    sim::UnitCall call = f.call(instr);
    for (unsigned lane = 0; lane < 64; ++lane)
        test::set(call.in[0], lane, lane % 16);
    REQUIRE(f.units.uniform_buffer(call, &f.why));
    for (unsigned lane = 0; lane < 64; ++lane)
        for (unsigned c = 0; c < 3; ++c)
            CHECK(test::get(call.out[c], lane) == (lane % 16 < 10 ? lane % 16 * 4 + 1 + c : 0));
    call.texture = 1;
    CHECK(!f.units.uniform_buffer(call, &f.why));
    CHECK(f.why == "uniform buffer 1 of the fragment stage: 1 were loaded");
    ubo.base = va + 0x20000000;
    f.load_uniform_buffer(ubo);
    call.texture = 0;
    CHECK(!f.units.uniform_buffer(call, &f.why));
}

TEST_CASE("uniform buffers: tables in memory") {
    Fixture f;
    uint64_t va = 0, table_va = 0;
    uint8_t* memory = f.map(1024, &va);
    uint8_t* table = f.map(1024, &table_va);
    const uint32_t value = 0x1234567;
    std::memcpy(memory + 16, &value, 4);
    hw::Ubo ubo;
    ubo.base = va;
    ubo.size = 10;
    uint32_t words[hw::Ubo::kSize_dw];
    hw::pack(ubo, words);
    std::memcpy(table + 2 * 64, words, sizeof(words));
    const isa::Instr instr = test::instruction("ldc.offset0.1.imm r0.x, r1.x, 0");
    sim::UnitCall call = f.call(instr);
    call.bindless = true;
    call.base = 1;
    call.texture = 2;
    for (unsigned lane = 0; lane < 64; ++lane)
        test::set(call.in[0], lane, 1u);
    CHECK(!f.units.uniform_buffer(call, &f.why));
    CHECK(f.why.find("SP_BINDLESS_BASE_DESCRIPTOR[1] was never written") != std::string::npos);
    const uint16_t reg = hw::SP_BINDLESS_BASE_DESCRIPTOR::at(1);
    f.machine.registers.write(
        reg, uint32_t(table_va) | uint32_t(hw::BindlessDescriptorSize::BINDLESS_DESCRIPTOR_64B));
    f.machine.registers.write(uint16_t(reg + 1), uint32_t(table_va >> 32));
    REQUIRE(f.units.uniform_buffer(call, &f.why));
    CHECK(test::get(call.out[0], 7) == value);
}

TEST_CASE("images: storage buffers consist of words, with bounds") {
    Fixture f;
    uint64_t va = 0;
    uint8_t* memory = f.map(4096, &va);
    f.load_image(buffer_desc(va + 8, hw::Format::FMT6_32_UINT, 4, 70));
    const isa::Instr store = test::instruction("stib.b.untyped.1d.u32.2.imm r0.x, r2.x, 0");
    const isa::Instr load = test::instruction("ldib.b.untyped.1d.u32.2.imm r0.x, r2.x, 0");
    sim::UnitCall call = f.call(store);
    for (unsigned lane = 0; lane < 64; ++lane) {
        test::set(call.in[0], lane, lane * 2);
        test::set(call.in[8], lane, lane + 100);
        test::set(call.in[9], lane, lane + 1000);
    }
    REQUIRE(run_image(f, call));
    for (uint32_t i = 0; i < 128; ++i) {
        uint32_t v;
        std::memcpy(&v, memory + 8 + 4 * i, 4);
        CHECK(v == (i >= 70 ? 0 : i % 2 ? i / 2 + 1000 : i / 2 + 100));
    }
    sim::UnitCall read = f.call(load);
    for (unsigned lane = 0; lane < 64; ++lane)
        test::set(read.in[0], lane, lane == 63 ? 0xffffffffu : lane * 2);
    REQUIRE(run_image(f, read));
    for (unsigned lane = 0; lane < 64; ++lane) {
        CHECK(test::get(read.out[0], lane) == (lane < 35 ? lane + 100 : 0));
        CHECK(test::get(read.out[1], lane) == (lane < 35 ? lane + 1000 : 0));
    }
    const isa::Instr info = test::instruction("resinfo.b.untyped.1d.u32.1.imm r0.x, 0");
    sim::UnitCall size = f.call(info);
    REQUIRE(run_image(f, size));
    CHECK(test::get(size.out[0], 3) == 70);
}

TEST_CASE("images: atomic operations") {
    struct Row {
        const char* text;
        uint32_t old, a, b, result;
    };
    const Row rows[] = {
        {"atomic.b.add.untyped.1d.u32.1.imm r0.x, r2.x, 0", 5, 7, 0, 12},
        {"atomic.b.sub.untyped.1d.u32.1.imm r0.x, r2.x, 0", 5, 7, 0, 0xfffffffe},
        {"atomic.b.xchg.untyped.1d.u32.1.imm r0.x, r2.x, 0", 5, 7, 0, 7},
        {"atomic.b.cmpxchg.untyped.1d.u32.1.imm r0.x, r2.x, 0", 5, 9, 5, 9},
        {"atomic.b.cmpxchg.untyped.1d.u32.1.imm r0.x, r2.x, 0", 5, 5, 9, 5},
        {"atomic.b.min.untyped.1d.u32.1.imm r0.x, r2.x, 0", 0xffffffff, 7, 0, 7},
        {"atomic.b.min.untyped.1d.s32.1.imm r0.x, r2.x, 0", 0xffffffff, 7, 0, 0xffffffff},
        {"atomic.b.max.untyped.1d.s32.1.imm r0.x, r2.x, 0", 0xffffffff, 7, 0, 7},
        {"atomic.b.and.untyped.1d.u32.1.imm r0.x, r2.x, 0", 6, 3, 0, 2},
        {"atomic.b.or.untyped.1d.u32.1.imm r0.x, r2.x, 0", 6, 3, 0, 7},
        {"atomic.b.xor.untyped.1d.u32.1.imm r0.x, r2.x, 0", 6, 3, 0, 5},
    };
    for (const Row& row : rows) {
        Fixture f;
        uint64_t va = 0;
        uint8_t* memory = f.map(4096, &va);
        f.load_image(buffer_desc(va, hw::Format::FMT6_32_UINT, 4, 10));
        std::memcpy(memory + 12, &row.old, 4);
        const isa::Instr instr = test::instruction(row.text);
        CAPTURE(row.text);
        sim::UnitCall call = f.call(instr);
        call.active = sim::LaneMask::first(1);
        test::set(call.in[0], 0, 3u);
        test::set(call.in[8], 0, row.a);
        test::set(call.in[9], 0, row.b);
        REQUIRE(run_image(f, call));
        uint32_t now;
        std::memcpy(&now, memory + 12, 4);
        CHECK(now == row.result);
        CHECK(test::get(call.out[0], 0) == row.old);
    }
    // All lanes access one texel of a tiled image; beyond its edge nothing happens.
    Fixture f;
    const TestImage image = make_image(f, pipe::Format::R32_UINT, 1);
    f.load_image(test::describe(image));
    const isa::Instr instr = test::instruction("atomic.b.add.typed.3d.u32.1.imm r0.x, r2.x, 0");
    sim::UnitCall call = f.call(instr);
    uint32_t before;
    std::memcpy(&before, image.at(0, 33, 21, 2), 4);
    for (unsigned lane = 0; lane < 64; ++lane) {
        test::set(call.in[0], lane, lane == 40 ? 40u : 33u);
        test::set(call.in[1], lane, 21u);
        test::set(call.in[2], lane, 2u);
        test::set(call.in[8], lane, 1u);
    }
    REQUIRE(run_image(f, call));
    for (unsigned lane = 0; lane < 64; ++lane)
        CHECK(test::get(call.out[0], lane) == (lane == 40 ? 0 : before + lane - (lane > 40)));
}

TEST_CASE("images: typed loads and stores of every image format, in all kinds of memory") {
    unsigned count = 0;
    for (size_t n = 1; n < pipe::kFormatCount; ++n) {
        const auto format = pipe::Format(n);
        const hw::FormatRow* row = hw::format_row(format);
        const pipe::FormatInfo& info = pipe::format_info(format);
        if (!row || !row->is_texture() || !row->is_target() || info.is_depth_stencil() || !info.has_alpha ||
            info.is_srgb)
            continue;
        CAPTURE(info.name);
        for (unsigned tiling = 0; tiling < 3; ++tiling) {
            if (tiling == 2 && !row->has_ubwc(test::chip().generation, 1)) continue;
            CAPTURE(tiling);
            Fixture f;
            const TestImage image = make_image(f, format, tiling);
            f.load_image(test::describe(image));
            const isa::Instr load = test::instruction("ldib.b.typed.3d.u32.4.imm r0.x, r4.x, 0");
            const isa::Instr store = test::instruction("stib.b.typed.3d.u32.4.imm r0.x, r4.x, 0");
            sim::UnitCall read = f.call(load);
            for (unsigned lane = 0; lane < 64; ++lane) {
                test::set(read.in[0], lane, lane % 40);
                test::set(read.in[1], lane, lane / 4);
                test::set(read.in[2], lane, lane % 2);
            }
            const bool good = run_image(f, read);
            INFO(f.why);
            REQUIRE(good);
            // Stores to another layer, and loads from there.
            sim::UnitCall write = f.call(store), again = f.call(load);
            for (unsigned lane = 0; lane < 64; ++lane) {
                uint32_t expected[4];
                units::format_reader(format).read(image.at(0, lane % 40, lane / 4, lane % 2), expected);
                for (unsigned c = 0; c < 4; ++c) {
                    REQUIRE(test::get(read.out[c], lane) == expected[c]);
                    test::set(write.in[8 + c], lane, expected[c]);
                }
                const uint32_t at[3] = {lane % 8 + 31, lane / 8, 2};
                for (unsigned c = 0; c < 3; ++c) {
                    test::set(write.in[c], lane, at[c]);
                    test::set(again.in[c], lane, at[c]);
                }
            }
            REQUIRE(run_image(f, write));
            REQUIRE(run_image(f, again));
            for (unsigned lane = 0; lane < 64; ++lane)
                for (unsigned c = 0; c < 4; ++c)
                    REQUIRE(
                        (test::get(again.out[c], lane) == test::get(read.out[c], lane) ||
                         (is_nan(test::get(again.out[c], lane)) && is_nan(test::get(read.out[c], lane)))));
            ++count;
        }
    }
    CHECK(count > 50);
}

TEST_CASE("texture: sizes, levels and samples") {
    Fixture f;
    TestImage image;
    pipe::A6xxLayoutDesc d;
    d.image.format = pipe::Format::R8G8B8A8_UNORM;
    d.image.kind = pipe::ResourceKind::Tex2DArray;
    d.image.width = 40, d.image.height = 30, d.image.layers = 5, d.image.levels = 4;
    REQUIRE(f.create(d, &image));
    f.load_texture(test::describe(image));
    const isa::Instr size = test::instruction("getsize (u32)(xyzw)r0.x, r1.x, t#0");
    sim::UnitCall call = f.call(size);
    for (unsigned lane = 0; lane < 64; ++lane)
        test::set(call.in[0], lane, lane % 4);
    REQUIRE(f.units.texture(call, &f.why));
    CHECK(test::get(call.out[0], 0) == 40);
    CHECK(test::get(call.out[0], 2) == 10);
    CHECK(test::get(call.out[1], 2) == 7);
    CHECK(test::get(call.out[3], 2) == 5);
    const isa::Instr info = test::instruction("getinfo (u32)(xyzw)r0.x, t#0");
    sim::UnitCall levels = f.call(info);
    REQUIRE(f.units.texture(levels, &f.why));
    CHECK(test::get(levels.out[2], 0) == 4);
    CHECK(test::get(levels.out[3], 0) == 1);
    uint64_t va = 0;
    f.map(4 * 100000, &va);
    f.load_texture(buffer_desc(va, hw::Format::FMT6_32_UINT, 4, 100000));
    const isa::Instr buffer = test::instruction("getbuf (u32)(xyzw)r0.x, t#0");
    sim::UnitCall elements = f.call(buffer);
    REQUIRE(f.units.texture(elements, &f.why));
    CHECK(test::get(elements.out[0], 0) == 100000);
}

TEST_CASE("texture: elements of buffers") {
    Fixture f;
    uint64_t va = 0;
    uint8_t* memory = f.map(4096, &va);
    for (unsigned i = 0; i < 4096; ++i)
        memory[i] = uint8_t(i * 7);
    f.load_texture(buffer_desc(va + 32, hw::Format::FMT6_8_8_8_8_UINT, 4, 50));
    const isa::Instr instr = test::instruction("isam.1d (u32)(xyzw)r0.x, r1.x, s#0, t#0");
    sim::UnitCall call = f.call(instr);
    for (unsigned lane = 0; lane < 64; ++lane)
        test::set(call.in[0], lane, lane);
    REQUIRE(f.units.texture(call, &f.why));
    for (unsigned lane = 0; lane < 64; ++lane)
        for (unsigned c = 0; c < 4; ++c)
            CHECK(test::get(call.out[c], lane) == (lane < 50 ? uint32_t(memory[32 + 4 * lane + c]) : 0));
}

TEST_CASE("texture: refused accesses have a reason") {
    Fixture f;
    TestImage image;
    pipe::A6xxLayoutDesc d;
    d.image.format = pipe::Format::R8G8B8A8_UNORM;
    d.image.width = 40, d.image.height = 30;
    REQUIRE(f.create(d, &image));
    const isa::Instr instr = test::instruction("saml (f32)(xyzw)r0.x, r1.x, r2.x, s#0, t#0");
    const hw::TexConst good = test::describe(image);
    const auto refused = [&](const hw::TexConst& t, const hw::TexSamp& s) {
        f.load_texture(t);
        f.load_sampler(s);
        sim::UnitCall call = f.call(instr);
        f.why.clear();
        return f.units.texture(call, &f.why) ? std::string("accepted") : f.why;
    };
    CHECK(refused(good, {}) == "accepted");
    CHECK(refused({.fmt = hw::Format::FMT6_UNSET}, {}) == "accepted");  // all zeros: no texture is bound
    hw::TexConst t = good;
    t.fmt = hw::Format::FMT6_P010;
    CHECK(refused(t, {}) == "texture 0 of the fragment stage: formats of several planes are not executed");
    t = good;
    t.base += 0x10000000;
    CHECK(refused(t, {}).find("level 0, layer 0") != std::string::npos);
    t = good;
    t.type = hw::TexType::A6XX_TEX_3D;
    CHECK(refused(t, {}).find("three coordinates, the instruction two") != std::string::npos);
    hw::TexSamp s;
    s.xy_mag = hw::TexFilter::A6XX_TEX_CUBIC;
    CHECK(refused(good, s).find("cubic") != std::string::npos);
    s = {};
    s.wrap_s = hw::TexClamp::A6XX_TEX_CLAMP_TO_BORDER;
    CHECK(refused(good, s).find("SP_TP_BORDER_COLOR_BASE_ADDR was never written") != std::string::npos);
    f.machine.stages[unsigned(sim::Stage::Fragment)].textures.clear();
    ++f.machine.stages[unsigned(sim::Stage::Fragment)].serial;
    f.units.set_stage(sim::Stage::Fragment);
    sim::UnitCall call = f.call(instr);
    CHECK(!f.units.texture(call, &f.why));
    CHECK(f.why == "texture 0 of the fragment stage: 0 were loaded");
}

TEST_CASE("texture: random descriptors and values end without a crash") {
    const char* const kTexts[] = {
        "sam (f32)(xyzw)r0.x, r1.x, s#0, t#0",           "saml.3d (f32)(xyzw)r0.x, r1.x, r2.x, s#0, t#0",
        "isam.a (u32)(xyzw)r0.x, r1.x, s#0, t#0",        "isaml.3d (u32)(xyzw)r0.x, r1.x, r2.x, s#0, t#0",
        "isamm (f32)(xyzw)r0.x, r1.x, s#0, t#0",         "gather4g (f32)(xyzw)r0.x, r1.x, s#0, t#0",
        "getlod (s32)(xyzw)r0.x, r1.x, s#0, t#0",        "getsize (u32)(xyzw)r0.x, r1.x, t#0",
        "ldib.b.typed.3d.u32.4.imm r0.x, r4.x, 0",       "stib.b.typed.2d.f32.4.imm r0.x, r4.x, 0",
        "ldib.b.untyped.1d.u32.4.imm r0.x, r4.x, 0",     "stib.b.untyped.1d.u16.4.imm hr0.x, r4.x, 0",
        "atomic.b.add.typed.2d.u32.1.imm r0.x, r2.x, 0", "atomic.b.max.untyped.1d.s32.1.imm r0.x, r2.x, 0"};
    std::vector<isa::Instr> instructions;
    for (const char* text : kTexts)
        instructions.push_back(test::instruction(text));
    Fixture f;
    uint64_t va = 0;
    f.map(1 << 20, &va);
    unsigned passed = 0;
    const auto next = [&] { return uint32_t(f.random()); };
    sim::StageState& stage = f.machine.stages[unsigned(sim::Stage::Fragment)];
    for (unsigned n = 0; n < 100000; ++n) {
        hw::TexConst d;
        d.fmt = hw::Format(next() % 256);
        d.type = hw::TexType(next() % 5);
        d.tile_mode = next() % 2 ? hw::TileMode::TILE6_LINEAR : hw::TileMode(next() % 2 + 2);
        d.width = next() % (next() % 8 ? 100 : 0x8000), d.height = next() % (next() % 8 ? 100 : 0x8000);
        if (next() % 8 == 0) d.height = d.width;
        d.depth = next() % (next() % 8 ? 4 : 0x2000);
        d.pitch = next() % 16 * 256;
        d.array_pitch = next() % 4 * 4096;
        d.base = va + next() % 0x40000 / 4096 * 4096;
        d.miplvls = next() % 4 ? 0 : next() % 16;
        d.swap = next() % 4 ? hw::ColorSwap::WZYX : hw::ColorSwap(next() % 4);
        d.samples = next() % 4 ? hw::MsaaSamples::MSAA_ONE : hw::MsaaSamples(next() % 4);
        d.flag = next() % 8 == 0;
        d.flag_base = va;
        d.flag_buffer_pitch = 64;
        stage.textures.assign(16, 0);
        hw::pack(d, stage.textures.data());
        if (next() % 4 == 0) stage.textures[next() % 16] ^= 1u << next() % 32;
        stage.images = stage.textures;
        stage.samplers = {next() & 0xfff9ffff, next() & 0xffffff7f, next() & 0x20, 0};
        ++stage.serial;
        f.units.set_stage(sim::Stage::Fragment);
        if (n % 64 == 0) f.units.forget();
        const isa::Instr& instr = instructions[next() % instructions.size()];
        sim::UnitCall call = f.call(instr);
        call.active = sim::LaneMask::first(8);
        for (auto& word : call.in)
            for (unsigned lane = 0; lane < 8; ++lane)
                test::set(word, lane, next() % 3 == 0 ? next() : next() % 3 ? next() % 64 : 0x3f000000);
        f.why.clear();
        const bool good =
            instr.info().category == 5 ? f.units.texture(call, &f.why) : f.units.image(call, &f.why);
        if (good)
            ++passed;
        else
            REQUIRE(!f.why.empty());
    }
    CHECK(passed > 5000);
}

}  // namespace terrazzo::adreno
