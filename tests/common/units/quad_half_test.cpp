// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Conversions of halves in quads, compared with pipe/half.h.
#include <doctest/doctest.h>

#include <cstring>
#include <random>

#include "drivers/common/units/quad_half.h"
#include "pipe/half.h"

using namespace terrazzo;

TEST_CASE("units: conversions of quads equal single conversions") {
    for (uint32_t h = 0; h < 0x10000; h += 4) {
        const units::QuadF32 floats =
            units::from_halves(units::QuadU32{h, h + 1, (h + 2) | 0xabcd0000u, h + 3});
        for (unsigned i = 0; i < 4; ++i) {
            const float v = pipe::half_to_float(uint16_t(h + i)), actual = floats[i];
            REQUIRE(std::bit_cast<uint32_t>(actual) == std::bit_cast<uint32_t>(v));
        }
    }
    std::mt19937 random(3);
    for (unsigned round = 0; round < 400000; ++round) {
        units::QuadF32 in;
        for (unsigned i = 0; i < 4; ++i) {
            // All magnitudes; every other value is close to one that a half can represent, or halfway to the
            // next.
            uint32_t bits = uint32_t(random());
            if (i & 1) {
                const auto h = uint16_t(random());
                bits = std::bit_cast<uint32_t>(pipe::half_to_float(h)) + (random() % 2 ? 0x1000u : 0u);
                bits += uint32_t(random() % 3) - 1;
            }
            in[i] = std::bit_cast<float>(bits);
        }
        const units::QuadU32 out = units::to_halves(in);
        for (unsigned i = 0; i < 4; ++i) {
            const float v = in[i];
            const uint32_t actual = out[i];
            REQUIRE(actual == uint32_t(pipe::float_to_half(v)));
        }
    }
}

TEST_CASE("units: halves are packed in pairs, equal with and without the host's instruction") {
    std::mt19937 random(4);
    for (unsigned round = 0; round < 20000; ++round) {
        const unsigned count = 1 + round % 4;
        units::QuadF32 v[4] = {};
        for (unsigned c = 0; c < count; ++c)
            for (unsigned i = 0; i < 4; ++i) {
                // Some are NaN or infinite, many are in the range of halves.
                uint32_t bits = uint32_t(random());
                if (random() % 16) bits = (bits & 0x8fffffff) | 0x30000000;
                v[c][i] = std::bit_cast<float>(bits);
            }
        units::QuadU32 fast[2] = {}, slow[2] = {};
        units::pack_halves(v, count, fast);
        units::pack_halves_portable(v, count, slow);
        for (unsigned c = 0; c < count; ++c)
            for (unsigned i = 0; i < 4; ++i) {
                const float value = v[c][i];
                const uint32_t got = fast[c / 2][i] >> c % 2 * 16 & 0xffff;
                REQUIRE(got == uint32_t(pipe::float_to_half(value)));
            }
        REQUIRE(std::memcmp(fast, slow, sizeof fast) == 0);
    }
}
