// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "pipe/raster/sample_positions.h"

namespace {

using namespace terrazzo::pipe::raster;

// In sixteenths of a pixel from its corner, like the tables of Mesa and D3D11.
constexpr uint8_t kCorner[4][8][2] = {
    {{8, 8}},
    {{12, 12}, {4, 4}},
    {{6, 2}, {14, 6}, {2, 10}, {10, 14}},
    {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}},
};

}  // namespace

TEST_CASE("sample positions: the standard patterns, as floats and packed") {
    for (unsigned row = 0; row < kSampleCounts; ++row) {
        CAPTURE(row);
        const uint32_t samples = 1u << row;
        uint32_t packed[2] = {0, 0};
        int reach = 0;
        for (uint32_t s = 0; s < samples; ++s) {
            float xy[2];
            sample_position(samples, s, xy);
            for (unsigned axis = 0; axis < 2; ++axis) {
                CHECK(xy[axis] == float(kCorner[row][s][axis]) / 16);
                packed[axis] |= uint32_t((kCorner[row][s][axis] - 8) & 15) << 4 * s;
                reach = std::max(reach, std::abs(int(kCorner[row][s][axis]) - 8));
            }
        }
        CHECK(packed_sample_positions(samples, 0) == packed[0]);
        CHECK(packed_sample_positions(samples, 1) == packed[1]);
        CHECK(reach <= kSampleReach_16ths);
    }
    CHECK(&sample_at(3, 0) == &sample_at(2, 0));
    CHECK(&sample_at(16, 7) == &sample_at(8, 7));
    CHECK(&sample_at(4, 5) == &sample_at(4, 1));  // an index beyond the number of samples wraps around
}
