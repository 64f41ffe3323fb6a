// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How attributes are fetched: formats, clamping, divisors, missing buffers.
#include <bit>
#include <cstring>
#include <random>
#include <vector>

#include "doctest/doctest.h"
#include "drivers/soft/front/front.h"
#include "pipe/format.h"

namespace terrazzo::soft::test {

namespace {

constexpr uint32_t kFetched = 16;

struct Fetched {
    float v[4][kInStride];
};

Fetched fetch_ids(const FrontKernels& kernels, const VertexFetch& f, std::vector<uint32_t> ids,
                  bool sequential, uint32_t instance = 0) {
    Fetched out;
    std::memset(&out, 0xcd, sizeof out);
    const uint32_t count = uint32_t(ids.size());
    ids.resize((count + 15) / 16 * 16, ids.back());
    fetch_attribute(kernels, {&f, ids.data(), count, uint32_t(ids.size()), sequential, out.v[0]}, instance);
    return out;
}

template <class T>
Fetched fetch(const std::vector<T>& data, pipe::Format format, uint32_t stride_B, uint32_t max_index,
              uint32_t divisor = 0, uint32_t instance = 0) {
    const VertexFetch f{reinterpret_cast<const uint8_t*>(data.data()), stride_B, max_index, divisor, format};
    return fetch_ids(select_front(), f, {0, 1, 2, 3, 4, 5, 6, 4000000000u}, false, instance);
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
        for (unsigned i = 0; i < kFetched; ++i) {
            const unsigned vertex = i < 5 ? i : 5;  // indices beyond the buffer read its last vertex
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

TEST_CASE("fetch: per instance, constant for all, and without a buffer") {
    const std::vector<float> data = {10, 11, 12, 13};
    const Fetched f = fetch(data, pipe::Format::R32_FLOAT, 4, 3, 2, 5);
    const Fetched same = fetch(data, pipe::Format::R32G32_FLOAT, 0, UINT32_MAX);
    const Fetched none = fetch_ids(select_front(), VertexFetch{}, {0, 1, 2}, true);
    for (unsigned i = 0; i < kFetched; ++i) {
        CHECK(f.v[0][i] == 12);
        CHECK(same.v[1][i] == 11);
        CHECK(none.v[0][i] == 0);
        CHECK(none.v[3][i] == 1);
    }
}

TEST_CASE("fetch: ids that overflow stay in the buffer") {
    const std::vector<float> data = {10, 11, 12, 13};
    const VertexFetch f{reinterpret_cast<const uint8_t*>(data.data()), 4, 3, 0, pipe::Format::R32_FLOAT};
    for (const FrontKernels* k : {&baseline::kFront, &select_front()}) {
        const Fetched out = fetch_ids(*k, f, {0xfffffffe, 0xffffffff, 0, 1, 2}, true);
        CHECK(out.v[0][0] == 13);
        CHECK(out.v[0][1] == 13);
        CHECK(out.v[0][3] == 11);
        CHECK(out.v[0][4] == 12);
    }
}

TEST_CASE("fetch: kernels equal the formats' conversions, in and out of order") {
    std::mt19937 random(9);
    std::vector<uint8_t> data(4096);
    for (uint8_t& b : data)
        b = uint8_t(random());
    unsigned known = 0;
    for (unsigned n = 0; n < unsigned(pipe::kFormatCount); ++n) {
        const pipe::Format format = pipe::Format(n);
        const pipe::FormatInfo& info = pipe::format_info(format);
        if (!pipe::format_ops(format).unpack_f32 || info.block_w_px != 1 || info.is_pure_int()) continue;
        const uint32_t stride_B = info.block_B + 3, max_index = 60;
        const VertexFetch f{data.data() + 1, stride_B, max_index, 0, format};
        for (const bool sequential : {true, false}) {
            std::vector<uint32_t> ids;
            for (uint32_t i = 0; i < 57; ++i)
                ids.push_back(sequential ? i + 3 : uint32_t(random() % 64));
            for (const FrontKernels* k : {&baseline::kFront, &select_front()}) {
                const Fetched out = fetch_ids(*k, f, ids, sequential);
                known += k->fetch({&f, ids.data(), 16, 16, false, std::vector<float>(4 * kInStride).data()});
                for (uint32_t i = 0; i < 64; ++i) {
                    const uint32_t id = std::min(ids[std::min(i, 56u)], max_index);
                    float v[4];
                    pipe::format_ops(format).unpack_f32(v, f.base + id * stride_B, 1);
                    for (unsigned c = 0; c < 4; ++c)
                        REQUIRE(std::bit_cast<uint32_t>(out.v[c][i]) == std::bit_cast<uint32_t>(v[c]));
                }
            }
        }
    }
    CHECK(known == 16 * 4);
}

}  // namespace terrazzo::soft::test
