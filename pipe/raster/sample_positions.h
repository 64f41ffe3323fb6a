// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The standard positions of samples in a pixel. The CPU driver uses them, and so does Adreno's hardware
// unless registers say otherwise. Source: Mesa 25.0.7, u_default_get_sample_position (1, 2 and 4 samples);
// D3D11's standard patterns. Kernels that are compiled for several instruction sets use only the tables,
// never the functions.
#pragma once

#include <cstdint>

namespace terrazzo::pipe::raster {

/// In sixteenths of a pixel from its centre.
struct SamplePosition {
    int8_t x, y;
};
inline constexpr unsigned kMaxPositions = 8;
inline constexpr unsigned kSampleCounts = 4;  // 1, 2, 4, 8
/// The largest distance of a sample from the centre on one axis.
inline constexpr int32_t kSampleReach_16ths = 7;
/// The samples of a pixel that has 1 << row of them.
inline constexpr SamplePosition kSamplePositions[kSampleCounts][kMaxPositions] = {
    {{0, 0}},
    {{4, 4}, {-4, -4}},
    {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}},
    {{1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7}},
};

/// The row for `samples`: 1, 2, 4 or 8. Other numbers are rounded down to one of these.
constexpr unsigned sample_row(uint32_t samples) {
    return samples >= 8 ? 3 : samples >= 4 ? 2 : samples >= 2 ? 1 : 0;
}
constexpr const SamplePosition& sample_at(uint32_t samples, uint32_t index) {
    const unsigned row = sample_row(samples);
    return kSamplePositions[row][index & ((1u << row) - 1)];
}

/// See pipe::Screen::sample_position.
constexpr void sample_position(uint32_t samples, uint32_t index, float xy[2]) {
    const SamplePosition& at = sample_at(samples, index);
    xy[0] = 0.5f + float(at.x) / 16;
    xy[1] = 0.5f + float(at.y) / 16;
}

/// See ir::Sysval::SamplePositions: four bits per sample. `axis`: 0 is x, 1 is y.
constexpr uint32_t packed_sample_positions(uint32_t samples, unsigned axis) {
    uint32_t positions = 0;
    for (uint32_t s = 0; s < 1u << sample_row(samples); ++s) {
        const SamplePosition& at = sample_at(samples, s);
        positions |= uint32_t((axis ? at.y : at.x) & 15) << 4 * s;
    }
    return positions;
}

}  // namespace terrazzo::pipe::raster
