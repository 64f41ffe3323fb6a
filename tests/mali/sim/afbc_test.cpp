// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// AFBC payloads: encoded data is decoded to the same pixels, and needs no more bytes than uncompressed.
#include "drivers/mali/sim/afbc/codec.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

using namespace terrazzo::mali::sim;

namespace {

struct Coded {
    uint32_t header[4] = {};
    std::vector<uint8_t> payload = std::vector<uint8_t>(kSuperblockPixels * kMaxPixel_B);
    uint32_t size_B = 0;
};
Coded encode(const std::vector<uint8_t>& pixels, unsigned pixel_B, bool wide) {
    Coded c;
    c.size_B = afbc_encode(pixels.data(), size_t(wide ? 32 : 16) * pixel_B, pixel_B, wide, 0x1234,
                           c.payload.data(), c.header);
    return c;
}

}  // namespace

TEST_CASE("afbc: round trip of noise, gradients and flat blocks") {
    std::mt19937 random(5);
    for (const unsigned pixel_B : {1u, 2u, 3u, 4u, 8u, 16u})
        for (const bool wide : {false, true})
            for (unsigned kind = 0; kind < 4; ++kind) {
                CAPTURE(pixel_B);
                CAPTURE(wide);
                CAPTURE(kind);
                std::vector<uint8_t> pixels(kSuperblockPixels * pixel_B), back(pixels.size());
                for (size_t i = 0; i < pixels.size(); ++i)
                    pixels[i] = kind == 0   ? uint8_t(random())
                                : kind == 1 ? uint8_t(100 + random() % 16)
                                : kind == 2 ? uint8_t(i / pixel_B / 64)
                                            : 7;
                const Coded c = encode(pixels, pixel_B, wide);
                CHECK(c.size_B <= pixels.size());
                CHECK(afbc_payload_B(c.header, pixel_B) == c.size_B);
                REQUIRE(afbc_decode(c.header, {c.payload.data(), c.size_B}, pixel_B, wide, back.data()));
                CHECK(back == pixels);
                if (c.size_B)
                    CHECK_FALSE(
                        afbc_decode(c.header, {c.payload.data(), c.size_B - 1}, pixel_B, wide, back.data()));
                if (c.size_B) CHECK(c.header[0] == 0x1234);
            }
}

TEST_CASE("afbc: one colour is stored in the header, also zeros") {
    const std::vector<uint8_t> pixels(kSuperblockPixels * 4, 0x21);
    const Coded c = encode(pixels, 4, false);
    CHECK(c.size_B == 0);
    CHECK(c.header[2] == 0x21212121);
    std::vector<uint8_t> back(pixels.size(), 9);
    const uint32_t zero[4] = {};
    REQUIRE(afbc_decode(zero, {}, 4, true, back.data()));
    CHECK(back == std::vector<uint8_t>(pixels.size(), 0));
}
