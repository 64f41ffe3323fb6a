// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// ETC1, ETC2 and EAC blocks worked out by hand from the spec's description of each mode.
#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "pipe/format.h"

using namespace terrazzo::pipe;

namespace {

struct Texel {
    int r, g, b, a;
    bool operator==(const Texel&) const = default;
};

std::vector<Texel> decode(Format format, std::initializer_list<int> bytes) {
    uint8_t block[16] = {}, rgba[64];
    size_t n = 0;
    for (int b : bytes)
        block[n++] = uint8_t(b);
    REQUIRE(n == format_info(format).block_B);
    REQUIRE(convert_rect(Format::R8G8B8A8_UNORM, rgba, 16, format, block, 16, 4, 4));
    std::vector<Texel> out;
    for (int i = 0; i < 16; ++i)
        out.push_back({rgba[i * 4], rgba[i * 4 + 1], rgba[i * 4 + 2], rgba[i * 4 + 3]});
    return out;
}

}  // namespace

TEST_CASE("etc1: individual mode, two halves next to each other") {
    // Red is 15 and 0, green 8 and 0, blue 0 and 15. The tables are 0 and 7. All indices are 0 (+small).
    const auto t = decode(Format::ETC1_RGB8, {0xf0, 0x80, 0x0f, 0x1c, 0, 0, 0, 0});
    CHECK(t[0] == Texel{255, 138, 2, 255});
    CHECK(t[1] == t[0]);
    CHECK(t[2] == Texel{47, 47, 255, 255});
    CHECK(t[15] == t[2]);
}

TEST_CASE("etc1: differential mode, one half above the other, indices down the columns") {
    // Red is 16 with a difference of -4, green 16, blue 16; the flip bit is set. Pixel (0,1), number 1, has
    // index 3: -large.
    const auto t = decode(Format::ETC1_RGB8, {0x84, 0x80, 0x80, 0x03, 0x00, 0x02, 0x00, 0x02});
    CHECK(t[0] == Texel{134, 134, 134, 255});
    CHECK(t[4] == Texel{124, 124, 124, 255});
    CHECK(t[8] == Texel{101, 134, 134, 255});  // 12 expands to 99
}

TEST_CASE("etc2: planar mode is a plane") {
    // H = (63,0,0), V = (0,127,0). The overflow of blue chooses the mode: bits 47-43 are 0 and bits 42-40 are
    // 110b = -2. Therefore BO (bits 48, 44-43 and 41-39) is 0 00 100b = 4, which expands to 16.
    const auto t = decode(Format::ETC2_RGB8_UNORM, {0x00, 0x00, 0x06, 0x7f, 0x00, 0x00, 0x1f, 0xc0});
    CHECK(t[0].r == 0);
    CHECK(t[0].b == 16);
    CHECK(t[3].r == 191);  // 3 * 255 / 4
    CHECK(t[12].g == 191);
    CHECK(t[15].r == 191);
    CHECK(t[15].g == 191);
}

TEST_CASE("etc2: punch-through alpha") {
    // In this format the differential bit 0 means "not opaque". Pixel 0 has index 2 (MSB 1, LSB 0):
    // transparent black.
    const auto t = decode(Format::ETC2_RGB8A1_UNORM, {0x80, 0x80, 0x80, 0x00, 0x00, 0x01, 0x00, 0x00});
    CHECK(t[0] == Texel{0, 0, 0, 0});
    CHECK(t[1] == Texel{132, 132, 132, 255});  // index 0: no offset
    const auto opaque = decode(Format::ETC2_RGB8A1_UNORM, {0x80, 0x80, 0x80, 0x02, 0x00, 0x01, 0x00, 0x00});
    CHECK(opaque[0] == Texel{130, 130, 130, 255});
}

TEST_CASE("eac: alpha and the 11-bit formats") {
    const auto t = decode(Format::ETC2_RGBA8_UNORM,
                          {100, 0x10, 0x80, 0, 0, 0, 0, 0, 0x80, 0x80, 0x80, 0x02, 0, 0, 0, 0});
    CHECK(t[0].a == 102);  // table 0, index 4: +2; multiplier 1
    CHECK(t[1].a == 97);   // index 0: -3
    float rgba[64];
    const uint8_t r11[8] = {255, 0x00, 0, 0, 0, 0, 0, 0};
    REQUIRE(unpack_rect_f32(Format::EAC_R11_UNORM, rgba, 64, r11, 8, 4, 4));
    CHECK(rgba[0] == 2041.0f / 2047.0f);  // 255 * 8 + 4 - 3
    CHECK(rgba[1] == 0.0f);
    CHECK(rgba[3] == 1.0f);
    const uint8_t rg[16] = {0x80, 0x10, 0, 0, 0, 0, 0, 0, 127, 0x10, 0, 0, 0, 0, 0, 0};
    REQUIRE(unpack_rect_f32(Format::EAC_R11G11_SNORM, rgba, 64, rg, 16, 4, 4));
    CHECK(rgba[0] == -1.0f);             // -128 counts as -127; -1016 - 24 clamps
    CHECK(rgba[1] == 992.0f / 1023.0f);  // 1016 - 24
}

TEST_CASE("etc: a partial block at the edge, and the sRGB format") {
    const uint8_t blocks[16] = {0xf0, 0x80, 0x0f, 0x1c, 0, 0, 0, 0, 0xf0, 0x80, 0x0f, 0x1c, 0, 0, 0, 0};
    uint8_t rgba[3][5][4], more[3][5][4];
    REQUIRE(convert_rect(Format::R8G8B8A8_UNORM, rgba, 20, Format::ETC2_RGB8_UNORM, blocks, 16, 5, 3));
    CHECK(rgba[2][4][0] == 255);
    CHECK(rgba[2][3][2] == 255);
    REQUIRE(convert_rect(Format::R8G8B8A8_SRGB, more, 20, Format::ETC2_RGB8_SRGB, blocks, 16, 5, 3));
    CHECK(std::memcmp(rgba, more, sizeof(rgba)) == 0);
}
