// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// BLIT events through their registers, compared with the pixels that pipe/layout finds in memory.
#include "drivers/adreno/sim/blit/event.h"

#include "tests/adreno/sim/blit/blit_fixture.h"

namespace terrazzo::adreno {
namespace {

using hw::BlitEventType;
using test::BlitImage;

// A bin with 64x32 pixels at (64, 32) in a frame buffer with 112x60, and its GMEM at 0x2000.
constexpr uint32_t kBinW_px = 64, kBinH_px = 32, kX_px = 64, kY_px = 32, kBase_B = 0x2000;
constexpr uint32_t kW_px = 112, kH_px = 60;

struct EventFixture : test::BlitFixture {
    uint32_t samples = 1;

    void bin(hw::MsaaSamples s = hw::MsaaSamples::MSAA_ONE) {
        samples = 1u << unsigned(s);
        set(hw::RB_BIN_CONTROL2{.binw = kBinW_px, .binh = kBinH_px});
        set(hw::RB_WINDOW_OFFSET2{.value = {.x = kX_px, .y = kY_px}});
        set(hw::RB_BLIT_SCISSOR_TL{});
        set(hw::RB_BLIT_SCISSOR_BR{.value = {.x = kW_px - 1, .y = kH_px - 1}});
        set(hw::RB_BLIT_BASE_GMEM{.value = kBase_B});
        set(hw::RB_BLIT_GMEM_MSAA_CNTL{.samples = s});
    }
    void target(const BlitImage& t, hw::Format format, hw::ColorSwap swap = hw::ColorSwap::WZYX) {
        set(hw::RB_BLIT_DST_INFO{.tile_mode = t.tile_mode(),
                                 .flags = t.layout.ubwc.enabled,
                                 .color_swap = swap,
                                 .color_format = format});
        set(hw::RB_BLIT_DST{.value = t.image_va()});
        set(hw::RB_BLIT_DST_PITCH{.value = t.pitch_B()});
        if (!t.layout.ubwc.enabled) return;
        set(hw::RB_BLIT_FLAG_DST{.value = t.flags_va()});
        set(hw::RB_BLIT_FLAG_DST_PITCH{.pitch = t.flags_pitch_B()});
    }
    bool run(BlitEventType type, bool sample_0 = false, uint32_t mask = 0, bool depth = false) {
        set(hw::RB_BLIT_INFO{.type = type, .sample_0 = sample_0, .depth = depth, .clear_mask = mask});
        fault = {};
        return sim::blit_event(machine, &fault);
    }
    // The first sample of the bin's pixel.
    uint8_t* gmem(uint32_t x, uint32_t y, uint32_t pixel_B) {
        return &machine.gmem[kBase_B + (size_t(y) * kBinW_px + x) * pixel_B * samples];
    }
    void fill_gmem() {
        for (uint8_t& b : machine.gmem)
            b = uint8_t(random());
    }
};

const struct {
    pipe::Format format;
    hw::Format hw_format;
    hw::ColorSwap swap;
} kFormats[] = {
    {pipe::Format::R8_UNORM, hw::Format::FMT6_8_UNORM, hw::ColorSwap::WZYX},
    {pipe::Format::R8G8_UNORM, hw::Format::FMT6_8_8_UNORM, hw::ColorSwap::WZYX},
    {pipe::Format::R8G8B8A8_UNORM, hw::Format::FMT6_8_8_8_8_UNORM, hw::ColorSwap::WZYX},
    {pipe::Format::R16G16B16A16_FLOAT, hw::Format::FMT6_16_16_16_16_FLOAT, hw::ColorSwap::WZYX},
    {pipe::Format::R32G32B32A32_UINT, hw::Format::FMT6_32_32_32_32_UINT, hw::ColorSwap::WZYX},
    {pipe::Format::D24_UNORM_S8_UINT, hw::Format::FMT6_Z24_UNORM_S8_UINT, hw::ColorSwap::WZYX},
};

TEST_CASE_FIXTURE(EventFixture, "adreno BLIT events: stores and loads of a bin, and of nothing else") {
    bin();
    for (const auto& f : kFormats)
        for (const int kind : {0, 1, 2}) {
            CAPTURE(pipe::format_name(f.format));
            CAPTURE(kind);
            const bool ubwc = kind == 2;
            if (ubwc && !hw::format_row(f.format)->has_ubwc(chip.generation, 1)) continue;
            const BlitImage t =
                image(f.format, kW_px, kH_px, kind ? pipe::Tiling::Macrotiled : pipe::Tiling::Linear, ubwc);
            const std::vector<uint8_t> before = noise(t.row_B() * kH_px);
            t.put(before);
            const uint32_t pixel_B = t.layout.surface.block_B;
            target(t, f.hw_format);
            fill_gmem();
            const std::vector<uint8_t> tile = machine.gmem;
            CHECK(run(BlitEventType::BLIT_EVENT_STORE));
            CHECK(fault.report == "");
            std::vector<uint8_t> want = before;
            for (uint32_t y = kY_px; y < kH_px; ++y)
                std::memcpy(&want[y * t.row_B() + kX_px * pixel_B], gmem(0, y - kY_px, pixel_B),
                            size_t(kW_px - kX_px) * pixel_B);
            CHECK(t.pixels() == want);
            CHECK(machine.gmem == tile);
            // The same in the other direction.
            std::fill(machine.gmem.begin(), machine.gmem.end(), uint8_t(0x55));
            CHECK(run(BlitEventType::BLIT_EVENT_LOAD));
            std::vector<uint8_t> loaded(machine.gmem.size(), 0x55);
            for (uint32_t y = 0; y < kH_px - kY_px; ++y) {
                const size_t at = size_t(gmem(0, y, pixel_B) - machine.gmem.data());
                std::memcpy(&loaded[at], &tile[at], size_t(kW_px - kX_px) * pixel_B);
            }
            CHECK(machine.gmem == loaded);
        }
}

TEST_CASE_FIXTURE(EventFixture, "adreno BLIT events: linear images can have another order of channels") {
    bin();
    const BlitImage t = image(pipe::Format::B8G8R8A8_UNORM, kW_px, kH_px, pipe::Tiling::Linear);
    target(t, hw::Format::FMT6_8_8_8_8_UNORM, hw::ColorSwap::WXYZ);
    const uint8_t rgba[4] = {1, 2, 3, 4}, bgra[4] = {3, 2, 1, 4};
    std::memcpy(gmem(0, 0, 4), rgba, 4);
    CHECK(run(BlitEventType::BLIT_EVENT_STORE));
    CHECK(std::memcmp(&t.pixels()[kY_px * t.row_B() + kX_px * 4], bgra, 4) == 0);
    // A tiled image ignores it.
    const BlitImage tiled = image(pipe::Format::R8G8B8A8_UNORM, kW_px, kH_px, pipe::Tiling::Macrotiled);
    target(tiled, hw::Format::FMT6_8_8_8_8_UNORM, hw::ColorSwap::WXYZ);
    CHECK(run(BlitEventType::BLIT_EVENT_STORE));
    CHECK(std::memcmp(&tiled.pixels()[kY_px * t.row_B() + kX_px * 4], rgba, 4) == 0);
}

TEST_CASE_FIXTURE(EventFixture, "adreno BLIT events: resolves take the mean or the first sample") {
    bin(hw::MsaaSamples::MSAA_FOUR);
    const BlitImage t = image(pipe::Format::R8G8B8A8_UNORM, kW_px, kH_px, pipe::Tiling::Macrotiled, true);
    target(t, hw::Format::FMT6_8_8_8_8_UNORM);
    fill_gmem();
    for (const bool first : {false, true}) {
        CHECK(run(BlitEventType::BLIT_EVENT_STORE, first));
        CHECK(fault.report == "");
        const std::vector<uint8_t> p = t.pixels();
        for (uint32_t y = kY_px; y < kH_px; ++y)
            for (uint32_t x = kX_px; x < kW_px; ++x)
                for (uint32_t c = 0; c < 4; ++c) {
                    const uint8_t* const s = gmem(x - kX_px, y - kY_px, 4) + c;
                    const uint32_t mean = (s[0] + s[4] + s[8] + s[12] + 2u) / 4;
                    if (p[y * t.row_B() + x * 4 + c] != (first ? s[0] : mean)) FAIL(x, ", ", y, ", ", c);
                }
    }
    // In the other direction all samples get the pixel.
    CHECK(run(BlitEventType::BLIT_EVENT_LOAD));
    for (uint32_t s = 0; s < 4; ++s)
        CHECK(std::memcmp(gmem(5, 6, 4) + s * 4, &t.pixels()[(kY_px + 6) * t.row_B() + (kX_px + 5) * 4], 4) ==
              0);
    // The channels of small formats have an order by their numbers.
    const BlitImage small = image(pipe::Format::B5G6R5_UNORM, kW_px, kH_px, pipe::Tiling::Macrotiled);
    target(small, hw::Format::FMT6_5_6_5_UNORM);
    const uint16_t samples_of_one[4] = {0x001f, 0x001f, 0,
                                        0};  // R, which is in the low bits in GMEM: 31, 31, 0, 0
    std::memcpy(gmem(0, 0, 2), samples_of_one, 8);
    CHECK(run(BlitEventType::BLIT_EVENT_STORE));
    uint16_t pixel;
    std::memcpy(&pixel, &small.pixels()[kY_px * small.row_B() + kX_px * 2], 2);
    CHECK(pixel == 16u << 11);
}

TEST_CASE_FIXTURE(EventFixture, "adreno BLIT events: clears, by components, depth and stencil") {
    bin(hw::MsaaSamples::MSAA_TWO);
    set(hw::RB_BLIT_SCISSOR_TL{.value = {.x = 67, .y = 40}});
    const auto clear = [&](hw::Format format, uint32_t value, uint32_t mask, bool depth) {
        std::fill(machine.gmem.begin(), machine.gmem.end(), uint8_t(0x11));
        set(hw::RB_BLIT_DST_INFO{.color_format = format});
        machine.registers.write(hw::RB_BLIT_CLEAR_COLOR_DW0::kRegister, value);
        REQUIRE(run(BlitEventType::BLIT_EVENT_CLEAR, false, mask, depth));
        // Inside and outside the cleared part.
        const uint32_t pixel_B = format == hw::Format::FMT6_16_UNORM ? 2 : 4;
        CHECK(*gmem(2, 8, pixel_B) == 0x11);
        CHECK(*gmem(3, 7, pixel_B) == 0x11);
        uint32_t v = 0, second = 0;
        std::memcpy(&v, gmem(3, 8, pixel_B), pixel_B);
        std::memcpy(&second, gmem(3, 8, pixel_B) + pixel_B, pixel_B);
        CHECK(v == second);
        return v;
    };
    using F = hw::Format;
    CHECK(clear(F::FMT6_8_8_8_8_UNORM, 0xaabbccdd, 0xf, false) == 0xaabbccdd);
    CHECK(clear(F::FMT6_8_8_8_8_UNORM, 0xaabbccdd, 0x5, false) == 0x11bb11dd);
    CHECK(clear(F::FMT6_10_10_10_2_UNORM_DEST, 0xffffffff, 0x8, false) == 0xd1111111);
    CHECK(clear(F::FMT6_Z24_UNORM_S8_UINT, 0xaabbccdd, 1, true) == 0x11bbccdd);
    CHECK(clear(F::FMT6_Z24_UNORM_S8_UINT, 0xaabbccdd, 2, true) == 0xaa111111);
    CHECK(clear(F::FMT6_Z24_UNORM_S8_UINT, 0xaabbccdd, 3, true) == 0xaabbccdd);
    CHECK(clear(F::FMT6_16_UNORM, 0xabcd, 1, true) == 0xabcd);
}

TEST_CASE_FIXTURE(EventFixture, "adreno BLIT events: faults name the register") {
    const BlitImage t = image(pipe::Format::R8G8B8A8_UNORM, kW_px, kH_px, pipe::Tiling::Macrotiled);
    const auto report = [&](bool ok) {
        CHECK_FALSE(ok);
        return fault.report;
    };
    target(t, hw::Format::FMT6_8_8_8_8_UNORM);
    CHECK(report(run(BlitEventType::BLIT_EVENT_STORE)) == "register RB_BIN_CONTROL2 was never written");
    bin(hw::MsaaSamples::MSAA_FOUR);
    CHECK(report(run(BlitEventType::BLIT_EVENT_CLEAR, false, 15)) ==
          "BLIT event: register RB_BLIT_CLEAR_COLOR_DW0 was never written");
    set(hw::RB_BLIT_SCISSOR_BR{.value = {.x = kW_px - 2, .y = kH_px - 1}});
    CHECK(report(run(BlitEventType::BLIT_EVENT_STORE)) ==
          "BLIT event: RB_BLIT_SCISSOR_TL and _BR: not whole pieces of 16x4 pixels");
    bin(hw::MsaaSamples::MSAA_FOUR);
    target(t, hw::Format::FMT6_8_8_8_8_SNORM);
    CHECK(report(run(BlitEventType::BLIT_EVENT_STORE)) ==
          "BLIT event: RB_BLIT_DST_INFO: the mean of R8G8B8A8_SNORM");
    set(hw::RB_BLIT_DST_PITCH{.value = 64});
    CHECK(report(run(BlitEventType::BLIT_EVENT_STORE)) ==
          "BLIT event: RB_BLIT_DST_INFO: the pitch of 64 bytes is no multiple of 256");
    target(t, hw::Format::FMT6_8_8_8_8_UNORM);
    set(hw::RB_BLIT_DST{.value = 0x40});
    CHECK(report(run(BlitEventType::BLIT_EVENT_STORE)).find("write to 4 bytes at 0x") != std::string::npos);
    CHECK(fault.kind == sim::FaultKind::Memory);
    set(hw::RB_BLIT_BASE_GMEM{.value = 0xfffff000});
    CHECK(report(run(BlitEventType::BLIT_EVENT_LOAD)).find("of GMEM, which has 1048576") !=
          std::string::npos);
}

}  // namespace
}  // namespace terrazzo::adreno
