// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The words that a draw writes for a shader, in their order.
#include "drivers/common/program/uniform_runs.h"

#include <bit>
#include <random>

#include <doctest/doctest.h>

#include "shaders/ir/half.h"

using namespace terrazzo;
using namespace terrazzo::programs;
using Kind = UniformWord::Kind;

namespace {

std::vector<uint32_t> words_of(const UniformLayout& layout, size_t count, std::span<const uint32_t> uniforms,
                               const float* sysvals = nullptr) {
    std::vector<uint32_t> out(count + 1, 0xdddddddd);
    write_uniforms(layout, uniforms, sysvals, out.data());
    CHECK(out.back() == 0xdddddddd);
    out.pop_back();
    return out;
}

}  // namespace

TEST_CASE("uniform runs: runs of consecutive words") {
    const UniformLayout layout = lay_out_uniforms(std::vector<UniformWord>({{Kind::Sysval, 0},
                                                                            {Kind::Sysval, 3},
                                                                            {Kind::Uniform, 4},
                                                                            {Kind::Uniform, 5},
                                                                            {Kind::Uniform, 6},
                                                                            {Kind::Constant, 77},
                                                                            {Kind::Constant, 78},
                                                                            {Kind::Uniform, 2},
                                                                            {Kind::Sysval, 6}}));
    const std::vector<UniformRun> runs = {
        {Kind::Sysval, 0, 1},  {Kind::Sysval, 3, 1}, {Kind::Uniform, 4, 3}, {Kind::Constant, 0, 2},
        {Kind::Uniform, 2, 1}, {Kind::Sysval, 6, 1}, {Kind::Constant, 2, 1}};
    CHECK(layout.runs == runs);
    CHECK(layout.reads_sysvals);
    CHECK(layout.uniforms_end_dw == 7);
    const float v[7] = {1, 0, 0, 2, 0, 0, 4};
    const uint32_t uniforms[] = {10, 11, 12, 13, 14, 15, 16};
    CHECK(words_of(layout, 10, uniforms, v) ==
          std::vector<uint32_t>{0x3f800000, 0x40000000, 14, 15, 16, 77, 78, 12, 0x40800000, 0});
    // Two uniforms as 16-bit floats, rounded.
    const UniformLayout halves = lay_out_uniforms(
        std::vector<UniformWord>({{Kind::Halves, 0 | 2 << 16}, {Kind::Halves, 1 | 9 << 16}}));
    CHECK(halves.runs == std::vector<UniformRun>{{Kind::Halves, 0, 2}});
    CHECK(halves.uniforms_end_dw == 10);
    const uint32_t floats[] = {0x3f800000, 0x3f801001, 0xc0490fdb};
    CHECK(words_of(halves, 2, floats, v) == std::vector<uint32_t>{0xc2483c00, 0x00003c01});
    // Three uniforms without and with a fourth one: halves are converted by our code, or by instructions of
    // the CPU. The layouts have three words and one.
    const UniformLayout three = lay_out_uniforms(std::vector<UniformWord>({{Kind::Halves, 0 | 2 << 16},
                                                                           {Kind::Halves, 3 | 1 << 16},
                                                                           {Kind::Halves, 1 | 1 << 16}})),
                        one = lay_out_uniforms(std::vector<UniformWord>({{Kind::Halves, 2 | 1 << 16}}));
    const uint32_t more[] = {0x3f800000, 0x3f801001, 0xc0490fdb, 0x33800001};
    CHECK(words_of(three, 4, floats, v) == std::vector<uint32_t>{0xc2483c00, 0x3c010000, 0x3c013c01, 0});
    CHECK(words_of(three, 4, more, v) == std::vector<uint32_t>{0xc2483c00, 0x3c010001, 0x3c013c01, 0});
    CHECK(words_of(one, 2, more, v) == std::vector<uint32_t>{0x3c01c248, 0});
    std::mt19937 random(1);
    for (unsigned turn = 0; turn < 2000; turn++) {
        uint32_t any[4];
        for (uint32_t& u : any) {
            do
                u = uint32_t(random()) & (turn % 2 ? 0xffffffff : 0xb9ffffff);
            while ((u & 0x7fffffff) > 0x7f800000);
        }
        const auto half = [&](unsigned k) {
            return uint32_t(ir::half_from_float(std::bit_cast<float>(any[k])));
        };
        CHECK(words_of(three, 4, any, v) == std::vector<uint32_t>{half(0) | half(2) << 16,
                                                                  half(3) | half(1) << 16,
                                                                  half(1) | half(1) << 16, 0});
    }
    // Missing uniforms are zero.
    CHECK(words_of(layout, 10, std::span(uniforms, 5), v) ==
          std::vector<uint32_t>{0x3f800000, 0x40000000, 14, 0, 0, 77, 78, 12, 0x40800000, 0});
    CHECK(words_of(layout, 10, {}, v) ==
          std::vector<uint32_t>{0x3f800000, 0x40000000, 0, 0, 0, 77, 78, 0, 0x40800000, 0});
}

TEST_CASE("uniform runs: no uniforms") {
    const UniformLayout layout = lay_out_uniforms({});
    CHECK(layout.runs.empty());
    CHECK(!layout.reads_sysvals);
    CHECK(!layout.reads_uniforms());
    CHECK(words_of(layout, 0, {}).empty());
}

TEST_CASE("uniform runs: missing words are zero, others are not copied") {
    const uint32_t words[] = {1, 2, 3};
    uint32_t out[5] = {9, 9, 9, 9, 9};
    CHECK(put_padded(out, words, 4) == out + 4);
    CHECK(std::vector<uint32_t>(out, out + 5) == std::vector<uint32_t>{1, 2, 3, 0, 9});
    CHECK(put_padded(out, {words + 1, 2}, 1) == out + 1);
    CHECK(std::vector<uint32_t>(out, out + 3) == std::vector<uint32_t>{2, 2, 3});
}
