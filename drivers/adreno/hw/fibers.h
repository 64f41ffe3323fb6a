// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How many fibers run at once, which depends on the registers that a shader uses. Source: Mesa 25.0.7,
// ir3_get_reg_dependent_max_waves, ir3_should_double_threadsize.
#pragma once

#include <algorithm>

#include "drivers/adreno/hw/chips.h"

namespace terrazzo::adreno::hw {

/// The register file of a shader processor, as the waves of one stage see it.
struct RegisterFile {
    unsigned size_vec4;  // Generation::registers_vec4
    bool doubles;        // fragment and compute shaders run in double waves if the file has room for them

    /// How many fibers run if each uses `used_vec4` registers.
    [[nodiscard]] constexpr unsigned fibers(unsigned used_vec4) const {
        const unsigned width = doubles && 2 * used_vec4 <= size_vec4 ? 2 : 1;
        const unsigned waves =
            used_vec4 ? size_vec4 / (width * used_vec4) * Chip::kWaveGranularity : Chip::kMaxWaves;
        return std::clamp(waves, 1u, Chip::kMaxWaves) * width * Chip::kThreadsize;
    }
    /// The most registers with which all fibers run.
    [[nodiscard]] constexpr unsigned most_for_all_vec4() const {
        return size_vec4 * Chip::kWaveGranularity / Chip::kMaxWaves / (doubles ? 2 : 1);
    }
    /// The most registers with which more fibers run than with `used_vec4` registers. 0: with no number of
    /// registers do more fibers run.
    [[nodiscard]] constexpr unsigned most_for_more_vec4(unsigned used_vec4) const {
        unsigned n = used_vec4;
        while (n && fibers(n) <= fibers(used_vec4))
            n--;
        return n;
    }
};

}  // namespace terrazzo::adreno::hw
