// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, fd6_emit.cc (compute_lrz_state), fd6_zsa.cc.
#include "drivers/adreno/state/depth_planes.h"

namespace terrazzo::adreno {

DepthPlanes::DepthPlanes(Device& device) {
    for (uint32_t i = 0; i < states_.size(); ++i) {
        const auto mode = hw::ZtestMode(i % kModes);
        const uint32_t bits = i / kModes;
        const LrzUse lrz{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
        StateWords<16> words;
        words.write(hw::GRAS_LRZ_CNTL{.enable = lrz.test,
                                      .lrz_write = lrz.write,
                                      .greater = lrz.greater,
                                      .fc_enable = lrz.test && lrz.fast,
                                      .z_test_enable = lrz.test},
                    hw::RB_LRZ_CNTL{lrz.test}, hw::RB_DEPTH_PLANE_CNTL{.z_mode = mode},
                    hw::GRAS_SU_DEPTH_PLANE_CNTL{.z_mode = mode});
        states_[i] = StaticState(device, words.words());
    }
}

}  // namespace terrazzo::adreno
