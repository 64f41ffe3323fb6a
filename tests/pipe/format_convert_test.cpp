// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Conversion of rectangles: the fast paths agree with the path through float, strides and flips are
// respected, impossible pairs of formats are refused.
#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "pipe/format.h"

using namespace terrazzo::pipe;

TEST_CASE("convert_rect: every pair of 8-bit colour formats agrees with float") {
    std::vector<Format> formats;
    for (size_t i = 1; i < kFormatCount; ++i) {
        const FormatInfo& f = format_info(Format(i));
        if (f.is_color && !f.is_pure_int() && !f.is_compressed && f.channel[0].bits == 8 && !f.is_vertex_only)
            formats.push_back(Format(i));
    }
    CHECK(formats.size() >= 15);
    std::mt19937 rng(11);
    uint8_t src[300 * 4];
    for (uint8_t& b : src)
        b = uint8_t(rng());
    for (Format from : formats)
        for (Format to : formats) {
            CAPTURE(std::string(format_name(from)));
            CAPTURE(std::string(format_name(to)));
            std::vector<float> rgba(300 * 4);
            std::vector<uint8_t> expected(300 * 4, 0), got(300 * 4, 0);
            unpack_rgba_f32(from, rgba.data(), src, 300);
            pack_rgba_f32(to, expected.data(), rgba.data(), 300);
            REQUIRE(convert_rect(to, got.data(), 0, from, src, 0, 300, 1));
            if (from == to)
                CHECK(std::memcmp(got.data(), src, 300 * format_info(to).block_B) == 0);
            else
                CHECK(got == expected);
        }
}

TEST_CASE("convert_rect: packed words and ETC to bytes agree with float") {
    std::vector<uint16_t> words(65536);
    for (size_t i = 0; i < words.size(); ++i)
        words[i] = uint16_t(i);
    std::vector<float> rgba(65536 * 4);
    for (Format to : {Format::R8G8B8A8_UNORM, Format::B8G8R8X8_UNORM, Format::R8G8B8_UNORM,
                      Format::L8A8_UNORM, Format::A8_UNORM, Format::R8G8B8A8_SRGB}) {
        CAPTURE(std::string(format_name(to)));
        for (Format from : {Format::B5G6R5_UNORM, Format::A4B4G4R4_UNORM, Format::A1B5G5R5_UNORM,
                            Format::B5G5R5A1_UNORM, Format::B4G4R4A4_UNORM}) {
            std::vector<uint8_t> expected(65536 * 4), got(65536 * 4);
            unpack_rgba_f32(from, rgba.data(), words.data(), 65536);
            pack_rgba_f32(to, expected.data(), rgba.data(), 65536);
            REQUIRE(convert_rect(to, got.data(), 0, from, words.data(), 0, 65536, 1));
            CHECK(got == expected);
        }
        for (Format from : {Format::ETC1_RGB8, Format::ETC2_RGB8A1_UNORM, Format::ETC2_RGBA8_UNORM,
                            Format::ETC2_RGBA8_SRGB}) {
            const uint32_t size = format_info(to).block_B, w = 51, h = 9;
            std::vector<uint8_t> expected(w * h * size), got(w * h * size);
            REQUIRE(unpack_rect_f32(from, rgba.data(), w * 16, words.data() + 1000, 13 * 16, w, h));
            pack_rgba_f32(to, expected.data(), rgba.data(), w * h);
            REQUIRE(
                convert_rect(to, got.data(), ptrdiff_t(w) * size, from, words.data() + 1000, 13 * 16, w, h));
            CHECK(got == expected);
        }
    }
}

TEST_CASE("convert_rect: strides, a negative one flips") {
    const uint8_t src[2][8] = {{1, 2, 3, 4, 5, 6, 7, 8}, {11, 12, 13, 14, 15, 16, 17, 18}};
    uint8_t dst[3][12] = {};
    REQUIRE(convert_rect(Format::B8G8R8A8_UNORM, dst[1], -12, Format::R8G8B8A8_UNORM, src, 8, 2, 2));
    const uint8_t row0[12] = {13, 12, 11, 14, 17, 16, 15, 18}, row1[12] = {3, 2, 1, 4, 7, 6, 5, 8},
                  none[12] = {};
    CHECK(std::memcmp(dst[0], row0, 12) == 0);
    CHECK(std::memcmp(dst[1], row1, 12) == 0);
    CHECK(std::memcmp(dst[2], none, 12) == 0);
    uint8_t same[2][8];
    REQUIRE(convert_rect(Format::R8G8B8A8_UNORM, same, 8, Format::R8G8B8A8_UNORM, src, 8, 2, 2));
    CHECK(std::memcmp(same, src, 16) == 0);
}

TEST_CASE("convert_rect: classes do not mix") {
    uint8_t dst[64] = {}, src[64] = {};
    const uint8_t zero[64] = {};
    std::memset(src, 0x55, sizeof(src));
    const std::pair<Format, Format> refused[] = {
        {Format::R8G8B8A8_UINT, Format::R8G8B8A8_UNORM},
        {Format::R8G8B8A8_UNORM, Format::R8G8B8A8_SINT},
        {Format::D16_UNORM, Format::R16_UNORM},
        {Format::S8_UINT, Format::D24_UNORM_X8},
        {Format::ETC2_RGB8_UNORM, Format::R8G8B8_UNORM},
        {Format::None, Format::None},
        {Format::S8_UINT, Format::R8_UINT},
    };
    for (auto [to, from] : refused) {
        CHECK_FALSE(can_convert(to, from));
        CHECK_FALSE(convert_rect(to, dst, 8, from, src, 8, 1, 1));
    }
    CHECK(std::memcmp(dst, zero, 64) == 0);
    CHECK(can_convert(Format::B5G6R5_UNORM, Format::R9G9B9E5_FLOAT));
    CHECK(can_convert(Format::R8_SINT, Format::R32G32_UINT));
    CHECK(can_convert(Format::D16_UNORM, Format::D32_FLOAT_S8X24_UINT));
}

TEST_CASE("convert_rect: depth and stencil: the aspects of both formats are converted") {
    uint32_t gl[2] = {0xffffff07u, 0x00000080u}, packed[2] = {0, 0};
    REQUIRE(convert_rect(Format::D24_UNORM_S8_UINT, packed, 8, Format::S8_UINT_D24_UNORM, gl, 8, 2, 1));
    CHECK(packed[0] == 0x07ffffffu);
    CHECK(packed[1] == 0x80000000u);
    const uint16_t d16[2] = {0, 0xffff};
    REQUIRE(convert_rect(Format::D24_UNORM_S8_UINT, packed, 8, Format::D16_UNORM, d16, 4, 2, 1));
    CHECK(packed[0] == 0x07000000u);
    CHECK(packed[1] == 0x80ffffffu);
    uint8_t s[2];
    REQUIRE(convert_rect(Format::S8_UINT, s, 2, Format::D24_UNORM_S8_UINT, packed, 8, 2, 1));
    CHECK(s[0] == 7);
    CHECK(s[1] == 0x80);
}

TEST_CASE("convert_rect: rows that are longer than the buffer on the stack") {
    std::vector<uint16_t> src(1000);
    for (size_t i = 0; i < src.size(); ++i)
        src[i] = uint16_t(i * 65);
    std::vector<uint32_t> dst(1000);
    REQUIRE(convert_rect(Format::R8G8B8A8_UNORM, dst.data(), 4000, Format::B5G6R5_UNORM, src.data(), 2000,
                         1000, 1));
    for (size_t i = 0; i < src.size(); ++i) {
        const unsigned r = (src[i] >> 11) * 255 * 2 + 31, g = (src[i] >> 5 & 63) * 255 * 2 + 63,
                       b = (src[i] & 31) * 255 * 2 + 31;
        const uint32_t expected = r / 62 | g / 126 << 8 | b / 62 << 16 | 0xff000000u;
        if (dst[i] != expected) FAIL("pixel " << i);
    }
}
