// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// ASTC: blocks built by hand, all codes of trits and quints, properties of the unquantisation tables, and
// digests of random blocks.
#include "pipe/format_astc.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <set>
#include <vector>

#include "pipe/format.h"
#include "pipe/format_astc_ise.h"

using namespace terrazzo::pipe;
using namespace terrazzo::pipe::detail;

namespace {

struct Writer {
    uint8_t bytes[16] = {};
    void put(unsigned at, unsigned count, uint32_t v) {
        for (unsigned i = 0; i < count; ++i)
            if (v >> i & 1) bytes[(at + i) / 8] |= uint8_t(1 << ((at + i) % 8));
    }
    // Weights are stored backwards, from the block's last bit on.
    void put_weight(unsigned at, unsigned count, uint32_t v) {
        for (unsigned i = 0; i < count; ++i)
            if (v >> i & 1) bytes[(127 - at - i) / 8] |= uint8_t(1 << ((127 - at - i) % 8));
    }
};

bool is_magenta(const float* c) {
    return c[0] == 1 && c[1] == 0 && c[2] == 1 && c[3] == 1;
}

struct Digest {
    uint64_t value = 0xcbf29ce484222325ull;  // FNV-1a
    void add(uint8_t byte) { value = (value ^ byte) * 0x100000001b3ull; }
};

void random_block(std::mt19937& rng, uint8_t* block) {
    for (int i = 0; i < 4; ++i) {
        const uint32_t v = uint32_t(rng());
        std::memcpy(block + 4 * i, &v, 4);
    }
}

}  // namespace

TEST_CASE("astc: one partition, RGB end points, 2-bit weights on a 4x4 grid") {
    Writer w;
    w.put(0, 11, 0x42);                                   // 4 x 4 grid, range 0-3, one plane
    w.put(13, 4, 8);                                      // RGB, direct
    const uint32_t ends[6] = {0, 255, 10, 20, 100, 200};  // r0 r1 g0 g1 b0 b1, eight bits each
    for (unsigned i = 0; i < 6; ++i)
        w.put(17 + 8 * i, 8, ends[i]);
    for (unsigned i = 0; i < 16; ++i)
        w.put_weight(2 * i, 2, i & 3);
    float out[64];
    decode_astc_block(4, 4, false, out, w.bytes);
    const unsigned weight[4] = {0, 21, 43, 64};
    for (unsigned i = 0; i < 16; ++i) {
        for (unsigned c = 0; c < 3; ++c) {
            const unsigned v =
                (ends[2 * c] * 257 * (64 - weight[i & 3]) + ends[2 * c + 1] * 257 * weight[i & 3] + 32) / 64;
            CHECK(out[i * 4 + c] == (v == 65535 ? 1.0f : float(v) / 65536));
        }
        CHECK(out[i * 4 + 3] == 1.0f);
    }
    decode_astc_block(4, 4, true, out, w.bytes);
    CHECK(out[0] == 0.0f);
    CHECK(linear_to_srgb8(out[3 * 4 + 2]) == 200);
    CHECK(out[3] == 1.0f);
    // With swapped end points the blue contraction applies.
    Writer r;
    r.put(0, 11, 0x42);
    r.put(13, 4, 8);
    for (unsigned i = 0; i < 6; ++i)
        r.put(17 + 8 * i, 8, ends[i ^ 1]);
    decode_astc_block(4, 4, false, out, r.bytes);
    CHECK(out[0] == (50 * 257) / 65536.0f);  // (0 + 100) / 2
    CHECK(out[2] == (100 * 257) / 65536.0f);
}

TEST_CASE("astc: void extents and illegal blocks") {
    Writer v;
    v.put(0, 12, 0xdfc);
    for (unsigned i = 12; i < 64; i += 4)
        v.put(i, 4, 15);
    v.put(64, 16, 0x8000), v.put(80, 16, 0xffff), v.put(96, 16, 0), v.put(112, 16, 0x4000);
    std::vector<float> out(6 * 5 * 4);
    decode_astc_block(6, 5, false, out.data(), v.bytes);
    for (unsigned i = 0; i < 30; ++i) {
        CHECK(out[i * 4] == 0.5f);
        CHECK(out[i * 4 + 1] == 1.0f);
        CHECK(out[i * 4 + 2] == 0.0f);
        CHECK(out[i * 4 + 3] == 0.25f);
    }
    v.bytes[1] |= 2;  // HDR
    decode_astc_block(6, 5, false, out.data(), v.bytes);
    CHECK(is_magenta(out.data()));
    const uint8_t zero[16] = {};
    decode_astc_block(6, 5, false, out.data(), zero);
    for (unsigned i = 0; i < 30; ++i)
        CHECK(is_magenta(&out[i * 4]));
    Writer large;  // a grid of 8 x 2 in a block of 6 x 5
    large.put(0, 11, 0x6);
    decode_astc_block(6, 5, false, out.data(), large.bytes);
    CHECK(is_magenta(out.data()));
}

TEST_CASE("astc: every combination of trits and of quints has a code") {
    std::set<std::array<uint8_t, 5>> trits;
    for (unsigned code = 0; code < 256; ++code) {
        AstcBits b;
        b.low = code;
        std::array<uint8_t, 5> t;
        astc_read_sequence(b, 0, {0, true, false}, 5, t.data());
        for (uint8_t v : t)
            CHECK(v < 3);
        trits.insert(t);
    }
    CHECK(trits.size() == 243);
    std::set<std::array<uint8_t, 3>> quints;
    for (unsigned code = 0; code < 128; ++code) {
        AstcBits b;
        b.low = code;
        std::array<uint8_t, 3> q;
        astc_read_sequence(b, 0, {0, false, true}, 3, q.data());
        for (uint8_t v : q)
            CHECK(v < 5);
        quints.insert(q);
    }
    CHECK(quints.size() == 125);
    CHECK(astc_sequence_bits({1, true, false}, 5) == 13);
    CHECK(astc_sequence_bits({2, false, true}, 4) == 18);
    CHECK(astc_sequence_bits({3, false, false}, 4) == 12);
    // If the last group is not full, the bits after the sequence count as zero.
    AstcBits ones;
    ones.low = ones.high = ~0ull;
    uint8_t one[1];
    astc_read_sequence(ones, 0, {0, true, false}, 1, one);  // two bits: T = 3
    AstcBits three;
    three.low = 3;
    uint8_t five[5];
    astc_read_sequence(three, 0, {0, true, false}, 5, five);
    CHECK(one[0] == five[0]);
}

TEST_CASE("astc: quantised values spread evenly over colours and weights") {
    for (unsigned bits = 0; bits <= 8; ++bits)
        for (unsigned base : {1u, 3u, 5u}) {
            const AstcRange range = {uint8_t(bits), base == 3, base == 5};
            const unsigned count = base << bits;
            if (count >= 6 && count <= 256) {
                std::set<unsigned> values;
                for (unsigned i = 0; i < count; ++i)
                    values.insert(astc_color_value(range, uint8_t(i)));
                REQUIRE(values.size() == count);
                unsigned i = 0;
                for (unsigned v : values)
                    CHECK(std::abs(double(v) - 255.0 * i++ / (count - 1)) <= 1.5);
            }
            if (count >= 2 && count <= 32) {
                std::set<unsigned> values;
                for (unsigned i = 0; i < count; ++i)
                    values.insert(astc_weight_value(range, uint8_t(i)));
                REQUIRE(values.size() == count);
                unsigned i = 0;
                for (unsigned v : values)
                    CHECK(std::abs(double(v) - 64.0 * i++ / (count - 1)) <= 1.5);
            }
        }
}

// Provenance: the digests are from an independent decoder (Mesa 25.0.7's, run outside this project) for the
// same random blocks. They cover the upper eight bits of each value.
TEST_CASE("astc: random blocks of every footprint decode as by an independent decoder") {
    struct Row {
        unsigned w, h;
        uint64_t digest;
    };
    const Row rows[] = {
        {4, 4, 0xf0a4c3eca462a73eull},   {5, 4, 0x13f49b7fec0edf96ull},   {5, 5, 0x0844ce776fc60f12ull},
        {6, 5, 0x61a24df250dea7fdull},   {6, 6, 0x26c0115847e7bd4bull},   {8, 5, 0xea9362d0666d5feaull},
        {8, 6, 0x65b6c82d10b56bbdull},   {8, 8, 0x808b842eb1973e7aull},   {10, 5, 0x8446e6b3f6db4d2bull},
        {10, 6, 0x36180effea835f0eull},  {10, 8, 0x1aaebbb346272e0cull},  {10, 10, 0x8bccc0ee3ac91804ull},
        {12, 10, 0xd996bea590039653ull}, {12, 12, 0x661b3796529ad7d9ull},
    };
    for (const Row& row : rows) {
        CAPTURE(row.w);
        CAPTURE(row.h);
        std::mt19937 rng(row.w * 16 + row.h);
        Digest digest;
        float out[12 * 12 * 4];
        for (int i = 0; i < 4000; ++i) {
            uint8_t block[16];
            random_block(rng, block);
            if (i % 2) block[1] &= uint8_t(~0x18);  // more legal blocks: a single partition
            if ((block[0] | (block[1] & 1) << 8) == 0x1fc) continue;
            decode_astc_block(row.w, row.h, false, out, block);
            for (unsigned k = 0; k < row.w * row.h * 4; ++k)
                digest.add(out[k] == 1.0f ? 255 : uint8_t(int(out[k] * 65536) >> 8));
        }
        CHECK(digest.value == row.digest);
    }
}

TEST_CASE("etc: random blocks decode as by an independent decoder") {
    struct Row {
        Format format;
        uint64_t digest;
    };
    const Row rows[] = {
        {Format::ETC2_RGB8_UNORM, 0x97cabe8521b84cd7ull},
        {Format::ETC2_RGB8A1_UNORM, 0x4c02ad10e2d5306eull},
        {Format::ETC2_RGBA8_UNORM, 0xe529e29d06d93c05ull},
    };
    unsigned seed = 1;
    for (const Row& row : rows) {
        std::mt19937 rng(seed++);
        Digest digest;
        for (int i = 0; i < 20000; ++i) {
            uint8_t block[16], rgba[64];
            random_block(rng, block);
            REQUIRE(convert_rect(Format::R8G8B8A8_UNORM, rgba, 16, row.format, block, 16, 4, 4));
            for (uint8_t b : rgba)
                digest.add(b);
        }
        CHECK(digest.value == row.digest);
    }
}
