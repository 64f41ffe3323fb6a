// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The 2D engine's copies, conversions and scaling, through its registers.
#include <cmath>

#include "tests/adreno/sim/blit/engine_fixture.h"

namespace terrazzo::adreno {
namespace {

using pipe::Format;
using pipe::Tiling;
using test::BlitImage;
using test::EngineFixture;

// `pixel(x, y)` inside the copied part, the old content elsewhere.
template <class Pixel>
void check_pixels(const BlitImage& t, const std::vector<uint8_t>& before, Pixel&& pixel) {
    const std::vector<uint8_t> after = t.pixels();
    const size_t pixel_B = t.layout.surface.block_B;
    for (int32_t y = 0; y < int32_t(t.h_px); ++y)
        for (int32_t x = 0; x < int32_t(t.w_px); ++x) {
            const uint8_t* const want = pixel(x, y);
            const size_t at = size_t(y) * t.row_B() + size_t(x) * pixel_B;
            if (std::memcmp(&after[at], want ? want : &before[at], pixel_B) != 0) FAIL("pixel ", x, ", ", y);
        }
}

TEST_CASE_FIXTURE(EngineFixture, "adreno 2D blits: copies of every format between all layouts") {
    unsigned copies = 0;
    for (size_t f = 1; f < pipe::kFormatCount; ++f) {
        const auto format = Format(f);
        const hw::FormatRow* const row = hw::format_row(format);
        hw::Ifmt2d ifmt;
        if (!row || !row->is_target() || !row->is_texture() || !hw::blit_format(row->target, &ifmt)) continue;
        if (pipe::format_info(format).is_vertex_only || format == Format::D32_FLOAT_S8X24_UINT) continue;
        CAPTURE(pipe::format_name(format));
        const bool can_ubwc = row->has_ubwc(chip.generation, 1);
        for (const int from_kind : {0, 1, 2})
            for (const int to_kind : {0, 1, 2}) {
                if ((from_kind == 2 || to_kind == 2) && !can_ubwc) continue;
                CAPTURE(from_kind);
                CAPTURE(to_kind);
                const BlitImage src =
                    image(format, 57, 37, from_kind ? Tiling::Macrotiled : Tiling::Linear, from_kind == 2);
                const BlitImage dst =
                    image(format, 70, 45, to_kind ? Tiling::Macrotiled : Tiling::Linear, to_kind == 2);
                const std::vector<uint8_t> texels = noise(src.row_B() * src.h_px);
                src.put(texels);
                const std::vector<uint8_t> before = noise(dst.row_B() * dst.h_px);
                dst.put(before);
                target(dst);
                source(src);
                from(3, 2, 53, 35);
                to(11, 7, 61, 40);
                REQUIRE(run());
                check_pixels(dst, before, [&](int32_t x, int32_t y) -> const uint8_t* {
                    if (x < 11 || x >= 61 || y < 7 || y >= 40) return nullptr;
                    return &texels[size_t(y - 5) * src.row_B() + size_t(x - 8) * src.layout.surface.block_B];
                });
                ++copies;
            }
    }
    CHECK(copies > 300);
}

TEST_CASE_FIXTURE(EngineFixture, "adreno 2D blits: mirrored, and clipped") {
    const BlitImage src = image(Format::R8G8B8A8_UNORM, 64, 64, Tiling::Macrotiled);
    const BlitImage dst = image(Format::R8G8B8A8_UNORM, 64, 64, Tiling::Linear);
    const std::vector<uint8_t> texels = noise(src.row_B() * 64), before = noise(src.row_B() * 64);
    src.put(texels);
    const struct {
        hw::Rotation rotate;
        bool x, y;
    } kCases[] = {{hw::Rotation::ROTATE_HFLIP, true, false},
                  {hw::Rotation::ROTATE_VFLIP, false, true},
                  {hw::Rotation::ROTATE_180, true, true}};
    for (const auto& c : kCases) {
        dst.put(before);
        target(dst, c.rotate, false, true);
        source(src);
        from(10, 4, 42, 60);
        to(20, 6, 52, 62);
        clip(25, 0, 50, 33);
        REQUIRE(run());
        check_pixels(dst, before, [&](int32_t x, int32_t y) -> const uint8_t* {
            if (x < 25 || x >= 50 || y < 6 || y >= 33) return nullptr;
            const int32_t sx = c.x ? 41 - (x - 20) : x - 10, sy = c.y ? 59 - (y - 6) : y - 2;
            return &texels[size_t(sy) * src.row_B() + size_t(sx) * 4];
        });
    }
}

TEST_CASE_FIXTURE(EngineFixture, "adreno 2D blits: conversions are pipe's") {
    const struct {
        Format from, to;
    } kCases[] = {{Format::R8G8B8A8_UNORM, Format::B5G6R5_UNORM},
                  {Format::B8G8R8A8_UNORM, Format::R8G8B8A8_UNORM},
                  {Format::R8G8B8A8_SRGB, Format::R8G8B8A8_UNORM},
                  {Format::R8G8B8A8_UNORM, Format::R8G8B8A8_SRGB},
                  {Format::R8G8B8A8_UNORM, Format::R16G16B16A16_FLOAT},
                  {Format::R8_UNORM, Format::R32_FLOAT},
                  {Format::R10G10B10A2_UNORM, Format::R8G8B8A8_UNORM},
                  {Format::R32G32B32A32_UINT, Format::R8G8B8A8_UINT},
                  {Format::R16_SINT, Format::R8_SINT}};
    for (const auto& c : kCases) {
        CAPTURE(pipe::format_name(c.from));
        CAPTURE(pipe::format_name(c.to));
        const BlitImage src = image(c.from, 40, 40, Tiling::Linear),
                        dst = image(c.to, 40, 40, Tiling::Linear);
        const std::vector<uint8_t> texels = noise(src.row_B() * 40);
        src.put(texels);
        target(dst);
        source(src);
        from(0, 0, 40, 40);
        to(0, 0, 40, 40);
        REQUIRE(run());
        std::vector<uint8_t> want(dst.row_B() * 40);
        REQUIRE(pipe::convert_rect(c.to, want.data(), ptrdiff_t(dst.row_B()), c.from, texels.data(),
                                   ptrdiff_t(src.row_B()), 40, 40));
        CHECK(dst.pixels() == want);
    }
}

TEST_CASE_FIXTURE(EngineFixture, "adreno 2D blits: scaling reads the nearest pixel or four") {
    const BlitImage src = image(Format::R32G32B32A32_FLOAT, 33, 21, Tiling::Macrotiled);
    std::vector<float> texels(33 * 21 * 4);
    for (float& v : texels)
        v = float(random() % 1000) / 1000.0f;
    std::vector<uint8_t> bytes(texels.size() * 4);
    std::memcpy(bytes.data(), texels.data(), bytes.size());
    src.put(bytes);
    const BlitImage dst = image(Format::R32G32B32A32_FLOAT, 70, 70, Tiling::Macrotiled);
    for (const bool filter : {false, true})
        for (const bool mirror : {false, true}) {
            target(dst, mirror ? hw::Rotation::ROTATE_HFLIP : hw::Rotation::ROTATE_0);
            source(src, filter);
            from(1, 2, 31, 20);
            to(5, 3, 68, 66);
            REQUIRE(run());
            const std::vector<uint8_t> got_bytes = dst.pixels();
            std::vector<float> got(got_bytes.size() / 4);
            std::memcpy(got.data(), got_bytes.data(), got_bytes.size());
            for (int y = 3; y < 66; ++y)
                for (int x = 5; x < 68; ++x) {
                    const double fx = (x - 5 + 0.5) * 30 / 63, fy = 2 + (y - 3 + 0.5) * 18 / 63;
                    const double sx = mirror ? 31 - fx : 1 + fx;
                    const auto texel = [&](double px, double py) {
                        const int ix = std::clamp(int(std::floor(px)), 0, 32),
                                  iy = std::clamp(int(std::floor(py)), 0, 20);
                        return double(texels[size_t(iy * 33 + ix) * 4]);
                    };
                    double want = texel(sx, fy);
                    if (filter) {
                        const double u = sx - 0.5 - std::floor(sx - 0.5), v = fy - 0.5 - std::floor(fy - 0.5);
                        want =
                            (texel(sx - 0.5, fy - 0.5) * (1 - u) + texel(sx + 0.5, fy - 0.5) * u) * (1 - v) +
                            (texel(sx - 0.5, fy + 0.5) * (1 - u) + texel(sx + 0.5, fy + 0.5) * u) * v;
                    }
                    const double is = double(got[size_t(y * 70 + x) * 4]);
                    if (std::abs(is - want) > 1e-4) FAIL(x, ", ", y, ": ", is, " is not ", want);
                }
        }
}

TEST_CASE_FIXTURE(EngineFixture,
                  "adreno 2D blits: means of bytes are exact, and halves are rounded to even") {
    const BlitImage src = image(Format::R8_UNORM, 256, 2, Tiling::Linear),
                    dst = image(Format::R8_UNORM, 128, 1, Tiling::Linear);
    const std::vector<uint8_t> texels = noise(src.row_B() * 2);
    src.put(texels);
    target(dst, hw::Rotation::ROTATE_0);
    source(src, true);
    from(0, 0, 256, 2);
    to(0, 0, 128, 1);
    REQUIRE(run());
    const std::vector<uint8_t> got = dst.pixels();
    for (size_t x = 0; x < 128; ++x) {
        const uint8_t* const top = &texels[2 * x];
        const uint8_t* const bottom = top + src.row_B();
        const unsigned sum = top[0] + top[1] + bottom[0] + bottom[1], whole = sum / 4, rest = sum % 4;
        CHECK(got[x] == whole + (rest == 2 ? whole % 2 : rest / 2));
    }
}

TEST_CASE_FIXTURE(EngineFixture, "adreno 2D blits: a tile of GMEM is resolved as freedreno does") {
    // fd6_resolve_tile: coordinates of the frame buffer, clipped to the tile by the scissor.
    const BlitImage dst = image(Format::R8G8_UNORM, 100, 50, Tiling::Macrotiled);
    const std::vector<uint8_t> before = noise(dst.row_B() * 50);
    dst.put(before);
    constexpr uint32_t kBase_B = 0x3000, kBinW_px = 64, kSamples = 4;
    for (uint8_t& b : machine.gmem)
        b = uint8_t(random());
    target(dst, hw::Rotation::ROTATE_0, false, true);
    from(0, 0, 100, 50);
    to(0, 0, 100, 50);
    clip(64, 16, 100, 32);
    set(hw::SP_WINDOW_OFFSET{.value = {.x = 64, .y = 16}});
    set(hw::SP_PS_2D_SRC_INFO{.value = {.color_format = hw::Format::FMT6_8_8_UNORM,
                                        .tile_mode = hw::TileMode::TILE6_2,
                                        .samples = hw::MsaaSamples::MSAA_FOUR,
                                        .samples_average = true,
                                        .unk20 = true,
                                        .unk22 = true}});
    set(hw::SP_PS_2D_SRC_SIZE{.width = 100, .height = 50});
    set(hw::SP_PS_2D_SRC{.value = sim::gmem_base_va(chip) + kBase_B});
    set(hw::SP_PS_2D_SRC_PITCH{.pitch = kBinW_px * kSamples * 2});
    REQUIRE(run());
    uint8_t pixel[2];
    check_pixels(dst, before, [&](int32_t x, int32_t y) -> const uint8_t* {
        if (x < 64 || y < 16 || y >= 32) return nullptr;
        const uint8_t* const s =
            &machine.gmem[kBase_B + (size_t(y - 16) * kBinW_px + size_t(x - 64)) * kSamples * 2];
        for (int c = 0; c < 2; ++c)
            pixel[c] = uint8_t((s[c] + s[2 + c] + s[4 + c] + s[6 + c] + 2) / 4);
        return pixel;
    });
    clip(0, 0, 100, 32);
    CHECK_FALSE(run());
    CHECK(fault.report == "2D blit: SP_WINDOW_OFFSET: pixels before the bin");
    set(hw::SP_PS_2D_SRC{.value = 0});
    CHECK_FALSE(run());
    CHECK(fault.report == "2D blit: SP_PS_2D_SRC: TILE6_2 is GMEM's, which is not there");
}

TEST_CASE_FIXTURE(EngineFixture, "adreno 2D blits: depth without stencil, and stencil without depth") {
    const BlitImage src = image(Format::D24_UNORM_S8_UINT, 40, 40, Tiling::Macrotiled);
    const BlitImage dst = image(Format::D24_UNORM_S8_UINT, 40, 40, Tiling::Macrotiled);
    const std::vector<uint8_t> texels = noise(src.row_B() * 40), before = noise(src.row_B() * 40);
    src.put(texels);
    for (const bool stencil : {false, true})
        for (const bool solid_fill : {false, true}) {
            dst.put(before);
            target(dst, hw::Rotation::ROTATE_0, solid_fill);
            set(hw::RB_2D_UNKNOWN_8C01{.value = stencil ? 0x00084001u : 0x08000041u});
            source(src);
            solid(1, 2, 3, 4);
            from(0, 0, 40, 40);
            to(0, 0, 40, 40);
            REQUIRE(run());
            uint8_t pixel[4];
            check_pixels(dst, before, [&](int32_t x, int32_t y) -> const uint8_t* {
                const size_t at = size_t(y) * 160 + size_t(x) * 4;
                for (uint8_t c = 0; c < 4; ++c)
                    pixel[c] =
                        (c == 3) == stencil ? (solid_fill ? uint8_t(c + 1) : texels[at + c]) : before[at + c];
                return pixel;
            });
        }
}

TEST_CASE_FIXTURE(EngineFixture, "adreno 2D blits: faults name the register") {
    const BlitImage src = image(Format::R8G8B8A8_UNORM, 40, 40, Tiling::Linear);
    const BlitImage dst = image(Format::R8G8B8A8_UNORM, 40, 40, Tiling::Macrotiled);
    const auto report = [&] {
        CHECK_FALSE(run());
        return fault.report;
    };
    CHECK(report() == "register RB_2D_BLIT_CNTL was never written");
    target(dst);
    to(0, 0, 40, 40);
    CHECK(report() == "register GRAS_2D_SRC_TL_X was never written");
    source(src);
    from(0, 0, 41, 40);
    CHECK(report() == "2D blit: GRAS_2D_SRC_TL and _BR: pixels outside SP_PS_2D_SRC_SIZE");
    from(0, 0, 40, 40);
    CHECK(run());
    set(hw::GRAS_2D_BLIT_CNTL{});
    CHECK(report() == "2D blit: RB_2D_BLIT_CNTL: not what GRAS_2D_BLIT_CNTL has");
    target(dst, hw::Rotation::ROTATE_90);
    CHECK(report() == "2D blit: RB_2D_BLIT_CNTL: a rotation that the model does not know");
    target(dst);
    set(hw::RB_2D_UNKNOWN_8C01{.value = 1});
    CHECK(report() == "2D blit: RB_2D_UNKNOWN_8C01: a value that the model does not know");
    target(dst);
    set(hw::RB_2D_DST_PITCH{.value = 192});
    CHECK(report() == "2D blit: RB_2D_DST_INFO: the pitch of 192 bytes is no multiple of 256");
    target(dst);
    set(hw::SP_PS_2D_SRC_INFO{.value = {.color_format = hw::Format::FMT6_8_8_8_8_UINT}});
    CHECK(report() == "2D blit: SP_PS_2D_SRC_INFO: integers on one side alone");
    source(src);
    set(hw::RB_2D_DST_INFO{.value = {.color_format = hw::Format::FMT6_32_UINT}});
    CHECK(report() == "2D blit: RB_2D_DST_INFO: another format than RB_2D_BLIT_CNTL has");
    hw::Blit2dCntl cntl = {.color_format = hw::Format::FMT6_9_9_9_E5_FLOAT, .mask = 0xf};
    set(hw::RB_2D_BLIT_CNTL{.value = cntl});
    set(hw::GRAS_2D_BLIT_CNTL{.value = cntl});
    CHECK(report() == "2D blit: RB_2D_BLIT_CNTL: the engine has no format 53");
}

}  // namespace
}  // namespace terrazzo::adreno
