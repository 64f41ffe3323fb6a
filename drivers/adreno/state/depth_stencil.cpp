// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, fd6_zsa.cc, fd6_emit.cc (compute_lrz_state). OpenGL ES has no alpha test; its register
// must be 0. Depth is not written while the depth test is disabled (OpenGL ES 3.2 section 15.1.3).
#include "drivers/adreno/state/depth_stencil.h"

#include "drivers/adreno/stream/enums.h"
#include "pipe/state_facts.h"

namespace terrazzo::adreno {
namespace {

void pack_states(const pipe::DepthStencilDesc& d, bool depth, bool stencil, StateWords<16>* out) {
    hw::RB_STENCIL_CONTROL control;
    if (stencil) {
        control.stencil_enable = control.stencil_enable_bf = control.stencil_read = true;
        control.func = compare_func(d.front.compare);
        control.fail = stencil_op(d.front.fail);
        control.zpass = stencil_op(d.front.pass);
        control.zfail = stencil_op(d.front.depth_fail);
        control.func_bf = compare_func(d.back.compare);
        control.fail_bf = stencil_op(d.back.fail);
        control.zpass_bf = stencil_op(d.back.pass);
        control.zfail_bf = stencil_op(d.back.depth_fail);
    }
    hw::RB_DEPTH_CNTL depth_control;
    if (depth) {
        depth_control.z_test_enable = depth_control.z_read_enable = true;
        depth_control.z_write_enable = d.depth_write;
        depth_control.zfunc = compare_func(d.depth_compare);
        depth_control.z_clamp_enable = d.depth_clamp;
    }
    const hw::RB_STENCILMASK mask{.mask = stencil ? d.front.read_mask : 0u,
                                  .bfmask = stencil ? d.back.read_mask : 0u};
    const hw::RB_STENCILWRMASK write_mask{.wrmask = stencil ? d.front.write_mask : 0u,
                                          .bfwrmask = stencil ? d.back.write_mask : 0u};
    out->write(hw::RB_ALPHA_CONTROL{}, depth_control, hw::RB_Z_BOUNDS_MIN{}, hw::RB_Z_BOUNDS_MAX{}, control,
               mask, write_mask, hw::GRAS_SU_DEPTH_CNTL{.z_test_enable = depth},
               hw::GRAS_SU_STENCIL_CNTL{.stencil_enable = stencil});
}

}  // namespace

AdrenoDepthStencil::AdrenoDepthStencil(Device& device, const pipe::DepthStencilDesc& d)
    : desc(d), writes_depth_(d.depth_test && d.depth_write), writes_stencil_(pipe::writes_stencil(d)) {
    for (unsigned i = 0; i < states_.size(); ++i) {
        StateWords<16> words;
        pack_states(d, (i & 1) && d.depth_test, (i & 2) && d.stencil_test, &words);
        states_[i] = StaticState(device, words.words());
    }
}

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
