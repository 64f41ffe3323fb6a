// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// LRZ: what it hides, what triangles write, and its cache.
#include <random>

#include "tests/adreno/sim/pixel/fixture.h"

namespace terrazzo::adreno::sim::testing {
namespace {

constexpr std::array<float, 4> kRed{1, 0, 0, 1}, kGreen{0, 1, 0, 1};
constexpr uint32_t kRed_rgba8 = 0xff0000ff, kGreen_rgba8 = 0xff00ff00;
constexpr uint32_t kPitch = 32;  // blocks

struct LrzFixture : PixelFixture {
    static constexpr uint64_t kLrz_va = 0x40000000;
    uint8_t* lrz = nullptr;

    explicit LrzFixture(hw::CompareFunc func = hw::CompareFunc::FUNC_LESS, bool writes = true,
                        const char* chip = "adreno-630")
        : PixelFixture(chip) {
        lrz = host.memory.map(kLrz_va, 1 << 16);
        const bool greater = func == hw::CompareFunc::FUNC_GREATER;
        // The image's depth does not hide anything: it has the value of a clear.
        depth_buffer(hw::DepthFormat::DEPTH6_24_8, 4);
        std::memset(depth, greater ? 0 : 0xff, 1 << 20);
        fill(greater ? 0 : 0xffff);
        set(hw::RB_DEPTH_CNTL{
            .z_test_enable = true, .z_write_enable = true, .zfunc = func, .z_read_enable = true});
        set(hw::GRAS_LRZ_CNTL{
            .enable = true, .lrz_write = writes, .greater = greater, .z_test_enable = true});
        set(hw::RB_LRZ_CNTL{true});
        set(hw::GRAS_LRZ_BUFFER_BASE{kLrz_va});
        set(hw::GRAS_LRZ_BUFFER_PITCH{.pitch = kPitch});
    }
    void fill(uint16_t value) {
        for (unsigned i = 0; i < kPitch * 32; ++i)
            std::memcpy(lrz + 2 * i, &value, 2);
    }
    uint16_t block(unsigned x, unsigned y) const {
        uint16_t v;
        std::memcpy(&v, lrz + 2 * (y * kPitch + x), 2);
        return v;
    }
    void set_block(unsigned x, unsigned y, uint16_t v) { std::memcpy(lrz + 2 * (y * kPitch + x), &v, 2); }
};

TEST_CASE("lrz: blocks that a triangle covers get its farthest depth; others do not change") {
    LrzFixture f;
    f.rectangle(4, 0, 64, 32, kRed, 0.25f);
    f.draw();
    CHECK(f.block(0, 0) == 0xffff);  // only half of it is covered
    CHECK(f.block(2, 0) == 16384);
    CHECK(f.block(8, 0) == 0xffff);
    CHECK(f.block(6, 3) == 16384);
    CHECK(f.block(1, 4) == 0xffff);
    // Blocks on the diagonal are covered by two triangles together, but by neither alone: some do not change.
    unsigned written = 0;
    for (unsigned y = 0; y < 4; ++y)
        for (unsigned x = 1; x < 8; ++x)
            written += f.block(x, y) == 16384;
    CHECK(written >= 16);
    CHECK(written < 28);
}

TEST_CASE("lrz: fragments that are farther than a block are not drawn, in either direction; equal ones are") {
    for (const auto func : {hw::CompareFunc::FUNC_LESS, hw::CompareFunc::FUNC_GREATER}) {
        LrzFixture f(func, false);
        const bool greater = func == hw::CompareFunc::FUNC_GREATER;
        f.set_block(1, 1, 32768);
        f.rectangle(0, 0, 32, 32, kGreen, greater ? 0.25f : 0.75f);
        f.rectangle(0, 64, 32, 96, kRed, 0.5f);
        f.set_block(1, 9, 32767);
        f.draw();
        CHECK(f.pixel(0, 0) == kGreen_rgba8);
        CHECK(f.pixel(7, 8) == kGreen_rgba8);
        CHECK(f.pixel(8, 8) == 0);
        CHECK(f.pixel(15, 15) == 0);
        CHECK(f.pixel(16, 15) == kGreen_rgba8);
        CHECK(f.pixel(8, 72) == kRed_rgba8);  // half a step of the format hides nothing
        CHECK(f.machine.samples_passed == 2 * 32 * 32 - 64);
    }
}

TEST_CASE(
    "lrz: tiles test and do not write; a completely hidden primitive of a binning pass is not visible") {
    LrzFixture f;
    f.machine.mode = RenderMode::Binning;
    f.rectangle(0, 0, 64, 64, kRed, 0.5f);
    f.rectangle(16, 16, 48, 48, kGreen, 0.75f);
    f.rectangle(40, 40, 72, 72, kGreen, 0.75f);
    std::vector<bool> seen;
    f.engine.begin_draw({});
    for (const DrawnPrimitive& p : f.drawn.primitives) {
        bool one = false;
        REQUIRE(f.engine.lrz().test(p, &one, &f.fault));
        seen.push_back(one);
    }
    REQUIRE(seen.size() == 6);
    CHECK(seen[0]);
    CHECK(seen[1]);
    CHECK(f.block(1, 2) == 32768);
    CHECK((seen[4] || seen[5]));
    // Of the hidden square, only triangles on the diagonal's blocks may be visible.
    f.machine.mode = RenderMode::Gmem;
    f.bin(0, 0, 64, 64);
    f.rectangle(0, 0, 64, 64, kRed, 0.125f);
    f.draw();
    CHECK(f.block(1, 2) == 32768);
}

TEST_CASE(
    "lrz: with several samples a block has fewer pixels; it is covered if all its sample positions are") {
    for (const auto& block : {std::tuple(hw::MsaaSamples::MSAA_ONE, 8u, 8u),
                              {hw::MsaaSamples::MSAA_TWO, 8u, 4u},
                              {hw::MsaaSamples::MSAA_FOUR, 4u, 4u}}) {
        const hw::MsaaSamples samples = std::get<0>(block);
        const unsigned w = std::get<1>(block), h = std::get<2>(block);
        CAPTURE(w);
        CAPTURE(h);
        LrzFixture f;
        f.machine.mode = RenderMode::Binning;
        f.multisample(samples);
        const bool several = samples != hw::MsaaSamples::MSAA_ONE;
        // The pixel centres of the first column are covered, but not all of their samples.
        f.rectangle(0.25f, 0, 64, 64, kRed, 0.5f);
        f.engine.begin_draw({});
        for (const DrawnPrimitive& p : f.drawn.primitives) {
            bool seen = false;
            REQUIRE(f.engine.lrz().test(p, &seen, &f.fault));
            CHECK(seen);
        }
        CHECK(f.block(64 / w - 1, 64 / h - 2) == 32768);
        CHECK(f.block(1, 1) == 32768);
        CHECK(f.block(64 / w, 1) == 0xffff);
        CHECK(f.block(1, 64 / h) == 0xffff);
        CHECK(f.block(0, 1) == (several ? 0xffff : 32768));
    }
}

TEST_CASE(
    "lrz: after a fast clear blocks hide nothing, with any content of memory, until one of their group is "
    "written") {
    LrzFixture f(hw::CompareFunc::FUNC_LESS, true, "adreno-650");
    constexpr uint32_t kBits_B = 0x4000;
    f.fill(0);
    std::memset(f.lrz + kBits_B, 0xff, 512);
    f.set(hw::GRAS_LRZ_CNTL{.enable = true, .lrz_write = true, .fc_enable = true, .z_test_enable = true});
    f.set(hw::GRAS_LRZ_FAST_CLEAR_BUFFER_BASE{LrzFixture::kLrz_va + kBits_B});
    f.rectangle(0, 0, 64, 64, kRed, 0.5f);
    f.draw();
    CHECK(f.pixel(9, 9) == 0);
    REQUIRE(f.engine.lrz().clear(&f.fault));
    CHECK(std::all_of(f.lrz + kBits_B, f.lrz + kBits_B + 512, [](uint8_t b) { return b == 0; }));
    f.draw();
    CHECK(f.pixel(9, 9) == kRed_rgba8);
    CHECK(f.block(1, 1) == 32768);
    CHECK(f.block(15, 3) == 0xffff);  // in the same group
    CHECK(f.block(16, 0) == 0);       // in another group
    CHECK(f.lrz[kBits_B] == 0b101);   // groups of rows 0 to 3, and 4 to 7
    f.clear();
    std::memset(f.depth, 0xff, 1 << 20);
    f.rectangle(0, 0, 64, 64, kGreen, 0.75f);
    f.draw();
    CHECK(f.pixel(9, 9) == kRed_rgba8);
    f.set(hw::GRAS_LRZ_FAST_CLEAR_BUFFER_BASE{});
    CHECK(!f.run());
    CHECK(f.fault.report.find("there is no buffer for it") != std::string::npos);
    LrzFixture old;
    old.set(hw::GRAS_LRZ_CNTL{.enable = true, .fc_enable = true, .z_test_enable = true});
    old.rectangle(0, 0, 32, 32, kRed, 0.5f);
    CHECK(!old.run());
    CHECK(old.fault.report.find("no fast clears") != std::string::npos);
}

TEST_CASE("lrz: areas on several threads have the blocks and pixels of one thread, with fast clears, too") {
    for (const bool fast : {false, true}) {
        std::vector<uint8_t> blocks, pixels;
        for (unsigned pass = 0; pass < 9; ++pass) {
            CAPTURE(pass);
            LrzFixture f(hw::CompareFunc::FUNC_LESS, true, "adreno-650");
            f.machine.threads = pass ? 4 : 1;
            if (fast) {
                constexpr uint32_t kBits_B = 0x4000;
                f.fill(0);
                f.set(hw::GRAS_LRZ_CNTL{
                    .enable = true, .lrz_write = true, .fc_enable = true, .z_test_enable = true});
                f.set(hw::GRAS_LRZ_FAST_CLEAR_BUFFER_BASE{LrzFixture::kLrz_va + kBits_B});
                REQUIRE(f.engine.lrz().clear(&f.fault));
            }
            std::minstd_rand random(3);
            const auto upto = [&](unsigned n) { return float(random() % n); };
            // More than a part that a thread sets up, of all sizes.
            for (unsigned n = 0; n < 700; ++n) {
                const float size = n % 7 ? 20 : 90;
                const float x = upto(110), y = upto(80), z = upto(1000) / 1000;
                f.triangle({{x, y, z, 1, kRed},
                            {x + upto(unsigned(size)) + 9, y, z, 1, n % 2 ? kRed : kGreen},
                            {x, y + upto(unsigned(size)) + 9, z * 0.5f, 1, kGreen}});
            }
            f.draw();
            CHECK((f.machine.pool != nullptr) == (pass != 0));
            if (!pass) {
                blocks.assign(f.lrz, f.lrz + (1 << 16));
                pixels.assign(f.color, f.color + (1 << 20));
                CHECK(f.block(5, 5) != 0xffff);
                CHECK(f.machine.samples_passed > 5000);
            }
            CHECK(std::equal(blocks.begin(), blocks.end(), f.lrz));
            CHECK(std::equal(pixels.begin(), pixels.end(), f.color));
        }
    }
}

TEST_CASE("lrz: off where registers say so or it is not modelled; contradictions are faults") {
    {
        LrzFixture f;
        f.fill(0);
        f.set(hw::GRAS_LRZ_CNTL{});
        f.rectangle(0, 0, 32, 32, kRed, 0.5f);
        f.draw();
        CHECK(f.pixel(9, 9) == kRed_rgba8);
    }
    {
        LrzFixture f;
        f.set(hw::RB_LRZ_CNTL{});
        f.rectangle(0, 0, 32, 32, kRed, 0.5f);
        CHECK(!f.run());
        CHECK(f.fault.report.find("differ in `enable`") != std::string::npos);
    }
    {
        LrzFixture f;
        f.set(hw::GRAS_LRZ_CNTL{.enable = true, .greater = true, .z_test_enable = true});
        f.rectangle(0, 0, 32, 32, kRed, 0.5f);
        CHECK(!f.run());
        CHECK(f.fault.report.find("another direction") != std::string::npos);
    }
    for (const uint64_t odd : {1, 128}) {
        LrzFixture f;
        f.set(hw::GRAS_LRZ_BUFFER_BASE{LrzFixture::kLrz_va + odd});
        f.rectangle(0, 0, 32, 32, kRed, 0.5f);
        CHECK(!f.run());
        CHECK(f.fault.report.find("not a multiple of 256") != std::string::npos);
    }
}

TEST_CASE(
    "lrz: its cache must be flushed before another buffer is used, and after the 2D engine wrote this one") {
    LrzFixture f;
    f.rectangle(0, 0, 32, 32, kRed, 0.5f);
    CHECK(f.run());
    f.set(hw::GRAS_LRZ_BUFFER_BASE{LrzFixture::kLrz_va + 0x1000});
    CHECK(!f.run());
    CHECK(f.fault.report.find("LRZ_FLUSH") != std::string::npos);
    f.engine.lrz().flush();
    CHECK(f.run());
    CHECK(!f.engine.lrz().wrote(LrzFixture::kLrz_va + 0x1000, &f.fault));
    CHECK(f.fault.report.find("the 2D engine writes where LRZ's cache holds what draws wrote") !=
          std::string::npos);
    CHECK(!f.run());
    f.engine.lrz().flush();
    CHECK(f.run());
}

TEST_CASE("lrz: its cache must be flushed before a submit's first use and before its end") {
    LrzFixture f;
    f.engine.lrz().begin_submit();
    CHECK(f.engine.lrz().end_submit(&f.fault));
    f.rectangle(0, 0, 32, 32, kRed, 0.5f);
    CHECK(!f.run());
    CHECK(f.fault.report.find("blocks from before the submit") != std::string::npos);
    f.engine.lrz().flush();
    CHECK(f.run());
    CHECK(!f.engine.lrz().end_submit(&f.fault));
    f.engine.lrz().flush();
    CHECK(f.engine.lrz().end_submit(&f.fault));
    // A draw that only tests leaves nothing in the cache.
    f.set(hw::GRAS_LRZ_CNTL{.enable = true, .z_test_enable = true});
    CHECK(f.run());
    CHECK(f.engine.lrz().end_submit(&f.fault));
}

}  // namespace
}  // namespace terrazzo::adreno::sim::testing
