// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How attributes are fetched: formats, clamping, divisors, missing buffers.
#include <bit>
#include <cstring>
#include <vector>

#include "doctest/doctest.h"
#include "drivers/soft/interp/interface.h"

namespace terrazzo::soft::test {

namespace {

struct Fetched {
    float v[4][kLanes];
};

template <class T>
Fetched fetch(const std::vector<T>& data, pipe::Format format, uint32_t stride_B, uint32_t max_index,
              uint32_t divisor = 0, uint32_t instance = 0) {
    const VertexFetch f{reinterpret_cast<const uint8_t*>(data.data()), stride_B, max_index, divisor, format};
    const uint32_t ids[kLanes] = {0, 1, 2, 3, 4, 5, 6, 4000000000u};
    Fetched out;
    fetch_attribute(f, ids, instance, out.v);
    return out;
}

}  // namespace

TEST_CASE("fetch: floats of one to four components, the rest 0, 0, 1") {
    std::vector<float> data;
    for (int i = 0; i < 64; ++i)
        data.push_back(float(i) * 0.5f);
    const pipe::Format formats[] = {pipe::Format::R32_FLOAT, pipe::Format::R32G32_FLOAT,
                                    pipe::Format::R32G32B32_FLOAT, pipe::Format::R32G32B32A32_FLOAT};
    for (unsigned n = 1; n <= 4; ++n) {
        const Fetched f = fetch(data, formats[n - 1], 20, 5);
        for (unsigned i = 0; i < kLanes; ++i) {
            const unsigned vertex = i < 5 ? i : 5;  // indices beyond the buffer are its last vertex
            for (unsigned c = 0; c < 4; ++c)
                CHECK(f.v[c][i] == (c < n ? float(vertex * 5 + c) * 0.5f : c == 3 ? 1.0f : 0.0f));
        }
    }
}

TEST_CASE("fetch: bytes, shorts, fixed and integers") {
    const std::vector<uint8_t> bytes = {0, 51, 255, 128, 1, 2, 3, 4};
    const Fetched unorm = fetch(bytes, pipe::Format::R8G8B8A8_UNORM, 4, 1);
    CHECK(unorm.v[0][0] == 0);
    CHECK(unorm.v[1][0] == 51 / 255.0f);
    CHECK(unorm.v[2][0] == 1);
    CHECK(unorm.v[3][1] == 4 / 255.0f);
    CHECK(fetch(bytes, pipe::Format::R8G8B8A8_USCALED, 4, 1).v[3][0] == 128);
    const std::vector<int16_t> shorts = {-32768, 32767, 16384, -1};
    const Fetched snorm = fetch(shorts, pipe::Format::R16G16_SNORM, 4, 1);
    CHECK(snorm.v[0][0] == -1);
    CHECK(snorm.v[1][0] == 1);
    CHECK(snorm.v[3][0] == 1);
    CHECK(fetch(shorts, pipe::Format::R16G16_SSCALED, 4, 1).v[0][1] == 16384);
    const std::vector<int32_t> fixed = {0x18000, -0x8000};
    CHECK(fetch(fixed, pipe::Format::R32G32_FIXED, 8, 0).v[0][0] == 1.5f);
    CHECK(fetch(fixed, pipe::Format::R32G32_FIXED, 8, 0).v[1][0] == -0.5f);
    const Fetched integers = fetch(fixed, pipe::Format::R32G32_SINT, 8, 0);
    CHECK(std::bit_cast<int32_t>(integers.v[1][0]) == -0x8000);
    CHECK(std::bit_cast<int32_t>(integers.v[3][0]) == 1);
}

TEST_CASE("fetch: per instance, and from nothing") {
    const std::vector<float> data = {10, 11, 12, 13};
    const Fetched f = fetch(data, pipe::Format::R32_FLOAT, 4, 3, 2, 5);
    for (unsigned i = 0; i < kLanes; ++i)
        CHECK(f.v[0][i] == 12);
    const VertexFetch none{};
    const uint32_t ids[kLanes] = {};
    float out[4][kLanes];
    fetch_attribute(none, ids, 0, out);
    CHECK(out[0][7] == 0);
    CHECK(out[3][7] == 1);
}

}  // namespace terrazzo::soft::test
