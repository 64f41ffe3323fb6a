// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// BC1 to BC7 blocks worked out by hand from the extensions' descriptions.
#include <doctest/doctest.h>

#include <vector>

#include "pipe/format.h"

using namespace terrazzo::pipe;

namespace {

using Block = std::vector<uint8_t>;

struct Texel {
    int r, g, b, a;
    bool operator==(const Texel&) const = default;
};

std::vector<Texel> decode(Format format, const Block& block) {
    uint8_t rgba[64];
    REQUIRE(block.size() == format_info(format).block_B);
    REQUIRE(convert_rect(Format::R8G8B8A8_UNORM, rgba, 16, format, block.data(), 16, 4, 4));
    std::vector<Texel> out;
    for (int i = 0; i < 16; ++i)
        out.push_back({rgba[i * 4], rgba[i * 4 + 1], rgba[i * 4 + 2], rgba[i * 4 + 3]});
    return out;
}

std::vector<float> decode_floats(Format format, const Block& block) {
    std::vector<float> rgba(64);
    REQUIRE(block.size() == format_info(format).block_B);
    REQUIRE(unpack_rect_f32(format, rgba.data(), 64, block.data(), 16, 4, 4));
    return rgba;
}

/// Writes fields, beginning with the lowest bit.
struct Writer {
    Block block = Block(16);
    unsigned at = 0;
    Writer& put(unsigned bits, unsigned value) {
        for (unsigned i = 0; i < bits; ++i, ++at)
            block[at / 8] |= uint8_t((value >> i & 1) << (at % 8));
        return *this;
    }
};

const Texel kRed = {255, 0, 0, 255}, kBlue = {0, 0, 255, 255};

}  // namespace

TEST_CASE("bc1: four colours if the first endpoint is the larger, else three and black") {
    const Block four = {0x00, 0xf8, 0x1f, 0x00, 0xe4, 0, 0, 0x40};
    const auto t = decode(Format::BC1_RGB_UNORM, four);
    CHECK(t[0] == kRed);
    CHECK(t[1] == kBlue);
    CHECK(t[2] == Texel{170, 0, 85, 255});
    CHECK(t[3] == Texel{85, 0, 170, 255});
    CHECK(t[4] == kRed);
    CHECK(t[15] == kBlue);
    CHECK(decode(Format::BC1_RGBA_UNORM, four) == t);
    const Block three = {0x1f, 0x00, 0x00, 0xf8, 0xe4, 0, 0, 0};
    CHECK(decode(Format::BC1_RGB_UNORM, three)[2] == Texel{128, 0, 128, 255});
    CHECK(decode(Format::BC1_RGB_UNORM, three)[3] == Texel{0, 0, 0, 255});
    CHECK(decode(Format::BC1_RGBA_UNORM, three)[3] == Texel{0, 0, 0, 0});
    CHECK(decode(Format::BC1_RGBA_UNORM, three)[1] == kRed);
}

TEST_CASE("bc2, bc3: alpha; always four colours") {
    const Block color = {0x1f, 0x00, 0x00, 0xf8, 0xe4, 0, 0, 0};
    Block two = {0x21, 0, 0, 0, 0, 0, 0, 0xf0};
    two.insert(two.end(), color.begin(), color.end());
    const auto t = decode(Format::BC2_UNORM, two);
    CHECK(t[0] == Texel{0, 0, 255, 17});
    CHECK(t[1].a == 34);
    CHECK(t[3] == Texel{170, 0, 85, 0});
    CHECK(t[15].a == 255);
    // Codes 2, 7, 1 and 0 in the first row; code 6 in the last texel.
    Block three = {255, 0, 0x7a, 0, 0, 0, 0, 0xc0};
    three.insert(three.end(), color.begin(), color.end());
    const auto u = decode(Format::BC3_UNORM, three);
    CHECK(u[0].a == 219);  // 6/7
    CHECK(u[1].a == 36);   // 1/7
    CHECK(u[2].a == 0);
    CHECK(u[3].a == 255);
    CHECK(u[15].a == 73);  // 2/7
    three[0] = 0, three[1] = 255;
    const auto v = decode(Format::BC3_UNORM, three);
    CHECK(v[0].a == 51);  // 1/5
    CHECK(v[1].a == 255);
    CHECK(v[15].a == 0);
}

TEST_CASE("bc4, bc5: exact fractions, signed and unsigned") {
    const Block u = {255, 0, 0x7a, 0, 0, 0, 0, 0};
    const auto f = decode_floats(Format::BC4_UNORM, u);
    CHECK(f[0] == doctest::Approx(6.0 / 7));
    CHECK(f[1] == 0);
    CHECK(f[3] == 1);
    CHECK(f[4] == doctest::Approx(1.0 / 7));
    const Block s = {127, 0x81, 0x7a, 0, 0, 0, 0, 0};
    CHECK(decode_floats(Format::BC4_SNORM, s)[0] == doctest::Approx(5.0 / 7));
    CHECK(decode_floats(Format::BC4_SNORM, s)[8] == -1);
    const Block low = {0x80, 0x7f, 0x07, 0, 0, 0, 0, 0};  // six values: code 7 is 1, code 0 -128
    CHECK(decode_floats(Format::BC4_SNORM, low)[0] == 1);
    CHECK(decode_floats(Format::BC4_SNORM, low)[4] == -1);
    Block two = u;
    two.insert(two.end(), {255, 0, 1, 0, 0, 0, 0, 0});
    const auto g = decode_floats(Format::BC5_UNORM, two);
    CHECK(g[0] == doctest::Approx(6.0 / 7));
    CHECK(g[1] == 0);
    CHECK(g[5] == 1);
    CHECK(g[2] == 0);
    CHECK(g[3] == 1);
}

TEST_CASE("bc7: mode 6, one subset, four bits an index") {
    Writer w;
    w.put(7, 0x40);
    for (unsigned c = 0; c < 4; ++c)
        w.put(7, c == 0 || c == 3 ? 127 : 0).put(7, c == 2 ? 127 : 0);
    w.put(1, 1).put(1, 0);
    w.put(3, 0).put(4, 15).put(4, 8);
    const auto t = decode(Format::BC7_UNORM, w.block);
    CHECK(t[0] == Texel{255, 1, 1, 255});
    CHECK(t[1] == Texel{0, 0, 254, 0});
    CHECK(t[2] == Texel{120, 0, 135, 120});
    CHECK(t[15] == t[0]);
}

TEST_CASE("bc7: mode 3, two subsets: partition 13 has two halves") {
    Writer w;
    w.put(4, 8).put(6, 13);
    // First by component, then by subset, then by end point. The upper half goes from red to black, the lower
    // half is green.
    w.put(7, 127).put(7, 0).put(7, 0).put(7, 0);
    w.put(7, 0).put(7, 0).put(7, 127).put(7, 127);
    w.put(7, 0).put(7, 0).put(7, 0).put(7, 0);
    w.put(1, 1).put(1, 0).put(1, 0).put(1, 0);
    w.put(1, 0).put(2, 3).put(2, 1);
    const auto t = decode(Format::BC7_UNORM, w.block);
    CHECK(t[0] == Texel{255, 1, 1, 255});
    CHECK(t[1] == Texel{0, 0, 0, 255});
    CHECK(t[2] == Texel{171, 1, 1, 255});  // 43 of 64 parts
    CHECK(t[7] == t[0]);
    CHECK(t[8] == Texel{0, 254, 0, 255});
    CHECK(t[15] == t[8]);
}

TEST_CASE("bc7: mode 5, rotation and a second index; the reserved mode decodes to zeros") {
    Writer w;
    w.put(6, 0x20).put(2, 1);                                         // rotation: red and alpha are swapped
    w.put(7, 0).put(7, 0).put(7, 127).put(7, 0).put(7, 0).put(7, 0);  // green to black
    w.put(8, 10).put(8, 210);
    w.put(1, 0).put(2, 3);
    w.at += 28;
    w.put(1, 0).put(2, 3).put(2, 1);
    const auto t = decode(Format::BC7_UNORM, w.block);
    CHECK(t[0] == Texel{10, 255, 0, 0});
    CHECK(t[1] == Texel{210, 0, 0, 0});
    CHECK(t[2].r == 76);  // 10 + 200 * 21 / 64
    CHECK(decode(Format::BC7_UNORM, Block(16))[5] == Texel{0, 0, 0, 0});
}

TEST_CASE("bc6h: one subset without and with transformed endpoints") {
    Writer w;
    w.put(5, 3).put(10, 0).put(10, 0x3ff).put(10, 0).put(10, 0x3ff).put(10, 0x3ff).put(10, 0);
    w.put(3, 0).put(4, 15).put(4, 8);
    const auto f = decode_floats(Format::BC6H_UFLOAT, w.block);
    CHECK(f[0] == 0);
    CHECK(f[1] == 65504);
    CHECK(f[3] == 1);
    CHECK(f[4] == 65504);
    CHECK(f[8] == 2.935546875f);
    // The values are of 12 bits. The first end point is 0x801, the second is 0x800, stored as a delta of -1.
    // The high bits are last, in reverse order. In the signed format the value is close to -1.
    Writer s;
    s.put(5, 11).put(10, 1).put(10, 0).put(10, 0).put(8, 0xff).put(2, 1).put(10, 0).put(10, 0);
    const auto g = decode_floats(Format::BC6H_UFLOAT, s.block);
    CHECK(g[0] == 1.5107421875f);  // (0x801 << 15 | 0x4000) >> 11 = 0x8018, times 31/64: 0x3e0b
    CHECK(decode_floats(Format::BC6H_SFLOAT, s.block)[0] == -65504);
    CHECK(decode_floats(Format::BC6H_UFLOAT, Writer().put(5, 19).block)[0] == 0);  // reserved
}

TEST_CASE("bc: sRGB formats keep their bytes, sizes that end inside blocks") {
    const Block red = {0x10, 0x82, 0x10, 0x82, 0, 0, 0, 0};
    uint8_t rgba[64];
    REQUIRE(convert_rect(Format::R8G8B8A8_SRGB, rgba, 16, Format::BC1_RGB_SRGB, red.data(), 8, 4, 4));
    CHECK(rgba[0] == 132);
    CHECK(decode_floats(Format::BC1_RGB_SRGB, red)[0] == doctest::Approx(0.2307).epsilon(1e-3));
    uint8_t three[3 * 2 * 4 + 4] = {};
    three[24] = 77;
    REQUIRE(convert_rect(Format::R8G8B8A8_UNORM, three, 12, Format::BC1_RGB_UNORM, red.data(), 8, 3, 2));
    CHECK(three[20] == 132);
    CHECK(three[24] == 77);
}
