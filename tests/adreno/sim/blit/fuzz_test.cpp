// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Damaged registers lead to a fault at most. Images are small, so that most valid blits are quick.
#include "drivers/adreno/sim/blit/event.h"
#include "tests/adreno/sim/blit/engine_fixture.h"

namespace terrazzo::adreno {
namespace {

using pipe::Format;
using pipe::Tiling;
using test::BlitImage;
using test::EngineFixture;

constexpr unsigned kRuns = 100'000;

struct FuzzFixture : EngineFixture {
    std::vector<BlitImage> images;
    unsigned passed = 0;

    FuzzFixture() {
        machine.gmem.resize(64 * 1024);
        for (const Format f : {Format::R8G8B8A8_UNORM, Format::R8_UNORM, Format::R16G16B16A16_FLOAT})
            for (const Tiling t : {Tiling::Linear, Tiling::Macrotiled})
                images.push_back(image(f, 48, 40, t));
        images.push_back(image(Format::R8G8B8A8_UNORM, 48, 40, Tiling::Macrotiled, true));
    }
    uint32_t pick() { return uint32_t(random()); }
    const BlitImage& any() { return images[pick() % images.size()]; }
    // One to three of the registers lose bits, get random bits, or are forgotten.
    void damage(const std::vector<uint16_t>& registers) {
        for (unsigned n = pick() % 3 + 1; n-- > 0;) {
            const uint16_t reg = registers[pick() % registers.size()];
            const uint32_t old = machine.registers.value(reg);
            const uint32_t kinds[] = {old ^ 1u << pick() % 32, pick(), old + 1, old << 1, 0xffffffffu};
            machine.registers.write(reg, kinds[pick() % 5]);
        }
    }
};

std::vector<uint16_t> range(uint16_t first, uint16_t last) {
    std::vector<uint16_t> r;
    for (uint16_t reg = first; reg <= last; ++reg)
        r.push_back(reg);
    return r;
}

TEST_CASE_FIXTURE(FuzzFixture, "adreno BLIT events: damaged registers fault at most") {
    const std::vector<uint16_t> registers =
        range(hw::RB_BLIT_SCISSOR_TL::kRegister, hw::RB_BLIT_INFO::kRegister);
    for (unsigned i = 0; i < kRuns; ++i) {
        machine.registers.forget();
        const BlitImage& t = any();
        set(hw::RB_BIN_CONTROL2{.binw = 32, .binh = 16});
        set(hw::RB_WINDOW_OFFSET2{.value = {.x = pick() % 2 * 32, .y = pick() % 2 * 16}});
        set(hw::RB_BLIT_SCISSOR_TL{});
        set(hw::RB_BLIT_SCISSOR_BR{.value = {.x = 47, .y = 39}});
        set(hw::RB_BLIT_BASE_GMEM{.value = 0x2000});
        set(hw::RB_BLIT_GMEM_MSAA_CNTL{.samples = hw::MsaaSamples(pick() % 3)});
        set(hw::RB_BLIT_DST_INFO{.tile_mode = t.tile_mode(),
                                 .flags = t.layout.ubwc.enabled,
                                 .color_format = target_format(t.layout.surface.format)});
        set(hw::RB_BLIT_DST{.value = t.image_va()});
        set(hw::RB_BLIT_DST_PITCH{.value = t.pitch_B()});
        set(hw::RB_BLIT_FLAG_DST{.value = t.flags_va()});
        set(hw::RB_BLIT_FLAG_DST_PITCH{.pitch = t.flags_pitch_B()});
        for (unsigned w = 0; w < 4; ++w)
            machine.registers.write(uint16_t(hw::RB_BLIT_CLEAR_COLOR_DW0::kRegister + w), pick());
        set(hw::RB_BLIT_INFO{
            .type = hw::BlitEventType(pick() % 4), .sample_0 = pick() % 2 == 0, .clear_mask = pick() % 16});
        damage(registers);
        fault = {};
        if (sim::blit_event(machine, &fault))
            ++passed;
        else if (fault.report.empty())
            FAIL("a fault without a report");
    }
    CHECK(passed > kRuns / 10);
    CHECK(passed < kRuns);
}

TEST_CASE_FIXTURE(FuzzFixture, "adreno 2D blits: damaged registers fault at most") {
    std::vector<uint16_t> registers = range(0x8400, 0x840b);
    for (const auto& more : {range(0x8c00, 0x8c01), range(0x8c17, 0x8c25), range(0x8c2c, 0x8c2f),
                             range(0xb4c0, 0xb4cc), range(0xb4d1, 0xb4d1), range(0xacc0, 0xacc0)})
        registers.insert(registers.end(), more.begin(), more.end());
    for (unsigned i = 0; i < kRuns; ++i) {
        machine.registers.forget();
        const BlitImage& dst = any();
        const BlitImage& src = any();
        const hw::Rotation rotations[] = {hw::Rotation::ROTATE_0, hw::Rotation::ROTATE_180,
                                          hw::Rotation::ROTATE_HFLIP, hw::Rotation::ROTATE_VFLIP};
        target(dst, rotations[pick() % 4], pick() % 3 == 0, pick() % 2 == 0);
        source(src, pick() % 4 == 0);
        if (pick() % 4 == 0) {
            set(hw::SP_PS_2D_SRC_INFO{.value = {.color_format = hw::Format::FMT6_8_8_8_8_UNORM,
                                                .tile_mode = hw::TileMode::TILE6_2,
                                                .samples = hw::MsaaSamples(pick() % 4),
                                                .samples_average = true}});
            set(hw::SP_PS_2D_SRC{.value = sim::gmem_base_va(chip)});
        }
        set(hw::SP_WINDOW_OFFSET{});
        solid(pick(), pick(), pick(), pick());
        from(0, 0, int32_t(pick() % 48) + 1, int32_t(pick() % 40) + 1);
        to(0, 0, pick() % 48 + 1, pick() % 40 + 1);
        clip(0, 0, 32, 16);
        damage(registers);
        if (run())
            ++passed;
        else if (fault.report.empty())
            FAIL("a fault without a report");
    }
    CHECK(passed > kRuns / 10);
    CHECK(passed < kRuns);
}

}  // namespace
}  // namespace terrazzo::adreno
