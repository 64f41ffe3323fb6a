// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rows of pixels with several samples, with all lengths around the number of pixels that is processed at
// once.
#include "drivers/common/units/rows.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace terrazzo;
using namespace terrazzo::units;

namespace {

constexpr uint32_t kCounts[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 17, 1000, 1023};
constexpr uint8_t kGuard = 0xa5;

std::vector<uint8_t> random_bytes(std::mt19937& random, size_t size) {
    std::vector<uint8_t> out(size);
    for (uint8_t& b : out) {
        const unsigned kind = random() % 4;
        b = kind == 0 ? uint8_t(0) : kind == 1 ? uint8_t(255) : uint8_t(random());
    }
    return out;
}

}  // namespace

TEST_CASE("units: rows: the mean of bytes is rounded, halves up, for any length") {
    std::mt19937 random(3);
    constexpr pipe::Format kFormats[] = {pipe::Format::R8_UNORM, pipe::Format::R8G8_UNORM,
                                         pipe::Format::R8G8B8A8_UNORM, pipe::Format::B8G8R8X8_UNORM};
    for (const pipe::Format f : kFormats)
        for (const uint32_t samples : {2u, 4u, 8u})
            for (const uint32_t count : kCounts) {
                const FormatReader format = format_reader(f);
                const uint32_t size_B = format.size_B;
                if (size_B < 4 && samples == 8) continue;
                CAPTURE(unsigned(f));
                CAPTURE(samples);
                CAPTURE(count);
                const std::vector<uint8_t> from = random_bytes(random, size_t(count) * samples * size_B);
                std::vector<uint8_t> to(size_t(count) * size_B + 16, kGuard), expected = to;
                for (uint32_t i = 0; i < count * size_B; ++i) {
                    uint32_t sum = samples / 2;
                    for (uint32_t s = 0; s < samples; ++s)
                        sum += from[(i / size_B * samples + s) * size_B + i % size_B];
                    expected[i] = uint8_t(sum / samples);
                }
                resolve_row(format, from.data(), samples, true, count, to.data());
                CHECK(to == expected);
            }
}

TEST_CASE("units: rows: the first sample of any pixel, if no mean is requested") {
    std::mt19937 random(4);
    for (const pipe::Format f : {pipe::Format::R8G8B8A8_UNORM, pipe::Format::R32G32B32A32_UINT}) {
        const FormatReader format = format_reader(f);
        const std::vector<uint8_t> from = random_bytes(random, size_t(9) * 4 * format.size_B);
        std::vector<uint8_t> to(size_t(9) * format.size_B);
        resolve_row(format, from.data(), 4, false, 9, to.data());
        for (uint32_t i = 0; i < 9; ++i)
            CHECK(std::equal(&to[size_t(i) * format.size_B], &to[size_t(i) * format.size_B] + format.size_B,
                             &from[size_t(i) * 4 * format.size_B]));
    }
}

TEST_CASE("units: rows: all samples of a pixel get its bytes, and nothing after the last pixel changes") {
    std::mt19937 random(5);
    for (const uint32_t size_B : {1u, 2u, 3u, 4u, 8u, 16u})
        for (const uint32_t samples : {1u, 2u, 4u, 8u})
            for (const uint32_t count : kCounts) {
                CAPTURE(size_B);
                CAPTURE(samples);
                CAPTURE(count);
                const std::vector<uint8_t> from = random_bytes(random, size_t(count) * size_B);
                std::vector<uint8_t> to(size_t(count) * samples * size_B + 16, kGuard), expected = to;
                for (size_t i = 0; i < size_t(count) * samples; ++i)
                    std::copy_n(from.data() + i / samples * size_B, size_B, &expected[i * size_B]);
                replicate_row(size_B, from.data(), samples, count, to.data());
                CHECK(to == expected);
            }
}

TEST_CASE("units: rows: pixels are converted as their numbers are, also where bytes move alone") {
    std::mt19937 random(6);
    using F = pipe::Format;
    constexpr F kFormats[] = {F::R8_UNORM,          F::R8G8_UNORM,     F::R8G8B8_UNORM,
                              F::R8G8B8A8_UNORM,    F::B8G8R8A8_UNORM, F::B5G6R5_UNORM,
                              F::R10G10B10A2_UNORM, F::R8G8B8A8_SRGB,  F::R16G16B16A16_FLOAT};
    unsigned copies = 0;
    for (const F a : kFormats)
        for (const F b : kFormats)
            for (const uint32_t count : {1u, 63u, 64u, 65u, 200u}) {
                FormatReader from = format_reader(a);
                const FormatReader to = format_reader(b);
                for (uint8_t& c : from.from)
                    if (count != 64) c = uint8_t(random() % 6);
                std::vector<uint8_t> pixels = random_bytes(random, size_t(count) * from.size_B);
                // Makes all halves finite numbers.
                for (size_t i = 1; i < pixels.size() && a == F::R16G16B16A16_FLOAT; i += 2)
                    pixels[i] = uint8_t(0x30 + pixels[i] % 8);
                std::vector<uint8_t> got(size_t(count) * to.size_B + 16, kGuard), wanted = got;
                const RowConversion conversion(from, to);
                conversion.run(pixels.data(), count, got.data());
                for (uint32_t i = 0; i < count; ++i) {
                    uint32_t value[4];
                    from.read(&pixels[size_t(i) * from.size_B], value);
                    to.write(value, &wanted[size_t(i) * to.size_B]);
                }
                CAPTURE(unsigned(a));
                CAPTURE(unsigned(b));
                if (!conversion.is_copy()) {
                    CHECK(got == wanted);
                    continue;
                }
                ++copies;
                CHECK(std::equal(pixels.begin(), pixels.end(), got.begin()));
            }
    CHECK(copies >= std::size(kFormats));
}

TEST_CASE("units: formats: an element that memory has in words is read as its row is, in every order") {
    std::mt19937 random(8);
    unsigned of_words = 0;
    for (size_t i = 1; i < pipe::kFormatCount; ++i) {
        const pipe::FormatInfo& info = pipe::format_info(pipe::Format(i));
        if (info.is_compressed) continue;
        CAPTURE(info.name);
        for (const bool swizzled : {false, true}) {
            constexpr uint8_t kOrder[] = {1, 0, kOne, kZero};
            FormatReader reader = format_reader(pipe::Format(i));
            if (swizzled) std::copy_n(kOrder, 4, reader.from);
            of_words += reader.reads_words();
            const std::vector<uint8_t> pixel = random_bytes(random, reader.size_B);
            uint32_t one[4], row[4];
            reader.read(pixel.data(), one);
            reader.read_row(pixel.data(), 1, row);
            CHECK(std::equal(one, one + 4, row));
        }
    }
    CHECK(of_words == 12);  // one to four floats, signed and unsigned integers
}
