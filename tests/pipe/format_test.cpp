// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Formats. The layouts of named formats are compared with literals; packing and unpacking with an independent
// reference, which computes the spec's formulas in double precision.
#include "pipe/format.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "pipe/half.h"

using namespace terrazzo::pipe;

namespace {

uint32_t raw_bits(const FormatInfo& f, unsigned channel, const uint8_t* px) {
    uint64_t v = 0;
    const ChannelInfo& c = f.channel[channel];
    for (unsigned b = 0; b < c.bits; ++b) {
        const unsigned bit = c.shift + b;
        v |= uint64_t(px[bit / 8] >> (bit % 8) & 1) << b;
    }
    return uint32_t(v);
}

double reference_value(const ChannelInfo& c, uint32_t raw) {
    const double max_u = std::ldexp(1.0, c.bits) - 1, max_s = std::ldexp(1.0, c.bits - 1) - 1;
    const double s = raw >> (c.bits - 1) & 1 ? double(raw) - std::ldexp(1.0, c.bits) : double(raw);
    switch (c.type) {
        case ChannelType::None:
            return 0;
        case ChannelType::Unorm:
            return double(raw) / max_u;
        case ChannelType::Snorm:
            return std::max(s / max_s, -1.0);
        case ChannelType::Uint:
        case ChannelType::Uscaled:
            return double(raw);
        case ChannelType::Sint:
        case ChannelType::Sscaled:
            return s;
        case ChannelType::Fixed:
            return s / 65536;
        case ChannelType::Float: {
            if (c.bits == 16) return half_to_float(uint16_t(raw));
            float f;
            std::memcpy(&f, &raw, 4);
            return f;
        }
    }
    return 0;
}

double srgb_decode(double c) {
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}
double srgb_encode(double l) {
    return l < 0.0031308 ? 12.92 * l : 1.055 * std::pow(l, 1 / 2.4) - 0.055;
}

// The value of padding bits after packing: 1.0 in the type of the other channels.
void fill_padding(const FormatInfo& f, uint8_t* px) {
    for (unsigned i = 0; i < f.channel_count; ++i) {
        const ChannelInfo& c = f.channel[i];
        if (c.letter != 'X') continue;
        const unsigned ones = f.channel[0].type == ChannelType::Snorm ? c.bits - 1u : c.bits;
        for (unsigned b = 0; b < c.bits; ++b) {
            const unsigned bit = c.shift + b;
            const uint8_t mask = uint8_t(1 << (bit % 8));
            px[bit / 8] = uint8_t(b < ones ? px[bit / 8] | mask : px[bit / 8] & ~mask);
        }
    }
}

// Random pixels; for formats of at most 16 bits all pixels.
std::vector<uint8_t> test_pixels(const FormatInfo& f, size_t& count) {
    std::mt19937 rng(unsigned(f.format) + 1);
    count = f.block_B <= 2 ? size_t(1) << (f.block_B * 8) : 20000;
    std::vector<uint8_t> px(count * f.block_B);
    for (size_t i = 0; i < count; ++i)
        for (unsigned b = 0; b < f.block_B; ++b)
            px[i * f.block_B + b] = f.block_B <= 2 ? uint8_t(i >> (8 * b)) : uint8_t(rng());
    return px;
}

bool is_plain_float(const FormatInfo& f) {
    return f.layout == FormatLayout::Plain && f.is_color && !f.is_pure_int();
}

}  // namespace

TEST_CASE("format: names, look-up, pairs") {
    CHECK(format_name(Format::R8G8B8A8_UNORM) == std::string_view("R8G8B8A8_UNORM"));
    for (size_t i = 0; i < kFormatCount; ++i)
        CHECK(format_from_name(format_name(Format(i))) == Format(i));
    CHECK(format_from_name("R8G8B8A8") == Format::None);
    CHECK(format_to_srgb(Format::B8G8R8X8_UNORM) == Format::B8G8R8X8_SRGB);
    CHECK(format_to_linear(Format::ASTC_10x8_SRGB) == Format::ASTC_10x8_UNORM);
    CHECK(format_to_linear(Format::ETC2_RGB8A1_SRGB) == Format::ETC2_RGB8A1_UNORM);
    CHECK(format_to_srgb(Format::R16_FLOAT) == Format::None);
    CHECK(format_to_linear(Format::R16_FLOAT) == Format::R16_FLOAT);
    for (size_t i = 0; i < kFormatCount; ++i)
        if (format_info(Format(i)).is_srgb) CHECK(format_to_srgb(format_to_linear(Format(i))) == Format(i));
}

TEST_CASE("format: each has the conversions of its class") {
    for (size_t i = 1; i < kFormatCount; ++i) {
        const FormatInfo& f = format_info(Format(i));
        const FormatOps& o = format_ops(Format(i));
        CAPTURE(std::string(f.name));
        const bool plain_float = f.is_color && !f.is_pure_int() && !f.is_compressed;
        CHECK((o.unpack_f32 && o.pack_f32) == plain_float);
        CHECK((o.unpack_u32 && o.pack_u32 && o.unpack_s32 && o.pack_s32) == f.is_pure_int());
        CHECK((o.unpack_depth && o.pack_depth) == f.has_depth);
        CHECK((o.unpack_stencil && o.pack_stencil) == f.has_stencil);
        CHECK(bool(o.decode_block) == f.is_compressed);
        if (!f.is_compressed) continue;
        // Two adjacent blocks and one more row of pixels: every decoder is called, and must stay inside its
        // rectangle.
        const uint32_t w = f.block_w_px + 1u, h = f.block_h_px + 1u;
        const std::vector<uint8_t> blocks(4u * f.block_B, 0xff);
        std::vector<float> rgba(w * h * 4 + 4, -7.0f);
        REQUIRE(
            unpack_rect_f32(f.format, rgba.data(), ptrdiff_t(w) * 16, blocks.data(), 2 * f.block_B, w, h));
        // In BC1 a block of all ones is transparent black.
        const bool nothing = f.layout == FormatLayout::Bc && f.block_B == 8 && f.has_alpha;
        CHECK(rgba[w * h * 4 - 1] == (nothing ? 0.0f : 1.0f));
        CHECK(rgba[w * h * 4] == -7.0f);
    }
}

TEST_CASE("format: properties of the table's rows") {
    const FormatInfo& f565 = format_info(Format::B5G6R5_UNORM);
    CHECK(f565.block_B == 2);
    CHECK(f565.channel[2].shift == 11);
    CHECK(f565.component_bits(0) == 5);
    CHECK(f565.component_bits(1) == 6);
    CHECK(f565.component_bits(3) == 0);
    CHECK(format_info(Format::R8G8B8_UNORM).block_B == 3);
    CHECK(format_info(Format::R32G32B32A32_FLOAT).block_B == 16);
    CHECK(format_info(Format::D24_UNORM_S8_UINT).depth_bits() == 24);
    CHECK(format_info(Format::D24_UNORM_S8_UINT).stencil_bits() == 8);
    CHECK(format_info(Format::D32_FLOAT_S8X24_UINT).block_B == 8);
    CHECK(format_info(Format::R16G16B16X16_FLOAT).has_alpha == false);
    CHECK(format_info(Format::ASTC_10x6_UNORM).block_w_px == 10);
    CHECK(format_row_B(Format::ASTC_10x6_UNORM, 11) == 32);
    CHECK(format_block_rows(Format::ASTC_10x6_UNORM, 12) == 2);
    CHECK(format_row_B(Format::R8G8B8_UNORM, 0xffffffffu) == 3ull * 0xffffffffu);
    CHECK(format_info(Format::R10G10B10A2_UINT).is_pure_uint);
    CHECK(format_info(Format::R32G32B32_FIXED).is_vertex_only);
}

TEST_CASE("format: packed words as GL defines them") {
    const float red[4] = {1, 0, 0, 0}, alpha[4] = {0, 0, 0, 1};
    auto pack16 = [](Format f, const float* c) {
        uint16_t v;
        pack_rgba_f32(f, &v, c, 1);
        return v;
    };
    CHECK(pack16(Format::B5G6R5_UNORM, red) == 0xf800);
    CHECK(pack16(Format::A4B4G4R4_UNORM, red) == 0xf000);
    CHECK(pack16(Format::A4B4G4R4_UNORM, alpha) == 0x000f);
    CHECK(pack16(Format::A1B5G5R5_UNORM, red) == 0xf800);
    CHECK(pack16(Format::A1B5G5R5_UNORM, alpha) == 0x0001);
    CHECK(pack16(Format::B5G5R5A1_UNORM, alpha) == 0x8000);
    CHECK(pack16(Format::B4G4R4A4_UNORM, red) == 0x0f00);
    uint32_t word;
    pack_rgba_f32(Format::R10G10B10A2_UNORM, &word, red, 1);
    CHECK(word == 0x3ffu);
    pack_rgba_f32(Format::R11G11B10_FLOAT, &word, red, 1);
    CHECK(word == 0x3c0u);
    const uint8_t la[2] = {51, 255};
    float c[4];
    unpack_rgba_f32(Format::L8A8_UNORM, c, la, 1);
    CHECK(c[0] == 0.2f);
    CHECK(c[1] == 0.2f);
    CHECK(c[2] == 0.2f);
    CHECK(c[3] == 1.0f);
    unpack_rgba_f32(Format::A8_UNORM, c, la, 1);
    CHECK(c[0] == 0.0f);
    CHECK(c[3] == 0.2f);
    unpack_rgba_f32(Format::R8_UNORM, c, la, 1);
    CHECK(c[1] == 0.0f);
    CHECK(c[3] == 1.0f);
}

TEST_CASE("format: unpacking agrees with the spec's formulas, packing restores the same bits") {
    for (size_t i = 1; i < kFormatCount; ++i) {
        const FormatInfo& f = format_info(Format(i));
        if (!is_plain_float(f)) continue;
        CAPTURE(std::string(f.name));
        size_t count;
        std::vector<uint8_t> px = test_pixels(f, count);
        std::vector<float> rgba(count * 4);
        unpack_rgba_f32(f.format, rgba.data(), px.data(), count);
        size_t wrong = 0;
        for (size_t p = 0; p < count; ++p)
            for (unsigned c = 0; c < 4; ++c) {
                double expected = f.swizzle[c] == Swizzle::One ? 1 : 0;
                if (f.swizzle[c] <= Swizzle::Channel3) {
                    const unsigned ch = unsigned(f.swizzle[c]);
                    expected = reference_value(f.channel[ch], raw_bits(f, ch, &px[p * f.block_B]));
                    if (f.is_srgb && c < 3) expected = srgb_decode(expected);
                }
                const float got = rgba[p * 4 + c];
                if (std::isnan(expected) ? !std::isnan(got) : float(expected) != got)
                    if (!(f.is_srgb && std::abs(double(got) - expected) < 1e-7)) ++wrong;
            }
        CHECK(wrong == 0);
        std::vector<uint8_t> again(px.size());
        pack_rgba_f32(f.format, again.data(), rgba.data(), count);
        size_t changed = 0;
        for (size_t p = 0; p < count; ++p) {
            uint8_t* was = &px[p * f.block_B];
            fill_padding(f, was);
            bool exact = true;  // false if float cannot hold the value, or if it has two codes
            for (unsigned c = 0; c < f.channel_count; ++c) {
                const ChannelInfo& ch = f.channel[c];
                const uint32_t raw = raw_bits(f, c, was);
                if (ch.letter == 'X') exact = exact && ch.bits != 16;
                if (ch.type == ChannelType::Float)
                    exact = exact && !std::isnan(reference_value(ch, raw));
                else if (ch.bits == 32)
                    exact = false;
                if (ch.type == ChannelType::Snorm && raw == 1u << (ch.bits - 1)) exact = false;
            }
            if (exact && std::memcmp(was, &again[p * f.block_B], f.block_B) != 0) ++changed;
        }
        CHECK(changed == 0);
    }
}

TEST_CASE("format: packing clamps and rounds to nearest") {
    std::mt19937 rng(3);
    std::uniform_real_distribution<float> around(-1.5f, 1.5f);
    for (size_t i = 1; i < kFormatCount; ++i) {
        const FormatInfo& f = format_info(Format(i));
        if (!is_plain_float(f)) continue;
        CAPTURE(std::string(f.name));
        for (int n = 0; n < 2000; ++n) {
            float rgba[4];
            for (float& c : rgba)
                c = around(rng);
            uint8_t px[16];
            pack_rgba_f32(f.format, px, rgba, 1);
            for (unsigned ch = 0; ch < f.channel_count; ++ch) {
                const ChannelInfo& c = f.channel[ch];
                if (c.type != ChannelType::Unorm && c.type != ChannelType::Snorm) continue;
                const unsigned component = c.letter == 'G'   ? 1
                                           : c.letter == 'B' ? 2
                                           : c.letter == 'A' ? 3
                                                             : 0;
                const bool s = c.type == ChannelType::Snorm;
                double x = std::min(std::max(double(rgba[component]), s ? -1.0 : 0.0), 1.0);
                if (f.is_srgb && component < 3) x = srgb_encode(x);
                const double scaled = x * (std::ldexp(1.0, s ? c.bits - 1 : c.bits) - 1);
                const uint32_t raw = raw_bits(f, ch, px);
                const double got =
                    s && raw >> (c.bits - 1) ? double(raw) - std::ldexp(1.0, c.bits) : double(raw);
                if (std::abs(got - scaled) > 0.5 + 0.004)
                    FAIL(f.name << " " << rgba[component] << " gives " << got);
            }
        }
        const float nan[4] = {std::nanf(""), std::nanf(""), std::nanf(""), std::nanf("")};
        uint8_t px[16];
        pack_rgba_f32(f.format, px, nan, 1);
        for (unsigned ch = 0; ch < f.channel_count; ++ch)
            if (f.channel[ch].type != ChannelType::Float && f.channel[ch].letter != 'X')
                CHECK(raw_bits(f, ch, px) == 0);
    }
}

TEST_CASE("format: pure integers keep every value and clamp at the other's limits") {
    for (size_t i = 1; i < kFormatCount; ++i) {
        const FormatInfo& f = format_info(Format(i));
        if (!f.is_pure_int()) continue;
        CAPTURE(std::string(f.name));
        size_t count;
        std::vector<uint8_t> px = test_pixels(f, count), again(px.size());
        for (size_t p = 0; p < count; ++p)  // padding is written as 1
            for (unsigned ch = 0; ch < f.channel_count; ++ch)
                if (f.channel[ch].letter == 'X') px[p * f.block_B + 3] = 1;
        if (f.is_pure_uint) {
            std::vector<uint32_t> v(count * 4);
            unpack_rgba_u32(f.format, v.data(), px.data(), count);
            for (unsigned c = 0; c < 4; ++c)
                CHECK(v[4 + c] == (f.swizzle[c] <= Swizzle::Channel3
                                       ? raw_bits(f, unsigned(f.swizzle[c]), &px[f.block_B])
                                   : c == 3 ? 1u
                                            : 0u));
            pack_rgba_u32(f.format, again.data(), v.data(), count);
        } else {
            std::vector<int32_t> v(count * 4);
            unpack_rgba_s32(f.format, v.data(), px.data(), count);
            pack_rgba_s32(f.format, again.data(), v.data(), count);
        }
        CHECK(px == again);
    }
    const int32_t s[4] = {-5, 300, 128, 7};
    uint8_t bytes[4];
    pack_rgba_s32(Format::R8G8B8A8_UINT, bytes, s, 1);
    CHECK(bytes[0] == 0);
    CHECK(bytes[1] == 255);
    CHECK(bytes[2] == 128);
    pack_rgba_s32(Format::R8G8B8A8_SINT, bytes, s, 1);
    CHECK(bytes[0] == 0xfb);
    CHECK(bytes[1] == 127);
    const uint32_t u[4] = {0xffffffffu, 0, 0, 0};
    int32_t wide[4];
    pack_rgba_u32(Format::R32G32B32A32_SINT, wide, u, 1);
    CHECK(wide[0] == 0x7fffffff);
}

TEST_CASE("format: sRGB is exact in both directions") {
    CHECK(srgb8_to_linear(0) == 0.0f);
    CHECK(srgb8_to_linear(255) == 1.0f);
    CHECK(srgb8_to_linear(128) == doctest::Approx(0.2158605).epsilon(1e-7));
    for (unsigned i = 0; i < 256; ++i) {
        CHECK(linear_to_srgb8(srgb8_to_linear(uint8_t(i))) == i);
        CHECK(srgb8_to_linear(uint8_t(i)) == doctest::Approx(srgb_decode(i / 255.0)).epsilon(1e-7));
    }
    std::mt19937 rng(5);
    std::uniform_real_distribution<float> unit(0, 1);
    for (int i = 0; i < 200000; ++i) {
        const float x = i & 1 ? unit(rng) : unit(rng) * 0.02f;
        const double exact = srgb_encode(x) * 255;
        if (std::abs(exact - std::floor(exact) - 0.5) > 1e-9)
            CHECK(linear_to_srgb8(x) == uint8_t(std::floor(exact + 0.5)));
    }
    CHECK(linear_to_srgb8(-1.0f) == 0);
    CHECK(linear_to_srgb8(2.0f) == 255);
    CHECK(linear_to_srgb8(std::numeric_limits<float>::infinity()) == 255);
    CHECK(linear_to_srgb8(std::nanf("")) == 0);
}

TEST_CASE("format: writing depth keeps stencil, and the reverse") {
    for (Format format :
         {Format::D24_UNORM_S8_UINT, Format::S8_UINT_D24_UNORM, Format::D32_FLOAT_S8X24_UINT}) {
        CAPTURE(std::string(format_name(format)));
        const unsigned size = format_info(format).block_B;
        std::vector<uint8_t> px(3 * size, 0);
        const float depth[3] = {0, 1, 0.5f};
        const uint8_t stencil[3] = {1, 0xab, 255};
        pack_stencil_u8(format, px.data(), stencil, 3);
        pack_depth_f32(format, px.data(), depth, 3);
        uint8_t s[3];
        float d[3];
        unpack_stencil_u8(format, s, px.data(), 3);
        unpack_depth_f32(format, d, px.data(), 3);
        CHECK(std::memcmp(s, stencil, 3) == 0);
        CHECK(d[0] == 0.0f);
        CHECK(d[1] == 1.0f);
        CHECK(d[2] == doctest::Approx(0.5));
        const uint8_t other[3] = {9, 8, 7};
        pack_stencil_u8(format, px.data(), other, 3);
        float d2[3];
        unpack_depth_f32(format, d2, px.data(), 3);
        CHECK(std::memcmp(d, d2, 12) == 0);
    }
    uint32_t gl;
    const float one = 1;
    const uint8_t seven = 7;
    gl = 0;
    pack_depth_f32(Format::S8_UINT_D24_UNORM, &gl, &one, 1);
    pack_stencil_u8(Format::S8_UINT_D24_UNORM, &gl, &seven, 1);
    CHECK(gl == 0xffffff07u);
    gl = 0;
    pack_depth_f32(Format::D24_UNORM_S8_UINT, &gl, &one, 1);
    pack_stencil_u8(Format::D24_UNORM_S8_UINT, &gl, &seven, 1);
    CHECK(gl == 0x07ffffffu);
}

TEST_CASE("format: every 24-bit and 16-bit depth survives the conversion to float") {
    std::vector<uint32_t> in(4096), out(4096);
    std::vector<float> depth(4096);
    size_t wrong = 0;
    for (uint32_t base = 0; base < 1u << 24; base += 4096) {
        for (uint32_t i = 0; i < 4096; ++i)
            in[i] = out[i] = base + i;
        unpack_depth_f32(Format::D24_UNORM_X8, depth.data(), in.data(), 4096);
        for (uint32_t& v : out)
            v = 0;
        pack_depth_f32(Format::D24_UNORM_X8, out.data(), depth.data(), 4096);
        wrong += in != out;
    }
    CHECK(wrong == 0);
    for (uint32_t v = 0; v < 65536; ++v) {
        const uint16_t a = uint16_t(v);
        uint16_t b = 0;
        float d;
        unpack_depth_f32(Format::D16_UNORM, &d, &a, 1);
        pack_depth_f32(Format::D16_UNORM, &b, &d, 1);
        if (a != b) FAIL("depth " << v);
    }
}
